"""The first of two passes over stored pages: it counts the texts of each host."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..clean import page_texts
from ..not_cleaned import NotCleaned
from ..options import Options
from ..site import PageTexts, SiteMemory
from ..threads import in_own_thread
from .pages import StoredPage, unpacked

# Of a stored crawl, which may have many more hosts than a crawl has at a time.
_MOST_HOSTS = 1_000_000
_MOST_BYTES = 500_000_000


def whole_memory() -> SiteMemory:
    """A memory for all hosts of a stored crawl."""
    return SiteMemory(most_hosts=_MOST_HOSTS, most_bytes=_MOST_BYTES)


def with_memory(page: StoredPage, memory: SiteMemory) -> StoredPage:
    """The page with what is known of its host."""
    return replace(page, site=memory.only(page.url))


@dataclass(frozen=True, slots=True)
class PageCounter:
    """Reads the texts of stored pages, and scores nothing."""

    options: Options

    def __call__(self, pages: Sequence[StoredPage]) -> list[PageTexts | None]:
        """Read pages in a thread of their own, so that memory doesn't grow over time."""
        return in_own_thread(lambda: [self.row(page) for page in pages])

    def row(self, page: StoredPage, not_cleaned: NotCleaned | None = None) -> PageTexts | None:
        """The texts of a page; None if it can't be cleaned, as the second pass says."""
        if not_cleaned or page.not_cleaned or page.is_text:
            return None
        try:
            return page_texts(unpacked(page, self.options.most_bytes), self.options, url=page.url)
        except Exception:
            return None
