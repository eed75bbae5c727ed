"""Encodings: decodes a page as browsers do, to UTF-8."""

from __future__ import annotations

import codecs
import re

from .. import _core
from ..not_cleaned import NotCleaned
from .other_files import is_other_file

# All encodings of the WHATWG Encoding Standard, by Python's names.
_BROWSER_CODECS = frozenset(
    """
    utf-8 utf-16-le utf-16-be cp866 koi8-r koi8-u mac-roman mac-cyrillic gb18030 big5hkscs euc_jp iso2022_jp cp932 cp949
    iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14 iso8859-15
    iso8859-16 cp874 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258
    """.split()
)
# Labels for which the standard prescribes a superset of the named encoding.
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
# Labels of the standard that Python doesn't know; prefixes "x-" are removed before.
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
_PRESCAN_BYTES = 1024  # browsers look for a <meta charset> this far
_DECLARED = re.compile(rb"""<(?:meta|\?xml)\b[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
# The wrapper of CleanEval's pages, whose title may contain ">"; used if the page declares nothing.
_WRAPPER = re.compile(rb"""\s*<text\b(?:[^>"']|"[^"]*"|'[^']*')*?\bencoding\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_SURE_BYTES = 20  # more bytes than characters in a page that is surely UTF-8
_SURROGATES = re.compile("[\ud800-\udfff]")


def decoded(body: bytes, encoding: str | None = None) -> bytes:
    """Return the page in UTF-8. Raises NotCleaned for files of other kinds, such as PDFs.

    A byte order mark overrides `encoding`, which overrides what the page declares.
    """
    mark, marked = _byte_order_mark(body)
    codec = marked or _codec(encoding) or _declared_codec(body)
    if marked is None and is_other_file(body):
        raise NotCleaned("not_text")
    return _to_utf8(body[len(mark) :], codec)


def encoded(text: str) -> bytes:
    """Return the text in UTF-8, without lone surrogates, which can't be encoded."""
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
    # A <meta> that was readable as ASCII is not in UTF-16, whatever it declares.
    return "utf-8" if codec.startswith(("utf-16", "utf-32")) or _is_surely_utf8(body) else codec


def _is_surely_utf8(body: bytes) -> bool:
    """Whether these bytes are UTF-8, whatever they declare: saved pages often keep an old declaration.

    A few characters may be valid UTF-8 by chance, but never a whole text in another encoding.
    """
    try:
        characters = len(body.decode("utf-8"))
    except UnicodeDecodeError:
        return False
    return len(body) - characters >= _SURE_BYTES


def _codec(label: str | None) -> str | None:
    """Python's name for the encoding that browsers use for this label; None for unknown labels."""
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
    """Recode the page as UTF-8. Without a codec it is read as UTF-8 if valid, otherwise as Windows-1252."""
    try:
        if codec in (None, "utf-8"):
            if not (body.isascii() or (_core.is_ready() and _core.shim.is_utf8(body))):  # fast checks
                body.decode("utf-8")
            return body
    except UnicodeDecodeError:
        codec = codec or "cp1252"
    return encoded(body.decode(codec or "utf-8", "replace"))
