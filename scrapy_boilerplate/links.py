"""Which response an item came from."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scrapy.http import Request, Response

# How much the look-up by URL keeps alive when the spider middleware isn't there to link exactly.
_MOST_PAGES = 256
_MOST_BYTES = 64_000_000


class ItemLinks:
    """The items on their way to the pipelines, each with the response that yielded it.

    Everything is held strongly and let go when Scrapy signals the end of the item's way: an id is only as good as
    the object is alive.
    """

    def __init__(self) -> None:
        self._links: dict[int, tuple[Any, Response]] = {}
        self._items: dict[Response, list[int]] = {}
        self._ended: dict[Response, int] = {}
        self._by_url: dict[str, Response] = {}

    def link(self, item: Any, response: Response) -> None:
        self._links[id(item)] = (item, response)
        if response not in self._items:
            self._items[response] = []
            self._ended[response] = 0
            self._by_url.update((url, response) for url in urls_of(response.request, response))
        self._items[response].append(id(item))

    def response_of(self, item: Any, url: str | None) -> Response | None:
        """The response that yielded this very item; for one that a pipeline put in its place, the one with its URL."""
        linked, response = self._links.get(id(item), (None, None))
        if linked is item and response is not None:
            return response
        return self._by_url.get(url) if url else None

    def release(self, response: Response) -> None:
        """One of the response's items has reached its end; after the last one forget them all."""
        if response not in self._items:
            return
        self._ended[response] += 1
        if self._ended[response] < len(self._items[response]):
            return
        for key in self._items.pop(response):
            # The same object may have been yielded again, for another page.
            if key in self._links and self._links[key][1] is response:
                del self._links[key]
        del self._ended[response]
        for url in urls_of(response.request, response):
            if self._by_url.get(url) is response:
                del self._by_url[url]

    def __len__(self) -> int:
        return len(self._links)


class RecentPages:
    """The latest responses by URL, bounded in number and in bytes."""

    def __init__(self, most_pages: int = _MOST_PAGES, most_bytes: int = _MOST_BYTES) -> None:
        self._most_pages = most_pages
        self._most_bytes = most_bytes
        self._bytes = 0
        self._pages: OrderedDict[Response, list[str]] = OrderedDict()
        self._by_url: dict[str, Response] = {}

    def remember(self, request: Request, response: Response) -> None:
        if response in self._pages:
            return
        urls = list(urls_of(request, response))
        self._pages[response] = urls
        self._by_url.update((url, response) for url in urls)
        self._bytes += len(response.body)
        while len(self._pages) > self._most_pages or self._bytes > self._most_bytes:
            self._forget_oldest()

    def response_for(self, url: str | None) -> Response | None:
        return self._by_url.get(url) if url else None

    def _forget_oldest(self) -> None:
        response, urls = self._pages.popitem(last=False)
        self._bytes -= len(response.body)
        for url in urls:
            if self._by_url.get(url) is response:
                del self._by_url[url]


def urls_of(request: Request | None, response: Response) -> Iterator[str]:
    """All URLs under which a page is known: its own, the one that was asked for, and those on the way."""
    yield response.url
    if request is not None:
        yield request.url
        yield from request.meta.get("redirect_urls", ())
