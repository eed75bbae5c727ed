"""Responses to documents inside a crawl: once for each page, only when asked for, and never with an exception."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse

from .document import Document
from .links import ItemLinks, RecentPages
from .models import Model, load_model
from .review.report import CrawlReport
from .settings import META_KEY, Options
from .tree import to_tree

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)


class Cleaner:
    """What the components of one crawl share: the options, the models, and the documents of the pages at hand."""

    def __init__(self, options: Options, stats: StatsCollector) -> None:
        self.options = options
        self.stats = stats
        self.links: ItemLinks | None = None  # there when the spider middleware is
        self.recent_pages: RecentPages | None = None  # there when the downloader middleware is
        self.report = CrawlReport(options.report) if options.report else None
        self._models = {options.model: load_model(options.model)}
        # Keyed by the response itself, so that several items of a page are scored once; gone with the response.
        self._documents: WeakKeyDictionary[Response, Document | None] = WeakKeyDictionary()
        self._logged: set[str] = set()

    @classmethod
    def of(cls, crawler: Crawler) -> Cleaner:
        """The crawl's one cleaner; NotConfigured when it is switched off, ValueError for a bad setting."""
        cleaner: Cleaner | None = getattr(crawler, "_boilerplate_cleaner", None)
        if cleaner is None:
            assert crawler.stats is not None
            cleaner = cls(Options.from_settings(crawler.settings), crawler.stats)
            crawler._boilerplate_cleaner = cleaner  # type: ignore[attr-defined]
            crawler.signals.connect(cleaner._write_report, signals.spider_closed)
        if not cleaner.options.enabled:
            raise NotConfigured
        return cleaner

    def document_of(self, response: Response) -> Document | None:
        """The page's document; None, counted with the reason, for a page that isn't cleaned."""
        if response not in self._documents:
            self._documents[response] = self._make_document(response)
        return self._documents[response]

    def options_of(self, response: Response) -> Options:
        """The crawl's options with the request's overrides; ValueError if these make no sense."""
        overrides = self._overrides(response)
        if overrides is None or isinstance(overrides, bool):
            return self.options
        if not isinstance(overrides, dict):
            raise ValueError(f'meta["{META_KEY}"] must be a dict or False, not {overrides!r}')
        return self.options.for_page(overrides)

    def count(self, name: str) -> None:
        self.stats.inc_value(f"boilerplate/{name}")

    def log_once(self, kind: str, level: int, message: str, *args: object, exc_info: bool = False) -> None:
        """Log the first event of a kind; the stats have the others."""
        if kind not in self._logged:
            self._logged.add(kind)
            logger.log(level, message, *args, exc_info=exc_info)

    def count_error(self, error: Exception, message: str, *args: object) -> None:
        """An exception that costs nobody an item: counted, and logged with its traceback the first time."""
        kind = type(error).__name__
        self.count(f"errors/{kind}")
        self.log_once(f"error {kind}", logging.ERROR, message, *args, exc_info=True)

    def _make_document(self, response: Response) -> Document | None:
        try:
            document = self._clean(response)
        except _Skipped as skipped:
            self.count(f"pages/skipped/{skipped.reason}")
            self.log_once(skipped.reason, skipped.level, "%s is not cleaned: %s", response.url, skipped)
            return None
        except Exception as error:
            self.count("pages/skipped/error")
            self.count_error(error, "Could not clean %s; its items go through without", response.url)
            return None
        self.count("pages/scored")
        self._add_to_report(response, document)
        return document

    def _add_to_report(self, response: Response, document: Document) -> None:
        if self.report is None:
            return
        try:
            self.report.add(
                response.url, response.body, getattr(response, "encoding", None), document, self.options_of(response)
            )
        except Exception as error:
            self.count_error(error, "Could not add %s to the report", response.url)

    def _write_report(self, spider: Spider) -> None:
        if self.report is None or not self.options.enabled:
            return
        try:
            stats = {name: value for name, value in self.stats.get_stats().items() if name.startswith("boilerplate/")}
            self.report.write(spider.name, stats)
        except Exception as error:
            self.count_error(error, "Could not write the report %s", self.options.report)
        else:
            logger.info("Wrote the report %s", self.options.report)

    def _clean(self, response: Response) -> Document:
        if self._overrides(response) is False:
            raise _Skipped("by_request", "its request says so", logging.DEBUG)
        if not isinstance(response, HtmlResponse):
            raise _Skipped("not_html", f"it is a {type(response).__name__}", logging.INFO)
        try:
            options = self.options_of(response)
        except ValueError as error:
            raise _Skipped("bad_meta", str(error), logging.ERROR) from None
        size = len(response.body)
        if not response.body.strip():
            raise _Skipped("empty", "it has no body", logging.INFO)
        if size > options.max_bytes:
            raise _Skipped("too_large", f"{size} bytes, BOILERPLATE_MAX_BYTES is {options.max_bytes}", logging.WARNING)
        root = to_tree(response)
        if root is None:
            raise _Skipped("not_text", "there is no text in it, perhaps an image or an archive", logging.WARNING)
        return Document(
            root,
            self._model(options.model),
            threshold=options.threshold,
            filter=options.filter,
            ancestor_depth=options.ancestor_depth,
            image_alt=options.image_alt,
        )

    def _overrides(self, response: Response) -> Any:
        return response.request.meta.get(META_KEY) if response.request is not None else None

    def _model(self, name: str) -> Model:
        if name not in self._models:
            self._models[name] = load_model(name)
        return self._models[name]


class _Skipped(Exception):
    """A page that is left alone, and why."""

    def __init__(self, reason: str, explanation: str, level: int) -> None:
        super().__init__(explanation)
        self.reason = reason
        self.level = level
