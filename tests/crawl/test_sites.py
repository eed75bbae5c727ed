"""A crawl that knows its sites: what they repeat is dropped, and its memory outlives it."""

from __future__ import annotations

import logging
import os
from typing import Any

import pytest
import scrapy
from scrapy.http import HtmlResponse

from scrapy_boilerplate import SiteMemory, extract
from scrapy_boilerplate.crawl import site_memory

from ..conftest import ADDON, Crawl, crawl_all
from ..sites import HOST, NOTICE, site_page, story, url_of


class Serve:
    """A downloader middleware that answers with the pages of the site; `/moved/` redirects to them."""

    def process_request(self, request):
        number = int(request.url.rpartition("/")[2])
        if "/moved/" in request.url:
            return scrapy.http.Response(request.url, status=302, headers={"Location": url_of(number)})
        return HtmlResponse(request.url, body=site_page(number).encode(), encoding="utf-8")


SITE = ADDON | {"DOWNLOADER_MIDDLEWARES": {Serve: 1000}, "CONCURRENT_REQUESTS": 1}


def reader_of(*urls: str, items: int = 1, **meta: Any) -> type[scrapy.Spider]:
    """A spider that reads these pages one after the other."""

    class Reader(scrapy.Spider):
        name = "reader"

        async def start(self):
            for priority, url in enumerate(urls):
                yield scrapy.Request(url, dont_filter=True, priority=-priority, meta=dict(meta))

        def parse(self, response):
            for _ in range(items):
                yield {"url": response.url}

    return Reader


def crawl(spider: type[scrapy.Spider], **settings: Any) -> Crawl:
    [result] = crawl_all((spider, SITE | settings))
    return result


def urls(*numbers: int) -> list[str]:
    return [url_of(number) for number in numbers]


def with_notice(result: Crawl) -> list[bool]:
    return [NOTICE in item["main_text"] for item in result.items]


def test_without_the_setting_every_page_is_judged_alone():
    result = crawl(reader_of(*urls(1, 2, 3)))

    assert with_notice(result) == [True, True, True]
    assert not any("other_pages" in block for item in result.items for block in item["blocks"])
    assert not any(name.startswith("boilerplate/site/") for name in result.stats)


def test_a_page_is_judged_by_those_before_it():
    result = crawl(reader_of(*urls(1, 2, 3)), BOILERPLATE_SITE_MEMORY=True)

    assert with_notice(result) == [True, False, False]
    assert [item["blocks"][-1]["other_pages"] for item in result.items] == [0, 1, 2]
    assert [result.stat(f"site/{name}") for name in ("pages_changed", "blocks_dropped", "hosts")] == [2, 2, 1]


def test_items_redirects_and_second_visits_of_a_page_count_once():
    pages = [*urls(1, 1), f"{HOST}/moved/1", *urls(1)]
    result = crawl(reader_of(*pages, items=3), BOILERPLATE_SITE_MEMORY=True)

    assert len(result.items) == 12
    assert all(with_notice(result))


def test_the_next_crawl_knows_the_site_from_the_first_page_on(tmp_path):
    path = tmp_path / "memories" / "%(name)s.npz"
    crawl(reader_of(*urls(1, 2)), BOILERPLATE_SITE_MEMORY=str(path))
    result = crawl(reader_of(*urls(3)), BOILERPLATE_SITE_MEMORY=str(path))

    assert with_notice(result) == [False]
    assert SiteMemory.load(tmp_path / "memories" / "reader.npz").pages_of("news.example") == 3


def test_workers_know_what_the_crawl_knows_and_the_crawl_learns_what_they_read(tmp_path):
    path = str(tmp_path / "memory.npz")
    crawl(reader_of(*urls(1, 2)), BOILERPLATE_SITE_MEMORY=path)
    result = crawl(reader_of(*urls(3, 4, 5, 6)), BOILERPLATE_SITE_MEMORY=path, BOILERPLATE_WORKERS=2)

    assert with_notice(result) == [False] * 4
    assert result.stat("workers/pages") == 4
    assert SiteMemory.load(path).pages_of("news.example") == 6


