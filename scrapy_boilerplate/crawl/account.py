"""The account of a crawl: a line at its start, stats of its pages, warnings and the report at its end."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from typing import TYPE_CHECKING

from ..compiled import running
from ..not_cleaned import NotCleaned
from ..options import Options
from .worker import Cleaned, Facts, Scored
from .workers import Answer, NoWorker

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from ..review.report import CrawlReport

logger = logging.getLogger(__name__)

_PREFIX = "boilerplate/"
_PIPELINE_LINE = 'ITEM_PIPELINES = {"scrapy_boilerplate.BoilerplatePipeline": 100}'
_SPIDER_MIDDLEWARE_LINE = 'SPIDER_MIDDLEWARES = {"scrapy_boilerplate.BoilerplateSpiderMiddleware": 10}'
_LEVELS = {
    "by_request": logging.DEBUG,
    "not_html": logging.INFO,
    "empty": logging.INFO,
    "bad_meta": logging.ERROR,
    "error": logging.ERROR,
}  # of reasons; all others are warnings
_LOW_SCORE = 0.5  # below it the main text is more likely wrong than right
_MANY = 0.2  # the share of pages without text, and of items without a page, that is worth a warning


class Account:
    """Counts what happens to pages and items."""

    def __init__(self, stats: StatsCollector, options: Options) -> None:
        self.stats = stats
        self.options = options
        self.report = _report(options.report) if options.report else None
        self._logged: set[str] = set()

    def count(self, name: str) -> None:
        self.stats.inc_value(_PREFIX + name)

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

    def count_skipped(self, url: str, reason: NotCleaned) -> None:
        """Count a page that can't be cleaned, and log the first one for each reason."""
        self.count(f"pages/skipped/{reason.reason}")
        kind, level = reason.reason, _LEVELS.get(reason.reason, logging.WARNING)
        if reason.reason == "error":
            kind = reason.message.partition(":")[0]  # the exception
            self.count(f"errors/{kind}")
        self.log_once(kind, level, "%s is not cleaned: %s", url, reason.traceback or reason.message)

    def count_page(self, page: Facts) -> None:
        """Count a page that was cleaned."""
        self.count("pages/scored")
        if page.truncated:
            self.count("pages/truncated")
        if not page.words:
            self.count("pages/no_text")
        elif page.score < _LOW_SCORE:
            self.count("score/low")
        self.stats.inc_value(_PREFIX + "words/kept", page.words)
        self.count_seconds(page.seconds)

    def count_seconds(self, seconds: float) -> None:
        name = _PREFIX + "seconds"
        self.stats.set_value(name, round(self.stats.get_value(name, 0.0) + seconds, 6))

    def taken(self, url: str, future: Future[Answer]) -> Scored | Cleaned | NotCleaned | None:
        """Take the result of a worker and count it; None if no worker could be started."""
        error = future.exception()  # not raised: its traceback would hold this frame, and the frame the future
        if isinstance(error, NoWorker):
            self.count("workers/not_started")
            self.log_once("no worker", logging.WARNING, "Pages are cleaned in the crawl's own process: %s", error)
            return None
        answer = future.result()
        if answer.second_try:
            self.count("workers/died")
        if isinstance(answer.result, NotCleaned):
            if answer.result.reason == "timeout":
                self.count("workers/timed_out")
            return answer.result
        if answer.second_try:
            self.log_once("died", logging.WARNING, "A worker died and was replaced; it had %s", url)
        self.count("workers/pages")
        return answer.result

    def report_page(self, response: Response, options: Options, page: Scored) -> None:
        """Add a page to the report, if there is one."""
        if self.report is None or page.summary is None:
            return
        try:
            self.report.add(response.url, response.body, encoding_of(response), page.summary, options)
        except Exception as error:
            self.count_error(error, "Could not add %s to the report", response.url)

    def write_report(self, spider: Spider) -> None:
        if self.report is None:
            return
        try:
            stats = {name: value for name, value in self.stats.get_stats().items() if name.startswith(_PREFIX)}
            self.report.write(spider.name, stats)
        except Exception as error:
            self.count_error(error, "Could not write the report %s", self.options.report)
        else:
            logger.info("Wrote the report %s", self.options.report)

    def log_start(self) -> None:
        """Say in one line how pages are cleaned, and whether the compiled parts are in use."""
        options = self.options
        logger.info(
            "Cleaning pages: model %s, threshold %s, filter %s, fields %s; %s",
            options.model,
            "chosen for each page" if options.threshold is None else options.threshold,
            options.filter,
            ", ".join(options.fields),
            running(),
        )

    def warn_of_missing_components(self, *, has_pipeline: bool, links_items: bool, finds_by_url: bool) -> None:
        if not has_pipeline:
            logger.warning("No item gets the text of its page; add to the settings: %s", _PIPELINE_LINE)
        elif not links_items and not finds_by_url:
            logger.warning("Items can't be linked to their pages; add to the settings: %s", _SPIDER_MIDDLEWARE_LINE)
        elif not links_items:
            logger.warning(
                "Items are linked to their pages by their 'url' field only; to link them exactly, whatever they hold, "
                "add to the settings: %s",
                _SPIDER_MIDDLEWARE_LINE,
            )

    def warn_at_end(self) -> None:
        """Warn if there are many pages without text, or many items without a page."""
        pages, empty = self._counted("pages/scored"), self._counted("pages/no_text")
        if empty > pages * _MANY:
            logger.warning(
                "%d of %d pages have no text. Are they rendered by JavaScript? See what Scrapy gets: scrapy fetch URL",
                empty,
                pages,
            )
        unlinked = self._counted("items/unlinked")
        items = unlinked + self._counted("items/filled")
        if unlinked > items * _MANY:
            logger.warning(
                "%d of %d items have no page, and so no text: they come from start() or an errback, or another "
                "component has replaced them",
                unlinked,
                items,
            )

    def _counted(self, name: str) -> int:
        return int(self.stats.get_value(_PREFIX + name, 0))


def encoding_of(response: Response) -> str | None:
    return getattr(response, "encoding", None)


def _report(path: str) -> CrawlReport:
    from ..review.report import CrawlReport  # a tool: only crawls that want a report load it

    return CrawlReport(path)
