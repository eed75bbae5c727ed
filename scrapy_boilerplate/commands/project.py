"""The project that the command is called in: its settings and its downloader."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.exceptions import UsageError

from ..options import PAGE_OPTIONS, Options, with_flags
from .fetch import Fetched, crawler_for, fetch_all

if TYPE_CHECKING:
    from scrapy.crawler import CrawlerProcessBase

PAGE_FLAGS = [name for name in PAGE_OPTIONS if name not in ("blocks", "max_bytes")]


@dataclass(frozen=True, slots=True)
class Project:
    """Fetches pages as the project's crawls do, and tells with which options they would clean them."""

    process: CrawlerProcessBase
    flags: Namespace
    quiet: bool  # whether to keep the log of a failed download to ourselves

    def options(self, *urls: str) -> Options:
        """Return the settings of the crawl that would fetch these pages, overridden by the flags."""
        crawler = crawler_for(self.process, self.flags.spider, *map(_request, urls))
        try:
            return with_flags(Options.from_settings(crawler.settings), self.flags, PAGE_FLAGS)
        except ValueError as error:
            raise UsageError(str(error), print_help=False) from None

    def fetch(self, urls: Sequence[str], *, with_sheets: bool) -> list[Fetched]:
        """Fetch these pages, and their style sheets if they are to be shown."""
        for url in urls:
            _request(url)  # before any is fetched
        if not urls:
            return []
        return fetch_all(self.process, urls, self.flags.spider, with_sheets=with_sheets, quiet=self.quiet)


def _request(url: str) -> Request:
    """Return the request for a URL. Raises UsageError if it is not a valid one."""
    try:
        return Request(url)
    except ValueError as error:
        raise UsageError(f"{url} is not a valid URL: {error}", print_help=False) from None
