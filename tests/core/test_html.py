"""Kept blocks as small, clean HTML."""

from __future__ import annotations

import nh3
import pytest
from hypothesis import given
from lxml import html

import scrapy_boilerplate
from scrapy_boilerplate.render.html import to_html

from .markdown_pages import joined, paragraphs, structured
from .test_properties import many

URL = "https://example.org/news/baths"


def html_of(markup: str, **options) -> str:
    """The whole page as HTML, whatever the scores."""
    return scrapy_boilerplate.extract(markup, model="numwords", threshold=0).to_html(base_url=URL, **options)


def cleaned(markup: str) -> str:
    """What nh3 makes of markup: it removes what could be dangerous, and closes what is open."""
    return nh3.clean(markup, link_rel=None)


@pytest.mark.parametrize("model", ["numwords", "victor"])
@pytest.mark.parametrize("markup", [paragraphs, structured], ids=["paragraphs", "structured"])
def test_a_sanitiser_finds_nothing_to_remove_and_the_text_is_that_of_the_kept_blocks(markup, model):
    @many
    @given(markup)
    def check(page: str) -> None:
        document = scrapy_boilerplate.extract(f"<body>{page}", model=model, threshold=0)
        written = to_html(document.page, range(len(document.page.texts)), images=True, base_url=URL)

        assert cleaned(written) == written
        spaced = written.replace("<br>", " ").replace("</td>", " </td>").replace("</th>", " </th>")
        assert joined(["".join(html.fromstring(f"<body>{spaced}</body>").itertext())]) == joined([document.main_text])

    check()


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        (
            "<h2 class=x onclick=y()>Tides</h2><p style=z>One <b>two</b>",
            "<h2>Tides</h2>\n<p>One <strong>two</strong></p>",
        ),
        ("<ol start=3><li>c<li>d</ol>", '<ol start="3">\n<li>c</li>\n<li>d</li>\n</ol>'),
        ("<ul><li>a<ul><li>b</ul></ul>", "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul></li>\n</ul>"),
        ("<dl><dt>Ebb</dt><dd>Falling.</dd></dl>", "<dl>\n<dt>Ebb</dt>\n<dd>Falling.</dd>\n</dl>"),
        ("<blockquote><p>One<p>Two</blockquote>", "<blockquote>\n<p>One</p>\n<p>Two</p>\n</blockquote>"),
        ("<pre>a &lt; b\n  c</pre>", "<pre><code>a &lt; b\n  c</code></pre>"),
        (
            "<table><tr><th>Day<th>High<tr><td>Monday<td>6.42</table>",
            """<table>
<thead>
<tr><th>Day</th><th>High</th></tr>
</thead>
<tbody>
<tr><td>Monday</td><td>6.42</td></tr>
</tbody>
</table>""",
        ),
        ('<p>a <a href="../x?y=1&z=2">b</a>', '<p>a <a href="https://example.org/x?y=1&amp;z=2">b</a></p>'),
        ("<p>a <a href=javascript:b()>b</a>", "<p>a b</p>"),
        ("<p>so <math alttext='x&lt;y'><mi>x</mi></math>", r"<p>so \(x&lt;y\)</p>"),
        (
            "<p>One<figure><img src=i.png alt='a \"b\"'><figcaption>Two</figcaption></figure>",
            """<p>One</p>
<figure>
<p><img src="https://example.org/news/i.png" alt="a &quot;b&quot;"></p>
<figcaption>Two</figcaption>
</figure>""",
        ),
    ],
)
def test_html_has_known_tags_only(markup, written):
    assert html_of(markup, images=True) == written


def test_a_document_has_its_html_with_links_to_its_own_address():
    document = scrapy_boilerplate.extract("<p>a <a href=/x>b</a>", model="numwords", threshold=0)
    document.url = URL

    assert document.html == '<p>a <a href="https://example.org/x">b</a></p>'
    assert document.to_html(links=False) == "<p>a b</p>"


def test_nothing_kept_is_no_html():
    assert scrapy_boilerplate.extract("").html == ""
