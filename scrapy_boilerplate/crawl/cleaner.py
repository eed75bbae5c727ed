"""Cleans each response at most once, lazily, and never raises."""

from __future__ import annotations

import logging
import pickle
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse

from ..clean import check_size
from ..compiled import compiled
from ..models import load_model
from ..not_cleaned import NotCleaned
from ..options import META_KEY, Options
from .links import ItemLinks, RecentPages
from .paths import filled_in
from .site_memory import CrawlMemory
from .sites import Sites
from .worker import Job, Scored, SiteOf, scored
from .workers import Answer, NoWorker, WorkerPool, finished

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from ..review.report import CrawlReport

logger = logging.getLogger(__name__)

_PIPELINE_LINE = 'ITEM_PIPELINES = {"scrapy_boilerplate.BoilerplatePipeline": 100}'
_SPIDER_MIDDLEWARE_LINE = 'SPIDER_MIDDLEWARES = {"scrapy_boilerplate.BoilerplateSpiderMiddleware": 10}'

_LEVELS = {
    "by_request": logging.DEBUG,
    "not_html": logging.INFO,
    "empty": logging.INFO,
    "bad_meta": logging.ERROR,
    "error": logging.ERROR,
}  # of reasons; all others are warnings

# Pickled values are small, cost the garbage collector nothing, and give each item a copy of its own.
_Values = bytes


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A page that waits for a worker, or is being cleaned by one."""

    answer: Future[Answer]
    options: Options


class Cleaner:
    """The state that the components of one crawl share: options, workers, and the values of pages."""

    def __init__(self, options: Options, stats: StatsCollector, site: CrawlMemory | None = None) -> None:
        self.options = options
        self.stats = stats
        self.links: ItemLinks | None = None  # set by the spider middleware
        self.recent_pages: RecentPages | None = None  # set by the downloader middleware
        self.has_pipeline = False
        self.report = _report(options.report) if options.report else None
        self._sites = Sites(self, site)
        load_model(options.model)  # fails here, at the start of the crawl, rather than at the first page
        self._pool = WorkerPool(options.workers, options.worker_timeout) if options.workers else None
        # Keyed by response, so that a page with several items is scored once. A response and its selector are a
        # reference cycle, which may live long: keep values here, never a document or a tree.
        self._pages: WeakKeyDictionary[Response, _Values | _Waiting | None] = WeakKeyDictionary()
        self._logged: set[str] = set()

    @classmethod
    def of(cls, crawler: Crawler) -> Cleaner:
        """Return the crawl's one cleaner. Raises NotConfigured if it is switched off, ValueError for a bad setting."""
        cleaner: Cleaner | None = getattr(crawler, "_boilerplate_cleaner", None)
        if cleaner is None:
            assert crawler.stats is not None
            options = Options.from_settings(crawler.settings)
            if options.report:
                options = replace(options, report=filled_in("report", options.report, crawler))
            if isinstance(options.site_memory, str):
                options = replace(options, site_memory=filled_in("site_memory", options.site_memory, crawler))
            site = CrawlMemory.of(options.site_memory, crawler.settings) if options.enabled else None
            cleaner = cls(options, crawler.stats, site)
            crawler._boilerplate_cleaner = cleaner  # type: ignore[attr-defined]
            crawler.signals.connect(cleaner._spider_opened, signals.spider_opened)
            crawler.signals.connect(cleaner._write_report, signals.spider_closed)
            crawler.signals.connect(cleaner._sites.close, signals.spider_closed)
        if not cleaner.options.enabled:
            raise NotConfigured
        return cleaner

    async def values_of(self, response: Response) -> dict[str, Any] | None:
        """Return the values of a page for one item, or None if the page can't be cleaned (counted with the reason)."""
        if response not in self._pages:
            self._pages[response] = self._begin(response)
        page = self._pages[response]
        if isinstance(page, _Waiting):
            await finished(page.answer)
            if self._pages[response] is page:  # otherwise another item of the page was faster
                self._pages[response] = self._end(response, page)
            page = self._pages[response]
        return None if page is None else pickle.loads(page)  # type: ignore[arg-type]

    def close(self) -> None:
        """End the workers, if there are any."""
        if self._pool is not None:
            self._pool.close()

    def options_of(self, response: Response) -> Options:
        """Return the crawl's options with the overrides of the request. Raises ValueError if these are not valid."""
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
        """Count an exception that was caught, and log the first one of its kind with the traceback."""
        kind = type(error).__name__
        self.count(f"errors/{kind}")
        self.log_once(f"error {kind}", logging.ERROR, message, *args, exc_info=True)

    def _begin(self, response: Response) -> _Values | _Waiting | None:
        """Clean the page, or give it to the workers."""
        try:
            options = self._options_for(response)
            if self._pool is None:
                return self._finished(response, options, scored(response, options, self._sites.memory))
            check_size(response, options.most_bytes)
            site = SiteOf(memory, response.url) if (memory := self._sites.memory) is not None else None
            job = Job(response.body, _encoding(response), options, response.url, site)
            return _Waiting(self._pool.score(job), options)
        except NotCleaned as reason:
            self._skip(response, reason)
        except Exception as error:
            self._skip(response, NotCleaned.by(error))
        return None

    def _end(self, response: Response, page: _Waiting) -> _Values | None:
        """Take the values from a worker. If no worker could be started, clean the page in this process."""
        error = page.answer.exception()  # not raised: its traceback would hold this frame, and the frame the future
        try:
            if isinstance(error, NoWorker):
                self.count("workers/not_started")
                self.log_once("no worker", logging.WARNING, "Pages are cleaned in the crawl's own process: %s", error)
                return self._finished(response, page.options, scored(response, page.options, self._sites.memory))
            return self._answered(response, page.options, page.answer.result())
        except NotCleaned as reason:
            self._skip(response, reason)
        except Exception as error:
            self._skip(response, NotCleaned.by(error))
        return None

    def _answered(self, response: Response, options: Options, answer: Answer) -> _Values | None:
        if answer.second_try:
            self.count("workers/died")
        if isinstance(answer.result, NotCleaned):
            if answer.result.reason == "timeout":
                self.count("workers/timed_out")
            self._skip(response, answer.result)  # not raised: its traceback would hold this frame
            return None
        if answer.second_try:
            self.log_once("died", logging.WARNING, "A worker died and was replaced; it had %s", response.url)
        self.count("workers/pages")
        return self._finished(response, options, answer.result)

    def _options_for(self, response: Response) -> Options:
        """Return the options of a page. Raises NotCleaned if it shouldn't be cleaned."""
        if self._overrides(response) is False:
            raise NotCleaned("by_request")
        if not isinstance(response, HtmlResponse):
            raise NotCleaned("not_html", f"it is a {type(response).__name__}")
        try:
            return self.options_of(response)
        except ValueError as error:
            raise NotCleaned("bad_meta", str(error)) from None

    def _finished(self, response: Response, options: Options, page: Scored) -> _Values:
        self.count("pages/scored")
        if page.truncated:
            self.count("pages/truncated")
        self._sites.learn(page, options)
        if self.report is not None and page.summary is not None:
            try:
                self.report.add(response.url, response.body, _encoding(response), page.summary, options)
            except Exception as error:
                self.count_error(error, "Could not add %s to the report", response.url)
        return page.values

    def _skip(self, response: Response, reason: NotCleaned) -> None:
        """Count a page that can't be cleaned, and log the first one for each reason."""
        self.count(f"pages/skipped/{reason.reason}")
        kind, level = reason.reason, _LEVELS.get(reason.reason, logging.WARNING)
        if reason.reason == "error":
            kind = reason.message.partition(":")[0]  # the exception
            self.count(f"errors/{kind}")
        self.log_once(kind, level, "%s is not cleaned: %s", response.url, reason.traceback or reason.message)

    def _spider_opened(self) -> None:
        if not self.options.enabled:
            return
        self._log_start()
        self._warn_of_missing_components()

    def _log_start(self) -> None:
        """Say in one line how pages are cleaned, and whether the compiled parts are in use."""
        options, parts = self.options, compiled()
        missing = [part for part, found in parts.items() if not found]
        logger.info(
            "Cleaning pages: model %s, threshold %s, filter %s, fields %s; %s",
            options.model,
            "chosen for each page" if options.threshold is None else options.threshold,
            options.filter,
            ", ".join(options.fields),
            f"not compiled, and slower: {', '.join(missing)}" if missing else "compiled",
        )

    def _warn_of_missing_components(self) -> None:
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


def _encoding(response: Response) -> str | None:
    return getattr(response, "encoding", None)


def _report(path: str) -> CrawlReport:
    from ..review.report import CrawlReport  # a tool: only crawls that want a report load it

    return CrawlReport(path)
