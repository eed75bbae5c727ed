"""The measured crawl, run as `python -m tests.benchmarks.spider KIND ADDRESS COUNT FEED`.

Prints as JSON the processor time of the start-up, of the crawl and of its worker processes, and the wall time of the
crawl.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from importlib import import_module
from time import perf_counter, process_time
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.http import Response

import scrapy_boilerplate
from scrapy_boilerplate.models import DEFAULT_MODEL, load_model

SETTINGS: dict[str, Any] = {
    "CONCURRENT_REQUESTS": 32,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
    "DOWNLOAD_DELAY": 0,
    "LOG_LEVEL": "ERROR",
    "ROBOTSTXT_OBEY": False,
    "TELNETCONSOLE_ENABLED": False,
}


class TrafilaturaPipeline:
    """The usual way without a plugin: the item takes its page to the pipeline."""

    def process_item(self, item: dict[str, Any]) -> dict[str, Any]:
        from trafilatura import extract

        item["main_text"] = extract(item.pop("html"))
        return item


PLUGIN: dict[str, Any] = {"ADDONS": {"scrapy_boilerplate.Addon": 100}}
MAIN_TEXT: dict[str, Any] = {"BOILERPLATE_FIELDS": {"main_text": "main_text"}}
KINDS: dict[str, dict[str, Any]] = {
    "without": {},
    "plugin": PLUGIN,
    "plugin, and extract()": PLUGIN,
    "plugin, 1 worker": PLUGIN | {"BOILERPLATE_WORKERS": 1},
    "plugin, 2 workers": PLUGIN | {"BOILERPLATE_WORKERS": 2},
    "plugin, main_text only": PLUGIN | MAIN_TEXT,
    "plugin, main_text only, shared tree": PLUGIN | MAIN_TEXT | {"BOILERPLATE_SHARE_TREE": True},
    "plugin, main_text only, 1 worker": PLUGIN | MAIN_TEXT | {"BOILERPLATE_WORKERS": 1},
    "plugin, main_text only, 2 workers": PLUGIN | MAIN_TEXT | {"BOILERPLATE_WORKERS": 2},
    "eager": {},
    "trafilatura": {"ITEM_PIPELINES": {TrafilaturaPipeline: 100}},
}


class PagesSpider(Spider):
    name = "pages"

    def __init__(self, kind: str, address: str, count: int) -> None:
        super().__init__()
        self.kind = kind
        self.urls = [f"{address}/{number}" for number in range(count)]

    async def start(self) -> AsyncIterator[Any]:
        for url in self.urls:
            yield Request(url)

    def parse(self, response: Response) -> Iterator[dict[str, Any]]:
        item: dict[str, Any] = {"url": response.url, "title": response.css("title::text").get()}
        if self.kind == "trafilatura":
            item["html"] = response.body
        if self.kind == "plugin, and extract()":
            item["words"] = scrapy_boilerplate.extract(response).words
        if self.kind == "eager":
            item["main_text"] = scrapy_boilerplate.extract(response.selector).main_text
        yield item


def main(kind: str, address: str, count: str, feed: str) -> None:
    process = AsyncCrawlerProcess({**SETTINGS, **KINDS[kind], "FEEDS": {feed: {"format": "jsonlines"}}})
    process.crawl(PagesSpider, kind, address, int(count))
    if kind == "trafilatura":
        import_module(kind)  # before the time is taken, like the add-on
    if kind == "eager":
        load_model(DEFAULT_MODEL)  # before the time is taken, like the add-on
    start_up, start = process_time(), perf_counter()
    process.start()
    cpu, wall, times = process_time() - start_up, perf_counter() - start, os.times()
    workers = times.children_user + times.children_system  # including their start-up
    print(json.dumps({"start_up": start_up, "cpu": cpu, "workers": workers, "wall": wall}))


if __name__ == "__main__":
    main(*sys.argv[1:])
