"""Kept blocks as Markdown that reads back."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from markdown_it import MarkdownIt

import scrapy_boilerplate
from scrapy_boilerplate.render.html import to_html
from scrapy_boilerplate.render.markdown import to_markdown

from .markdown_pages import joined, paragraphs, structured, texts_of
from .test_properties import many

URL = "https://example.org/news/baths?page=2"


def markdown_of(markup: str, *, model: str = "numwords", base_url: str | None = URL, **options) -> str:
    """The whole page as Markdown, whatever the scores."""
    document = scrapy_boilerplate.extract(f"<body>{markup}", model=model, threshold=0)
    return document.to_markdown(base_url=base_url, **options)


@pytest.mark.parametrize("model", ["numwords", "victor"])
@pytest.mark.parametrize("images", [False, True])
@pytest.mark.parametrize("markup", [paragraphs, structured], ids=["paragraphs", "structured"])
def test_markdown_reads_back_as_the_kept_blocks_in_their_order(markup, model, images):
    @many
    @given(markup)
    def check(page: str) -> None:
        document = scrapy_boilerplate.extract(f"<body>{page}", model=model, threshold=0)
        numbers = range(len(document.page.texts))
        markdown = to_markdown(document.page, numbers, images=images, formulas=False)

        assert joined(texts_of(markdown)) == joined([document.main_text])

    check()


@pytest.mark.parametrize(
    ("markup", "markdown"),
    [
        ("<h1>One</h1><h3>Three</h3><p>Text.", "# One\n\n### Three\n\nText."),
        ("<h2><div>In a box</div></h2><div role=heading>By role</div>", "## In a box\n\n## By role"),
        ("<h2>Issue #</h2>", "## Issue \\#"),
        ("<p>one<br>two", "one\\\ntwo"),
        ("<h2>one<br>two</h2>", "## one two"),
        ("<p>a <b>b</b> <i>c</i> <strong><em>d</em></strong>", "a **b** *c* ***d***"),
        ("<p>a <b>b <i>c</i></b>", "a **b *c***"),
        ("<p>x<sub>2</sub> y<sup>3</sup> <del>z</del>", "x<sub>2</sub> y<sup>3</sup> <del>z</del>"),
        ("<p><code>a</code> <kbd>b`c</kbd> <samp>`d`</samp>", "`a` ``b`c`` `` `d` ``"),
        ("<p><code>see <a href=/x>that</a>()</code>", "`see` [`that`](https://example.org/x)`()`"),
    ],
)
def test_headings_and_emphasis(markup, markdown):
    assert markdown_of(markup) == markdown


@pytest.mark.parametrize(
    ("markup", "markdown"),
    [
        ("<p>a<b>“b”</b>c", "a“**b**”c"),
        ("<p>日本<b>語。</b>日本", "日本**語**。日本"),
        ("<p>a<b>, b</b>", "a, **b**"),
        ("<p>a<b>...</b>c", "a...c"),
        ("<p>a <b>b.</b> c", "a **b.** c"),
        ("<p><b>a</b><i>b</i>", "**a**b"),
        ("<p>a<b> b </b>c", "a **b** c"),
        ("<p><b>a<br></b>b", "**a**\\\nb"),
        ("<p>a<b><a href=/x>b</a></b>", "a[b](https://example.org/x)"),
    ],
)
def test_emphasis_that_would_be_misread_is_smaller_or_none(markup, markdown):
    assert markdown_of(markup) == markdown


@pytest.mark.parametrize(
    ("markup", "markdown"),
    [
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", "- a\n- b\n  - c"),
        ("<ul><li><p>a<p>b</li><li>c</ul>", "- a\n\n  b\n\n- c"),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol start=9><li>a<li>b<li value=20>c</ol>", "9. a\n10. b\n20. c"),
        ("<ol><li>a<ol start=3><li>b</ol></ol>", "1. a\n\n   3. b"),
        ("<ul><li>a</ul><ul><li>b</ul>", "- a\n\n* b"),
        ("<ol><li>a</ol><ol><li>b</ol>", "1. a\n\n1) b"),
        ("<ul><li>a</li><ul><li>b</ul></ul>", "- a\n  - b"),
        ("<div><li>a</li><li>b</li></div>", "- a\n- b"),
        ("<ul>loose<li>a</ul>", "- loose\n- a"),
        (
            "<dl><dt>Ebb</dt><dd>Falling.</dd><dt>Flood</dt><dd>Rising.</dd></dl>",
            "- Ebb\n\n  Falling.\n\n- Flood\n\n  Rising.",
        ),
        ("<blockquote><p>a<p>b</blockquote><p>c", "> a\n>\n> b\n\nc"),
        ("<blockquote><ul><li>a<li>b</ul></blockquote>", "> - a\n> - b"),
        ("<ul><li><pre>a\n\nb</pre></ul>", "- ```\n  a\n\n  b\n  ```"),
    ],
)
def test_lists_and_quotes(markup, markdown):
    assert markdown_of(markup) == markdown


def test_the_items_of_a_numbered_list_keep_their_numbers_when_others_are_dropped():
    page = scrapy_boilerplate.extract("<ol><li>a<li>b<li>c</ol>", model="numwords").page

    assert to_markdown(page, [0, 2]) == "1. a\n3. c"


@pytest.mark.parametrize("model", ["numwords", "victor"])
@pytest.mark.parametrize(
    ("markup", "markdown"),
    [
        ("<pre>def f():\n    return 1\n\n\nx</pre>", "```\ndef f():\n    return 1\n\n\nx\n```"),
        ('<pre><code class="language-python">x = 1</code></pre>', "```python\nx = 1\n```"),
        ("<pre data-lang='a`b'>x</pre>", "```a\nx\n```"),
        ("<pre>```\n````</pre>", "`````\n```\n````\n`````"),
    ],
)
def test_code_is_fenced_by_more_backticks_than_it_has(markup, markdown, model):
    assert markdown_of(markup, model=model) == markdown


@pytest.mark.parametrize(
    ("markup", "markdown"),
    [
        ("<tr><th>a<th>b<tr><td>c<td>d", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<thead><tr><td>a<td>b<tbody><tr><td>c<td>d", "| a | b |\n| --- | --- |\n| c | d |"),
        ("<tr><td>a<td>b<tr><td>c<td>d", "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"),
        ("<tr><td>a<td>b<tr><td><td>d", "|  |  |\n| --- | --- |\n| a | b |\n|  | d |"),
        ("<tr><th>a|b<th><code>c|\\|</code>", "| a\\|b | `c\\|\\\\|` |\n| --- | --- |"),
        ("<tr><th>a<th>b<tr><td><p>c<p>d<td>e<br>f", "| a | b |\n| --- | --- |\n| c d | e f |"),
        ("<tr><th colspan=2>a<th>b<tr><td>c<td>d<td>e", "| a |  | b |\n| --- | --- | --- |\n| c | d | e |"),
        ("<tr><td rowspan=2>a<td>b<tr><td>c", "|  |  |\n| --- | --- |\n| a | b |\n|  | c |"),
        ("<caption>Tides<tr><th>a<th>b", "Tides\n\n| a | b |\n| --- | --- |"),
    ],
)
def test_tables_of_data_have_a_row_a_line(markup, markdown):
    assert markdown_of(f"<table>{markup}</table>") == markdown


@pytest.mark.parametrize(
    "markup",
    [
        "<tr><td>a<tr><td>b",
        "<tr><td><p>a</p><p>b</p><td>c",
        "<tr><td>a<td><table><tr><td>b</table>",
        "<tr><td>a<td><pre>b\nc</pre><tr><td>d<td>e",
    ],
)
def test_a_layout_table_is_no_table(markup):
    assert "|" not in markdown_of(f"<table>{markup}</table>")
    assert "|" not in markdown_of("<table role=presentation><tr><th>a<th>b<tr><td>c<td>d</table>")


@pytest.mark.parametrize(
    ("href", "address"),
    [
        ("/x", "https://example.org/x"),
        ("y z", "https://example.org/news/y%20z"),
        ("?q=(a)", r"https://example.org/news/baths?q=\(a\)"),
        ("https://other.org/a_b", r"https://other.org/a\_b"),
        ("https://other.org/?a=1&amp;copy;=2", r"https://other.org/?a=1\&copy;=2"),
        ("mailto:a@example.org", "mailto:a@example.org"),
    ],
)
def test_links_have_absolute_addresses(href, address):
    assert markdown_of(f"<p>a <a href='{href}'>b</a>") == f"a [b]({address})"


@pytest.mark.parametrize(
    "href",
    [
        *(
            "javascript:x()",
            "JavaScript:x()",
            " java\nscript:x()",
            "&#1;javascript:x()",
            "vbscript:x",
            "data:text/html,x",
        ),
        *(
            "https://[",
            "http://a:b:c",
            "#top",
            "/news/baths?page=2#top",
            "ftp://example.org/x",
            "",
            "file:///etc",
        ),
    ],
)
@pytest.mark.parametrize("base", ["", "<base href='javascript:x()'>", "<base href='data:x'>"])
@pytest.mark.parametrize("url", [URL, None])
def test_what_nobody_should_follow_is_no_link(href, base, url):
    if url is None and href.startswith("/news"):
        pytest.skip("leads elsewhere, as far as anybody knows")
    markup = f'<head>{base}</head><p>a <a href="{href}">b</a>'
    document = scrapy_boilerplate.extract(markup, model="numwords", threshold=0)

    assert (document.to_markdown(base_url=url), document.to_html(base_url=url)) == ("a b", "<p>a b</p>")


@pytest.mark.parametrize("href", ["javascript\\:x()", "&amp;#106;avascript:x()", "javascript&amp;colon;x()"])
def test_escapes_in_an_address_are_no_way_to_a_script(href):
    markdown = markdown_of(f'<p>a <a href="{href}">b</a>', base_url=None)

    hrefs = [
        token.attrs["href"] for line in MarkdownIt().parse(markdown) for token in line.children or () if token.attrs
    ]
    assert all(not href.startswith("javascript:") for href in hrefs)


def test_the_base_of_a_page_is_what_its_links_are_relative_to():
    markup = "<html><head><base href='/deep/er/'></head><body><p>a <a href=x>b</a>"

    assert markdown_of(markup) == "a [b](https://example.org/deep/er/x)"
    assert markdown_of(markup, base_url=None) == "a [b](x)"


def test_a_link_around_several_blocks_is_that_of_the_heading_among_them():
    card = "<a href=/x><h2>Title</h2><p>Teaser</p></a><a href=/y><p>One</p></a>"

    assert markdown_of(card) == "## [Title](https://example.org/x)\n\nTeaser\n\n[One](https://example.org/y)"


@pytest.mark.parametrize("model", ["numwords", "victor"])
def test_a_link_with_emphasis_in_it_is_one_link(model):
    assert markdown_of("<p>a <a href=/x>b <b>c</b> d</a>", model=model) == "a [b **c** d](https://example.org/x)"


def test_links_can_be_left_out():
    assert markdown_of("<p>a <a href=/x><b>b</b></a>", links=False) == "a **b**"


def test_images_can_be_asked_for():
    markup = "<p>One<p>Two <img src=i.png alt='a ] b'> end<figure><img src=data:x><img src=j><figcaption>Three</figure>"

    assert markdown_of(markup) == "One\n\nTwo end\n\nThree"
    assert markdown_of(markup, images=True) == (
        "One\n\nTwo ![a \\] b](https://example.org/news/i.png) end\n\n![](https://example.org/news/j)\n\nThree"
    )


def test_an_image_beside_what_is_dropped_is_dropped_too_unless_it_has_a_kept_caption():
    markup = "<p>a</p><p>b</p><img src=i><p>c</p><figure><img src=j><figcaption>d</figcaption></figure>"
    page = scrapy_boilerplate.extract(markup, model="numwords").page

    assert to_markdown(page, [0, 2, 3], images=True) == "a\n\nc\n\n![](j)\n\nd"
    assert to_markdown(page, [0, 3], images=True) == "a\n\n![](j)\n\nd"


@pytest.mark.parametrize(
    ("markup", "markdown"),
    [
        ("<p>so <math alttext='x^2'><mi>x</mi></math>, for $5", "so $x^2$, for \\$5"),
        ("<p>so <script type='math/tex; mode=display'>a &lt;b</script> it is", "so $$a & lt;b$$ it is"),
        ("<p>so <math alttext='a&lt;b*c|d`'><mi>x</mi></math>", r"so $a\lt b\ast c\vert d‘$"),
        ("<p>so <math alttext='[x](javascript:y)'><mi>x</mi></math>", "so $[x] (javascript:y)$"),
    ],
)
def test_formulas_stand_between_dollars(markup, markdown):
    assert markdown_of(markup) == markdown


@pytest.mark.parametrize(
    "text",
    [
        *(
            "# no heading",
            "- no item",
            "+ no item",
            "1. no item",
            "2) no item",
            "> no quote",
            "=== no line",
            "--- | ---",
        ),
        *("*a* **b** _c_ __d__ `e` ~~f~~", "[a](b) [a] ![a](b) [a]: b [^1]", "<b>a</b> <!-- a -->", "&amp; &lt; &#35;"),
        *("\\ \\* C:\\a", "<https://a.org> $a$", "| a | b |", "!", "a_b_c _a", "``` a", "~~~"),
    ],
)
def test_text_that_looks_like_markup_reads_back_as_text(text):
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    expected = joined([text])

    assert texts_of(markdown_of(f"<p>{escaped}")) == [expected]
    assert texts_of(markdown_of(f"<h2>{escaped}</h2>")) == [expected]
    assert texts_of(markdown_of(f"<ul><li>{escaped}")) == [expected]
    assert texts_of(markdown_of(f"<p>a<br>{escaped}<br>b")) == [f"a {expected} b"]
    assert texts_of(markdown_of(f"<p>{escaped}<a href=/x>{escaped}</a>{escaped}")) == [expected * 3]


def test_a_document_has_its_markdown_with_links_to_its_own_address():
    document = scrapy_boilerplate.extract("<p>a <a href=/x>b</a>", model="numwords", threshold=0)
    document.url = URL

    assert document.markdown == "a [b](https://example.org/x)"
    assert scrapy_boilerplate.extract("").markdown == ""


BOMBS = {
    "pipes": "<table><tr><th>a<th>b<tr><td>" + "|" * 50_000 + "<td>c</table>",
    "backticks": "<p><code>" + " ".join("`" * size for size in range(1, 300)) + "</code>",
    "backticks in code": "<pre>" + "`" * 50_000 + "</pre>",
    "brackets": "<p>" + "[" * 50_000 + "]" * 50_000,
    "asterisks": "<p>" + "*a **b " * 20_000,
    "links": "<p>" + "<a href=/x>[](" * 5_000,
    "emphasis": "<p>" + "a<b>.<i>,</i>b</b>" * 300,
    "nested emphasis": "<p>" + "x<b>y<i>" * 5_000,
    "lists": "<ul><li>a" * 1_000,
    "lists in lists": "<ol><li>" * 1_000 + "a",
    "quotes": "<blockquote>a" * 1_000,
    "tables": "<table><tr><td>a<td>b" * 200,
    "cells": "<table>" + ("<tr>" + "<td>a" * 100) * 1_000 + "</table>",
    "a row": "<table><tr><th>a" + "<td>b" * 20_000 + "<tr><td>c<td>d</table>",
    "spans": "<table>" + "<tr><td rowspan=65534 colspan=1000>a<td>b" * 2_000 + "</table>",
    "breaks": "<p>" + "a<br>" * 20_000,
    "formulas": "<p>" + "<math alttext='\\\\$*'><mi>x</mi></math>" * 2_000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_written_in_bounded_time_and_size(name):
    page = scrapy_boilerplate.extract(BOMBS[name], model="numwords", threshold=0).page
    start = time.thread_time()
    written = [write(page, range(len(page.texts))) for write in (to_markdown, to_html)]

    assert time.thread_time() - start < 20  # seconds; what is quadratic takes minutes
    assert max(map(len, written)) < 3_000_000
