from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.http import Response
from scrapy.linkextractors import LinkExtractor

from newsroom.server import start_server


class NewsSpider(scrapy.Spider):
    """Yields one item for each article of the example site, or of a live one with `-a url=https://...`.

    The spider only decides which pages are articles; scrapy-boilerplate-removal adds their text.
    """

    name = "news"

    def __init__(self, url: str | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.server = None if url else start_server()
        self.url = url or f"http://127.0.0.1:{self.server.server_port}/"
        self.links = LinkExtractor(allow_domains=urlsplit(self.url).netloc)

    async def start(self) -> AsyncIterator[Any]:
        yield scrapy.Request(self.url)

    def parse(self, response: Response) -> Iterator[Any]:
        if is_article(response):
            yield {"url": response.url, "headline": response.xpath("normalize-space(//h1)").get()}
        for link in self.links.extract_links(response):
            # The pages of 2004 are nested tables, where the article is the largest group of blocks.
            meta = {"boilerplate": {"filter": "ancestor"}} if "/archive/" in link.url else {}
            yield response.follow(link, meta=meta)

    def closed(self, reason: str) -> None:
        if self.server:
            self.server.shutdown()
            self.server.server_close()


def is_article(response: Response) -> bool:
    """Whether the page is marked as an article, as on nearly all news sites; the archive is older than that."""
    og_type = response.xpath("//meta[@property='og:type']/@content").get()
    return og_type == "article" or bool(re.search(r"/archive/\d{4}-", response.url))
