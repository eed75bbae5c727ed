"""Responses to what items get of them: once for each page, only when asked for, and never with an exception."""

from __future__ import annotations

import logging
import pickle
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse

from ..models import load_model
from ..options import META_KEY, Options
from ..parse import to_tree, why_no_tree
from ..review.report import CrawlReport
from ..review.report_path import report_path
from .links import ItemLinks, RecentPages
from .worker import Job, Scored, scored
from .workers import Answer, NoWorker, WorkerDied, WorkerPool, WorkerTimedOut, finished

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

_PIPELINE_LINE = 'ITEM_PIPELINES = {"scrapy_boilerplate.BoilerplatePipeline": 100}'
_SPIDER_MIDDLEWARE_LINE = 'SPIDER_MIDDLEWARES = {"scrapy_boilerplate.BoilerplateSpiderMiddleware": 10}'

# The values of a page, pickled: small, nothing for the garbage collector to look through, and new for each item.
_Values = bytes
_Page = TypeVar("_Page", bound="_Values | Future[Answer]")


class Cleaner:
    """What the components of one crawl share: the options, the workers, and the pages at hand."""

    def __init__(self, options: Options, stats: StatsCollector) -> None:
        self.options = options
        self.stats = stats
        self.links: ItemLinks | None = None  # there when the spider middleware is
        self.recent_pages: RecentPages | None = None  # there when the downloader middleware is
        self.has_pipeline = False
        self.report = CrawlReport(options.report) if options.report else None
        load_model(options.model)  # or the crawl ends here
        self._pool = WorkerPool(options.workers, options.worker_timeout) if options.workers else None
        # Keyed by the response itself, so that several items of a page are scored once; gone with the response, which
        # may take the garbage collector long. So neither a document nor a tree may be in here.
        self._pages: WeakKeyDictionary[Response, _Values | Future[Answer] | None] = WeakKeyDictionary()
        self._logged: set[str] = set()

    @classmethod
    def of(cls, crawler: Crawler) -> Cleaner:
        """The crawl's one cleaner; NotConfigured when it is switched off, ValueError for a bad setting."""
        cleaner: Cleaner | None = getattr(crawler, "_boilerplate_cleaner", None)
        if cleaner is None:
            assert crawler.stats is not None
            options = Options.from_settings(crawler.settings)
            if options.report:
                options = replace(options, report=report_path(options.report, crawler))
            cleaner = cls(options, crawler.stats)
            crawler._boilerplate_cleaner = cleaner  # type: ignore[attr-defined]
            crawler.signals.connect(cleaner._warn_of_missing_components, signals.spider_opened)
            crawler.signals.connect(cleaner._write_report, signals.spider_closed)
        if not cleaner.options.enabled:
            raise NotConfigured
        return cleaner

    async def values_of(self, response: Response) -> dict[str, Any] | None:
        """The page's values for one item; None, counted with the reason, for a page that isn't cleaned."""
        if response not in self._pages:
            self._pages[response] = self._attempt(self._begin, response)
        page = self._pages[response]
        if isinstance(page, Future):
            await finished(page)
            if self._pages[response] is page:  # else another item of the page has come here first
                self._pages[response] = self._attempt(partial(self._end, page), response)
            page = self._pages[response]
        return None if page is None else pickle.loads(page)  # type: ignore[arg-type]

    def close(self) -> None:
        """End the workers, if there are any."""
        if self._pool is not None:
            self._pool.close()

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

    def _attempt(self, step: Callable[[Response], _Page], response: Response) -> _Page | None:
        """Take a step on the way from the page to its values; None if it can't be taken."""
        try:
            page = step(response)
        except _Skipped as skipped:
            self.count(f"pages/skipped/{skipped.reason}")
            self.log_once(skipped.reason, skipped.level, "%s is not cleaned: %s", response.url, str(skipped))
            return None
        except Exception as error:
            self.count("pages/skipped/error")
            self.count_error(error, "Could not clean %s; its items go through without", response.url)
            return None
        if not isinstance(page, Future):
            self.count("pages/scored")
        return page

    def _begin(self, response: Response) -> _Values | Future[Answer]:
        """Clean the page, or give it to the workers."""
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
        if self._pool is not None:
            return self._pool.score(Job(response.body, response.encoding, options))
        return self._clean(response)

    def _end(self, future: Future[Answer], response: Response) -> _Values:
        """The values from a worker; a page that no worker has tried, or that it can't tell about, is cleaned here."""
        error = future.exception()  # not raised: its traceback would hold this frame, and the frame the future
        if isinstance(error, WorkerTimedOut):
            self.count("workers/timed_out")
            raise _Skipped("timeout", str(error), logging.WARNING)
        if isinstance(error, WorkerDied):
            self.count("workers/died")
            raise _Skipped("crash", f"it ended two workers; {error}", logging.WARNING)
        if isinstance(error, NoWorker):
            self.count("workers/not_started")
            self.log_once("no worker", logging.WARNING, "Pages are cleaned in the crawl's own process: %s", error)
            return self._clean(response)
        answer = future.result()
        if answer.second_try:
            self.count("workers/died")
            self.log_once("died", logging.WARNING, "A worker died and was replaced; it had %s", response.url)
        if answer.scored is None:
            return self._clean(response)
        self.count("workers/pages")
        return self._finished(response, answer.scored)

    def _clean(self, response: Response) -> _Values:
        options = self.options_of(response)
        root = to_tree(response)
        if root is None:
            reason, explanation = why_no_tree(response.body, getattr(response, "encoding", None))
            raise _Skipped(reason, explanation, logging.WARNING)
        return self._finished(response, scored(options.clean(root), options))

    def _finished(self, response: Response, page: Scored) -> _Values:
        if page.truncated:
            self.count("pages/truncated")
        if self.report is not None and page.summary is not None:
            try:
                options = self.options_of(response)
                self.report.add(response.url, response.body, getattr(response, "encoding", None), page.summary, options)
            except Exception as error:
                self.count_error(error, "Could not add %s to the report", response.url)
        return page.values

    def _warn_of_missing_components(self) -> None:
        if not self.options.enabled:
            return
        if not self.has_pipeline:
            logger.warning("No item gets the text of its page; add to the settings: %s", _PIPELINE_LINE)
        elif self.links is None and self.recent_pages is None:
            logger.warning("Items can't be linked to their pages; add to the settings: %s", _SPIDER_MIDDLEWARE_LINE)
        elif self.links is None:
            logger.warning(
                "Items are linked to their pages by their 'url' field only; to link them exactly, whatever they hold, "
                "add to the settings: %s",
                _SPIDER_MIDDLEWARE_LINE,
            )

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

    def _overrides(self, response: Response) -> Any:
        return response.request.meta.get(META_KEY) if response.request is not None else None


class _Skipped(Exception):
    """A page that is left alone, and why."""

    def __init__(self, reason: str, explanation: str, level: int) -> None:
        super().__init__(explanation)
        self.reason = reason
        self.level = level
