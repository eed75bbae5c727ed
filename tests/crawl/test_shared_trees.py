"""BOILERPLATE_SHARE_TREE: the blocks of a page come from the tree of `response.selector`, read before the callback."""

from __future__ import annotations

import gc
import pickle
from unittest import mock
from weakref import ref

import pytest
import scrapy
from lxml import etree
from scrapy.http import HtmlResponse

from scrapy_boilerplate import extract, parse
from scrapy_boilerplate.clean import clean
from scrapy_boilerplate.crawl.cleaner import Cleaner
from scrapy_boilerplate.options import Options
from scrapy_boilerplate.snapshot import Snapshot, read_snapshot

from ..conftest import data_url, spider_over
from ..pages import MAIN_TEXT, PAGE, article


@pytest.fixture
def own_parses():
    """The pages that we have parsed ourselves."""
    parsed = []

    def recorded(body):
        parsed.append(body)
        return read(body)

    read = parse._parse
    with mock.patch.object(parse, "_parse", recorded):
        yield parsed


def response(body: str | bytes, **more: object) -> HtmlResponse:
    body = body.encode() if isinstance(body, str) else body
    return HtmlResponse("https://example.com/page", body=body, **more)


def test_items_are_filled_without_a_parse_of_our_own(crawl, own_parses):
    [item] = crawl(spider_over(PAGE), BOILERPLATE_SHARE_TREE=True).items

    assert item["main_text"] == MAIN_TEXT
    assert not own_parses


def test_by_default_we_parse_a_page_ourselves(crawl, own_parses):
    crawl(spider_over(PAGE))

    assert len(own_parses) == 1


def test_what_a_spider_does_to_its_tree_changes_no_item(crawl, own_parses):
    def parse(self, response):
        for paragraph in response.css("p"):
            paragraph.root.getparent().remove(paragraph.root)
        response.selector.root.set("class", "advertisement")
        response.selector.root.clear()
        yield {"url": response.url}
        yield {"title": "the second one"}

    items = crawl(spider_over(PAGE, parse=parse), BOILERPLATE_SHARE_TREE=True).items

    assert items[0]["blocks"] == items[1]["blocks"] == crawl(spider_over(PAGE)).items[0]["blocks"]
    assert [item["main_text"] for item in items] == [MAIN_TEXT, MAIN_TEXT]
    assert len(own_parses) == 1  # that of the crawl without sharing


def test_a_tree_that_was_used_before_is_not_shared(crawl, own_parses):
    class Pruning:
        def process_response(self, request, response):
            response.selector.root.clear()
            return response

    middlewares = {"DOWNLOADER_MIDDLEWARES": {Pruning: 50}}
    [item] = crawl(spider_over(PAGE), BOILERPLATE_SHARE_TREE=True, **middlewares).items

    assert item["main_text"] == MAIN_TEXT
    assert len(own_parses) == 1


def test_extract_in_a_callback_takes_the_blocks_and_parses_for_metadata(crawl, own_parses):
    page = PAGE.replace("<head>", '<head><meta name="author" content="Ida Rosenkvist">')

    def parse(self, response):
        response.selector.root.clear()
        document = extract(response)
        assert document.main_text == MAIN_TEXT
        assert not own_parses
        yield {"authors": document.metadata.authors}

    [item] = crawl(spider_over(page, parse=parse), BOILERPLATE_SHARE_TREE=True).items

    assert item["authors"] == ("Ida Rosenkvist",)
    assert item["main_text"] == MAIN_TEXT
    assert len(own_parses) == 1


@pytest.mark.parametrize(
    "options",
    [
        {"fields": ["main_text", "headline"]},
        {"headline": True},
        {"drop": "p + p"},
        {"keep": ".footer"},
        {"model": "victor"},
        {"model": "boilernet"},
        {"image_alt": True},
        {"fields": ["html", "markdown", "title", "page_type", "score", "comments"]},
    ],
    ids=str,
)
def test_all_options_give_what_they_give_without_sharing(crawl, options):
    async def start(self):
        yield scrapy.Request(data_url(PAGE), meta={"boilerplate": options})

    assert crawl(spider_over(start=start), BOILERPLATE_SHARE_TREE=True).items == crawl(spider_over(start=start)).items


def test_a_site_memory_learns_from_shared_trees(crawl):
    pages = [
        article(*(f"{text} Of {day}." for text in ("It rained all night.", "The river rose."))) for day in "abcdef"
    ]
    settings = {"BOILERPLATE_SITE_MEMORY": True, "CONCURRENT_REQUESTS": 1}

    shared = crawl(spider_over(*pages), BOILERPLATE_SHARE_TREE=True, **settings)

    assert shared.items == crawl(spider_over(*pages), **settings).items


def test_options_that_the_spider_changes_in_its_callback_are_respected(crawl):
    def parse(self, response):
        response.meta["boilerplate"] = {"image_alt": True, "threshold": 0.0}
        yield {"url": response.url}

    page = PAGE.replace("</p>", '<img alt="A heron">.</p>')
    [item] = crawl(spider_over(page, parse=parse), BOILERPLATE_SHARE_TREE=True).items

    assert "A heron" in item["main_text"]


