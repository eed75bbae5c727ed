"""The two middlewares: one links items to their pages, the other remembers pages where the first is missing."""

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


class BoilerplateDownloaderMiddleware:
    """Remembers the latest pages by URL, so that the pipeline finds an item's page by the item's `url`.

    Needed only without the spider middleware, which links items to their pages exactly; beside it this one does
    nothing. It never parses a page.
    """

    def __init__(self, cleaner: Cleaner) -> None:
        self._cleaner = cleaner
        self._recent_pages = cleaner.recent_pages = RecentPages()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BoilerplateDownloaderMiddleware:
        return cls(Cleaner.of(crawler))

    def process_response(self, request: Request, response: Response) -> Response:
        if self._cleaner.links is None and isinstance(response, HtmlResponse):
            self._recent_pages.remember(request, response)
        return response


class BoilerplateSpiderMiddleware:
    """Links every item to the response that yielded it, until the item has passed the pipelines."""

    def __init__(self, cleaner: Cleaner) -> None:
        self._links = cleaner.links = ItemLinks()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BoilerplateSpiderMiddleware:
        middleware = cls(Cleaner.of(crawler))
        for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
            crawler.signals.connect(middleware._item_ended, signal)
        return middleware

    async def process_spider_output(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for item_or_request in result:
            if item_or_request is not None and not isinstance(item_or_request, Request):
                self._links.link(item_or_request, response)
            yield item_or_request

    def _item_ended(self, response: Response | None) -> None:
        if response is not None:
            self._links.release(response)
