"""The account of a crawl: stats of the text that pages have, and warnings at its end."""

from __future__ import annotations

import logging

import pytest
import scrapy

from ..conftest import spider_over
from ..pages import MAIN_TEXT, PAGE

EMPTY = "<title>An app</title><body><div id=root></div><script src=app.js></script>"
MENU = "<title>A menu</title>" + "<p><a href=/>Home</a></p>" * 30


def warnings_in(caplog) -> list[str]:
    return [record.message for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize("workers", [0, 1])
def test_stats_say_how_much_text_the_pages_have(crawl, workers):
    result = crawl(spider_over(PAGE, PAGE, EMPTY), BOILERPLATE_WORKERS=workers)

    assert result.stat("pages/scored") == 3
    assert result.stat("pages/no_text") == 1
    assert result.stat("words/kept") == 2 * len(MAIN_TEXT.split())
    assert result.stat("seconds") > 0


def test_pages_whose_text_is_doubtful_are_counted(crawl):
    fields = {"main_text": "main_text", "score": "score"}
    result = crawl(spider_over(PAGE, MENU), BOILERPLATE_FIELDS=fields, BOILERPLATE_THRESHOLD=0.0)

    low = [item for item in result.items if item["score"] < 0.5]
    assert low
    assert result.stat("score/low") == len(low)


def test_a_crawl_warns_once_if_many_pages_have_no_text(crawl, caplog):
    crawl(spider_over(PAGE, PAGE, EMPTY, EMPTY))

    [warning] = warnings_in(caplog)
    assert warning.startswith("2 of 4 pages have no text. Are they rendered by JavaScript?")


def test_a_crawl_does_not_warn_of_a_few_pages_without_text(crawl, caplog):
    crawl(spider_over(*[PAGE] * 4, EMPTY))

    assert not warnings_in(caplog)


def test_a_crawl_warns_once_if_many_items_have_no_page(crawl, caplog):
    async def start(self):
        yield {"from": "start"}
        yield {"from": "start"}
        yield scrapy.Request("data:text/html,%3Cp%3E" + MAIN_TEXT.replace(" ", "%20").replace("\n", "%20"))

    crawl(spider_over(start=start))

    [warning] = warnings_in(caplog)
    assert warning.startswith("2 of 3 items have no page")


def test_a_crawl_without_items_has_nothing_to_warn_of(crawl, caplog):
    def parse(self, response):
        return []

    crawl(spider_over(PAGE, parse=parse))

    assert not warnings_in(caplog)
