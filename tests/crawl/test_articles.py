"""Items of zyte-common-items, filled by the settings that the documentation shows."""

import re
from pathlib import Path

import pytest

from scrapy_boilerplate.fields import FIELDS

from ..conftest import spider_over
from ..pages import PARAGRAPHS

items = pytest.importorskip("zyte_common_items")

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to" / "articles.md"
PAGE = """<html lang=en><head><title>Baths to stay open - The Gazette</title>
<meta property=og:image content=https://gazette.example/baths.jpg>
<meta property=article:published_time content=2024-03-15T08:05:00Z>
<script type=application/ld+json>{"@type": "NewsArticle", "headline": "Baths to stay open",
"author": [{"@type": "Person", "name": "Maja Lind"}, {"@type": "Person", "name": "Tom Weaver"}]}</script></head>
<body><h1>Baths to stay open</h1>"""
PAGE += "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)


def settings() -> dict[str, str]:
    namespace: dict[str, dict[str, str]] = {}
    exec(re.search(r"```python\n(.*?)```", HOW_TO.read_text("utf-8"), re.DOTALL)[1], namespace)
    return namespace["BOILERPLATE_FIELDS"]


def test_an_article_is_filled_as_the_how_to_says(crawl):
    def parse(self, response):
        yield items.Article(url="https://gazette.example/baths", description="By the spider")

    [article] = crawl(spider_over(PAGE, parse=parse), BOILERPLATE_FIELDS=settings()).items

    assert settings().keys() <= FIELDS.keys()
    assert article.headline == "Baths to stay open"
    assert article.articleBody.endswith("\n\n".join(PARAGRAPHS))
    assert article.authors == [items.Author(name="Maja Lind"), items.Author(name="Tom Weaver")]
    assert article.datePublished.startswith("2024-03-15T08:05:00")
    assert article.mainImage == items.Image(url="https://gazette.example/baths.jpg")
    assert article.inLanguage == "en"
    assert article.description == "By the spider"
    assert article.canonicalUrl is None
