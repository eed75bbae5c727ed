"""Reader of WARC archives, plain, gzip or zstd, that skips damaged parts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from ..extras import require
from ..not_cleaned import NotCleaned
from .pages import Damage, Record, Skipped, StoredPage, is_html, parse_http, why_no_page

_GZIP, _ZSTD, _PLAIN = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"WARC/1."
_ZSTD_DICTIONARY = b"\x5d\x2a\x4d\x18"  # a frame with which zstd archives may begin
_BLOCK = 1 << 20
_HEAD = 1 << 16  # read of records that are too large: enough for their kind


def read_warc(path: Path, max_bytes: int) -> Iterator[tuple[Record, int]]:
    """Yield pages, skipped records and damages, each with the number of bytes read so far.

    After damage, reading continues at the next record.
    """
    archive_iterator = require("fastwarc.warc", "warc").ArchiveIterator
    with path.open("rb") as file:
        magic = _magic(file)
        start: int | None = 0
        last: int | None = None  # start of the last record that was readable
        reported: int | None = -1  # start of the record before the last reported damage
        while start is not None:
            file.seek(start)
            try:
                for record in archive_iterator(file, parse_http=False):
                    start = record.stream_pos
                    found = _record(record, max_bytes)
                    last = start
                    if found is not None:
                        yield found, file.tell()
                if last is None:
                    raise OSError("there is no record in it")
                return
            except OSError as error:
                if reported != last:
                    message = "no WARC archive" if last is None else f"damaged behind the record at byte {last}"
                    yield Damage(f"{message}: {error}"), file.tell()
                reported = last
                start = _next_start(file, start + 1, magic)


def _record(record: Any, max_bytes: int) -> Record | None:
    """Convert a record; None for records about the crawl. Raises OSError if it is truncated."""
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    if "Content-Length" not in record.headers:
        raise OSError("a record without a head")
    size = record.content_length
    block = _read(record.reader, size if size <= max_bytes else _HEAD)
    if len(block) + record.consume() < size:
        raise OSError(f"the record of {url} is cut off")
    kind = (record.headers.get("WARC-Type") or "").lower()
    if kind == "revisit":
        return Skipped("revisit")
    if kind not in ("response", "resource", "conversion"):
        return None
    too_large = NotCleaned("too_large", f"it has {size} bytes") if size > max_bytes else None
    return _answer(record.headers, kind, url, block, too_large)


def _answer(warc_headers: Any, kind: str, url: str, block: bytes, too_large: NotCleaned | None) -> Record:
    date = warc_headers.get("WARC-Date")
    content_type = warc_headers.get("Content-Type") or ""
    if not content_type.lower().startswith("application/http"):
        is_text = kind == "conversion" and content_type.lower().startswith("text/plain")
        if not is_text and not is_html(content_type):
            return Skipped("not_html")
        headers = {"content-type": content_type}
        return StoredPage(url, date, headers, b"" if too_large else block, is_text, too_large)
    status, headers, body = parse_http(block)
    if status is None:
        return StoredPage(url, date, not_cleaned=NotCleaned("no_http"))
    return why_no_page(status, headers) or StoredPage(
        url, date, headers, b"" if too_large else body, not_cleaned=too_large
    )


def _read(reader: Any, size: int) -> bytes:
    pieces = []
    while size > 0 and (piece := reader.read(size)):
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def _magic(file: BinaryIO) -> bytes:
    """The bytes with which each record, or compressed member, begins."""
    head = file.read(4)
    if head.startswith(_GZIP):
        return _GZIP
    return _ZSTD if head in (_ZSTD, _ZSTD_DICTIONARY) else _PLAIN


def _next_start(file: BinaryIO, offset: int, magic: bytes) -> int | None:
    """Find the next place, from this byte on, where a record may begin."""
    file.seek(offset)
    window = b""
    while block := file.read(_BLOCK):
        window += block
        place = window.find(magic)
        if place >= 0:
            return offset + place
        offset += len(window) - len(magic) + 1
        window = window[len(window) - len(magic) + 1 :]
    return None