@pytest.mark.parametrize(
    ("body", "is_shared"),
    [
        (PAGE, True),
        (PAGE + "\n<!-- from a cache -->\n", True),
        (PAGE.replace("</div></body>", "</div><!-- a comment --></body>"), True),
        (PAGE.replace("<head>", "<head>\0"), True),
        (f"\ufeff{PAGE}", True),
        (PAGE + "<p>What comes after the end.</p>", False),
        (PAGE + "<!-- a --!><p>What comes after the end.</p>", False),
        (PAGE + "<!--><p>What comes after the end.</p>-->", False),
        (PAGE.replace('<div class="footer">', '</body></html><div class="footer">'), False),
        (PAGE.replace('<div class="footer">', "</body><p>between</p>") + "<!-- a -->", False),
        ("", False),
        (" \n", False),
        ("<p>short</p>" + "<script>" + 100 * "a();" + "</script>", False),
    ],
    ids=range(13),
)
def test_only_trees_that_hold_what_our_own_parse_holds_are_shared(body, is_shared):
    page = response(body)
    blocks = read_snapshot(page, Options())

    assert (blocks is not None) == is_shared
    if blocks is not None:
        page.selector.root.clear()
        assert clean(Snapshot(blocks, page), Options()).blocks == extract(page).blocks


@pytest.mark.parametrize(
    ("encoding", "is_shared"), [("utf-8", True), ("cp1252", True), ("gb18030", True), ("utf-16", True)]
)
def test_pages_in_all_encodings_are_read_alike(encoding, is_shared):
    body = PAGE.replace("Maja Lind", "Zoë Müller").encode(encoding)
    page = response(body, encoding=encoding)
    blocks = read_snapshot(page, Options())

    assert (blocks is not None) == is_shared
    assert clean(Snapshot(blocks, page), Options()).main_text == MAIN_TEXT.replace("Maja Lind", "Zoë Müller")


def test_a_page_that_is_decoded_otherwise_is_not_shared():
    page = response(PAGE.encode().replace(b"Maja", b"Ma\xffja"), encoding="latin-1")

    with mock.patch.object(type(page), "text", PAGE):
        assert read_snapshot(page, Options()) is None


def test_lone_surrogates_are_parsed_again(crawl):
    page = PAGE.replace("Maja", "&#xD800;Maja")

    assert crawl(spider_over(page), BOILERPLATE_SHARE_TREE=True).items == crawl(spider_over(page)).items


def test_pages_that_may_not_be_cleaned_are_not_parsed_for_us(crawl):
    parsed = []

    def parse(self, response):
        parsed.append(response._cached_selector)
        yield {"url": response.url}

    async def start(self):
        yield scrapy.Request(data_url(PAGE), meta={"boilerplate": False})
        yield scrapy.Request(data_url(PAGE), meta={"boilerplate": {"max_bytes": 10}}, dont_filter=True)
        yield scrapy.Request(data_url(PAGE, "text/plain"))
        yield scrapy.Request(data_url(PAGE), meta={"boilerplate": {"fields": ["language"]}}, dont_filter=True)

    crawl(spider_over(start=start, parse=parse), BOILERPLATE_SHARE_TREE=True)

    assert parsed == [None] * 4


def test_a_document_of_a_shared_tree_can_be_pickled():
    page = response(PAGE.replace("<head>", '<head><meta name="author" content="Ida Rosenkvist">'))
    blocks = read_snapshot(page, Options())
    assert blocks is not None
    document = pickle.loads(pickle.dumps(clean(Snapshot(blocks, page), Options())))

    assert document.main_text == MAIN_TEXT
    assert document.metadata.authors == ("Ida Rosenkvist",)


def test_an_error_of_the_selector_costs_nothing(crawl):
    with mock.patch("scrapy_boilerplate.snapshot.read_shared_tree", side_effect=RuntimeError("broken")):
        result = crawl(spider_over(PAGE), BOILERPLATE_SHARE_TREE=True)

    assert result.items[0]["main_text"] == MAIN_TEXT
    assert result.stat("errors/RuntimeError") == 1


@pytest.mark.parametrize("yields", [True, False])
def test_nothing_of_a_page_is_kept_when_it_is_done(crawl, yields):
    blocks, trees = [], []

    def recorded(response, options):
        page = read_snapshot(response, options)
        blocks.append(ref(response))
        return page

    def parse(self, response):
        trees.append(isinstance(response.selector.root, etree._Element))
        if yields:
            yield {"url": response.url}

    cleaners = []
    of = Cleaner.of

    with (
        mock.patch("scrapy_boilerplate.crawl.snapshots.read_snapshot", recorded),
        mock.patch.object(Cleaner, "of", lambda crawler: cleaners.append(of(crawler)) or cleaners[-1]),
    ):
        crawl(spider_over(PAGE, PAGE, parse=parse), BOILERPLATE_SHARE_TREE=True)
    assert len(blocks) == len(trees) == 2
    assert not cleaners[0]._snapshots._pages
    gc.collect()
    assert not any(page() for page in blocks)
