"""Remove everything from style sheets that a browser would load from elsewhere.

The page's content security policy forbids such loads anyway; without them, the browser doesn't even try.

A load needs a name of letters and dashes: `url(`, `@import`. So first all escapes are normalised: afterwards no letter
and no dash is escaped, and a search for these names finds them all. Strings need not be told apart from the rest: if a
name is removed from a string, this changes the look of the page at most.
"""

from __future__ import annotations

import re

# Raster images that are embedded in the sheet are kept.
EMBEDDED_IMAGE = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=\s]{1,200000}")

# A comment, or an escape: hexadecimal digits and one white space, the end of a line, or any other character.
_COMMENT_OR_ESCAPE = re.compile(
    r"/\*.*?(?:\*/|\Z)|\\(?:([0-9a-f]{1,6})(?:\r\n|\s)?|\r\n|[\n\r\f]|(.)|\Z)", re.DOTALL | re.IGNORECASE | re.ASCII
)
_IMPORT = re.compile(r"@import\b[^;{}]*;?", re.IGNORECASE)
_FONT = re.compile(r"@font-face\s*\{[^}]*\}?", re.IGNORECASE)
_URL = re.compile(r"""(?:url|src)\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*))[^)]*\)?""", re.IGNORECASE)
# These functions accept an address as a plain string, too.
_IMAGE = re.compile(r"(?:-webkit-)?(?:image|image-set|cross-fade)\((?:[^()]|\([^()]*\))*\)?", re.IGNORECASE)
_ACTIVE = re.compile(r"\b(?:behavior|-moz-binding)\s*:|expression\(", re.IGNORECASE)


def safe_css(text: str) -> str:
    """Return a sheet, or the declarations of a style attribute, without addresses of other files.

    Each removed part leaves a blank or a word in its place: otherwise the text on both sides could become one name.
    """
    text = _COMMENT_OR_ESCAPE.sub(_normalised, text)
    text = _FONT.sub(" ", _IMPORT.sub(" ", text))
    text = _URL.sub(_embedded_or_none, text)
    text = _IMAGE.sub("none", text)
    text = _ACTIVE.sub("x:", text)
    return text.replace("</", "<\\/")  # a sheet must not close its <style>


def _normalised(match: re.Match[str]) -> str:
    """Normalise a comment or an escape.

    A comment becomes a blank. An escaped letter, dash or non-ASCII character becomes the character, any other one its
    hexadecimal code and a blank.
    """
    digits, character = match.groups()
    if digits:
        code = int(digits, 16)
        character = chr(code) if 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF else "\ufffd"
    if character is None:
        return " " if match[0].startswith("/*") else ""  # an escaped line end inside a string
    if character.isalpha() or character in "-_" or character > "\x7f":
        return character
    return f"\\{ord(character):x} "


def _embedded_or_none(match: re.Match[str]) -> str:
    address = next((group for group in match.groups() if group), "").strip()
    return f'url("{address}")' if EMBEDDED_IMAGE.fullmatch(address) else "none"
