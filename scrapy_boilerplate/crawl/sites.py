"""What a crawl knows of its sites: the memory of their texts, and the selectors that keep and drop by hand."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from ..options import Options
from .by_hand import SelectorsInUse
from .site_memory import CrawlMemory
from .worker import Facts

if TYPE_CHECKING:
    from ..site import PageTexts, SiteMemory
    from .account import Account

logger = logging.getLogger(__name__)


class Sites:
    """Learns from each page that was cleaned, and writes at the end what it knows."""

    def __init__(self, account: Account, file: CrawlMemory | None) -> None:
        self._account = account
        self._file = file
        self._selectors = SelectorsInUse(account.options)

    @property
    def memory(self) -> SiteMemory | None:
        return None if self._file is None else self._file.memory

    def add(self, page: Facts, options: Options) -> None:
        """Count a page that was cleaned with these options, and learn it."""
        self._selectors.note(options, page.matched)
        if page.repeated:
            self._account.count("site/pages_changed")
            self._account.stats.inc_value("boilerplate/site/blocks_dropped", page.repeated)
        self.learn(page.texts)

    def learn(self, page: PageTexts | None) -> None:
        """Learn the texts of a page; one that is learned again counts once."""
        if self._file is not None:
            try:
                self._file.learn(page)
            except Exception as error:  # such as a full disk
                self._account.count_error(error, "Could not write the site memory")

    def close(self) -> None:
        """Name the selectors that never matched, and write the memory."""
        for selector, setting in self._selectors.unmatched():
            logger.warning("%s: %r matched nothing on any page", setting, selector)
        if self._file is not None:
            self._account.stats.set_value("boilerplate/site/hosts", len(self._file.memory))
            try:
                self._file.save()
            except Exception as error:
                self._account.count_error(error, "Could not write the site memory")
