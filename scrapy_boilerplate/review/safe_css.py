"""Style sheets without anything that is loaded from elsewhere.

The page's content security policy forbids such loads anyway; here they are taken out so that nothing even tries.
"""

from __future__ import annotations

import re

# Raster images that are part of the sheet itself may stay.
EMBEDDED_IMAGE = re.compile(r"data:image/(?:png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=\s]{1,200000}")

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
# A letter written in a roundabout way: "u\\72l(" is "url(".
_ESCAPED_LETTER = re.compile(r"\\0{0,4}([46][1-9a-f]|[57][0-9a])[ \t\n]?|\\([g-z])", re.IGNORECASE)
_IMPORT = re.compile(r"@import\b[^;{}]*;?", re.IGNORECASE)
_FONT = re.compile(r"@font-face\s*\{[^}]*\}?", re.IGNORECASE)
_URL = re.compile(r"""\b(?:url|src)\(\s*(?:"([^"]*)"|'([^']*)'|([^)"']*))[^)]*\)?""", re.IGNORECASE)
# These take an address as a plain string too.
_IMAGE_SET = re.compile(r"(?:-webkit-)?(?:image-set|cross-fade)\((?:[^()]|\([^()]*\))*\)?", re.IGNORECASE)
_ACTIVE = re.compile(r"\b(?:behavior|-moz-binding)\s*:|expression\(", re.IGNORECASE)


def safe_css(text: str) -> str:
    """The sheet, or the declarations of a style attribute, with every address of another file taken out."""
    text = _ESCAPED_LETTER.sub(_letter, _COMMENT.sub(" ", text))
    text = _FONT.sub("", _IMPORT.sub("", text))
    text = _URL.sub(_embedded_or_none, text)
    text = _IMAGE_SET.sub("none", text)
    text = _ACTIVE.sub("x:", text)
    return text.replace("</", "<\\/")  # nothing in a sheet may close its <style>


def _letter(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else match[2]


def _embedded_or_none(match: re.Match[str]) -> str:
    address = next((group for group in match.groups() if group), "").strip()
    return f'url("{address}")' if EMBEDDED_IMAGE.fullmatch(address) else "none"
