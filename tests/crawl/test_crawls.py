"""Whole crawls in this process: every item gets the text of the page that yielded it, and none is lost."""

from __future__ import annotations

import asyncio
import gc
import logging
from typing import Any
from unittest import mock
from weakref import ref

import numpy as np
import pytest
import scrapy
from itemadapter import ItemAdapter
from lxml import etree
from scrapy.exceptions import DropItem
from scrapy.http import HtmlResponse

from scrapy_boilerplate import Document
from scrapy_boilerplate.compiled import compiled, running
from scrapy_boilerplate.crawl.cleaner import Cleaner

from ..conftest import ADDON, crawl_all, data_url, spider_over
from ..items import FROZEN, WITH_FIELDS, WITHOUT_FIELDS
from ..pages import MAIN_TEXT, PAGE, PARAGRAPHS, article


def pages_with_numbers(count: int) -> list[str]:
    sentence = "This is the page with the number {}, and here it has a sentence to say so, as everybody can see."
    return [article(*PARAGRAPHS, sentence.format(number)) for number in range(count)]


def plain_types(value: Any) -> bool:
    if isinstance(value, dict):
        return all(type(key) is str and plain_types(part) for key, part in value.items())
    if isinstance(value, list):
        return all(map(plain_types, value))
    return type(value) in (str, float, int, bool, type(None))


def test_one_line_in_the_settings_adds_main_text_and_blocks(crawl):
    [item] = crawl(spider_over(PAGE)).items

    assert item["main_text"] == MAIN_TEXT
    assert [block["is_content"] for block in item["blocks"]] == [False, False, True, True, True, False]
    assert item["blocks"][2] == {
        "text": PARAGRAPHS[0],
        "score": 0.5278,  # behind a link block, because the next one has 18 words: 1 - 17 / 36
        "is_content": True,
        "tag": "p",
        "xpath": "/html/body/div[1]/p[1]",
        "kind": "paragraph",
    }


def test_nothing_in_an_item_is_of_a_numpy_type(crawl):
    fields = {"main_text": "main_text", "blocks": "blocks", "score": "score", "title": "title"}
    [item] = crawl(spider_over(PAGE), BOILERPLATE_FIELDS=fields).items

    assert item["title"] == "Baths to stay open"
    assert 0 < item["score"] <= 1
    assert plain_types(item)


def test_scores_are_rounded_to_four_places(crawl):
    [item] = crawl(spider_over(PAGE)).items

    assert all(block["score"] == round(block["score"], 4) for block in item["blocks"])


@pytest.mark.parametrize("kind", WITH_FIELDS, ids=lambda kind: kind.__name__)
def test_declared_fields_are_filled_on_every_kind_of_item(crawl, kind):
    def parse(self, response):
        yield kind(url=response.url)

    result = crawl(spider_over(PAGE, parse=parse))

    [item] = result.items
    assert isinstance(item, kind)
    assert ItemAdapter(item)["main_text"] == MAIN_TEXT
    assert len(ItemAdapter(item)["blocks"]) == 6
    assert result.stat("items/filled") == 1


@pytest.mark.parametrize("kind", WITHOUT_FIELDS, ids=lambda kind: kind.__name__)
def test_undeclared_fields_are_left_out_with_one_warning(crawl, caplog, kind):
    def parse(self, response):
        yield kind(url=response.url)
        yield kind(url=response.url)

    result = crawl(spider_over(PAGE, parse=parse))

    assert len(result.items) == 2
    assert "main_text" not in ItemAdapter(result.items[0])
    assert result.stat(f"items/field_undeclared/{kind.__name__}") == 2
    warnings = [record for record in caplog.records if "does not declare" in record.message]
    assert len(warnings) == 1
    assert kind.__name__ in warnings[0].message
    assert result.stat("pages/scored") is None, "there was nothing to score the page for"


