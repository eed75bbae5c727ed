"""scrapy-poet: callbacks and page objects get what a page gives, and it is scored once for all who ask."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import attrs
import numpy as np
import pytest
import scrapy
from scrapy.http import HtmlResponse

from scrapy_boilerplate import Document, clean, extract

from ..conftest import data_url, spider_over
from ..pages import MAIN_TEXT, PAGE, PARAGRAPHS, article

pytest.importorskip("scrapy_poet")
pytest.importorskip("zyte_common_items")

from scrapy_poet import DummyResponse, callback_for
from web_poet import ApplyRule, HttpResponse, ItemPage, WebPage, field
from web_poet.testing import Fixture
from zyte_common_items import Article, ArticlePage, Author, AutoArticlePage, Image

from scrapy_boilerplate.poet import ArticleFields, HasDocument, MainText, Markdown, Metadata, page_fields

ADDONS = {"scrapy_poet.Addon": 300, "scrapy_boilerplate.Addon": 100}
NEWS = f"""<html lang=en><head><title>Baths to stay open - The Gazette</title>
<meta property=og:image content=https://gazette.example/baths.jpg>
<meta property=article:published_time content=2024-03-15T08:05:00Z>
<script type=application/ld+json>{{"@type": "NewsArticle", "headline": "Baths to stay open",
"author": [{{"@type": "Person", "name": "Maja Lind"}}, {{"@type": "Person", "name": "Tom Weaver"}}]}}</script></head>
<body><h1>Baths to stay open</h1>{"".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)}"""


@pytest.fixture
def cleanings():
    """The options of all documents that are made, in this process."""
    made = []

    original = clean.clean

    def recorded(page, options, *others, **more):
        made.append(options)
        return original(page, options, *others, **more)

    with (
        mock.patch.object(clean, "clean", recorded),
        mock.patch("scrapy_boilerplate.crawl.worker.clean", recorded),
        mock.patch("scrapy_boilerplate.crawl.cleaner.clean", recorded),
    ):
        yield made


def poet_spider(parse: Any, *pages: str, meta: dict[str, Any] | None = None, **attributes: Any) -> type[scrapy.Spider]:
    """A spider whose requests name their callback, as scrapy-poet wants it."""

    async def start(self):
        for page in pages or (PAGE,):
            yield scrapy.Request(data_url(page), self.parse, meta=meta, dont_filter=True)

    return spider_over(start=start, parse=parse, **attributes)


async def ask_for_all(
    self, response, document: Document, text: MainText, markdown: Markdown, metadata: Metadata, article: Article
):
    yield {"document": document, "text": text, "markdown": markdown, "metadata": metadata, "article": article}


@pytest.mark.parametrize("workers", [0, 1])
def test_callbacks_get_all_that_they_ask_for_and_the_page_is_scored_once(crawl, cleanings, workers):
    result = crawl(poet_spider(ask_for_all, NEWS), ADDONS=ADDONS, BOILERPLATE_WORKERS=workers)

    [item] = result.items
    assert item["main_text"] == item["text"] == item["document"].main_text
    assert item["text"].endswith(MAIN_TEXT)
    assert item["markdown"] == item["document"].markdown
    assert item["metadata"].authors == ("Maja Lind", "Tom Weaver")
    assert item["article"].articleBody == item["text"]
    assert result.stat("pages/scored") == 1
    assert len(cleanings) == (not workers)
    assert result.stat("workers/pages") == (1 if workers else None)


def test_a_page_may_be_asked_for_its_text_without_a_response(crawl):
    def parse(self, response: DummyResponse, text: MainText):
        yield {"text": text}

    [item] = crawl(poet_spider(parse), ADDONS=ADDONS).items

    assert item["text"] == MAIN_TEXT


@pytest.mark.parametrize("workers", [0, 1])
def test_the_options_of_a_request_hold(crawl, cleanings, workers):
    def parse(self, response, document: Document, text: MainText):
        assert extract(response) is document
        yield {"text": text, "threshold": document.threshold}

    meta = {"boilerplate": {"threshold": 1.0}}
    [item] = crawl(poet_spider(parse, meta=meta), ADDONS=ADDONS, BOILERPLATE_WORKERS=workers).items

    assert item["text"] == item["main_text"] == ""
    assert item["threshold"] == 1.0
    assert len(cleanings) == (not workers)


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize(
    ("page", "meta", "reason"),
    [
        ("", {}, "empty"),
        ("\x01\x02\x03\x04\x05\x06" * 50, {}, "not_text"),
        (PAGE, {"boilerplate": False}, "by_request"),
        (PAGE, {"boilerplate": {"treshold": 1}}, "bad_meta"),
        (PAGE, {"boilerplate": {"max_bytes": 10}}, "too_large"),
    ],
)
def test_a_page_that_cannot_be_cleaned_gives_empty_inputs_and_is_counted_once(crawl, page, meta, reason, workers):
    result = crawl(poet_spider(ask_for_all, page, meta=meta), ADDONS=ADDONS, BOILERPLATE_WORKERS=workers)

    [item] = result.items
    assert item["text"] == item["markdown"] == ""
    assert item["document"].blocks == ()
    assert item["article"].headline is None
    assert item["main_text"] is None
    assert result.stat(f"pages/skipped/{reason}") == 1
    assert not result.stat("pages/scored")


def test_a_model_that_fails_costs_no_callback(crawl):
    def parse(self, response, text: MainText):
        yield {"text": text}

    def fail(self, matrix):
        if len(matrix):
            raise ZeroDivisionError("in the model")
        return np.empty(0)

    with mock.patch("scrapy_boilerplate.models.papers.trees.NumWords.predict", fail):
        result = crawl(poet_spider(parse, PAGE, PAGE), ADDONS=ADDONS)

    assert [item["text"] for item in result.items] == ["", ""]
    assert result.stat("errors/ZeroDivisionError") == 2


def test_without_our_components_page_inputs_still_work_and_workers_end(crawl):
    def parse(self, response, text: MainText):
        yield {"text": text}

    result = crawl(poet_spider(parse), ADDONS=ADDONS, BOILERPLATE_ENABLED=False, BOILERPLATE_WORKERS=1)

    assert result.items == [{"text": MAIN_TEXT}]


@attrs.define
class DocumentPage(ItemPage[dict]):
    """Asks for the document."""

    document: Document

    @field
    def body(self):
        return self.document.main_text

    @field
    def words(self):
        return self.document.words


class ResponsePage(HasDocument, WebPage[dict]):
    """Has the document made of its response."""

    @field
    def body(self):
        return self.document.main_text

    @field
    def heading(self):
        return self.css("title::text").get()


@pytest.mark.parametrize("page_class", [DocumentPage, ResponsePage])
def test_page_objects_share_their_document_with_the_pipeline(crawl, cleanings, page_class):
    async def parse(self, response, page: page_class):
        yield await page.to_item()

    parse.__annotations__["page"] = page_class
    result = crawl(poet_spider(parse, PAGE, article(title="Another")), ADDONS=ADDONS, BOILERPLATE_THRESHOLD=0.4)

    assert [item["body"] for item in result.items] == [item["main_text"] for item in result.items] == [MAIN_TEXT] * 2
    assert [options.threshold for options in cleanings] == [0.4, 0.4]
    assert result.stat("pages/scored") == 2


class NewsPage(ArticleFields, ArticlePage):
    """An article whose headline comes from the page object, and all else from the document."""

    @field
    def headline(self):
        return self.css("title::text").get()


@attrs.define
class InjectedNewsPage(ArticleFields, ItemPage[Article]):
    document: Document

    @field
    def url(self):
        return "https://gazette.example/baths"


def assert_is_the_news(item: Article, headline: str = "Baths to stay open") -> None:
    assert item.headline == headline
    assert item.articleBody.endswith(MAIN_TEXT)
    assert item.articleBodyHtml.startswith("<")
    assert item.authors == [Author(name="Maja Lind"), Author(name="Tom Weaver")]
    assert item.datePublished.startswith("2024-03-15T08:05:00")
    assert item.mainImage == Image(url="https://gazette.example/baths.jpg")
    assert item.inLanguage == "en"
    assert item.dateModified is None


def test_articles_are_filled_without_a_service(crawl):
    def parse(self, response, article: Article, page: AutoArticlePage):
        assert page.headline == "Baths to stay open"
        yield article

    [item] = crawl(poet_spider(parse, NEWS), ADDONS=ADDONS, BOILERPLATE_FIELDS={"main_text": "articleBody"}).items

    assert_is_the_news(item)


class Site:
    """A downloader middleware that answers for a small site."""

    PAGES = {
        "https://books.example/": '<a class=book href="/book/1">One</a> <a class=book href="/book/2">Two</a>',
        "https://books.example/book/1": NEWS,
        "https://books.example/book/2": PAGE,
        "https://other.example/book/1": NEWS,
    }

    async def process_request(self, request):
        return HtmlResponse(request.url, body=self.PAGES[request.url].encode(), encoding="utf-8")


class BookListPage(WebPage):
    def book_urls(self):
        return [self.urljoin(url) for url in self.css("a.book::attr(href)").getall()]


class BookPage(ArticleFields, ArticlePage):
    """For any site."""


@attrs.define
class OtherBookPage(BookPage):
    """For a site whose headline is wrong."""

    @field
    def headline(self):
        return "By the override"


RULES = [
    ApplyRule("", use=BookPage, to_return=Article),
    ApplyRule("other.example", use=OtherBookPage, instead_of=BookPage, to_return=Article),
]


class BooksSpider(scrapy.Spider):
    """As in scrapy-poet's example: a list of pages, an item for each, and a page object for one of the sites."""

    name = "books"

    async def start(self):
        yield scrapy.Request("https://books.example/", self.parse)
        yield scrapy.Request("https://other.example/book/1", self.parse_item)

    def parse(self, response, page: BookListPage):
        yield from response.follow_all(page.book_urls(), callback_for(BookPage))

    def parse_item(self, response: DummyResponse, article: Article):
        yield article


