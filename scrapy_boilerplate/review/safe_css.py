"""Style sheets without anything that is loaded from elsewhere.

The page's content security policy forbids such loads anyway; here they are taken out so that nothing even tries.

A load needs a name of letters and dashes: `url(`, `@import`. So first every escape is written in one way, in which no
letter and no dash is escaped; then these names stand in the text as they are, and are found wherever they stand. What
is in a string or not need not be known: a name that is taken out of a string costs the look of a page at most.
"""

from __future__ import annotations

import re

# Raster images that are part of the sheet itself may stay.
EMBEDDED_IMAGE = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=\s]{1,200000}")

# A comment, or an escape: hexadecimal digits and one white space, the end of a line, or any other character.
_COMMENT_OR_ESCAPE = re.compile(
    r"/\*.*?(?:\*/|\Z)|\\(?:([0-9a-f]{1,6})(?:\r\n|\s)?|\r\n|[\n\r\f]|(.)|\Z)", re.DOTALL | re.IGNORECASE | re.ASCII
)
_IMPORT = re.compile(r"@import\b[^;{}]*;?", re.IGNORECASE)
_FONT = re.compile(r"@font-face\s*\{[^}]*\}?", re.IGNORECASE)
_URL = re.compile(r"""(?:url|src)\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*))[^)]*\)?""", re.IGNORECASE)
# These take an address as a plain string too.
_IMAGE = re.compile(r"(?:-webkit-)?(?:image|image-set|cross-fade)\((?:[^()]|\([^()]*\))*\)?", re.IGNORECASE)
_ACTIVE = re.compile(r"\b(?:behavior|-moz-binding)\s*:|expression\(", re.IGNORECASE)


def safe_css(text: str) -> str:
    """The sheet, or the declarations of a style attribute, with every address of another file taken out.

    Nothing is replaced by nothing: what stands on both sides would become one name.
    """
    text = _COMMENT_OR_ESCAPE.sub(_without_surprises, text)
    text = _FONT.sub(" ", _IMPORT.sub(" ", text))
    text = _URL.sub(_embedded_or_none, text)
    text = _IMAGE.sub("none", text)
    text = _ACTIVE.sub("x:", text)
    return text.replace("</", "<\\/")  # nothing in a sheet may close its <style>


def _without_surprises(match: re.Match[str]) -> str:
    """A comment is a blank; a letter, a dash, or what ASCII lacks is itself; all else is its number and a blank."""
    digits, character = match.groups()
    if digits:
        code = int(digits, 16)
        character = chr(code) if 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF else "\ufffd"
    if character is None:
        return " " if match[0].startswith("/*") else ""  # the end of a line goes on in a string
    if character.isalpha() or character in "-_" or character > "\x7f":
        return character
    return f"\\{ord(character):x} "


def _embedded_or_none(match: re.Match[str]) -> str:
    address = next((group for group in match.groups() if group), "").strip()
    return f'url("{address}")' if EMBEDDED_IMAGE.fullmatch(address) else "none"
