"""WARC archives and HTTP caches for the tests."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

from scrapy import Request, Spider
from scrapy.extensions.httpcache import FilesystemCacheStorage
from scrapy.http import HtmlResponse
from scrapy.settings import Settings

DATE = "2024-05-06T07:08:09Z"


def record(
    url: str,
    block: bytes,
    *,
    kind: str = "response",
    content_type: str = "application/http; msgtype=response",
    length: int | None = None,
) -> bytes:
    head = (
        f"WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\n"
        f"WARC-Date: {DATE}\r\nWARC-Target-URI: {url}\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(block) if length is None else length}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def answer(body: bytes, *headers: str, status: str = "200 OK", content_type: str = "text/html; charset=utf-8") -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def zstd(data: bytes) -> bytes:
    from fastwarc.stream_io import ZstdWriter

    packed = io.BytesIO()
    writer = ZstdWriter(packed)
    writer.write(data)
    writer.finish()
    writer.flush()
    return packed.getvalue()


PACKERS = {"": bytes, ".gz": lambda data: gzip.compress(data, mtime=0), ".zst": zstd}


def write_archive(path: Path, records: list[bytes]) -> Path:
    """Write an archive with each record compressed by itself, as the standard requires, in the format of the suffix."""
    pack = PACKERS[path.suffix if path.suffix in PACKERS else ""]
    path.write_bytes(b"".join(map(pack, records)))
    return path


def write_cache(folder: Path, pages: dict[str, bytes], **settings: object) -> Path:
    """Store these pages with Scrapy's own cache storage."""
    storage = FilesystemCacheStorage(Settings({"HTTPCACHE_DIR": str(folder), **settings}))
    spider = Spider(name="news")
    spider.crawler = type("Crawler", (), {"request_fingerprinter": _Fingerprinter()})()
    storage.open_spider(spider)
    for url, body in pages.items():
        kind = "image/png" if url.endswith(".png") else "text/html; charset=utf-8"
        response = HtmlResponse(url, body=body, headers={"Content-Type": kind}, status=404 if "missing" in url else 200)
        storage.store_response(spider, Request(url), response)
    storage.close_spider(spider)
    return folder


class _Fingerprinter:
    def fingerprint(self, request: Request) -> bytes:
        return request.url.encode().ljust(20, b"0")[-20:]
