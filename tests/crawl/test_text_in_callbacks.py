"""`extract(response)` in a callback: with the crawl's options, and scored once for the callback and the pipeline."""

from __future__ import annotations

import gc
import inspect
import pickle
from unittest import mock

import pytest
import scrapy

from scrapy_boilerplate import Document, clean, extract
from scrapy_boilerplate.crawl import worker
from scrapy_boilerplate.crawl.cleaner import Cleaner
from scrapy_boilerplate.options import Options

from ..conftest import data_url, spider_over
from ..pages import MAIN_TEXT, PAGE


@pytest.fixture
def cleanings():
    """The options of all documents that are made, in this process."""
    made = []

    class Recorded(Document):
        def __init__(self, root, model, options, *others):
            made.append(options)
            super().__init__(root, model, options, *others)

    with mock.patch.object(clean, "Document", Recorded):
        yield made


def test_a_page_is_scored_once_for_its_callback_and_its_items(crawl, cleanings):
    def parse(self, response):
        document = extract(response)
        assert extract(response) is document
        if document.words > 20:
            yield {"words": document.words}
            yield {"score": document.score}

    result = crawl(spider_over(PAGE, parse=parse))

    assert [item["main_text"] for item in result.items] == [MAIN_TEXT, MAIN_TEXT]
    assert len(cleanings) == result.stat("pages/scored") == 1


def test_the_options_of_a_callback_are_those_of_the_crawl_and_of_the_request(crawl, cleanings):
    def parse(self, response):
        document = extract(response)
        yield {"text": document.main_text, "threshold": document.threshold}

    async def start(self):
        yield scrapy.Request(data_url(PAGE), meta={"boilerplate": {"threshold": 1.0}})

    [item] = crawl(spider_over(start=start, parse=parse), BOILERPLATE_MODEL="densitometric").items

    assert item["text"] == item["main_text"] == ""
    assert item["threshold"] == 1.0
    assert [options.model for options in cleanings] == ["densitometric"]


def test_arguments_come_before_the_options_of_the_crawl(crawl, cleanings):
    def parse(self, response):
        yield {"text": extract(response, threshold=None).main_text, "model": extract(response, model="mlp")._model}

    [item] = crawl(spider_over(PAGE, parse=parse), BOILERPLATE_THRESHOLD=1.0).items

    assert item["text"] == MAIN_TEXT
    assert type(item["model"]).__name__ == "Perceptron"
    assert item["main_text"] == "", "the item is filled with the options of the crawl"
    assert len(cleanings) == 3


def test_arguments_that_say_what_the_crawl_says_share_its_document(crawl, cleanings):
    def parse(self, response):
        yield {"score": extract(response, model="numwords", threshold=None).score}

    crawl(spider_over(PAGE, parse=parse))

    assert len(cleanings) == 1


def test_a_callback_that_yields_nothing_after_a_look_at_the_text_leaves_nothing_behind(crawl):
    alive = []

    class Watches:
        def process_spider_input(self, response):
            alive.append(sum(isinstance(thing, Document) for thing in gc.get_objects()))

    def parse(self, response):
        extract(response)
        self.responses.append(response)
        return []

    gc.collect()
    spider = spider_over(*[PAGE] * 3, parse=parse, responses=[])
    result = crawl(spider, SPIDER_MIDDLEWARES={Watches: 900}, CONCURRENT_REQUESTS=1)

    assert alive == [alive[0]] * 3
    assert result.stat("pages/scored") == 3


@pytest.mark.parametrize("workers", [0, 1])
def test_documents_of_callbacks_end_with_them_while_their_items_wait(crawl, workers):
    def parse(self, response):
        extract(response)
        yield {"number": 1}

    class Checks:
        def process_item(self, item):
            assert item["main_text"] == MAIN_TEXT
            return item

    result = crawl(spider_over(PAGE, parse=parse), BOILERPLATE_WORKERS=workers, ITEM_PIPELINES={Checks: 900})

    assert len(result.items) == 1
    assert not result.stat("workers/pages"), "the callback has cleaned it"


def test_a_callback_that_fails_after_a_look_at_the_text_leaves_nothing_behind(crawl):
    def parse(self, response):
        extract(response)
        self.responses.append(response)
        raise RuntimeError("the spider's own fault")

    spider = spider_over(PAGE, parse=parse, responses=[])
    result = crawl(spider)

    assert not any(Cleaner.of(result.crawler).documents.is_open(response) for response in spider.responses)


@pytest.mark.parametrize(
    ("meta", "text"), [(False, None), ({"treshold": 1}, None), ({"max_bytes": 10}, None), ({}, MAIN_TEXT)]
)
def test_a_page_that_its_items_do_without_still_has_its_text_in_the_callback(crawl, meta, text):
    def parse(self, response):
        yield {"text": extract(response).main_text}

    async def start(self):
        yield scrapy.Request(data_url(PAGE), meta={"boilerplate": meta})

    [item] = crawl(spider_over(start=start, parse=parse)).items

    assert item["text"] == MAIN_TEXT
    assert item["main_text"] == text


def test_a_response_of_an_earlier_page_is_cleaned_with_the_options_of_the_crawl(crawl, cleanings):
    def parse(self, response, first=None):
        if first is None:
            yield response.follow(data_url("<p>Next page"), cb_kwargs={"first": response})
        else:
            yield {"text": extract(first).main_text}

    [item] = crawl(spider_over(PAGE, parse=parse)).items

    assert item["text"] == MAIN_TEXT
    assert {options.model for options in cleanings} == {"numwords"}


def test_the_report_of_a_crawl_has_the_pages_that_callbacks_have_looked_at(crawl, tmp_path):
    def parse(self, response):
        yield {"words": extract(response).words}

    crawl(spider_over(PAGE, parse=parse), BOILERPLATE_REPORT=str(tmp_path / "report.html"))

    assert "Baths to stay open" in (tmp_path / "report.html").read_text("utf-8")


def test_the_help_of_extract_shows_the_defaults():
    text = str(inspect.signature(extract))

    assert "model: 'str | PathLike[str] | Model' = 'mlp'" in text
    assert "threshold: 'float | None' = None" in text


def test_a_document_that_came_from_a_worker_is_the_same():
    page = f"<html><head><meta property=og:title content=Baths></head>{PAGE}"
    options = Options(model="numwords", headline=True)
    job = worker.Job(page.encode(), "utf-8", options, "https://example.com/baths", whole=True)
    plain = extract(page, "https://example.com/baths", model="numwords", headline=True)

    sent = pickle.loads(pickle.dumps(worker.score(job))).document

    for name in ("main_text", "markdown", "html", "blocks", "comments", "metadata", "title", "score", "words", "url"):
        assert getattr(sent, name) == getattr(plain, name)
    assert sent.to_cleaneval() == plain.to_cleaneval()
    assert repr(sent) == repr(plain)