@pytest.mark.parametrize("kind", WITH_FIELDS, ids=lambda kind: kind.__name__)
def test_what_the_spider_has_filled_is_never_overwritten(crawl, kind):
    def parse(self, response):
        yield kind(url=response.url, main_text="my own words")

    [item] = crawl(spider_over(PAGE, parse=parse)).items

    assert ItemAdapter(item)["main_text"] == "my own words"
    assert len(ItemAdapter(item)["blocks"]) == 6


@pytest.mark.parametrize("kind", FROZEN, ids=lambda kind: kind.__name__)
def test_a_frozen_item_goes_through_as_it_is_and_one_line_says_so(crawl, caplog, kind):
    def parse(self, response):
        yield kind(url=response.url)
        yield kind(url=response.url)

    result = crawl(spider_over(PAGE, PAGE, parse=parse))

    assert [item.main_text for item in result.items] == [None] * 4
    assert [result.stats[name] for name in result.stats if name.startswith("boilerplate/errors/")] == [4]
    [line] = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert f"Items of {kind.__name__} are frozen" in line.message
    assert not line.exc_info


def test_fields_can_be_chosen_and_renamed(crawl):
    [item] = crawl(spider_over(PAGE), BOILERPLATE_FIELDS={"main_text": "body", "score": "confidence"}).items

    assert item["body"] == MAIN_TEXT
    assert set(item) == {"url", "body", "confidence"}


def test_blocks_can_be_reduced_to_those_that_are_kept(crawl):
    [item] = crawl(spider_over(PAGE), BOILERPLATE_BLOCKS="kept").items

    assert [block["text"] for block in item["blocks"]] == list(PARAGRAPHS)


def test_blocks_can_be_reduced_to_scores(crawl):
    [item] = crawl(spider_over(PAGE), BOILERPLATE_BLOCKS="scores").items

    assert len(item["blocks"]) == 6
    assert all(type(score) is float for score in item["blocks"])


def test_items_of_one_page_do_not_share_their_blocks(crawl):
    def parse(self, response):
        yield {"number": 1}
        yield {"number": 2}

    result = crawl(spider_over(PAGE, parse=parse))

    first, second = result.items
    first["blocks"][0]["text"] = "changed"
    assert second["blocks"][0]["text"] == "Home"
    assert result.stat("pages/scored") == 1, "the page is scored once for both"


@pytest.mark.parametrize("workers", [0, 1])
def test_items_of_one_page_share_the_texts_of_their_blocks(crawl, workers):
    def parse(self, response):
        yield {"number": 1}
        yield {"number": 2}

    first, second = crawl(spider_over(PAGE, parse=parse), BOILERPLATE_WORKERS=workers).items

    assert first["blocks"] == second["blocks"]
    assert all(one["text"] is other["text"] for one, other in zip(first["blocks"], second["blocks"], strict=True))
    assert first["main_text"] is second["main_text"]


def test_a_request_can_choose_the_fields_of_its_items(crawl):
    async def start(self):
        yield scrapy.Request(data_url(PAGE), meta={"boilerplate": {"fields": ["title", "score"]}})
        yield scrapy.Request(data_url(PAGE), meta={"boilerplate": {"fields": {"main_text": "body"}}}, dont_filter=True)
        yield scrapy.Request(data_url(PAGE), dont_filter=True)

    items = crawl(spider_over(start=start), CONCURRENT_REQUESTS=1).items

    assert [sorted(item) for item in items] == [
        ["score", "title", "url"],
        ["body", "url"],
        ["blocks", "main_text", "url"],
    ]


def test_fields_of_a_request_that_are_not_valid_leave_those_of_the_crawl(crawl):
    result = crawl(meta_spider({"fields": ["nonsense"]}))

    assert result.items[0]["main_text"] is None
    assert result.stat("pages/skipped/bad_meta") == 1


def test_a_page_that_yields_no_item_is_never_parsed(crawl):
    def parse(self, response):
        return []

    with mock.patch("scrapy_boilerplate.crawl.worker.clean") as clean:
        result = crawl(spider_over(PAGE, parse=parse))

    assert clean.call_count == 0
    assert result.stats["response_received_count"] == 1


