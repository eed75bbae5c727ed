"""Cleans each response at most once, lazily, and never raises."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from time import thread_time
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.http import HtmlResponse

from ..clean import check_size, clean
from ..document import Document
from ..models import load_model
from ..not_cleaned import NotCleaned
from ..options import META_KEY, Options
from ..owners import StandIn, set_owner
from .account import Account, encoding_of
from .documents import SharedDocuments, same_cleaning
from .links import ItemLinks, RecentPages
from .page_values import PageValues
from .paths import filled_in
from .site_memory import CrawlMemory
from .sites import Sites
from .snapshots import Snapshots
from .worker import Cleaned, Facts, Job, Scored, SiteOf
from .workers import Answer, WorkerPool, finished

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A page that waits for a worker, or is being cleaned by one."""

    answer: Future[Answer]
    options: Options


class Cleaner(Account):
    """The state that the components of one crawl share: options, workers, and the values of pages."""

    def __init__(self, options: Options, stats: StatsCollector, site: CrawlMemory | None = None) -> None:
        super().__init__(stats, options)
        self._sites = Sites(self, site)
        self.links: ItemLinks | None = None  # set by the spider middleware
        self.recent_pages: RecentPages | None = None  # set by the downloader middleware
        self.has_pipeline = False
        load_model(options.model)  # fails here, at the start of the crawl, rather than at the first page
        self._pool = WorkerPool(options.workers, options.worker_timeout) if options.workers else None
        # Keyed by response, so that a page with several items is scored once. A response and its selector are a
        # reference cycle, which may live long: keep values here, never a document or a tree.
        self._pages: WeakKeyDictionary[Response, PageValues | _Waiting | None] = WeakKeyDictionary()
        self.documents = SharedDocuments()
        self._snapshots = Snapshots()

    @classmethod
    def of(cls, crawler: Crawler) -> Cleaner:
        """Return the crawl's one cleaner. Raises NotConfigured if it is switched off, ValueError for a bad setting."""
        cleaner = cls.even_if_disabled(crawler)
        if not cleaner.options.enabled:
            raise NotConfigured
        return cleaner

    @classmethod
    def even_if_disabled(cls, crawler: Crawler) -> Cleaner:
        """Return the crawl's one cleaner, for those who are asked for a page by name, such as providers."""
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
            crawler.signals.connect(cleaner._spider_closed, signals.spider_closed)
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
        return page.for_an_item() if isinstance(page, PageValues) else None

    def document_of(self, page: Response, options: Options) -> Document:
        """Clean a page for its callback, or return the document that was made of it before. Raises NotCleaned."""
        if not self._is_shared(page, options):
            document = clean(page, options, site=self._sites.memory)
            self._sites.learn(document.page_texts)
            return document
        cleaned = self.documents.find(page, options)
        if cleaned is None:
            cleaned = self._cleaned_here(page, options)
            self._share(page, cleaned, options)
        return cleaned.document

    async def provide(self, response: Response) -> Document:
        """Clean a page before its callback is called; an empty document if that can't be done (counted)."""
        options, cleaned = self.options, None
        self.documents.open(response)
        try:
            options = self.page_options(response)
            cleaned = self.documents.find(response, options) or await self._cleaned(response, options)
        except NotCleaned as reason:
            self.count_skipped(response.url, reason)
        except Exception as error:
            self.count_skipped(response.url, NotCleaned.by(error))
        if cleaned is None:
            self._pages[response] = None  # so that it isn't tried again for its items
            return Document(None, load_model(options.model), options, response.url)
        return cleaned.document

    def own(self, page: Any, response: Response) -> None:
        """Let `extract()` take another object, such as a page object's response, for this response."""
        set_owner(page, StandIn(self, ref(response)))
        self.documents.open(response)

    def callback_begins(self, response: Response) -> None:
        """Let `extract(response)` use the crawl's options, and share its document with the pipeline."""
        set_owner(response, self)
        self.documents.open(response)
        if self.options.share_tree and self.has_pipeline and self._pool is None:
            self._take_snapshot(response)

    def _take_snapshot(self, response: Response) -> None:
        """Read the tree that the response shares with the spider, unless the page has been cleaned already."""
        began = thread_time()
        try:
            if not self.documents.has_any(response):
                self._snapshots.take(response, self.page_options(response))
        except NotCleaned:  # counted when an item asks for the page
            return
        except Exception as error:
            self.count_error(error, "Could not read the tree of a selector; the page is parsed again")
        self.count_seconds(thread_time() - began)

    def callback_ended(self, response: Response) -> None:
        """Let go of the document of a response; if there are items to come, keep their values."""
        has_items = self.links is not None and self.links.expects(response)
        if has_items and self.documents.has_any(response) and response not in self._pages:
            self._pages[response] = self._begin(response)
        if not has_items or response in self._pages:
            self._snapshots.drop(response)
        self.documents.close(response)

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

    def page_options(self, response: Response) -> Options:
        """Return the options of a page. Raises NotCleaned if it shouldn't be cleaned."""
        options = self._options_for(response)
        check_size(response, options.most_bytes)
        return options

    def fields_of(self, response: Response) -> Mapping[str, str]:
        """Return the fields that items of a response get; those of the crawl if the request's are not valid."""
        return self.options_for_callback(response).fields

    def options_for_callback(self, page: Response) -> Options:
        """Return the options that `extract()` begins with: those of the page, if they are valid."""
        try:
            return self.options_of(page)
        except ValueError:  # an error in the settings of a request must not end its callback
            return self.options

    async def _cleaned(self, response: Response, options: Options) -> Cleaned | None:
        """Clean a page, in a worker if there are any, and share its document; None if a worker can't clean it."""
        result = None
        if self._pool is not None:
            answer = self._pool.score(self._job(response, options, whole=True))
            await finished(answer)
            result = self.taken(response.url, answer)
        if isinstance(result, NotCleaned):
            self.count_skipped(response.url, result)
            return None
        cleaned = result if isinstance(result, Cleaned) else self._cleaned_here(response, options)
        self._share(response, cleaned, options)
        return cleaned

    def _is_shared(self, response: Response, options: Options) -> bool:
        """Whether the items of a page are filled from the document that these options give."""
        try:
            return self.documents.is_open(response) and same_cleaning(options, self.page_options(response))
        except NotCleaned:
            return False

    def _share(self, response: Response, cleaned: Cleaned, options: Options) -> None:
        if response not in self._pages:  # otherwise the pipeline has counted it
            self._count(Facts.of(cleaned), options)
        self.documents.add(response, cleaned, options)

    def _begin(self, response: Response) -> PageValues | _Waiting | None:
        """Take the values of a shared document, clean the page, or give it to the workers."""
        try:
            options = self.page_options(response)
            cleaned = self.documents.find(response, options)
            if cleaned is not None:
                scored = Scored.of(cleaned, options)
                self.count_seconds(scored.facts.seconds - cleaned.seconds)  # all else was counted when it was made
                self.report_page(response, options, scored)
                return scored.values
            if self._pool is not None:
                return _Waiting(self._pool.score(self._job(response, options)), options)
            return self._finished(response, options, Scored.of(self._cleaned_here(response, options), options))
        except NotCleaned as reason:
            self.count_skipped(response.url, reason)
        except Exception as error:
            self.count_skipped(response.url, NotCleaned.by(error))
        return None

    def _end(self, response: Response, page: _Waiting) -> PageValues | None:
        """Take the values from a worker. If no worker could be started, clean the page in this process."""
        try:
            result = self.taken(response.url, page.answer)
            if isinstance(result, NotCleaned):
                self.count_skipped(response.url, result)  # not raised: its traceback would hold this frame
                return None
            if not isinstance(result, Scored):
                result = Scored.of(self._cleaned_here(response, page.options), page.options)
            return self._finished(response, page.options, result)
        except NotCleaned as reason:
            self.count_skipped(response.url, reason)
        except Exception as error:
            self.count_skipped(response.url, NotCleaned.by(error))
        return None

    def _options_for(self, response: Response) -> Options:
        if self._overrides(response) is False:
            raise NotCleaned("by_request")
        if not isinstance(response, HtmlResponse):
            raise NotCleaned("not_html", f"it is a {type(response).__name__}")
        try:
            return self.options_of(response)
        except ValueError as error:
            raise NotCleaned("bad_meta", str(error)) from None

    def _finished(self, response: Response, options: Options, page: Scored) -> PageValues:
        self._count(page.facts, options)
        self.report_page(response, options, page)
        return page.values

    def _count(self, page: Facts, options: Options) -> None:
        """Count a page, and learn what it says about its site; called once for each page."""
        self.count_page(page)
        self._sites.add(page, options)

    def _cleaned_here(self, response: Response, options: Options) -> Cleaned:
        page = self._snapshots.find(response, options) or response
        self._snapshots.drop(response)
        return Cleaned.of(page, options, self._sites.memory)

    def _job(self, response: Response, options: Options, *, whole: bool = False) -> Job:
        memory = self._sites.memory
        site = None if memory is None else SiteOf(memory, response.url)
        return Job(response.body, encoding_of(response), options, response.url, whole, site)

    def _spider_opened(self) -> None:
        if self.options.enabled:
            self.log_start()
            self.warn_of_missing_components(
                has_pipeline=self.has_pipeline,
                links_items=self.links is not None,
                finds_by_url=self.recent_pages is not None,
            )

    def _spider_closed(self, spider: Spider) -> None:
        self.close()  # the pipeline has done it, if there is one
        if self.options.enabled:
            self._sites.close()
            self.warn_at_end()
            self.write_report(spider)

    def _overrides(self, response: Response) -> Any:
        request = getattr(response, "request", None)
        return None if request is None else request.meta.get(META_KEY)
