"""Any kind of page to an lxml tree, its bytes decoded as a browser would."""

from __future__ import annotations

import codecs
import copy
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from lxml import etree

from .attributes import has_too_many_attributes
from .recovery import has_hardly_any_text, is_better, without_swallowers

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
_CONTROL_BYTES = bytes({*range(0x01, 0x09), 0x0B, *range(0x0E, 0x1B), *range(0x1C, 0x20)})
_MOST_CONTROL_BYTES = 0.05  # a share above this in the first bytes: an image or an archive, not a page
_MOST_NULS = 0.1
_TAG = re.compile(rb"<[!/?A-Za-z]")
# How files of other kinds begin, beside those that give themselves away by their control characters.
_OTHER_FILE = re.compile(
    rb"""\s*%PDF-\d | %!PS-Adobe | \{\\rtf\d
      | \x89PNG\r\n | GIF8[79]a | \xff\xd8\xff | RIFF....(?:WEBP|WAVE|AVI[ ]) | II\*\0 | MM\0\* | \0\0\0.ftyp
      | PK(?:\x03\x04|\x05\x06) | \x1f\x8b\x08 | BZh[1-9]1AY&SY | \xfd7zXZ\0 | 7z\xbc\xaf | Rar!\x1a | \x28\xb5\x2f\xfd
      | \x7fELF | MZ[^<]{0,62}\0 | \xca\xfe\xba\xbe | \0asm | \xd0\xcf\x11\xe0 | SQLite[ ]format[ ]3
      | OggS\0 | ID3[\x02-\x04] | fLaC\0 | wOF[F2] | OTTO\0 | \0\x01\0\0\0""",
    re.VERBOSE | re.DOTALL,
)
_BODY_ENDS = re.compile(rb"</(?:body|html|BODY|HTML)\s*>")
_SURROGATES = re.compile("[\ud800-\udfff]")


def to_tree(page: Any) -> etree._Element | None:
    """The root element of a page, or None when there is nothing in it.

    A tree that was handed in is returned as it is, unless it has to be repaired; nothing here or later changes it.
    """
    if isinstance(page, str):
        return _parse(_encode(page))
    if isinstance(page, (bytes, bytearray, memoryview)):
        return parse_bytes(bytes(page))
    if isinstance(page, etree._ElementTree):
        return _checked(page.getroot())
    if isinstance(page, etree._Element):
        return _checked(page)
    root = getattr(page, "root", None)
    if isinstance(root, etree._Element):  # a parsel Selector
        return _checked(root)
    if isinstance(getattr(page, "body", None), bytes):  # a Scrapy response
        return parse_bytes(page.body, getattr(page, "encoding", None))
    raise TypeError(
        "a page is a str, bytes, a Scrapy response, a parsel Selector of HTML or an lxml element, "
        f"not {type(page).__name__}"
    )


def parse_bytes(body: bytes, encoding: str | None = None) -> etree._Element | None:
    """Parse a page's bytes; a byte order mark wins over `encoding`, as in a browser."""
    decoded = _decoded(body, encoding)
    return None if decoded is None else _parse(decoded)


def why_no_tree(body: bytes, encoding: str | None = None) -> tuple[str, str]:
    """Why `parse_bytes` has found nothing in a page: the reason in a word and in a sentence."""
    decoded = _decoded(body, encoding)
    if decoded is not None and has_too_many_attributes(decoded.replace(b"\0", b"")):
        return "too_many_attributes", "it has tags with thousands of attributes, which would take too long"
    return "not_text", "there is no text in it, perhaps an image or an archive"


def _decoded(body: bytes, encoding: str | None) -> bytes | None:
    """The page in UTF-8; None if it is no text."""
    mark, marked = _byte_order_mark(body)
    codec = marked or _codec(encoding) or _declared_codec(body)
    if marked is None and _is_binary(body):
        return None
    return _to_utf8(body[len(mark) :], codec)


def _checked(root: etree._Element | None) -> etree._Element | None:
    """A root that was handed in, if there can be text in it and all of it can be read."""
    if root is None or not isinstance(root.tag, str):  # a comment, a processing instruction, an entity
        return None
    tree = root.getroottree()
    if not isinstance(tree.parser, etree.XMLParser):  # the HTML parser lets no surrogates through
        return root
    try:
        for element in _all_of(tree):
            _ = element.text, element.tail, element.items()
    except UnicodeDecodeError:
        return without_surrogates(root)
    return root


def without_surrogates(root: etree._Element) -> etree._Element:
    """The same root in a copy of its tree without what a recovering XML parser makes of `&#xD800;`."""
    tree = root.getroottree()
    copied_tree = copy.deepcopy(tree)
    copied_root = copied_tree.getroot()
    for element, copied in zip(_all_of(tree), _all_of(copied_tree), strict=True):
        if element is root:
            copied_root = copied
        copied.tail = _readable(partial(getattr, element, "tail"))
        if not isinstance(element.tag, str):
            continue
        copied.text = _readable(partial(getattr, element, "text"))
        for name in element.attrib:
            copied.set(name, _readable(partial(element.get, name)) or "")
    return copied_root


def _all_of(tree: etree._ElementTree) -> Iterator[etree._Element]:
    """All elements, comments and the like in document order.

    `iter()` holds none of those around an element, and so lxml climbs to the root whenever one is let go.
    """
    return (element for _, element in etree.iterwalk(tree, ("start", "comment", "pi")))


def _readable(read: Callable[[], str | None]) -> str | None:
    try:
        return read()
    except UnicodeDecodeError as error:
        return bytes(error.object).decode("utf-8", "ignore")


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
    return _encode(body.decode(codec or "utf-8", "replace"))


def _encode(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:  # lone surrogates, which no encoding can write
        return _SURROGATES.sub("", text).encode("utf-8")


def _is_binary(body: bytes) -> bool:
    """Whether this is a file of another kind that was served as a page."""
    beginning = body[:_PRESCAN_BYTES]
    if _OTHER_FILE.match(beginning):
        return True
    sample = beginning.replace(b"\0", b"")
    # Text in UTF-16 or UTF-32 without a mark is half NULs or more, but in a page there are tags.
    if len(beginning) - len(sample) > _MOST_NULS * len(beginning) and not _TAG.search(sample):
        return True
    controls = len(sample) - len(sample.translate(None, _CONTROL_BYTES))
    return controls > _MOST_CONTROL_BYTES * len(sample)


def _without_early_end(body: bytes) -> bytes:
    """The page without its closing tags where text follows on them: a browser reads on, libxml2 drops the rest."""
    end = body.find(b"</html")
    if end < 0:
        end = body.find(b"</HTML")
    if end < 0 or not body[end:].partition(b">")[2].strip():
        return body
    return _BODY_ENDS.sub(b"", body)


def _parse(body: bytes) -> etree._Element | None:
    body = _without_early_end(body.replace(b"\0", b""))
    if not body.strip() or has_too_many_attributes(body):
        return None
    root = _read(body)
    if not has_hardly_any_text(root, body):
        return root
    repaired = without_swallowers(body)
    again = _read(repaired) if repaired is not None else None
    return again if is_better(again, root) else root


def _read(body: bytes) -> etree._Element | None:
    # huge_tree lifts libxml2's limit on the length of a text (newer versions still stop at a depth of 2048); comments
    # and the table of ids are never looked at.
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, collect_ids=False
    )
    return etree.fromstring(body, parser)
