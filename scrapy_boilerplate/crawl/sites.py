"""What a crawl knows of its sites: the memory of their texts, and the selectors that keep and drop by hand."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from ..options import Options
from .by_hand import SelectorsInUse
from .site_memory import CrawlMemory
from .worker import Scored

if TYPE_CHECKING:
    from ..site import SiteMemory
    from .cleaner import Cleaner

logger = logging.getLogger(__name__)


class Sites:
    """Learns from each page that was cleaned, and writes at the end what it knows."""

    def __init__(self, cleaner: Cleaner, file: CrawlMemory | None) -> None:
        self._cleaner = cleaner
        self._file = file
        self._selectors = SelectorsInUse(cleaner.options)

    @property
    def memory(self) -> SiteMemory | None:
        return None if self._file is None else self._file.memory

    def learn(self, page: Scored, options: Options) -> None:
        """Learn a page that was cleaned with these options."""
        self._selectors.note(options, page.matched)
        if page.repeated:
            self._cleaner.count("site/pages_changed")
            self._cleaner.stats.inc_value("boilerplate/site/blocks_dropped", page.repeated)
        if self._file is not None:
            try:
                self._file.learn(page.texts)
            except Exception as error:  # such as a full disk
                self._cleaner.count_error(error, "Could not write the site memory")

    def close(self) -> None:
        """Name the selectors that never matched, and write the memory."""
        for selector, setting in self._selectors.unmatched():
            logger.warning("%s: %r matched nothing on any page", setting, selector)
        if self._file is not None:
            self._cleaner.stats.set_value("boilerplate/site/hosts", len(self._file.memory))
            try:
                self._file.save()
            except Exception as error:
                self._cleaner.count_error(error, "Could not write the site memory")