def test_many_items_of_many_pages_each_get_the_text_of_their_own_page(crawl):
    def parse(self, response):
        number = response.css("p")[-1].re_first(r"number (\d+)")
        for part in range(4):
            yield {"number": number, "part": part}

    result = crawl(spider_over(*pages_with_numbers(50), parse=parse))

    assert len(result.items) == 200
    assert all(f"the number {item['number']}," in item["main_text"] for item in result.items)
    assert result.stat("pages/scored") == 50


def test_async_callbacks_are_linked_too(crawl):
    async def parse(self, response):
        await asyncio.sleep(0.001)
        yield {"number": response.css("p")[-1].re_first(r"number (\d+)")}

    result = crawl(spider_over(*pages_with_numbers(20), parse=parse))

    assert len(result.items) == 20
    assert all(f"the number {item['number']}," in item["main_text"] for item in result.items)


def test_a_spider_that_tears_its_tree_apart_still_gets_the_whole_text(crawl):
    def parse(self, response):
        yield {"url": response.url}
        for paragraph in response.css("p"):
            paragraph.drop()

    [item] = crawl(spider_over(PAGE, parse=parse)).items

    assert item["main_text"] == MAIN_TEXT


class SlowPipeline:
    async def process_item(self, item):
        await asyncio.sleep(0.002)
        return item


class CopyingPipeline:
    def process_item(self, item):
        return dict(item)


class DroppingPipeline:
    def process_item(self, item):
        if item["part"] % 2:
            raise DropItem("odd")
        return item


class FailingPipeline:
    def process_item(self, item):
        if item["part"] % 2:
            raise RuntimeError("broken")
        return item


def test_items_that_an_earlier_pipeline_delays_keep_their_page(crawl):
    def parse(self, response):
        for _ in range(3):
            yield {"number": response.css("p")[-1].re_first(r"number (\d+)")}

    result = crawl(spider_over(*pages_with_numbers(20), parse=parse), ITEM_PIPELINES={SlowPipeline: 50})

    assert len(result.items) == 60
    assert all(f"the number {item['number']}," in item["main_text"] for item in result.items)


def test_items_that_an_earlier_pipeline_replaces_are_found_by_their_url(crawl):
    result = crawl(spider_over(*pages_with_numbers(5)), ITEM_PIPELINES={CopyingPipeline: 50})

    assert len({item["main_text"] for item in result.items}) == 5


@pytest.mark.parametrize("pipeline", [DroppingPipeline, FailingPipeline])
@pytest.mark.parametrize("order", [50, 500])
def test_nothing_is_kept_of_items_that_are_dropped_or_fail(crawl, pipeline, order):
    def parse(self, response):
        for part in range(4):
            yield {"part": part}

    result = crawl(spider_over(*pages_with_numbers(5), parse=parse), ITEM_PIPELINES={pipeline: order})

    assert len(result.items) == 10
    assert all(item["main_text"] for item in result.items)
    cleaner = Cleaner.of(result.crawler)
    assert len(cleaner.links) == 0


class Answers:
    """A downloader middleware that answers with the page whose number is in the request's meta, or not at all."""

    async def process_request(self, request):
        number = request.meta.get("number")
        if number is None:
            raise OSError("the server does not answer")
        return HtmlResponse(request.url, body=pages_with_numbers(number + 1)[number].encode())


def same_url_spider(count: int) -> type[scrapy.Spider]:
    """Asks for one URL again and again, as one does with forms, and gets another page each time, or none."""

    async def start(self):
        for number in range(count):
            meta = {"number": number}
            yield scrapy.Request("data:,form", self.parse, meta=meta, dont_filter=True)
            yield scrapy.Request("data:,form", self.parse, errback=self.failed, dont_filter=True)

    def parse(self, response):
        for part in range(3):
            yield {"url": response.url, "number": response.meta["number"], "part": part}

    def failed(self, failure):
        yield {"url": failure.request.url, "number": "none"}

    return spider_over(start=start, parse=parse, failed=failed)


