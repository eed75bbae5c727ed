"""Reader of Scrapy's HTTP cache in folders (FilesystemCacheStorage)."""

from __future__ import annotations

import ast
import gzip
import os
import stat
import warnings
import zlib
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ..not_cleaned import NotCleaned
from .pages import Damage, Record, StoredPage, parse_headers, why_no_page

_BODY = "response_body"
_MOST_METADATA = 1 << 20  # bytes
_GZIP = b"\x1f\x8b"


def cache_size(folder: Path) -> int:
    """Sum the sizes of all bodies, in bytes."""
    total = 0
    for entry in _entries(folder):
        with suppress(OSError):  # the error is reported when it is read
            total += _size(entry / _BODY)
    return total


def read_cache(folder: Path, max_bytes: int) -> Iterator[tuple[Record, int]]:
    """Yield responses in a fixed order, each with the number of bytes read so far."""
    done = 0
    for entry in _entries(folder):
        try:
            size = _size(entry / _BODY)
            record = _record(entry, size, max_bytes)
        except (OSError, EOFError, OverflowError, ValueError, zlib.error) as error:
            record, size = Damage(f"{entry.relative_to(folder)}: {error}"), 0
        done += size
        yield record, done


def _entries(folder: Path) -> Iterator[Path]:
    for path, folders, files in os.walk(folder):
        folders.sort()
        if _BODY in files:
            yield Path(path)


def _record(entry: Path, size: int, max_bytes: int) -> Record:
    packed = _contents(entry / "meta", False, len(_GZIP)) == _GZIP  # HTTPCACHE_GZIP compresses all files of an entry
    metadata = _metadata(_contents(entry / "meta", packed))
    headers = parse_headers(_contents(entry / "response_headers", packed))
    date = datetime.fromtimestamp(metadata["timestamp"], timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    url = metadata["response_url"] or metadata["url"]
    no_page = why_no_page(metadata["status"], headers)
    if no_page:
        return no_page
    body = b"" if size > max_bytes else _contents(entry / _BODY, packed, max_bytes + 1)
    if max(size, len(body)) > max_bytes:
        return StoredPage(url, date, not_cleaned=NotCleaned("too_large", f"it has {max(size, len(body))} bytes"))
    return StoredPage(url, date, headers, body)


def _size(file: Path) -> int:
    """The size of a file. Raises OSError for pipes and the like, which would block."""
    status = file.stat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError(f"{file.name} is not a regular file")
    return status.st_size


def _contents(file: Path, packed: bool, size: int = _MOST_METADATA) -> bytes:
    _size(file)
    with gzip.open(file) if packed else file.open("rb") as stream:
        return stream.read(size)


def _metadata(text: bytes) -> dict[str, Any]:
    """Read the metadata. There is also a pickle, but unpickling could run any code."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's warnings about odd literals don't concern the user
            metadata = ast.literal_eval(text.decode("utf-8"))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise ValueError("its meta file can't be read") from None
    kinds: dict[str, Any] = {"url": str, "response_url": str, "status": int, "timestamp": (int, float)}
    if not isinstance(metadata, dict) or not all(isinstance(metadata.get(name), kinds[name]) for name in kinds):
        raise ValueError("its meta file doesn't say what there is to know")
    return metadata
