"""Headline, authors, dates and the other things that a page says about itself."""

from __future__ import annotations

import json
import sys
from datetime import datetime, timezone
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from scrapy_boilerplate.metadata import Metadata, read_metadata
from scrapy_boilerplate.parse import read_tree

URL = "https://news.example.org/baths/stay-open"
TEXT = "<p>The council voted on Tuesday evening to keep the old swimming baths open for another three years.</p>"


def read(page: str, url: str | None = URL, **options: bool) -> Metadata:
    return read_metadata(read_tree(page.encode()), url, **options)


def page(head: str = "", body: str = "<h1>Baths to stay open</h1>" + TEXT, title: str = "Baths to stay open") -> str:
    return f'<!DOCTYPE html><html lang="en-GB"><head><title>{title}</title>{head}</head><body>{body}</body></html>'


def linked(node: object) -> str:
    script = node if isinstance(node, str) else json.dumps(node)
    return f'<script type="application/ld+json">{script}</script>'


def meta(**values: str) -> str:
    return "".join(f'<meta name="{name.replace("__", ":")}" content="{value}">' for name, value in values.items())


ARTICLE = {
    "@context": "https://schema.org",
    "@type": "NewsArticle",
    "headline": "Baths to stay open",
    "author": [{"@type": "Person", "name": "Maja Lind"}, {"@type": "Person", "name": "Bo Ek"}],
    "datePublished": "2024-03-15T10:00:00+01:00",
    "dateModified": "2024-03-16",
}


def test_everything_that_an_article_declares_is_read():
    head = linked(ARTICLE) + (
        '<meta property="og:site_name" content="The Example">'
        '<meta property="og:description" content="Three more years.">'
        '<meta property="og:image" content="/pictures/baths.jpg">'
        '<link rel="canonical" href="/baths/">'
        '<meta name="keywords" content="baths, council,baths , sport">'
    )

    assert read(page(head)) == Metadata(
        headline="Baths to stay open",
        authors=("Maja Lind", "Bo Ek"),
        date_published="2024-03-15T10:00:00+01:00",
        date_modified="2024-03-16",
        language="en",
        description="Three more years.",
        image="https://news.example.org/pictures/baths.jpg",
        canonical_url="https://news.example.org/baths/",
        site_name="The Example",
        keywords=("baths", "council", "sport"),
        declared_type="NewsArticle",
    )


def test_a_page_that_says_nothing_has_empty_metadata():
    assert read("<p>Some text.</p>") == Metadata()
    assert read_metadata(None) == Metadata()


@pytest.mark.parametrize(
    ("head", "body", "declared_type"),
    [
        (linked({"@type": "Recipe"}), "", "Recipe"),
        ('<meta property="og:type" content="article">', "", "article"),
        ("", '<article itemscope itemtype="https://schema.org/BlogPosting"><h1>Baths to stay open</h1>', "BlogPosting"),
        ("", '<li itemscope itemtype="https://schema.org/Offer"><h1>Baths to stay open</h1>', None),
        ("", "", None),
    ],
)
def test_the_type_of_the_page_is_as_it_is_declared(head, body, declared_type):
    assert read(page(head, body + TEXT)).declared_type == declared_type


@pytest.mark.parametrize(
    ("language", "head", "expected"),
    [
        ("pt_BR", "", "pt"),
        ("", '<meta http-equiv="content-language" content="de-AT">', "de"),
        ("", '<meta property="og:locale" content="fr_FR">', "fr"),
        ("x-unknown", "", None),
        ("english", "", None),
    ],
)
def test_the_language_is_a_code_of_iso_639(language, head, expected):
    assert read(page(head).replace('"en-GB"', f'"{language}"')).language == expected


# Headlines


@pytest.mark.parametrize(
    "title",
    [
        "Baths to stay open | The Example",
        "The Example - Baths to stay open",
        "Baths to stay open – News – The Example",
        "Baths to stay open « The Example",
        "Baths to stay open",
    ],
)
def test_the_title_loses_the_name_of_the_site(title):
    head = '<meta property="og:site_name" content="The Example">'

    assert read(page(head, TEXT, title)).headline == "Baths to stay open"


def test_the_heading_that_the_title_confirms_is_the_headline():
    body = "<h1>The Example</h1><h1>Baths will stay open</h1><h1>Also read</h1>" + TEXT

    assert read(page("", body, "Baths to stay open - The Example")).headline == "Baths will stay open"


def test_the_sites_name_on_top_of_every_page_is_no_headline():
    body = "<h1>The Example</h1><h2>Baths to stay open</h2>" + TEXT

    assert read(page("", body, "Baths to stay open | The Example")).headline == "Baths to stay open"


