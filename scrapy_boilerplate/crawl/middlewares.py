"""The spider middleware links items to their pages; the downloader middleware is the fallback."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.http import HtmlResponse

from .cleaner import Cleaner
from .links import ItemLinks, RecentPages

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response


_KEYS_OF_SCRAPY_PARSE = {"_callback", "_depth"}  # every request of `scrapy parse` has these meta keys


class BoilerplateDownloaderMiddleware:
    """Remembers the latest pages by URL, so that the pipeline finds an item's page by the item's `url`.

    Needed only where no spider middleware links items exactly: if ours is not in the settings, and for `scrapy parse
    --pipelines`, which bypasses spider middlewares. Otherwise it does nothing. It never parses a page.
    """

    def __init__(self, cleaner: Cleaner) -> None:
        self._cleaner = cleaner
        self._recent_pages = cleaner.recent_pages = RecentPages()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BoilerplateDownloaderMiddleware:
        return cls(Cleaner.of(crawler))

    def process_response(self, request: Request, response: Response) -> Response:
        linked = self._cleaner.links is not None and not request.meta.keys() >= _KEYS_OF_SCRAPY_PARSE
        if isinstance(response, HtmlResponse) and self._cleaner.has_pipeline and not linked:
            self._recent_pages.remember(request, response)
        return response


class BoilerplateSpiderMiddleware:
    """Links every item to the response that yielded it, until the item has reached the pipeline.

    It also tells `extract()` in the callback of a response how the crawl cleans it.
    """

    def __init__(self, cleaner: Cleaner) -> None:
        self._cleaner = cleaner
        self._links = cleaner.links = ItemLinks()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BoilerplateSpiderMiddleware:
        middleware = cls(Cleaner.of(crawler))
        # Items that an earlier pipeline drops, or raises for, never reach ours.
        for signal in (signals.item_dropped, signals.item_error):
            crawler.signals.connect(middleware._item_ended, signal)
        return middleware

    def process_spider_input(self, response: Response) -> None:
        self._links.enter(response)
        self._cleaner.callback_begins(response)

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        try:
            async for item_or_request in result:
                is_item = item_or_request is not None and not isinstance(item_or_request, Request)
                if is_item and self._cleaner.has_pipeline:
                    self._links.link(item_or_request, response)
                yield item_or_request
        finally:
            self._cleaner.callback_ended(response)

    def process_spider_exception(self, response: Response, exception: Exception) -> None:  # noqa: ARG002
        self._cleaner.callback_ended(response)

    def _item_ended(self, item: Any) -> None:
        self._links.ended(item)
