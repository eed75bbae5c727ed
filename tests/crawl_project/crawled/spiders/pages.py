import asyncio

import scrapy


class PagesSpider(scrapy.Spider):
    """Follows the links of the start page and yields several items from each page, one of them only after a while."""

    name = "pages"

    def __init__(self, url, wait="0.01", **kwargs):
        super().__init__(**kwargs)
        self.url = url
        self.wait = float(wait)

    async def start(self):
        yield scrapy.Request(self.url, self.parse_list)

    def parse_list(self, response):
        yield from response.follow_all(css="a", callback=self.parse_page)

    async def parse_page(self, response):
        for part in ("first", "dropped", "failing"):
            yield {"page": response.css("h1::text").get(), "part": part, "url": response.url}
        if self.wait:
            await asyncio.sleep(self.wait)
        yield {"page": response.css("h1::text").get(), "part": "second", "url": response.url}

    def parse_bare_list(self, response):
        yield from response.follow_all(css="a", callback=self.parse_bare)

    def parse_bare(self, response):
        yield {"page": response.css("h1::text").get()}


class StrictPagesSpider(PagesSpider):
    name = "pages_strict"
    custom_settings = {"BOILERPLATE_THRESHOLD": 1.0}