def test_the_memory_of_a_job_is_part_of_it(tmp_path):
    for numbers in ((1, 2), (3,)):
        result = crawl(reader_of(*urls(*numbers)), BOILERPLATE_SITE_MEMORY=True, JOBDIR=str(tmp_path))

    assert with_notice(result) == [False]


def test_crawls_with_one_file_at_the_same_time_leave_what_both_know(tmp_path):
    path = str(tmp_path / "memory.npz")
    settings = SITE | {"BOILERPLATE_SITE_MEMORY": path}
    results = crawl_all((reader_of(*urls(1, 2)), settings), (reader_of(*urls(3, 4, 5)), settings))

    assert [len(result.items) for result in results] == [2, 3]
    assert SiteMemory.load(path).pages_of("news.example") == 5


def test_the_memory_is_written_while_the_crawl_runs(monkeypatch, tmp_path):
    path = tmp_path / "memory.npz"
    known = []

    class Watcher(reader_of(*urls(1, 2, 3))):
        def parse(self, response):
            known.append(SiteMemory.load(path).pages_of("news.example") if path.exists() else 0)
            yield {"url": response.url}

    monkeypatch.setattr(site_memory, "SECONDS_BETWEEN", 0.0)
    crawl(Watcher, BOILERPLATE_SITE_MEMORY=str(path))

    assert known == [0, 1, 2]


@pytest.mark.skipif(site_memory.fcntl is None, reason="folders can't be locked here")
def test_a_crawl_that_has_stopped_in_the_middle_of_its_write_holds_up_nobody(monkeypatch, tmp_path):
    path = tmp_path / "memory.npz"
    monkeypatch.setattr(site_memory, "SECONDS_BETWEEN", 0.0)
    monkeypatch.setattr(site_memory, "LONGEST_WAIT", 0.1)
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        site_memory.fcntl.flock(folder, site_memory.fcntl.LOCK_EX)
        result = crawl(reader_of(*urls(1, 2)), BOILERPLATE_SITE_MEMORY=str(path))
    finally:
        os.close(folder)

    assert with_notice(result) == [True, False]
    assert SiteMemory.load(path).pages_of("news.example") == 2


@pytest.mark.parametrize("content", [b"", b"PK something else", b"no memory"])
def test_a_damaged_memory_is_put_aside_and_said(content, caplog, tmp_path):
    path = tmp_path / "memory.npz"
    for _ in range(2):
        path.write_bytes(content)
        result = crawl(reader_of(*urls(1, 2)), BOILERPLATE_SITE_MEMORY=str(path))

    assert with_notice(result) == [True, False]
    assert {file.name for file in tmp_path.iterdir()} == {"memory.npz", "memory.npz.damaged", "memory.npz.damaged-2"}
    assert (tmp_path / "memory.npz.damaged").read_bytes() == content
    assert "The site memory begins anew: can't read a site memory from" in caplog.text


