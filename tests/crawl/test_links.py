"""The links between items and responses hold nothing longer than they must."""

from __future__ import annotations

import asyncio

from scrapy import Request
from scrapy.http import HtmlResponse

from scrapy_boilerplate.crawl.links import ItemLinks, RecentPages


def response(url: str = "https://site.example/", body: bytes = b"<p>text", **meta) -> HtmlResponse:
    return HtmlResponse(url, body=body, request=Request(url, meta=meta))


def test_an_item_is_known_by_its_identity_and_not_by_its_value():
    links, first, second = ItemLinks(), response(), response()
    item, equal_item = {"a": 1}, {"a": 1}
    links.link(item, first)
    links.link(equal_item, second)

    assert links.arrived({"a": 1}) is None
    assert links.arrived(item) is first
    assert links.arrived(equal_item) is second
    assert len(links) == 0


def test_an_item_arrives_as_often_as_it_was_yielded():
    links, page = ItemLinks(), response()
    item = {"a": 1}
    links.link(item, page)
    links.link(item, page)

    assert [links.arrived(item) for _ in range(3)] == [page, page, None]


def test_an_object_that_is_yielded_for_two_pages_belongs_to_the_later_one():
    links, first, second = ItemLinks(), response("https://site.example/1"), response("https://site.example/2")
    item = {"a": 1}
    links.link(item, first)
    links.link(item, second)

    assert [links.arrived(item) for _ in range(3)] == [second, second, None]


def test_items_that_never_arrive_live_no_longer_than_their_page():
    links, page = ItemLinks(), response()
    links.link({"a": 1}, page)
    links.link({"b": 1}, page)
    del page

    assert len(links) == 0


def test_items_that_hold_their_page_and_never_arrive_are_bounded():
    links = ItemLinks(most_pages=2, most_bytes=1000)
    for number in range(10):
        page = response(f"https://site.example/{number}", b"x" * 200)
        links.link({"page": page}, page)

    assert len(links) == 5


def by_url(links: ItemLinks, processed: HtmlResponse | None, url: str) -> HtmlResponse | None:
    """The page of an item with the URL that is processed with those of this page."""

    async def look_up() -> HtmlResponse | None:
        if processed is not None:
            links.enter(processed)
        return links.response_for(url)

    return asyncio.run(look_up())


def test_an_item_that_has_replaced_another_is_known_by_its_url():
    links, page = ItemLinks(), response(redirect_urls=["https://site.example/old"])
    items = [{"number": number} for number in range(2)]
    for item in items:
        links.link(item, page)

    assert by_url(links, page, "https://site.example/other") is None
    assert [by_url(links, page, url) for url in (page.url, "https://site.example/old", page.url)] == [page, page, None]
    assert links.arrived(items[1]) is page, "an item that was added took its place, and not its page"


def test_an_item_that_was_replaced_and_then_dropped_leaves_the_others_their_page():
    links, page = ItemLinks(), response()
    items = [{"number": number} for number in range(3)]
    for item in items:
        links.link(item, page)
        assert by_url(links, page, page.url) is page
        links.ended(item)

    assert len(links) == 0


def test_an_item_is_not_known_by_a_url_that_two_pages_have():
    links, first, second = ItemLinks(), response(), response()
    items = [{"a": 1}, {"b": 1}]
    links.link(items[0], first)
    links.link(items[1], second)

    assert by_url(links, first, first.url) is None
    links.arrived(items[0])
    assert by_url(links, second, first.url) is second


def test_an_item_of_no_page_is_not_known_by_the_url_of_one():
    links, page, other = ItemLinks(), response(), response("https://site.example/other")
    item = {"a": 1}
    links.link(item, page)

    assert by_url(links, None, page.url) is None
    assert by_url(links, other, page.url) is None


def test_a_page_is_found_by_every_url_on_the_way_to_it():
    pages = RecentPages()
    request = Request("https://site.example/b", meta={"redirect_urls": ["https://site.example/a"]})
    page = HtmlResponse("https://site.example/c", body=b"<p>text")
    pages.remember(request, page)

    for path in "abc":
        assert pages.response_for(f"https://site.example/{path}") is page
    assert pages.response_for("https://site.example/d") is None


def test_only_the_latest_pages_are_remembered():
    pages = RecentPages(most_pages=2)
    urls = [f"https://site.example/{number}" for number in range(3)]
    for url in urls:
        pages.remember(Request(url), response(url))

    assert [pages.response_for(url) is None for url in urls] == [True, False, False]


def test_remembered_pages_are_bounded_in_bytes():
    pages = RecentPages(most_bytes=1000)
    urls = [f"https://site.example/{number}" for number in range(3)]
    for url in urls:
        pages.remember(Request(url), response(url, b"x" * 600))

    assert [pages.response_for(url) is None for url in urls] == [True, True, False]


def test_a_newer_page_under_the_same_url_outlives_the_older_one():
    pages = RecentPages(most_pages=2)
    url = "https://site.example/"
    old, new, other = response(url), response(url), response("https://site.example/other")
    for page in (old, new, other):
        pages.remember(page.request, page)

    assert pages.response_for(url) is new


def test_a_url_with_different_content_belongs_to_no_page():
    pages = RecentPages()
    page, same, different = response(), response(), response(body=b"<p>other text")
    for each in (page, same):
        pages.remember(each.request, each)
    assert pages.response_for(page.url) is pages.only() is same

    pages.remember(different.request, different)
    assert pages.response_for(page.url) is None
    assert pages.only() is None