def test_a_line_break_in_a_heading_is_a_blank_and_a_date_in_it_is_left_out():
    assert read(page("", f"<h1>Baths to<br>stay open</h1>{TEXT}")).headline == "Baths to stay open"
    dated = f"<h1>Baths to stay open <small>March 15, 2024</small></h1>{TEXT}"
    assert read(page("", dated)).headline == "Baths to stay open"


def test_a_page_without_headings_has_the_headline_of_its_linked_data():
    assert read(page(linked(ARTICLE), TEXT, "Home")).headline == "Baths to stay open"


# Linked data


@pytest.mark.parametrize(
    "script",
    [
        json.dumps([{"@type": "WebSite", "name": "X"}, ARTICLE]),
        json.dumps({"@graph": [{"@type": "WebPage", "name": "X"}, ARTICLE]}),
        json.dumps({"@type": "WebPage", "mainEntity": ARTICLE}),
        json.dumps({**ARTICLE, "@type": ["Article", "NewsArticle"]}),
        json.dumps({**ARTICLE, "@type": "https://schema.org/NewsArticle"}),
        json.dumps({"@graph": [{**ARTICLE, "author": [{"@id": "#a"}]}, {"@id": "#a", "name": "Maja Lind"}]}),
        "//<![CDATA[\n" + json.dumps(ARTICLE) + "\n//]]>",
        "<!--" + json.dumps(ARTICLE) + "-->",
        "/* from the editor */" + json.dumps(ARTICLE) + ";",
        json.dumps(ARTICLE)[:-1] + ",}",
        json.dumps(ARTICLE).replace('"', "&quot;"),
        json.dumps(ARTICLE).replace("stay open", "stay\nopen"),
        json.dumps(ARTICLE) + json.dumps({"@type": "Organization", "name": "X"}),
        json.dumps(ARTICLE) + "}}",
        json.dumps(ARTICLE)[:-1] + ', "articleBody": "She said "no"." }',
    ],
    ids=lambda script: script[:30],
)
def test_linked_data_is_read_in_every_form_it_comes_in(script):
    found = read(page(linked(script)))

    assert found.authors[0] == "Maja Lind"
    assert found.date_published == "2024-03-15T10:00:00+01:00"


def test_teasers_in_the_linked_data_say_nothing_about_the_page_that_lists_them():
    teasers = [{**ARTICLE, "headline": f"Teaser {number}", "url": f"/{number}"} for number in "one two three".split()]

    found = read(page(linked(teasers), "<h1>Latest from the council</h1>", "Latest from the council"))

    assert found.authors == ()
    assert found.date_published is None


def test_questions_and_answers_below_a_product_do_not_make_it_an_article():
    questions = {"@type": "FAQPage", "mainEntity": [{"@type": "Question", "name": "Is it warm?", "author": "Bo Ek"}]}

    assert read(page(linked(questions))).authors == ()


# Authors


@pytest.mark.parametrize(
    "head",
    [
        meta(author="Maja Lind"),
        meta(parsely__author="Maja Lind").replace("parsely:", "parsely-"),
        meta(sailthru__author="Maja Lind").replace("sailthru:", "sailthru."),
        meta(DC__creator="Maja Lind").replace("DC:", "DC."),
        meta(citation_author="Lind, Maja"),
        '<meta property="article:author" content="https://example.org/maja">' + meta(author="by Maja Lind"),
        meta(twitter__label1="Written by", twitter__data1="Maja Lind"),
        '<meta itemprop="author" content="Maja Lind">',
    ],
)
def test_authors_are_read_from_the_tags_of_every_vocabulary(head):
    assert read(page(head)).authors == ("Maja Lind",)


@pytest.mark.parametrize(
    "byline",
    [
        "<p>By Maja Lind</p>",
        "<p>By <a href='/authors/maja'>Maja Lind</a> | 5 min read</p>",
        "<div class='byline'><span>Maja Lind</span></div>",
        "<a rel='author' href='/m'>Maja Lind</a>",
        "<span itemprop='author' itemscope><span itemprop='name'>Maja Lind</span></span>",
        "<span property='schema:author'>Maja Lind</span>",
        "<p>Written by: Maja Lind, Senior Reporter</p>",
        "<p>Posted on March 3, 2024 by Maja Lind</p>",
        "<p>Von Maja Lind</p>",
        "<p>Par Maja Lind</p>",
        "<p>Por Maja Lind</p>",
        "<p>Автор: Maja Lind</p>",
        "<p><span>By</span> <b>Maja Lind</b> (Photo: Bo Ek)</p>",
    ],
)
def test_a_byline_below_the_headline_names_the_author(byline):
    assert read(page("", f"<h1>Baths to stay open</h1>{byline}{TEXT}")).authors == ("Maja Lind",)


