"""Stored HTTP messages: parses heads, and decodes transfer and content encodings of bodies."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from gzip import GzipFile
from io import BytesIO
from typing import Any, Protocol

from ..extras import require
from ..not_cleaned import NotCleaned
from ..site import SiteMemory

_HEAD_END = re.compile(rb"\r?\n\r?\n")
_STATUS_LINE = re.compile(rb"HTTP/[\d.]+\s+(\d{3})\b")
_CHARSET = re.compile(r"""charset\s*=\s*["']?([^"'\s;]+)""", re.IGNORECASE)
_PIECE = 65536


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A stored page, or the reason why it can't be cleaned."""

    url: str
    date: str | None = None  # ISO 8601
    headers: Mapping[str, str] = field(default_factory=dict)  # names in lower case
    body: bytes = b""  # still encoded
    is_text: bool = False  # the archive holds extracted text (a WET file)
    not_cleaned: NotCleaned | None = None
    site: SiteMemory | None = None  # of its host


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that is no page."""

    reason: str  # not_html, not_ok, revisit


@dataclass(frozen=True, slots=True)
class Damage:
    """A part of the source that could not be read, with an unknown number of pages."""

    message: str


Record = StoredPage | Skipped | Damage


def parse_http(message: bytes) -> tuple[int | None, dict[str, str], bytes]:
    """Split an HTTP response into status, headers and body; status is None if it is none."""
    status = _STATUS_LINE.match(message)
    if status is None:
        return None, {}, message
    end = _HEAD_END.search(message)
    head, body = (message[: end.start()], message[end.end() :]) if end else (message, b"")
    return int(status[1]), parse_headers(head.partition(b"\n")[2]), body


def parse_headers(head: bytes) -> dict[str, str]:
    headers: dict[str, str] = {}
    for line in head.decode("latin-1").splitlines():
        name, colon, value = line.partition(":")
        if colon:
            name, value = name.strip().lower(), value.strip()
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


def why_no_page(status: int, headers: Mapping[str, str]) -> Skipped | None:
    """Why a response is skipped; None if a spider would get it as a page.

    Pages have status 2xx and are HTML, or have no Content-Type.
    """
    if not 200 <= status < 300:
        return Skipped("not_ok")
    return None if is_html(headers.get("content-type", "")) else Skipped("not_html")


def charset_of(content_type: str) -> str | None:
    """The charset of a Content-Type header."""
    match = _CHARSET.search(content_type)
    return match[1] if match else None


def is_html(content_type: str) -> bool:
    kind = content_type.partition(";")[0].strip().lower()
    return not kind or kind.endswith(("html", "html+xml"))


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The decoded body of a page, with the charset from its headers."""

    body: bytes
    encoding: str | None
    url: str | None = None


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


def unpacked(page: StoredPage, most: int) -> Unpacked:
    """Decode chunks and compression. Raises NotCleaned if the result is too large.

    A body that isn't encoded as its headers say is left as it is.
    """
    body = page.body
    for header in ("transfer-encoding", "content-encoding"):
        for coding in reversed(page.headers.get(header, "").lower().split(",")):
            open_stream = _CODINGS.get(coding.strip())
            if open_stream is not None:
                body = _drain(open_stream, body, most) or body
    if len(body) > most:
        raise NotCleaned("too_large", f"it has more than {most} bytes when it is unpacked")
    return Unpacked(body, charset_of(page.headers.get("content-type", "")), page.url or None)


def _drain(open_stream: Callable[[bytes], _Stream], body: bytes, max_bytes: int) -> bytes:
    """Read a stream up to its end, or up to where it is damaged."""
    pieces = []
    size = 0
    try:
        stream = open_stream(body)
        while size <= max_bytes and (piece := stream.read(_PIECE)):
            pieces.append(piece)
            size += len(piece)
    except (OSError, EOFError, ValueError, zlib.error):
        pass
    return b"".join(pieces)


class _Inflater:
    """Decodes `deflate`: a zlib stream, or a raw one, as some servers send it."""

    def __init__(self, body: bytes) -> None:
        try:
            zlib.decompressobj().decompress(body[:2048], 1)
            self._decompressor = zlib.decompressobj()
        except zlib.error:
            self._decompressor = zlib.decompressobj(-zlib.MAX_WBITS)
        self._rest = body

    def read(self, size: int, /) -> bytes:
        piece = self._decompressor.decompress(self._rest, size)
        self._rest = self._decompressor.unconsumed_tail
        return piece


class _Gunzipper:
    """Decodes `gzip`, with several members, also if the last one is truncated."""

    def __init__(self, body: bytes) -> None:
        self._file = GzipFile(fileobj=BytesIO(body))

    def read(self, size: int, /) -> bytes:
        return self._file.read1(size)


def _fastwarc_stream(name: str) -> Callable[[bytes], Any]:
    return lambda body: getattr(require("fastwarc.stream_io", "warc"), name)(BytesIO(body))


_CODINGS: dict[str, Callable[[bytes], _Stream]] = {
    "chunked": _fastwarc_stream("ChunkedReader"),
    "gzip": _Gunzipper,
    "x-gzip": _Gunzipper,
    "deflate": _Inflater,
    "br": _fastwarc_stream("BrotliReader"),
    "zstd": _fastwarc_stream("ZstdReader"),
}
