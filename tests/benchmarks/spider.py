"""The crawl that is measured, run as `python -m tests.benchmarks.spider KIND ADDRESS COUNT FEED` for each.

Prints as JSON the processor time until the first request, that of the crawl, and how long the crawl took.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Iterator
from importlib import import_module
from time import perf_counter, process_time
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response

SETTINGS: dict[str, Any] = {
    "CONCURRENT_REQUESTS": 32,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
    "DOWNLOAD_DELAY": 0,
    "LOG_LEVEL": "ERROR",
    "ROBOTSTXT_OBEY": False,
    "TELNETCONSOLE_ENABLED": False,
}


class TrafilaturaPipeline:
    """The usual way without a plugin: the item carries its page to the pipeline."""

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        from trafilatura import extract

        item["main_text"] = extract(item.pop("html"))
        return item


KINDS: dict[str, dict[str, Any]] = {
    "without": {},
    "plugin": {"ADDONS": {"scrapy_boilerplate.Addon": 100}},
    "plugin, main_text only": {
        "ADDONS": {"scrapy_boilerplate.Addon": 100},
        "BOILERPLATE_FIELDS": {"main_text": "main_text"},
    },
    "trafilatura": {"ITEM_PIPELINES": {TrafilaturaPipeline: 100}},
}


class PagesSpider(Spider):
    name = "pages"

    def __init__(self, kind: str, address: str, count: int) -> None:
        super().__init__()
        self.with_html = kind == "trafilatura"
        self.urls = [f"{address}/{number}" for number in range(count)]

    async def start(self) -> AsyncIterator[Any]:
        for url in self.urls:
            yield Request(url)

    def parse(self, response: Response) -> Iterator[dict[str, Any]]:
        item: dict[str, Any] = {"url": response.url, "title": response.css("title::text").get()}
        if self.with_html:
            item["html"] = response.body
        yield item


def main(kind: str, address: str, count: str, feed: str) -> None:
    process = AsyncCrawlerProcess({**SETTINGS, **KINDS[kind], "FEEDS": {feed: {"format": "jsonlines"}}})
    process.crawl(PagesSpider, kind, address, int(count))
    if kind == "trafilatura":
        import_module(kind)  # the add-on has been imported by now as well
    start_up, start = process_time(), perf_counter()
    process.start()
    print(json.dumps({"start_up": start_up, "cpu": process_time() - start_up, "wall": perf_counter() - start}))


if __name__ == "__main__":
    main(*sys.argv[1:])
