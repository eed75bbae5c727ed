"""Fetches pages as the project's crawls do."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError
from scrapy.http import HtmlResponse, Response, TextResponse
from scrapy.spiderloader import SpiderLoaderProtocol
from scrapy.utils.spider import DefaultSpider, spidercls_for_request

from .progress import progress

if TYPE_CHECKING:
    from scrapy.crawler import CrawlerProcessBase

# A page and its style sheets, or why it can't be had.
Fetched = tuple[HtmlResponse, dict[str, str]] | str

_SHEETS_SECONDS = 15  # for all style sheets of a page


def crawler_for(process: CrawlerProcessBase, spider: str | None, *requests: Request) -> Crawler:
    """A crawler for these requests, with the settings of this spider, or of the one that would make the first one."""
    loader = process.spider_loader
    spider_class: type[Spider] = DefaultSpider
    if spider:
        spider_class = _spider_of(loader, spider)
    elif requests:
        spider_class = spidercls_for_request(loader, requests[0], DefaultSpider) or DefaultSpider

    async def start(_: Spider) -> AsyncIterator[Any]:
        for request in requests:
            yield request

    return process.create_crawler(type(spider_class.__name__, (spider_class,), {"start": start}))


def fetch_all(
    process: CrawlerProcessBase, urls: Sequence[str], spider: str | None, *, with_sheets: bool, quiet: bool
) -> list[Fetched]:
    """The pages at these addresses, with their style sheets; in place of one that can't be had, why."""
    results: dict[str, Fetched] = {}

    def finish(url: str, result: Fetched) -> None:
        results[url] = result
        advance(len(results))

    async def fetched(response: Response, url: str) -> None:
        if isinstance(response, HtmlResponse):
            finish(url, (response, await _fetch_sheets(crawler, response) if with_sheets else {}))
        else:
            finish(url, _not_html(response))

    def failed(failure: Any) -> None:
        response = getattr(failure.value, "response", None)
        reason = failure.getErrorMessage() or failure.type.__name__
        answer = f"could not be fetched: {reason}" if response is None else f"answered {response.status}"
        finish(failure.request.cb_kwargs["url"], answer)

    requests = [Request(url, fetched, errback=failed, cb_kwargs={"url": url}, dont_filter=True) for url in set(urls)]
    if quiet:  # in one line of our own why a page could not be fetched
        logging.getLogger("scrapy.downloadermiddlewares").setLevel(logging.CRITICAL)
    crawler = crawler_for(process, spider, *requests)
    process.crawl(crawler)
    with progress(len(requests), "pages fetched") as advance:
        process.start()
    return [results.get(url, "could not be fetched; the log says why") for url in urls]


def _spider_of(loader: SpiderLoaderProtocol, name: str) -> type[Spider]:
    try:
        return loader.load(name)
    except KeyError:
        names = ", ".join(sorted(loader.list())) or "none, or this is no project's folder"
        raise UsageError(f"--spider {name}: there is no such spider; there are: {names}", print_help=False) from None


def _not_html(response: Response) -> str:
    kind = (response.headers.get("Content-Type") or b"unknown").decode("latin-1")
    return f"is not an HTML page (Content-Type: {kind})"


async def _fetch_sheets(crawler: Crawler, response: Response) -> dict[str, str]:
    """The page's style sheets, fetched as the page was; those that can't be had soon are left out."""
    from ..review.sheets import MOST_BYTES, sheet_addresses

    assert crawler.engine is not None
    sheets: dict[str, str] = {}
    deadline = time.monotonic() + _SHEETS_SECONDS
    for address in sheet_addresses(response, response.url):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        meta = {"download_timeout": left, "download_maxsize": MOST_BYTES, "dont_retry": True}
        try:
            sheet = await crawler.engine.download_async(Request(address, meta=meta, headers={"Referer": response.url}))
        except Exception:  # whatever is wrong with it, the page can be shown without
            continue
        if isinstance(sheet, TextResponse) and sheet.status == 200:
            sheets[address] = sheet.text
    return sheets
