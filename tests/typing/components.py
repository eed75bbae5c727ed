"""The components of a crawl, as projects name, subclass and call them."""

from __future__ import annotations

from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.settings import Settings

import scrapy_boilerplate
from scrapy_boilerplate import (
    Addon,
    BoilerplateDownloaderMiddleware,
    BoilerplatePipeline,
    BoilerplateSpiderMiddleware,
)

VERSION: str = scrapy_boilerplate.__version__
COMPONENTS: list[type] = [
    Addon,
    BoilerplateDownloaderMiddleware,
    BoilerplatePipeline,
    BoilerplateSpiderMiddleware,
]


class OwnAddon(Addon):
    def update_settings(self, settings: Any) -> None:
        super().update_settings(settings)
        settings.set("BOILERPLATE_MODEL", "news")


class ArticlesOnly(BoilerplatePipeline):
    async def process_item(self, item: Any) -> Any:
        return await super().process_item(item) if item["headline"] else item


def from_crawler(crawler: Crawler) -> tuple[BoilerplatePipeline, BoilerplateSpiderMiddleware]:
    return BoilerplatePipeline.from_crawler(crawler), BoilerplateSpiderMiddleware.from_crawler(crawler)


def response_of(middleware: BoilerplateDownloaderMiddleware, request: Request, response: Response) -> Response:
    return middleware.process_response(request, response)


def wrong_uses(pipeline: BoilerplatePipeline, crawler: Crawler, settings: Settings) -> None:
    Addon(settings)  # type: ignore[call-arg]
    Addon().update_settings({"BOILERPLATE_MODEL": "news"})  # type: ignore[arg-type]
    BoilerplatePipeline(crawler)  # type: ignore[arg-type]
    BoilerplatePipeline.from_crawler()  # type: ignore[call-arg]
    text: str = pipeline.process_item({})  # type: ignore[assignment]
    scrapy_boilerplate.Adon  # type: ignore[attr-defined]