def test_a_byline_in_chinese_is_read():
    body = f"<h1>游泳池继续开放</h1><p>作者：王小明</p><p>2024年3月15日</p>{TEXT}"

    found = read(page("", body, "游泳池继续开放"))

    assert (found.authors, found.date_published) == (("王小明",), "2024-03-15")


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("Maja Lind and Bo Ek", ("Maja Lind", "Bo Ek")),
        ("Maja Lind, MD, PhD, Bo Ek", ("Maja Lind, MD, PhD", "Bo Ek")),
        ("By MAJA LIND", ("MAJA LIND",)),
        ("Maja Lind, Maja Lind", ("Maja Lind",)),
        ("Maja Lind (Editor)", ("Maja Lind",)),
    ],
)
def test_several_names_in_a_tag_are_told_apart(text, authors):
    assert read(page(meta(author=text))).authors == authors


@pytest.mark.parametrize(
    "nobody",
    [
        *("admin", "Admin", "Administrator", "staff", "Staff Writer", "Editorial Team", "Redaktion", "webmaster"),
        *("The Example", "THE EXAMPLE", "the-example", "news.example.org", "https://example.org/maja", "a@b.example"),
        *("Guest", "undefined", "", "2024", "x" * 10_000, "WordPress", "The Editors", "Example Media Inc."),
    ],
)
def test_neither_the_site_nor_a_placeholder_is_an_author(nobody):
    head = '<meta property="og:site_name" content="The Example">' + meta(author=nobody)

    assert read(page(head)).authors == ()
    assert read(page(head + linked({**ARTICLE, "author": nobody}))).authors == ()


def test_a_person_whose_site_bears_their_name_is_its_author():
    head = '<meta property="og:site_name" content="Anna Lind">' + meta(author="Anna Lind")

    assert read(page(head), "https://annalind.example/baths").authors == ("Anna Lind",)


@pytest.mark.parametrize(
    "body",
    [
        "<p>Reviewed by</p><p>Anna Lind</p>",
        "<p>Photo by Anna Lind</p>",
        "<div class='comment'><span class='author'>Anna Lind</span> Nice!</div>",
        "<nav><a rel='author' href='/a'>Anna Lind</a></nav>",
        "<div class='category author-box'><a href='/news'>News</a></div>",
        "<p class='author'>Share this article</p>",
        "<p class='authorized'>Anna Lind Motors</p>",
    ],
)
def test_others_beside_the_headline_are_no_authors(body):
    assert read(page("", f"<h1>Baths to stay open</h1>{body}{TEXT}")).authors == ()


def test_a_page_that_lists_articles_has_neither_their_authors_nor_their_dates():
    teasers = "".join(
        f"<h2><a href='/{day}'>Story of day {day}</a></h2><p class='byline'>By Maja Lind</p><p>March {day}, 2024</p>"
        for day in range(1, 6)
    )

    found = read(page("", f"<h1>All stories</h1>{teasers}", "All stories"))

    assert (found.authors, found.date_published) == ((), None)


# Dates


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2024-03-15", "2024-03-15"),
        ("2024-03-15T10:00:00Z", "2024-03-15T10:00:00Z"),
        ("2024-03-15T10:00:00.123+0100", "2024-03-15T10:00:00+01:00"),
        ("2024-03-15 10:00", "2024-03-15T10:00:00"),
        ("20240315", "2024-03-15"),
        ("1710497700", "2024-03-15T10:15:00Z"),
        ("Fri, 15 Mar 2024 10:00:00 GMT", "2024-03-15"),
        ("15/03/2024", "2024-03-15"),
        ("15.3.2024", "2024-03-15"),
        *((nonsense, None) for nonsense in ("04/03/2024", "99999-01-01", "2024-13-45", "0001-01-01T00:00:00")),
        *((nonsense, None) for nonsense in ("1970-01-01", "2199-01-01", "soon", "2024", "9" * 10_000, "١٥/٠٣/٢٠٢٤")),
    ],
)
def test_declared_dates_become_iso_8601_or_nothing(written, iso):
    assert read(page(meta(article__published_time=written))).date_published == iso