@pytest.mark.parametrize("pipelines", [{}, {SlowPipeline: 40, CopyingPipeline: 50}], ids=["as they are", "replaced"])
def test_items_of_other_pages_with_the_same_url_never_get_the_wrong_text(crawl, pipelines):
    settings = {"DOWNLOADER_MIDDLEWARES": {Answers: 500}, "ITEM_PIPELINES": pipelines, "RETRY_ENABLED": False}
    result = crawl(same_url_spider(20), **settings)

    assert len(result.items) == 80
    for item in result.items:
        assert item["main_text"] is None or f"the number {item['number']}," in item["main_text"]
    empty = [item for item in result.items if item["main_text"] is None]
    assert result.stat("items/unlinked") == len(empty)
    assert len([item for item in empty if item["number"] == "none"]) == 20, "items of an errback have no page"
    assert pipelines or len(empty) == 20


def test_replaced_items_of_pages_one_after_the_other_with_the_same_url_keep_their_page(crawl):
    def parse(self, response):
        number = response.meta["number"]
        yield {"url": response.url, "number": number}
        if number < 5:
            yield scrapy.Request("data:,form", meta={"number": number + 1}, dont_filter=True)

    async def start(self):
        yield scrapy.Request("data:,form", meta={"number": 0})

    settings = {"DOWNLOADER_MIDDLEWARES": {Answers: 500}, "ITEM_PIPELINES": {CopyingPipeline: 50}}
    result = crawl(spider_over(start=start, parse=parse), **settings)

    assert len(result.items) == 6
    assert all(f"the number {item['number']}," in item["main_text"] for item in result.items)


class Drops:
    """A spider middleware between ours and the pipelines."""

    async def process_spider_output(self, response, result):
        async for item in result:
            if item["part"] % 2:
                yield item


class Adds:
    """Another one."""

    async def process_spider_output(self, response, result):
        async for item in result:
            yield item
            yield {"added": 1}
            yield {"added": 2}


@pytest.mark.parametrize(("middleware", "parts", "added"), [(Drops, 5 * 3, 0), (Adds, 5 * 6, 5 * 12)])
def test_items_that_a_later_spider_middleware_drops_or_adds_cost_no_other_item_its_page(
    crawl, middleware, parts, added
):
    def parse(self, response):
        for part in range(6):
            yield {"part": part}

    result = crawl(
        spider_over(*pages_with_numbers(5), parse=parse), SPIDER_MIDDLEWARES={middleware: 5}, CONCURRENT_ITEMS=1
    )

    assert len([item for item in result.items if "part" in item and item["main_text"]]) == parts
    assert len(result.items) == parts + added
    assert (result.stat("items/unlinked") or 0) == added
    gc.collect()
    assert len(Cleaner.of(result.crawler).links) == 0


@pytest.fixture
def no_garbage_collector():
    """Also hides from `gc.get_objects()` what there was before, as a pool of workers does when it is first made."""
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.enable()
    gc.unfreeze()


def alive(*kinds: type) -> int:
    return sum(isinstance(thing, kinds) for thing in gc.get_objects())


@pytest.mark.parametrize("workers", [0, 1])
def test_documents_and_trees_are_let_go_when_their_values_are_known(crawl, no_garbage_collector, workers):
    responses = []

    class Checks:
        def process_item(self, item):
            assert item["main_text"]
            assert not alive(Document, etree._Element)
            return item

    def parse(self, response):
        responses.append(response)
        yield {"number": 1}
        yield {"number": 2}

    result = crawl(
        spider_over(*pages_with_numbers(5), parse=parse),
        BOILERPLATE_FIELDS={"main_text": "main_text", "blocks": "blocks", "score": "score", "title": "title"},
        BOILERPLATE_FILTER="main",
        BOILERPLATE_WORKERS=workers,
        ITEM_PIPELINES={Checks: 900},
    )

    assert len(result.items) == 10


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("page", [PAGE, "\x01\x02\x03\x04\x05\x06" * 50], ids=["cleaned", "passed over"])
def test_a_response_that_nobody_holds_is_let_go_without_the_garbage_collector(
    crawl, no_garbage_collector, workers, page
):
    responses = []

    def parse(self, response):
        responses.append(ref(response))
        yield {"number": len(responses)}

    def closed(self, reason):
        assert reason == "finished"
        still_there.extend(response for response in responses if response() is not None)

    still_there = []
    spider = spider_over(*[page] * 10, parse=parse, closed=closed)
    result = crawl(spider, BOILERPLATE_WORKERS=workers, CONCURRENT_REQUESTS=1)

    assert len(result.items) == len(responses) == 10
    assert not still_there