def test_a_memory_that_can_not_be_written_costs_no_item(monkeypatch, tmp_path):
    def full(self, path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(SiteMemory, "save", full)
    monkeypatch.setattr(site_memory, "SECONDS_BETWEEN", 0.0)
    result = crawl(reader_of(*urls(1, 2)), BOILERPLATE_SITE_MEMORY=str(tmp_path / "memory.npz"))

    assert with_notice(result) == [True, False]
    assert result.stat("errors/OSError") == 3


def test_a_place_where_nothing_can_be_written_stops_the_crawl_at_its_start(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(ValueError, match="BOILERPLATE_SITE_MEMORY"):
        crawl(reader_of(*urls(1)), BOILERPLATE_SITE_MEMORY=str(tmp_path / "file" / "memory.npz"))
    with pytest.raises(ValueError, match="BOILERPLATE_SITE_MEMORY"):
        crawl(reader_of(*urls(1)), BOILERPLATE_SITE_MEMORY=str(tmp_path))


@pytest.mark.parametrize("off", [False, "False", "0"])
def test_the_setting_can_be_switched_off_on_the_command_line(off):
    assert with_notice(crawl(reader_of(*urls(1, 2)), BOILERPLATE_SITE_MEMORY=off)) == [True, True]


def test_a_crawl_that_is_switched_off_reads_no_memory(tmp_path):
    path = tmp_path / "memory.npz"
    path.write_bytes(b"damaged")
    crawl(reader_of(*urls(1)), BOILERPLATE_SITE_MEMORY=str(path), BOILERPLATE_ENABLED=False)

    assert [file.name for file in tmp_path.iterdir()] == ["memory.npz"]


def test_the_report_counts_what_was_dropped_and_the_view_says_why(tmp_path):
    report = tmp_path / "report.html"
    crawl(reader_of(*urls(1, 2)), BOILERPLATE_SITE_MEMORY=True, BOILERPLATE_REPORT=str(report))
    views = [view.read_text("utf-8") for view in (tmp_path / "report_files").iterdir()]

    assert "1 blocks dropped that other pages of their site hold, too" in report.read_text("utf-8")
    assert "2 of 3, 1 also on other pages" in report.read_text("utf-8")
    assert sorted('"other_pages":1' in view for view in views) == [False, True]


# In callbacks


def reading(parse: Any, *numbers: int) -> type[scrapy.Spider]:
    spider = reader_of(*urls(*numbers))
    spider.parse = parse
    return spider


@pytest.mark.parametrize("workers", [0, 1])
def test_the_text_in_a_callback_is_that_of_its_items_and_the_page_is_learned_once(workers, tmp_path):
    def parse(self, response):
        document = extract(response)
        yield {"text": document.main_text, "dropped": document.repeated_blocks}
        yield {"text": extract(response).main_text}

    path = str(tmp_path / "memory.npz")
    result = crawl(reading(parse, 1, 2, 3), BOILERPLATE_SITE_MEMORY=path, BOILERPLATE_WORKERS=workers)

    assert [item["text"] for item in result.items] == [item["main_text"] for item in result.items]
    assert with_notice(result) == [True, True, False, False, False, False]
    assert [item["dropped"] for item in result.items[::2]] == [0, 1, 1]
    assert [result.stat(f"site/{name}") for name in ("pages_changed", "blocks_dropped", "hosts")] == [2, 2, 1]
    assert SiteMemory.load(path).pages_of("news.example") == 3


def test_a_callback_that_yields_no_items_teaches_its_pages(tmp_path):
    def parse(self, response):
        extract(response, **({"threshold": 0.3} if response.url.endswith("/2") else {}))
        return []

    path = str(tmp_path / "memory.npz")
    crawl(reading(parse, 1, 2), BOILERPLATE_SITE_MEMORY=path)
    result = crawl(reader_of(*urls(3)), BOILERPLATE_SITE_MEMORY=path)

    assert [item["blocks"][-1]["other_pages"] for item in result.items] == [2]


def test_options_of_a_callback_are_used_beside_the_memory_of_the_crawl(tmp_path):
    def parse(self, response):
        document = extract(response, keep="p", threshold=1.0)
        yield {"text": document.main_text, "others": document.blocks[-1].other_pages}
        yield {"text": extract(response, threshold=0.0).main_text}

    path = str(tmp_path / "memory.npz")
    result = crawl(reading(parse, 1, 2), BOILERPLATE_SITE_MEMORY=path)

    assert [item["text"] for item in result.items[::2]] == ["\n\n".join(story(number)) for number in (1, 2)]
    assert [NOTICE in item["text"] for item in result.items[1::2]] == [True, False]
    assert with_notice(result) == [True, True, False, False]
    assert SiteMemory.load(path).pages_of("news.example") == 2


def test_a_memory_of_the_spiders_own_is_used_in_place_of_that_of_the_crawl():
    memory = SiteMemory()

    def parse(self, response):
        yield {"text": extract(response, site=memory).main_text}

    result = crawl(reading(parse, 1, 2))

    assert [NOTICE in item["text"] for item in result.items] == [True, False]
    assert with_notice(result) == [True, True]
    assert memory.pages_of("news.example") == 2


def test_selectors_of_the_settings_hold_in_callbacks_unless_these_give_others(caplog):
    def parse(self, response):
        yield {"text": extract(response).main_text}
        yield {"text": extract(response, drop=None).main_text}

    result = crawl(reading(parse, 1), BOILERPLATE_DROP="div + div")

    assert [NOTICE in item["text"] for item in result.items] == [False, True]
    assert with_notice(result) == [False, False]
    assert "matched nothing" not in caplog.text


# By hand


@pytest.mark.parametrize("workers", [0, 1])
def test_selectors_keep_and_drop_by_the_settings(workers):
    result = crawl(
        reader_of(*urls(1)),
        BOILERPLATE_DROP="xpath://div[2]",
        BOILERPLATE_KEEP={"news.example": ["p:nth-child(2)"]},
        BOILERPLATE_THRESHOLD=1.0,
        BOILERPLATE_WORKERS=workers,
    )

    assert [item["main_text"] for item in result.items] == [story(1)[1]]


def test_a_spider_and_a_request_have_selectors_of_their_own():
    spider = reader_of(*urls(1), boilerplate={"drop": "p"})
    spider.custom_settings = {"BOILERPLATE_DROP": "div + div"}

    assert with_notice(crawl(reader_of(*urls(1), boilerplate={"drop": "p"}))) == [True]
    assert with_notice(crawl(spider)) == [True]
    spider = reader_of(*urls(1))
    spider.custom_settings = {"BOILERPLATE_DROP": "div + div"}
    assert with_notice(crawl(spider)) == [False]


@pytest.mark.parametrize("name", ["BOILERPLATE_KEEP", "BOILERPLATE_DROP"])
def test_a_wrong_selector_stops_the_crawl_at_its_start(name):
    with pytest.raises(ValueError, match=rf"{name} = 'p\[': 'p\[' is no selector"):
        crawl(reader_of(*urls(1)), **{name: "p["})


def test_a_wrong_selector_of_a_request_is_logged_and_its_item_goes_on(caplog):
    result = crawl(reader_of(*urls(1), boilerplate={"drop": "p["}))

    assert [item["main_text"] for item in result.items] == [None]
    assert result.stat("pages/skipped/bad_meta") == 1
    assert "'p[' is no selector" in caplog.text


@pytest.mark.parametrize("workers", [0, 1])
def test_selectors_that_matched_nothing_are_named_at_the_end(workers, caplog):
    with caplog.at_level(logging.WARNING):
        crawl(
            reader_of(*urls(1, 2), boilerplate={"keep": "h6"}),
            BOILERPLATE_DROP={"news.example": ["aside", "p"], "other.example": "nav"},
            BOILERPLATE_WORKERS=workers,
        )
    warnings = [record.getMessage() for record in caplog.records if "matched nothing" in record.getMessage()]

    assert warnings == [
        "BOILERPLATE_DROP: 'aside' matched nothing on any page",
        "BOILERPLATE_DROP: 'nav' matched nothing on any page",
        "BOILERPLATE_KEEP: 'h6' matched nothing on any page",
    ]


def test_selectors_are_not_named_if_no_page_was_cleaned(caplog):
    crawl(reader_of(*urls(1), boilerplate=False), BOILERPLATE_DROP="aside")

    assert "matched nothing" not in caplog.text