def test_a_spider_of_page_objects_with_overrides_for_a_site(crawl):
    result = crawl(
        BooksSpider,
        ADDONS=ADDONS,
        DOWNLOADER_MIDDLEWARES={Site: 1000},
        SCRAPY_POET_RULES=RULES,
        BOILERPLATE_FIELDS={"main_text": "articleBody"},
    )

    items = {item.url: item for item in result.items}
    assert len(result.items) == len(items) == 3
    assert_is_the_news(items["https://books.example/book/1"])
    assert_is_the_news(items["https://other.example/book/1"], headline="By the override")
    assert items["https://books.example/book/2"].articleBody == MAIN_TEXT


def test_page_objects_work_without_scrapy():
    page = NewsPage(HttpResponse("https://gazette.example/baths", NEWS.encode()))
    item = asyncio.run(page.to_item())

    assert_is_the_news(item, headline="Baths to stay open - The Gazette")
    assert item.url == "https://gazette.example/baths"
    assert_is_the_news(asyncio.run(InjectedNewsPage(extract(NEWS)).to_item()))


def test_a_mixin_is_made_of_the_fields_that_a_page_object_wants():
    class TextPage(page_fields("headline", "authors", main_text="body"), WebPage[dict]):
        pass

    item = asyncio.run(TextPage(HttpResponse("https://gazette.example/baths", NEWS.encode())).to_item())

    assert item.pop("body").endswith(MAIN_TEXT)
    assert item == {"headline": "Baths to stay open", "authors": ["Maja Lind", "Tom Weaver"]}
    with pytest.raises(ValueError, match="nonsense: none of the fields"):
        page_fields("nonsense")


