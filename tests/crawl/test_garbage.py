"""Pages leave no reference cycles, which only the garbage collector could free."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from scrapy.http import HtmlResponse
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from scrapy_boilerplate import extract
from scrapy_boilerplate.crawl.cleaner import Cleaner
from scrapy_boilerplate.crawl.links import ItemLinks
from scrapy_boilerplate.fields import FIELDS, values_of
from scrapy_boilerplate.models import MODELS
from scrapy_boilerplate.options import Options

from ..pages import PAGE


@contextmanager
def collected() -> Iterator[list[Any]]:
    """All objects that only the collector can free, of what happens in here."""
    found: list[Any] = []
    while gc.collect():  # what is freed may leave garbage of its own, as an earlier crawl's signals do
        pass
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield found
        gc.collect()
        found += gc.garbage
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.parametrize("model", MODELS)
def test_a_page_that_is_extracted_leaves_nothing_to_collect(model):
    def use() -> None:
        document = extract(PAGE, "https://example.com/page", model=model)
        values_of(document, FIELDS)

    use()  # fills the caches
    with collected() as garbage:
        use()
        use()

    assert garbage == []


@pytest.mark.parametrize("share_tree", [True, False])
@pytest.mark.parametrize("fields", [["main_text", "blocks"], list(FIELDS)], ids=["default", "all"])
def test_a_page_of_a_crawl_leaves_nothing_beside_its_response_and_selector(fields, share_tree):
    """These two are Scrapy's own cycle, if the spider uses the selector."""
    options = Options.from_settings({"BOILERPLATE_FIELDS": fields, "BOILERPLATE_SHARE_TREE": share_tree})
    cleaner = Cleaner(options, MemoryStatsCollector(get_crawler()))
    cleaner.links, cleaner.has_pipeline = ItemLinks(), True

    def use(response: HtmlResponse) -> None:
        cleaner.callback_begins(response)
        response.css("title")
        cleaner.links.link(item := {}, response)
        values = cleaner.values_of(cleaner.links.arrived(item))
        with pytest.raises(StopIteration):
            values.send(None)
        cleaner.callback_ended(response)

    def response() -> HtmlResponse:
        return HtmlResponse("https://example.com/page", body=PAGE.encode())

    use(response())  # fills the caches
    with collected() as garbage:
        use(response())
    with collected() as scrapys_own:
        response().css("title")

    assert Counter(map(type, garbage)) == Counter(map(type, scrapys_own))
