"""The texts of a page as numbers, and the addresses by which the page is known."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urljoin, urlsplit
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ..page import Page

Hashes = NDArray[np.uint64]

_SIZE_BITS = np.uint64(32)


def text_hashes(page: Page) -> Hashes:
    """A number for each block: a checksum of its text in the lower 32 bits, its length in bytes in the upper ones.

    Texts count as they are. Without regard to case, nothing changes; without regard to digits, the cells of tables,
    prices and numbered headings become one text, and content is lost.
    """
    texts = list(map(str.encode, page.texts))
    sizes = np.fromiter(map(len, texts), np.uint64, len(texts))
    return np.fromiter(map(crc32, texts), np.uint64, len(texts)) | sizes << _SIZE_BITS


def sizes_of(hashes: Hashes) -> NDArray[np.int64]:
    """The lengths of the texts with these numbers, in bytes of UTF-8: a word of Chinese counts like one of English."""
    return (hashes >> _SIZE_BITS).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class PageTexts:
    """The texts of a page: small, to be sent between processes and learned by a memory."""

    host: str
    addresses: tuple[int, ...]  # the page's canonical URL, if it has one on this host, and its own; as numbers
    hashes: Hashes  # one for each block

    @classmethod
    def of(cls, page: Page, url: str | None) -> PageTexts | None:
        """The texts of a page; None if its address is unknown."""
        if not url or not host_of(url):
            url = page.head.address
        host = host_of(url)
        if not host:
            return None
        canonical = _joined(url, page.head.address)
        addresses = [address for address in (canonical, url) if host_of(address) == host]
        return cls(host, tuple(dict.fromkeys(map(_number, addresses))), text_hashes(page))


@lru_cache(64)  # each page asks for its own several times
def host_of(url: str) -> str:
    """The host of an address, "" if it has none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _joined(url: str, address: str) -> str:
    if not address or address.startswith(("http://", "https://")):
        return address
    try:
        return urljoin(url, address)
    except ValueError:
        return ""


def _number(address: str) -> int:
    plain = address.partition("#")[0].partition("://")[2].rstrip("/").encode("utf-8", "replace")
    return crc32(plain) | len(plain) << 32
