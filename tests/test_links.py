"""The links between items and responses hold nothing longer than they must."""

from __future__ import annotations

from scrapy import Request
from scrapy.http import HtmlResponse

from scrapy_boilerplate.links import ItemLinks, RecentPages


def response(url: str = "https://site.example/", body: bytes = b"<p>text", **meta) -> HtmlResponse:
    return HtmlResponse(url, body=body, request=Request(url, meta=meta))


def test_an_item_is_known_by_its_identity_and_not_by_its_value():
    links, first, second = ItemLinks(), response(), response()
    item, equal_item = {"a": 1}, {"a": 1}
    links.link(item, first)
    links.link(equal_item, second)

    assert links.response_of(item, None) is first
    assert links.response_of(equal_item, None) is second
    assert links.response_of({"a": 1}, None) is None


def test_links_are_forgotten_when_the_last_item_of_the_page_has_ended():
    links, page = ItemLinks(), response()
    items = [{"number": number} for number in range(3)]
    for item in items:
        links.link(item, page)
    links.release(page)
    links.release(page)

    assert links.response_of(items[2], None) is page
    links.release(page)
    assert len(links) == 0
    assert links.response_of(items[2], page.url) is None


def test_an_object_that_is_yielded_for_two_pages_belongs_to_the_later_one():
    links, first, second = ItemLinks(), response("https://site.example/1"), response("https://site.example/2")
    item = {"a": 1}
    links.link(item, first)
    links.link(item, second)
    links.release(first)

    assert links.response_of(item, None) is second


def test_releasing_a_page_without_links_does_nothing():
    ItemLinks().release(response())


def test_a_page_is_found_by_every_url_on_the_way_to_it():
    pages = RecentPages()
    request = Request("https://site.example/b", meta={"redirect_urls": ["https://site.example/a"]})
    page = HtmlResponse("https://site.example/c", body=b"<p>text")
    pages.remember(request, page)

    for path in "abc":
        assert pages.response_for(f"https://site.example/{path}") is page
    assert pages.response_for("https://site.example/d") is None
    assert pages.response_for(None) is None


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