def test_a_failing_callback_costs_only_what_it_did_not_yield(crawl):
    def parse(self, response):
        yield {"url": response.url}
        raise RuntimeError("the spider's own fault")

    result = crawl(spider_over(PAGE, parse=parse))

    assert [item["main_text"] for item in result.items] == [MAIN_TEXT]
    assert result.stats["spider_exceptions/RuntimeError"] == 1


def test_an_item_without_a_page_goes_through_with_none(crawl):
    async def start(self):
        yield {"from": "start"}

    result = crawl(spider_over(start=start))

    assert result.items == [{"from": "start", "main_text": None, "blocks": None}]
    assert result.stat("items/unlinked") == 1


def test_something_that_has_no_fields_goes_through(crawl):
    thing = object()

    def parse(self, response):
        yield thing
        yield {"url": response.url}

    result = crawl(spider_over(PAGE, parse=parse))

    assert result.items[0] is thing
    assert result.items[1]["main_text"] == MAIN_TEXT
    assert result.stat("items/unsupported") == 1


@pytest.mark.parametrize("mime_type", ["application/json", "text/plain", "application/xml"])
def test_a_page_that_is_not_html_is_passed_over(crawl, mime_type):
    result = crawl(spider_over(data_url("<p>text</p>", mime_type)))

    assert result.items[0]["main_text"] is None
    assert result.stat("pages/skipped/not_html") == 1


def test_a_page_above_the_size_limit_is_passed_over(crawl, caplog):
    result = crawl(spider_over(PAGE, PAGE), BOILERPLATE_MAX_BYTES=100)

    assert [item["main_text"] for item in result.items] == [None, None]
    assert result.stat("pages/skipped/too_large") == 2
    assert len([record for record in caplog.records if "BOILERPLATE_MAX_BYTES" in record.message]) == 1


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("", "empty"),
        (" \n ", "empty"),
        ("\x01\x02\x03\x04\x05\x06" * 50, "not_text"),
        ("%PDF-1.4\n1 0 obj\n<< /Title (The tide tables of the year) >>\nendobj\n" * 5, "not_text"),
    ],
    ids=["empty", "blank", "binary", "pdf"],
)
def test_a_page_without_text_costs_no_item(crawl, page, reason):
    result = crawl(spider_over(data_url(page)))

    assert result.items[0]["main_text"] is None
    assert result.stat(f"pages/skipped/{reason}") == 1


@pytest.mark.parametrize("workers", [0, 1])
def test_a_page_of_which_only_the_beginning_is_read_is_counted(crawl, workers):
    result = crawl(spider_over(PAGE, "<pre>" + "a\n" * 20_010), BOILERPLATE_WORKERS=workers, URLLENGTH_LIMIT=0)

    assert len(result.items) == result.stat("pages/scored") == 2
    assert result.stat("pages/truncated") == 1


def test_a_page_with_too_many_attributes_costs_no_item(crawl):
    page = "<p " + " ".join(f"a{number}" for number in range(12_000))
    result = crawl(spider_over(PAGE, page), URLLENGTH_LIMIT=0)

    assert len(result.items) == 2
    assert result.stat("pages/skipped/too_many_attributes") == 1