@pytest.mark.parametrize(
    "dateline",
    [
        *("March 15, 2024", "15 March 2024", "Published on Mar. 15th, 2024", "15. März 2024", "15 mars 2024"),
        *("15 de marzo de 2024", "15 marzo 2024", "15 maart 2024", "15 марта 2024 г.", "15 marca 2024", "15 Mart 2024"),
        *(
            "2024年3月15日",
            "2024년 3월 15일",
            "2024. március 15.",
            "15. maaliskuuta 2024",
            "15 मार्च 2024",
            "15 Μαρτίου 2024",
        ),
        *("Freitag, 15. März 2024, 10:00 Uhr", "15 מרץ 2024", "15 مارس 2024", "2024/03/15", "15.03.2024"),
    ],
)
def test_a_dateline_is_read_in_many_languages(dateline):
    assert read(page("", f"<h1>Baths to stay open</h1><p>{dateline}</p>{TEXT}")).date_published == "2024-03-15"


def test_a_months_name_that_differs_between_languages_needs_the_pages_language():
    body = f"<h1>Bazen ostaje otvoren</h1><p>3. listopada 2023.</p>{TEXT}"

    dates = [read(page("", body).replace('"en-GB"', f'"{language}"')).date_published for language in ("hr", "pl", "en")]

    assert dates == ["2023-10-03", "2023-11-03", None]


def test_dates_beside_the_headline_are_told_apart_by_their_labels():
    body = (
        "<h1>Baths to stay open</h1><p>Updated</p><time datetime='2024-03-16T08:00:00Z'>16 March</time>"
        "<p>Published March 15, 2024</p>"
    )

    found = read(page("", body + TEXT))

    assert (found.date_published, found.date_modified) == ("2024-03-15", "2024-03-16T08:00:00Z")


@pytest.mark.parametrize("text", ["© 2024-03-15 The Example", "Member since March 15, 2024", "Valid until 15.03.2024"])
def test_dates_of_something_else_are_no_dates_of_the_page(text):
    assert read(page("", f"<h1>Baths to stay open</h1><p>{text}</p>{TEXT}")).date_published is None


def test_the_date_of_today_on_a_page_is_that_of_a_clock():
    now = datetime.now(timezone.utc)
    body = f"<h1>Baths to stay open</h1><p>{now:%Y-%m-%d}</p>{TEXT}"

    assert read(page("", body)).date_published is None
    assert read(page(meta(date=f"{now:%Y-%m-%d}"))).date_published is None


def test_the_address_dates_a_page_that_does_not():
    assert read(page(), "https://example.org/2024/03/15/baths").date_published == "2024-03-15"
    assert read(page(), "https://example.org/2024/45/15/baths").date_published is None


def test_a_change_before_the_publication_is_none():
    head = meta(article__published_time="2024-03-15", article__modified_time="2020-01-01")

    assert read(page(head)).date_modified is None


def test_dates_are_guessed_only_if_asked_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "htmldate", SimpleNamespace(find_date=lambda *_, **__: "2024-03-15"))

    assert read(page()).date_published is None
    assert read(page(), guess_dates=True).date_published == "2024-03-15"


def test_a_guess_that_fails_is_no_date(monkeypatch):
    def fail(page, **options):
        raise RecursionError

    monkeypatch.setitem(sys.modules, "htmldate", SimpleNamespace(find_date=fail))

    assert read(page(), guess_dates=True).date_published is None


# Addresses


@pytest.mark.parametrize(
    ("base", "address", "absolute"),
    [
        ("", "/a.jpg", "https://news.example.org/a.jpg"),
        ("<base href='https://cdn.example.org/x/'>", "a.jpg", "https://cdn.example.org/x/a.jpg"),
        ("<base href='javascript:alert(1)'>", "a.jpg", "https://news.example.org/baths/a.jpg"),
        ("<base href='http://[broken'>", "a.jpg", "https://news.example.org/baths/a.jpg"),
        ("", "javascript:alert(1)", None),
        ("", "java\nscript:alert(1)", None),
        ("", "data:image/png;base64,AAAA", None),
        ("", "http://[broken", None),
        ("", "http://example.org:99999/", None),
        ("", "/a b.jpg", "https://news.example.org/a%20b.jpg"),
        ("", "/" + "a" * 10_000, None),
    ],
)
def test_addresses_are_absolute_and_of_the_web(base, address, absolute):
    head = f'{base}<meta property="og:image" content="{address}"><link rel="canonical" href="{address}">'

    found = read(page(head))

    assert (found.image, found.canonical_url) == (absolute, absolute)


def test_without_an_address_relative_ones_are_left_out():
    assert read(page('<meta property="og:image" content="/a.jpg">'), None).image is None


# Other trees


