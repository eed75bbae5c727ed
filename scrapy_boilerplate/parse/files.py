"""Files of pages: which ones of a folder are pages, and their bytes."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path

PAGE_SUFFIXES = (".html", ".html.gz", ".htm", ".htm.gz")
_GZIP = b"\x1f\x8b"


def pages_in(folder: Path) -> list[Path]:
    """The HTML files of a folder, sorted by name."""
    return sorted(path for path in folder.iterdir() if path.name.lower().endswith(PAGE_SUFFIXES))


def read_bytes(path: Path) -> bytes:
    """A file's bytes, unpacked if they or the file's name say that they are gzip; OSError if they can't be."""
    data = path.read_bytes()
    return unpacked(data, str(path), is_gzip=path.suffix.lower() == ".gz")


def unpacked(data: bytes, name: str, *, is_gzip: bool = False) -> bytes:
    """Bytes, unpacked if they are or should be gzip; OSError with the name if they can't be."""
    if not is_gzip and not data.startswith(_GZIP):
        return data
    try:
        return gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise OSError(f"{name}: damaged gzip: {error}") from None