def test_a_crawl_says_at_its_start_how_pages_are_cleaned(crawl, caplog):
    caplog.set_level("INFO", "scrapy_boilerplate")
    crawl(spider_over(PAGE), BOILERPLATE_FILTER="largest", BOILERPLATE_FIELDS=["main_text", "score"])

    [line] = [record.message for record in caplog.records if record.message.startswith("Cleaning pages: ")]
    start = "Cleaning pages: model numwords, threshold chosen for each page, filter largest, fields main_text, score; "
    assert line.startswith(start)
    assert line.removeprefix(start) == running()
    assert line.removeprefix(start).startswith("compiled") == all(compiled().values())


def test_a_model_that_fails_costs_no_item(crawl, caplog):
    def fail(self, matrix):
        raise ZeroDivisionError("in the model")

    with mock.patch("scrapy_boilerplate.models.papers.trees.NumWords.predict", fail):
        result = crawl(spider_over(PAGE, PAGE))

    assert [item["main_text"] for item in result.items] == [None, None]
    assert result.stat("errors/ZeroDivisionError") == 2
    assert result.stat("pages/skipped/error") == 2
    assert len([record for record in caplog.records if "is not cleaned" in record.message]) == 1


def test_scores_that_are_not_numbers_keep_nothing(crawl):
    def nonsense(self, matrix):
        return np.full(len(matrix), np.nan)

    with mock.patch("scrapy_boilerplate.models.papers.trees.NumWords.predict", nonsense):
        result = crawl(spider_over(PAGE))

    assert len(result.items) == 1
    assert not result.items[0]["main_text"]


def meta_spider(meta: Any) -> type[scrapy.Spider]:
    async def start(self):
        yield scrapy.Request(data_url(PAGE), meta={"boilerplate": meta})

    return spider_over(start=start)


def test_a_request_can_set_its_own_options(crawl):
    result = crawl(meta_spider({"threshold": 1.0, "blocks": "scores"}))

    assert result.items[0]["main_text"] == ""
    assert all(type(score) is float for score in result.items[0]["blocks"])


def test_a_request_can_switch_its_page_off(crawl):
    result = crawl(meta_spider(False))

    assert result.items[0]["main_text"] is None
    assert result.stat("pages/skipped/by_request") == 1
    assert result.stat("pages/scored") is None


@pytest.mark.parametrize("meta", [None, True, {}])
def test_a_request_may_say_nothing(crawl, meta):
    assert crawl(meta_spider(meta)).items[0]["main_text"] == MAIN_TEXT


@pytest.mark.parametrize("meta", [{"treshold": 0.7}, {"threshold": 7}, {"model": "nonsense"}, {"filter": 3}, "strict"])
def test_a_request_with_nonsense_is_reported_and_its_page_left_alone(crawl, caplog, meta):
    result = crawl(meta_spider(meta))

    assert result.items[0]["main_text"] is None
    assert result.stat("pages/skipped/bad_meta") == 1
    [record] = [record for record in caplog.records if "is not cleaned" in record.message]
    assert record.levelno == logging.ERROR
    assert 'meta["boilerplate"]' in record.message


def test_a_spider_overrides_the_project_by_custom_settings(crawl):
    spider = spider_over(PAGE, custom_settings={"BOILERPLATE_THRESHOLD": 1.0})

    assert crawl(spider, BOILERPLATE_THRESHOLD=0.5).items[0]["main_text"] == ""


def test_a_spider_overrides_the_project_by_update_settings(crawl):
    def update_settings(cls, settings):
        settings.set("BOILERPLATE_THRESHOLD", 1.0, priority="spider")

    spider = spider_over(PAGE, update_settings=classmethod(update_settings))

    assert crawl(spider, BOILERPLATE_THRESHOLD=0.5).items[0]["main_text"] == ""