def test_xhtml_is_read_like_html():
    root = etree.fromstring(
        '<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="sv"><head><title>Baden</title></head>'
        "<body><h1>Baden blir kvar</h1><p>Av <a rel='author'>Maja Lind</a></p><p>15 mars 2024</p></body></html>"
    )

    found = read_metadata(root, URL)

    assert (found.headline, found.authors, found.language) == ("Baden blir kvar", ("Maja Lind",), "sv")
    assert found.date_published == "2024-03-15"
    assert root.tag.startswith("{")  # what was handed in is as it was


def test_a_part_of_a_page_is_read_without_the_rest():
    root = read_tree(page("", f"<div><h1>Baths to stay open</h1></div><p>By Maja Lind</p>{TEXT}").encode())

    found = read_metadata(root.find(".//div"), URL)

    assert (found.headline, found.authors) == ("Baths to stay open", ())


# Bad input


@pytest.mark.parametrize(
    "script",
    [
        '{"@type": "Article", "articleBody": "' + "x" * 10_000_000 + '"}',
        '{"a":' * 10_000 + "1" + "}" * 10_000,
        "[" * 100_000,
        '{"@graph":' * 900 + "[]" + "}" * 900,
        '"' * 100_000,
        '"\\' * 100_000,
        "/*" * 100_000,
        '{"author":' + " " * 100_000,
        '"author": {' * 20_000,
        "9" * 100_000,
        '{"@type": {"a": []}, "author": {"name": {"name": {"name": {"name": 1}}}}, "@id": []}',
        json.dumps({"@type": "Article", "author": [{"name": "Maja " + "x" * 10_000}] * 90}),
        json.dumps({"@graph": [ARTICLE] * 10_000}),
        json.dumps({"@type": "Article", "headline": 7, "author": 7, "datePublished": 7, "image": 7, "keywords": 7}),
        json.dumps({"@type": "Article", "headline": [[]], "author": [None], "image": [{}], "keywords": [[], {}]}),
    ],
    ids=lambda script: script[:20],
)
def test_hostile_linked_data_does_no_harm(script):
    found = read(page(linked(script)))

    assert found.headline == "Baths to stay open"


@pytest.mark.parametrize(
    "body",
    [
        "<div>" * 2_000 + "<h1>Baths to stay open</h1>" + "<p>By " * 2_000,
        "<h1>" + "Baths " * 100_000 + "</h1>",
        "<h1>Baths to stay open</h1>" * 10_000,
        "<h1>Baths to stay open</h1>" + "<time datetime='99999-99-99'>" * 10_000,
        "<h1>Baths to stay open</h1><p class='" + "author " * 100_000 + "'>" + "By " * 100_000,
        "<h1>Baths to stay open</h1><p>" + "1 " * 100_000,
        "<a rel='author' href='" + "/author" * 10_000 + "'>" * 5_000,
    ],
    ids=lambda body: body[:20],
)
def test_hostile_bodies_do_no_harm(body):
    assert isinstance(read(page("", body)), Metadata)


TAGS = st.sampled_from("h1 h2 p a time span div meta link base script title article small br".split())
ATTRIBUTES = st.sampled_from("class rel itemprop property name content href datetime type lang id".split())
VALUES = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        "author byline date datePublished og:image og:title canonical application/ld+json javascript:x data:x //x "
        "2024-03-15 99999-01-01 by headline http://[ /author/x".split()
    ),
)
JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.floats(), st.integers(), VALUES),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from("@type @graph @id author name headline datePublished image keywords mainEntity".split()),
            inner,
        ),
    ),
    max_leaves=10,
)


@st.composite
def elements(draw: st.DrawFn) -> str:
    tag = draw(TAGS)
    attributes = "".join(
        f' {name}="{value}"' for name, value in draw(st.dictionaries(ATTRIBUTES, VALUES, max_size=3)).items()
    )
    return f"<{tag}{attributes}>{draw(VALUES)}" + draw(st.sampled_from(["", f"</{tag}>"]))


@settings(max_examples=200, deadline=None)
@given(st.lists(elements(), max_size=12), JSON, st.one_of(st.none(), VALUES))
def test_no_page_raises_and_no_address_is_unsafe(parts, node, url):
    script = linked(json.dumps({"@type": "Article", "author": node, "image": node, "datePublished": node}))
    found = read("".join(parts) + script + linked(json.dumps(node)), url)

    for address in (found.image, found.canonical_url):
        assert address is None or urlsplit(address).scheme in ("http", "https")
    assert all(name and len(name) <= 100 for name in found.authors)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_no_text_raises_as_a_date_or_a_name(text):
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    found = read(page(meta(date=escaped, author=escaped), f"<h1>Baths to stay open</h1><p>By {escaped}</p>{TEXT}"))

    if found.date_published:
        datetime.fromisoformat(found.date_published.replace("Z", "+00:00"))
