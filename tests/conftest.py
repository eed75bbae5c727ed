"""Crawls for tests: real crawls of `data:` URLs, in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import pytest
import scrapy
from scrapy import signals
from scrapy.crawler import AsyncCrawlerRunner, Crawler
from scrapy.settings import default_settings

# Tests of crawls use the model whose scores can be computed by hand.
ADDON = {"ADDONS": {"scrapy_boilerplate.Addon": 100}, "BOILERPLATE_MODEL": "numwords"}
REACTORLESS = hasattr(default_settings, "TWISTED_REACTOR_ENABLED")


@dataclass
class Crawl:
    """The results of a crawl."""

    items: list[Any] = field(default_factory=list)
    stats: dict[str, Any] = field(default_factory=dict)
    crawler: Crawler | None = None

    def stat(self, name: str) -> Any:
        return self.stats.get(f"boilerplate/{name}")


def data_url(html: str, mime_type: str = "text/html") -> str:
    return f"data:{mime_type};charset=utf-8,{quote(html)}"


def run(crawls: Callable[[], Any]) -> None:
    """Run a coroutine as Scrapy needs it: in a plain event loop, or before Scrapy 2.15 in that of a started reactor."""
    if REACTORLESS:
        asyncio.run(crawls())
        return
    from scrapy.utils.reactor import install_reactor, is_reactor_installed

    if not is_reactor_installed():
        asyncio.set_event_loop(asyncio.new_event_loop())
        install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from twisted.internet import reactor

    if not reactor.running:
        reactor.startRunning(installSignalHandlers=False)
    reactor._asyncioEventloop.run_until_complete(crawls())


def crawl_all(*spiders: tuple[type[scrapy.Spider], dict[str, Any]]) -> list[Crawl]:
    """Crawl with all these spiders at the same time, each with its own project settings."""
    results = [Crawl() for _ in spiders]

    async def crawl_one(spider: type[scrapy.Spider], settings: dict[str, Any], result: Crawl) -> None:
        base: dict[str, Any] = {
            "TELNETCONSOLE_ENABLED": False,
            "DOWNLOAD_HANDLERS": dict.fromkeys(("http", "https", "ftp", "s3", "file")),  # not needed
        }
        if REACTORLESS:
            base["TWISTED_REACTOR_ENABLED"] = False
        runner = AsyncCrawlerRunner(base | settings)
        result.crawler = crawler = runner.create_crawler(spider)

        def keep(item: Any) -> None:
            result.items.append(item)

        crawler.signals.connect(keep, signals.item_scraped)
        await runner.crawl(crawler)
        assert crawler.stats is not None
        result.stats = crawler.stats.get_stats()

    async def crawls() -> None:
        await asyncio.gather(
            *(crawl_one(spider, settings, result) for (spider, settings), result in zip(spiders, results, strict=True))
        )

    run(crawls)
    return results


@pytest.fixture
def crawl() -> Callable[..., Crawl]:
    """`crawl(spider, SETTING=value, ...)` with the add-on enabled, unless ADDONS says otherwise."""

    def crawl(spider: type[scrapy.Spider], **settings: Any) -> Crawl:
        [result] = crawl_all((spider, ADDON | settings))
        return result

    return crawl


def spider_over(*pages: str, parse: Callable[..., Any] | None = None, **attributes: Any) -> type[scrapy.Spider]:
    """Return a spider of these pages that yields a dict for each page, or the items of `parse(spider, response)`."""

    async def start(self: scrapy.Spider) -> Any:
        for page in pages:
            yield scrapy.Request(page if page.startswith("data:") else data_url(page), dont_filter=True)

    def parse_page(self: scrapy.Spider, response: Any) -> Any:
        yield {"url": response.url}

    return type(
        "PageSpider", (scrapy.Spider,), {"name": "pages", "start": start, "parse": parse or parse_page, **attributes}
    )
