"""Links from items to the responses that they came from."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any
from weakref import ReferenceType, WeakKeyDictionary, WeakValueDictionary, ref

from scrapy.utils.asyncio import is_asyncio_available

if TYPE_CHECKING:
    from scrapy.http import Request, Response

# Bounds of the pages that are kept: by the look-up by URL, and for items that have not arrived. Far more than Scrapy
# processes at a time.
_MOST_PAGES = 256
_MOST_BYTES = 64_000_000

# The response whose output is being processed. With asyncio the tasks that process its items inherit it.
_processed: ContextVar[ReferenceType[Response] | None] = ContextVar("_processed", default=None)


class ItemLinks:
    """Items on their way from the spider to the pipeline, each with the response that yielded it.

    An id is only valid while its object is alive, so items are held strongly, for as long as their response lives:
    Scrapy holds it until its last item has passed the pipelines. Most links are gone sooner, with the item's arrival.
    An item that never arrives, because another component drops or replaces it, doesn't keep the response alive.
    """

    def __init__(self, most_pages: int = _MOST_PAGES, most_bytes: int = _MOST_BYTES) -> None:
        self._most_pages = most_pages
        self._most_bytes = most_bytes
        self._links: WeakValueDictionary[int, _Link] = WeakValueDictionary()
        self._pages: WeakKeyDictionary[Response, _Page] = WeakKeyDictionary()

    def enter(self, response: Response) -> None:
        """Note that Scrapy begins to process the response's output, in this context."""
        _processed.set(ref(response))

    def link(self, item: Any, response: Response) -> None:
        """Note that the response has yielded the item."""
        earlier = self._links.get(id(item))
        times = 1
        if earlier is not None:  # the same object was yielded again: it belongs to the later page
            times += earlier.times
            self._forget(earlier)
        if response not in self._pages:
            self._pages[response] = _Page(response)
            self._forget_oldest_pages()
        self._links[id(item)] = self._pages[response].links[id(item)] = _Link(item, response, times)

    def arrived(self, item: Any) -> Response | None:
        """Return the response that yielded this item, and forget the item; None if it is unknown."""
        link = self._links.get(id(item))
        if link is None:
            return None
        response = link.response()
        link.times -= 1
        if not link.times:
            self._forget(link)
        return response

    def expects(self, response: Response) -> bool:
        """Whether items of this response are still to arrive."""
        return response in self._pages

    def ended(self, item: Any) -> None:
        """Note that a pipeline has dropped the item, or has raised an exception for it."""
        link = self._links.get(id(item))
        if link is None:
            return
        response = link.response()
        if response is not None and self._pages[response].replaced:
            self._pages[response].replaced -= 1
        self.arrived(item)

    def response_for(self, url: str) -> Response | None:
        """Return the response of an item that has replaced a yielded one, found by the item's URL.

        None unless it is certain: exactly one response with this URL must have items that are still to arrive.
        """
        candidates = [
            (response, page) for response, page in self._pages.items() if page.items_to_come and url in page.urls
        ]
        if len(candidates) != 1 or not _may_be_of(candidates[0][0]):
            return None
        [(response, page)] = candidates
        page.replaced += 1
        return response

    def __len__(self) -> int:
        return len(self._links)

    def _forget(self, link: _Link) -> None:
        del self._links[id(link.item)]
        response = link.response()
        if response is not None and response in self._pages:
            page = self._pages[response]
            del page.links[id(link.item)]
            if not page.links:
                del self._pages[response]

    def _forget_oldest_pages(self) -> None:
        """Limit the memory for items that hold their own response and never arrive."""
        while len(self._pages) > self._most_pages and self._bytes() > self._most_bytes:
            del self._pages[next(iter(self._pages))]

    def _bytes(self) -> int:
        return sum(page.size for page in self._pages.values())


class _Link:
    """A yielded item, the response that it came from, and how often it was yielded."""

    def __init__(self, item: Any, response: Response, times: int) -> None:
        self.item = item
        self.response = ref(response)
        self.times = times


class _Page:
    """The links of a response's items that have not arrived."""

    def __init__(self, response: Response) -> None:
        self.urls = frozenset(urls_of(response.request, response))
        self.size = len(response.body)
        self.links: dict[int, _Link] = {}
        self.replaced = 0  # items that won't arrive, because other ones arrived in their place

    @property
    def items_to_come(self) -> bool:
        return len(self.links) > self.replaced


def _may_be_of(response: Response) -> bool:
    """Whether the item being processed may come from this response; an item of an errback doesn't."""
    processed = _processed.get()
    return not is_asyncio_available() or (processed is not None and processed() is response)


class RecentPages:
    """The latest responses by URL, bounded in number and in bytes."""

    def __init__(self, most_pages: int = _MOST_PAGES, most_bytes: int = _MOST_BYTES) -> None:
        self._most_pages = most_pages
        self._most_bytes = most_bytes
        self._bytes = 0
        self._pages: OrderedDict[Response, frozenset[str]] = OrderedDict()
        self._by_url: dict[str, list[Response]] = {}

    def remember(self, request: Request, response: Response) -> None:
        if response in self._pages:
            return
        urls = self._pages[response] = frozenset(urls_of(request, response))
        for url in urls:
            self._by_url.setdefault(url, []).append(response)
        self._bytes += len(response.body)
        while len(self._pages) > self._most_pages or self._bytes > self._most_bytes:
            self._forget_oldest()

    def response_for(self, url: str) -> Response | None:
        """Return the response with this URL, or None if there are several with different content."""
        return _only(self._by_url.get(url, ()))

    def only(self) -> Response | None:
        """Return the response if there is only one."""
        return _only(self._pages)

    def __len__(self) -> int:
        return len(self._pages)

    def _forget_oldest(self) -> None:
        response, urls = self._pages.popitem(last=False)
        self._bytes -= len(response.body)
        for url in urls:
            self._by_url[url].remove(response)
            if not self._by_url[url]:
                del self._by_url[url]


def _only(responses: Iterable[Response]) -> Response | None:
    """Return the latest response if all have the same content, otherwise None."""
    latest = None
    for response in responses:
        if latest is not None and latest.body != response.body:
            return None
        latest = response
    return latest


def urls_of(request: Request | None, response: Response) -> Iterator[str]:
    """All URLs of a page: its own, the requested one, and those of redirects."""
    yield response.url
    if request is not None:
        yield request.url
        yield from request.meta.get("redirect_urls", ())
