"""Bytes to UTF-8, by the encoding that a browser would choose."""

from __future__ import annotations

import codecs
import re

from ..not_cleaned import NotCleaned
from .other_files import is_other_file

# The encodings of the WHATWG Encoding Standard by Python's names for them; no page is read in any other.
_BROWSER_CODECS = frozenset(
    """
    utf-8 utf-16-le utf-16-be cp866 koi8-r koi8-u mac-roman mac-cyrillic gb18030 big5hkscs euc_jp iso2022_jp cp932 cp949
    iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14 iso8859-15
    iso8859-16 cp874 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258
    """.split()
)
# What the standard reads as a larger encoding than the label says.
_LARGER_CODECS = {
    "utf-16": "utf-16-le",
    "utf-8-sig": "utf-8",
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "iso8859-11": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "johab": "cp949",
    "big5": "big5hkscs",
}
# Labels that Python doesn't know, beside those with an "x-" before the name.
_OTHER_LABELS = {
    "dos-874": "cp874",
    "windows-874": "cp874",
    "windows-949": "cp949",
    "windows-31j": "cp932",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "logical": "iso8859-8",
    "visual": "iso8859-8",
    "unicode-1-1-utf-8": "utf-8",
    "macintosh": "mac-roman",
    "mac": "mac-roman",
    "mac-ukrainian": "mac-cyrillic",
    "gb_2312-80": "gb18030",
}
# UTF-32 first: its little-endian mark begins like UTF-16's.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_PRESCAN_BYTES = 1024  # how far a browser looks for a <meta> that declares the encoding
_DECLARED = re.compile(rb"""<(?:meta|\?xml)\b[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
# Around the pages of CleanEval; it counts only where the page itself says nothing. Titles in it may well hold a ">".
_WRAPPER = re.compile(rb"""\s*<text\b(?:[^>"']|"[^"]*"|'[^']*')*?\bencoding\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_SURE_BYTES = 20  # more bytes than characters in a page that is surely UTF-8
_SURROGATES = re.compile("[\ud800-\udfff]")


def decoded(body: bytes, encoding: str | None = None) -> bytes:
    """The page in UTF-8; a byte order mark wins over `encoding`, and that over what the page declares itself.

    NotCleaned for a file of another kind.
    """
    mark, marked = _byte_order_mark(body)
    codec = marked or _codec(encoding) or _declared_codec(body)
    if marked is None and is_other_file(body):
        raise NotCleaned("not_text")
    return _to_utf8(body[len(mark) :], codec)


def encoded(text: str) -> bytes:
    """The text in UTF-8, without lone surrogates, which no encoding can write."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATES.sub("", text).encode("utf-8")


def _byte_order_mark(body: bytes) -> tuple[bytes, str | None]:
    for mark, codec in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return mark, codec
    return b"", None


def _declared_codec(body: bytes) -> str | None:
    head = _COMMENT.sub(b"", body[:_PRESCAN_BYTES])
    match = _DECLARED.search(head) or _WRAPPER.match(head)
    codec = _codec(match[1].decode("ascii", "replace")) if match else None
    if codec in (None, "utf-8"):
        return codec
    # A <meta> that could be read byte by byte is not in UTF-16, whatever it says.
    return "utf-8" if codec.startswith(("utf-16", "utf-32")) or _is_surely_utf8(body) else codec


def _is_surely_utf8(body: bytes) -> bool:
    """Whether this is UTF-8, whatever it says: pages that were stored as UTF-8 often keep an old declaration.

    A few characters may look like UTF-8 by chance; no text in another encoding does so throughout.
    """
    try:
        characters = len(body.decode("utf-8"))
    except UnicodeDecodeError:
        return False
    return len(body) - characters >= _SURE_BYTES


def _codec(label: str | None) -> str | None:
    """Python's name for what a browser reads under this label, or None for a label that browsers don't know."""
    if not label:
        return None
    label = label.strip().lower()
    while label.startswith("x-"):
        label = label[2:]
    try:
        name = codecs.lookup(_OTHER_LABELS.get(label, label)).name
    except (LookupError, ValueError):
        return None
    name = _LARGER_CODECS.get(name, name)
    return name if name in _BROWSER_CODECS else None


def _to_utf8(body: bytes, codec: str | None) -> bytes:
    """The page in UTF-8; without any declaration it is taken for UTF-8 if it can be, else for Windows-1252."""
    try:
        if codec in (None, "utf-8"):
            if not body.isascii():  # which is found out in no time
                body.decode("utf-8")
            return body
    except UnicodeDecodeError:
        codec = codec or "cp1252"
    return encoded(body.decode(codec or "utf-8", "replace"))
