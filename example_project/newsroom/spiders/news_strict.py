from __future__ import annotations

from newsroom.spiders.news import NewsSpider


class StrictNewsSpider(NewsSpider):
    """The same crawl with settings of its own: less text, and surer of it."""

    name = "news_strict"
    custom_settings = {
        "BOILERPLATE_THRESHOLD": 0.7,
        "BOILERPLATE_FILTER": "largest",
    }