def test_two_crawlers_in_one_process_know_nothing_of_each_other():
    strict, open_ = crawl_all(
        (spider_over(*pages_with_numbers(10)), ADDON | {"BOILERPLATE_THRESHOLD": 1.0}),
        (spider_over(*pages_with_numbers(10)), ADDON),
    )

    assert [item["main_text"] for item in strict.items] == [""] * 10
    assert all(MAIN_TEXT in item["main_text"] for item in open_.items)
    assert strict.stat("pages/scored") == open_.stat("pages/scored") == 10


def test_switched_off_it_leaves_the_crawl_alone(crawl):
    result = crawl(spider_over(PAGE), BOILERPLATE_ENABLED=False)

    assert list(result.items[0]) == ["url"]
    assert not [name for name in result.stats if name.startswith("boilerplate/")]


TWO_COMPONENTS = {
    "ADDONS": {},
    "DOWNLOADER_MIDDLEWARES": {"scrapy_boilerplate.BoilerplateDownloaderMiddleware": 100},
    "ITEM_PIPELINES": {"scrapy_boilerplate.BoilerplatePipeline": 100},
}


def test_with_middleware_and_pipeline_alone_items_are_found_by_url(crawl, caplog):
    result = crawl(spider_over(*pages_with_numbers(5)), **TWO_COMPONENTS)

    assert len({item["main_text"] for item in result.items}) == 5
    [warning] = [record.message for record in caplog.records if "SPIDER_MIDDLEWARES" in record.message]
    assert "'url' field" in warning


def test_with_middleware_and_pipeline_alone_an_item_without_url_goes_through(crawl):
    def parse(self, response):
        yield {"number": 1}

    result = crawl(spider_over(PAGE, parse=parse), **TWO_COMPONENTS)

    assert result.items == [{"number": 1, "main_text": None, "blocks": None}]
    assert result.stat("items/unlinked") == 1


def test_with_the_pipeline_alone_a_warning_names_the_missing_line(crawl, caplog):
    result = crawl(spider_over(PAGE), ADDONS={}, ITEM_PIPELINES={"scrapy_boilerplate.BoilerplatePipeline": 100})

    assert result.items[0]["main_text"] is None
    assert [record for record in caplog.records if "BoilerplateSpiderMiddleware" in record.message]


def test_without_the_downloader_middleware_items_are_linked_exactly(crawl):
    def parse(self, response):
        yield {"number": 1}

    result = crawl(
        spider_over(PAGE, parse=parse),
        ADDONS={},
        SPIDER_MIDDLEWARES={"scrapy_boilerplate.BoilerplateSpiderMiddleware": 10},
        ITEM_PIPELINES={"scrapy_boilerplate.BoilerplatePipeline": 100},
    )

    assert result.items[0]["main_text"] == MAIN_TEXT


@pytest.mark.parametrize(
    "middleware",
    [
        {"SPIDER_MIDDLEWARES": {"scrapy_boilerplate.BoilerplateSpiderMiddleware": 10}},
        {"DOWNLOADER_MIDDLEWARES": {"scrapy_boilerplate.BoilerplateDownloaderMiddleware": 100}},
    ],
    ids=["spider", "downloader"],
)
def test_with_a_middleware_alone_a_warning_names_the_missing_line_and_nothing_is_kept(crawl, caplog, middleware):
    result = crawl(spider_over(PAGE), ADDONS={}, **middleware)

    [warning] = [record.message for record in caplog.records if "settings: " in record.message]
    line = warning.partition("settings: ")[2]
    assert line == 'ITEM_PIPELINES = {"scrapy_boilerplate.BoilerplatePipeline": 100}'
    cleaner = Cleaner.of(result.crawler)
    assert not cleaner.links
    assert not cleaner.recent_pages
    assert list(result.items[0]) == ["url"]


def test_with_all_components_there_is_no_warning(crawl, caplog):
    crawl(spider_over(PAGE))

    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_the_add_on_respects_what_the_project_has_set(crawl):
    result = crawl(spider_over(PAGE), ITEM_PIPELINES={"scrapy_boilerplate.BoilerplatePipeline": None})

    assert list(result.items[0]) == ["url"]
