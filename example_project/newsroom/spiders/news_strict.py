from __future__ import annotations

from newsroom.spiders.news import NewsSpider


class StrictNewsSpider(NewsSpider):
    """The same crawl with settings that keep less text, with higher precision."""

    name = "news_strict"
    custom_settings = {
        "BOILERPLATE_THRESHOLD": 0.7,
        "BOILERPLATE_FILTER": "largest",
    }
