"""Any kind of page to an lxml tree, its bytes decoded as a browser would."""

from __future__ import annotations

import codecs
import re
from typing import Any

from lxml import etree

# What the WHATWG Encoding Standard reads some labels as, where Python's codec of that name knows fewer characters.
_BROWSER_CODECS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "iso8859-11": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
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
_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
_CONTROL_BYTES = bytes({*range(0x01, 0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)})
_MOST_CONTROL_BYTES = 0.05  # a share above this in the first bytes: an image or an archive, not a page
_SURROGATES = re.compile("[\ud800-\udfff]")


def to_tree(page: Any) -> etree._Element | None:
    """The root element of a page, or None when there is nothing in it.

    A tree that was handed in is returned as it is; nothing here or later changes it.
    """
    if isinstance(page, str):
        return _parse(_encode(page))
    if isinstance(page, (bytes, bytearray, memoryview)):
        return parse_bytes(bytes(page))
    if isinstance(page, etree._ElementTree):
        return page.getroot()
    if isinstance(page, etree._Element):
        return page
    root = getattr(page, "root", None)
    if isinstance(root, etree._Element):  # a parsel Selector
        return root
    if isinstance(getattr(page, "body", None), bytes):  # a Scrapy response
        return parse_bytes(page.body, getattr(page, "encoding", None))
    raise TypeError(
        "a page is a str, bytes, a Scrapy response, a parsel Selector of HTML or an lxml element, "
        f"not {type(page).__name__}"
    )


def parse_bytes(body: bytes, encoding: str | None = None) -> etree._Element | None:
    """Parse a page's bytes; a byte order mark wins over `encoding`, as in a browser."""
    mark, marked = _byte_order_mark(body)
    codec = marked or _codec(encoding) or _declared_codec(body)
    if marked is None and _is_binary(body):
        return None
    return _parse(_to_utf8(body[len(mark) :], codec))


def _byte_order_mark(body: bytes) -> tuple[bytes, str | None]:
    for mark, codec in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return mark, codec
    return b"", None


def _declared_codec(body: bytes) -> str | None:
    head = _COMMENT.sub(b"", body[:_PRESCAN_BYTES])
    match = _DECLARED.search(head)
    codec = _codec(match[1].decode("ascii", "replace")) if match else None
    # A <meta> that could be read byte by byte is not in UTF-16, whatever it says.
    return "utf-8" if codec and codec.startswith(("utf-16", "utf-32")) else codec


def _codec(label: str | None) -> str | None:
    """Python's name for an encoding label, or None for a label that nobody knows."""
    if not label:
        return None
    try:
        info = codecs.lookup(label)
    except (LookupError, ValueError):
        return None
    if not getattr(info, "_is_text_encoding", True):  # base64 and its like
        return None
    return _BROWSER_CODECS.get(info.name, info.name)


def _to_utf8(body: bytes, codec: str | None) -> bytes:
    """The page in UTF-8; without any declaration it is taken for UTF-8 if it can be, else for Windows-1252."""
    try:
        if codec in (None, "utf-8"):
            body.decode("utf-8")
            return body
    except UnicodeDecodeError:
        codec = codec or "cp1252"
    return _encode(body.decode(codec or "utf-8", "replace"))


def _encode(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # lone surrogates, which no encoding can write
        return _SURROGATES.sub("", text).encode("utf-8")


def _is_binary(body: bytes) -> bool:
    sample = body[:_PRESCAN_BYTES].replace(b"\0", b"")
    controls = len(sample) - len(sample.translate(None, _CONTROL_BYTES))
    return controls > _MOST_CONTROL_BYTES * len(sample)


def _parse(body: bytes) -> etree._Element | None:
    body = body.replace(b"\0", b"")
    if not body.strip():
        return None
    # huge_tree lifts libxml2's limits on depth and on the length of a text; comments are never looked at.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    return etree.fromstring(body, parser)