def test_a_page_object_without_a_page_says_what_it_needs():
    class Nothing(HasDocument, ItemPage[dict]):
        @field
        def body(self):
            return self.document.main_text

    with pytest.raises(TypeError, match="Nothing needs a `response`"):
        asyncio.run(Nothing().to_item())


@attrs.define
class EveryInputPage(ItemPage[dict]):
    document: Document
    text: MainText
    markdown: Markdown
    metadata: Metadata
    article: Article

    @field
    def values(self):
        return [self.document.words, self.text, self.markdown, list(self.metadata.authors), self.article.headline]


def test_inputs_are_stored_in_fixtures_and_read_again(crawl, tmp_path):
    result = crawl(poet_spider(ask_for_all, NEWS), ADDONS=ADDONS, BOILERPLATE_THRESHOLD=0.1)
    inputs = {name: result.items[0][name] for name in ("document", "text", "markdown", "metadata", "article")}
    page = EveryInputPage(**inputs)
    item = asyncio.run(page.to_item())

    fixture = Fixture.save(tmp_path, inputs=inputs.values(), item=item)
    again = Fixture(fixture.path)

    again.assert_full_item_correct(EveryInputPage)
    document = again.get_page(EveryInputPage).document
    assert document.threshold == 0.1
    assert document.url == inputs["document"].url
    assert again.get_page(EveryInputPage).metadata == inputs["metadata"]
    assert json.loads((fixture.path / "output.json").read_text("utf-8"))["values"][3] == ["Maja Lind", "Tom Weaver"]


def test_a_document_without_a_known_page_can_not_be_stored(tmp_path):
    with pytest.raises(ValueError, match="scrapy-poet"):
        Fixture.save(tmp_path, inputs=[extract(PAGE)], item={})


PROJECT = """
from web_poet import ItemPage, field
import attrs
from scrapy_boilerplate.poet import Document

@attrs.define
class Page(ItemPage[dict]):
    document: Document

    @field
    def body(self):
        return self.document.main_text
"""


@pytest.mark.slow
def test_savefixture_and_the_tests_of_web_poet_work_for_a_project(tmp_path):
    (tmp_path / "pages.py").write_text(PROJECT, "utf-8")
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    (tmp_path / "settings.py").write_text(f"ADDONS = {ADDONS!r}\n", "utf-8")
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = settings\n", "utf-8")
    root = str(Path(clean.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), root]), "PYTEST_ADDOPTS": ""}

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("scrapy", "savefixture", "pages.Page", (tmp_path / "page.html").as_uri())
    [output] = tmp_path.glob("fixtures/pages.Page/*/output.json")
    assert json.loads(output.read_text("utf-8"))["body"] == MAIN_TEXT
    assert "3 passed" in run("pytest", "-q", "-p", "no:cacheprovider", "fixtures")
