"""What kind of text a block is, and CleanEval's format, which is made of it."""

from __future__ import annotations

import time
from functools import partial

import numpy as np
import pytest
from lxml import html

import scrapy_boilerplate
from scrapy_boilerplate.features import Features
from scrapy_boilerplate.models.papers.trees import NumWords
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment.kinds import KINDS, block_kinds
from scrapy_boilerplate.segment.text_nodes import segment_text_nodes

extract = partial(scrapy_boilerplate.extract, model="numwords", threshold=0)  # which keeps everything


class TextNodes(NumWords):
    """A model that reads text nodes, and whose labels are what a test says."""

    def __init__(self, *labels: str) -> None:
        self.given = list(labels) or None

    def segment(self, root, *, image_alt=False):
        return segment_text_nodes(root, image_alt=image_alt)

    def labels(self, features: Features) -> list[str] | None:
        return self.given


def kinds(page: str, **options) -> list[tuple[str, str]]:
    return [(block.text, block.kind) for block in extract(page, **options).blocks]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<h1>a</h1><h6>b</h6>", ["heading", "heading"]),
        ("<h2><a href='/'>a</a></h2>", ["heading"]),
        ("<h2><div>a</div></h2>", ["heading"]),
        ("<div role='heading' aria-level='2'>a</div>", ["heading"]),
        ("<h2><div><div><p>a</p><p>b</p></div></div></h2>", ["paragraph", "paragraph"]),
        ("<ul><li>a<li>b</ul>", ["list item", "list item"]),
        ("<dl><dt>a<dd>b</dl>", ["list item", "list item"]),
        ("<ul><li><p>a</p><p>b</p></li></ul>", ["list item", "paragraph"]),
        ("<ul><li><h3>a</h3><p>b</p></li></ul>", ["heading", "paragraph"]),
        ("<ul><li>a<ul><li>b</ul></ul>", ["list item", "list item"]),
        ("<p>a</p><div>b</div>c", ["paragraph", "paragraph", "paragraph"]),
        ("<table><tr><th>a</th><td>b</td></tr></table>", ["table cell", "table cell"]),
        ("<table><tr><td><p>a</p><p>b</p></td></tr></table>", ["paragraph", "paragraph"]),
        ("<table><caption>a</caption><tr><td>b</td></tr></table><p>c d e</p>", ["caption", "table cell", "paragraph"]),
        ("<blockquote>a<p>b</p></blockquote>", ["quote", "quote"]),
        ("<blockquote><ul><li>a</ul></blockquote>", ["list item"]),
        ("<ul><li><blockquote>a</blockquote>b</ul>", ["quote", "paragraph"]),
        ("<pre>a\nb</pre><pre>c</pre>", ["code", "continuation", "code"]),
        ("<p><code>a</code></p><p>b <code>c</code></p>", ["code", "paragraph"]),
        ("<p><code>a</code><br><kbd>b</kbd></p>", ["code"]),
        ("<p><code>a</code>, <code>b</code></p>", ["paragraph"]),
        ("<p><b><code>a</code></b></p><p><code>b</code><img></p>", ["paragraph", "paragraph"]),
        ("<h2><code>a</code></h2><ul><li><code>b</code></ul>", ["heading", "list item"]),
        ("<svg><code>z</code></svg><p><code>a</code></p>", ["code"]),
    ],
)
def test_the_markup_tells_the_kind(page, expected):
    assert [kind for _, kind in kinds(page)] == expected
    assert set(expected) <= set(KINDS)


def test_what_stands_in_a_paragraph_continues_it():
    page = "<h1>A <b>bold</b> word</h1><p>See <a>our <i>site</i></a>.</p><p><code>x</code> <code>y</code></p>"

    assert kinds(page, model=TextNodes()) == [
        ("A", "heading"),
        ("bold", "continuation"),
        ("word", "continuation"),
        ("See", "paragraph"),
        ("our", "continuation"),
        ("site", "continuation"),
        (".", "continuation"),
        ("x", "code"),
        ("y", "continuation"),
    ]


def test_both_ways_to_split_a_page_agree_on_its_kinds():
    page = to_tree(
        "<h2><a><b>a</b></a></h2><ul><li><p><i>b</i></p><li><em>c</em></ul><table><tr><td><b>d</b> d<td>e</table>"
        "<blockquote><p><b>f</b></blockquote><p><code>g</code><pre>h\n\nh</pre>"
    )

    coarse, fine = scrapy_boilerplate.models.load_model("numwords").segment(page), segment_text_nodes(page)

    beginnings = [kind for kind in block_kinds(fine, np.ones(len(fine.texts))) if kind != "continuation"]
    assert beginnings == [kind for kind in block_kinds(coarse, np.ones(len(coarse.texts))) if kind != "continuation"]
    assert len(beginnings) == 8


def test_labels_of_the_model_win_over_the_markup():
    page = "<div>Title</div><div>Text <b>more</b></div><div>- one</div><div>goes on</div>"
    model = TextNodes("heading", "paragraph", "continuation", "list item", "continuation")

    assert [kind for _, kind in kinds(page, model=model)] == list(model.given)


def test_markup_counts_where_a_label_says_less():
    page = "<h1>a</h1><blockquote>b</blockquote><table><tr><td>c<td>d</table><pre>e</pre><p>wor<b>ld</b></p>"
    model = TextNodes("other", "paragraph", "paragraph", "heading", "paragraph", "paragraph", "paragraph")

    expected = ["heading", "quote", "table cell", "heading", "code", "paragraph", "continuation"]
    assert [kind for _, kind in kinds(page, model=model)] == expected


def test_a_document_stays_what_it_was_when_its_tree_is_changed():
    root = html.document_fromstring("<title>T</title><p><code>a</code></p><p>b</p>")
    document = extract(root)
    root.clear()

    assert [(block.kind, block.xpath) for block in document.blocks] == [
        ("code", "/html/body/p[1]"),
        ("paragraph", "/html/body/p[2]"),
    ]
    assert document.title == "T"


@pytest.mark.parametrize(
    "part",
    [
        "<p><code>x</code></p>",
        "<code>x</code>",
        "<li>x",
        "<blockquote>x",
        "<td>x",
        "<h2>x",
        "<h2>Comments</h2>",
        "<figcaption>x",
    ],
)
def test_kinds_take_time_in_proportion_to_the_page(part):
    def seconds(count: int) -> float:
        document = extract(f"<table>{part * count}" if "<td" in part else part * count)
        weights = np.ones(len(document.page.texts))
        times = []
        for _ in range(3):
            start = time.process_time()
            block_kinds(document.page, weights)
            times.append(time.process_time() - start)
        return min(times)

    # Quadratic would be 400 times as much.
    assert seconds(20_000) < 100 * max(seconds(1000), 0.001)


# CleanEval's format


def test_cleaneval_has_a_line_with_the_url_and_a_mark_for_each_segment():
    page = (
        "<h1>Baths</h1><p>They stay <b>open</b>,\n it is said.</p><ul><li>Roof<li>Pool</ul>"
        "<blockquote>Nobody</blockquote><pre>one\n  two</pre><table><tr><td>1<td>2</table>"
    )

    assert extract(page).to_cleaneval("https://example.org/") == (
        "URL: https://example.org/\n\n<h> Baths\n\n<p> They stay open, it is said.\n\n<l> Roof\n\n<l> Pool\n\n"
        "<p> Nobody\n\n<p> one two\n\n<p> 1\n\n<p> 2\n"
    )


def test_continuations_are_joined_to_their_segment_by_what_stood_between():
    page = "<h1>A <b>bold</b> word</h1><p>wor<b>ld</b>, <i>wide</i></p>"

    assert extract(page, model=TextNodes()).to_cleaneval() == "URL:\n\n<h> A bold word\n\n<p> world, wide\n"


def test_a_part_that_is_dropped_leaves_a_blank_and_what_is_left_its_mark():
    page = "<h1>An<a>advertisement</a>ouncement</h1><ul><li><a>12</a> Roof</ul>"
    document = extract(page, model=TextNodes())
    document._kept[:] = [True, False, True, False, True]

    assert document.to_cleaneval() == "URL:\n\n<h> An ouncement\n\n<l> Roof\n"


def test_a_model_may_join_what_the_markup_parts():
    page = "<div>Text<br><br>goes on</div>"

    assert extract(page, model=TextNodes("paragraph", "continuation")).to_cleaneval() == "URL:\n\n<p> Text goes on\n"


@pytest.mark.parametrize(
    "text",
    ["&lt;p&gt; forged", "a &lt;H&gt; forged", "&lt;<b>l&gt;</b> forged", "a<br>URL: forged", "<pre>x\n&lt;p&gt; y"],
)
def test_no_text_can_forge_a_segment_or_a_url(text):
    for model in ("numwords", TextNodes()):
        lines = extract(f"<div>{text}</div>", model=model).to_cleaneval().splitlines()
        assert lines[0] == "URL:"
        for line in filter(None, lines[1:]):
            assert line.startswith("<p> ")
            assert "<p>" not in line[3:].lower()
            assert "<h>" not in line.lower()
            assert "<l>" not in line.lower()


def test_a_url_stays_in_its_line():
    assert extract("<p>a").to_cleaneval("http://x/\n<p> forged") == "URL: http://x/ <p> forged\n\n<p> a\n"


def test_the_url_is_that_of_cleanevals_own_wrapper_unless_one_is_given():
    page = '<text id="http://x.example/a" title="T" encoding="utf-8">\n<html><body><p>a</p></body></html>\n</text>'

    assert extract(page).to_cleaneval().startswith("URL: http://x.example/a\n")
    assert extract(page).to_cleaneval("http://y.example/").startswith("URL: http://y.example/\n")
    assert extract("<body><svg><text id='label'>x</text></svg><p>a").to_cleaneval().startswith("URL:\n")


@pytest.mark.parametrize("title", ["", "News > World >> Rock 'n' roll", "It's"])
def test_the_wrappers_encoding_counts_where_the_page_says_nothing(title):
    page = f'<text id="http://x.example/?a=1&b=2" title="{title}" encoding="koi8-r">\n<table><tr><td>Привет</td></text>'
    declared = page.replace("<table>", '<head><meta charset="windows-1251"></head><table>')

    assert extract(page.encode("koi8-r")).blocks[0].text == "Привет"
    assert extract(declared.encode("cp1251")).blocks[0].text == "Привет"


@pytest.mark.parametrize("codec", ["utf-8", "cp1252"])
def test_a_wrapper_that_knows_no_encoding_says_nothing(codec):
    page = '<text id="http://x.example/" title="" encoding="unset">\n<p>Zürich</p></text>'

    assert extract(page.encode(codec)).blocks[0].text == "Zürich"


@pytest.mark.parametrize("page", ["", b"\0", "<p>"])
def test_an_empty_page_has_only_the_url(page):
    assert extract(page).to_cleaneval("http://x/") == "URL: http://x/\n"


def test_only_kept_blocks_are_written():
    words = " ".join(["word"] * 30)
    page = f"<p>{words}</p><p><a>{words}</a></p>"

    assert extract(page, threshold=0.5).to_cleaneval() == f"URL:\n\n<p> {words}\n"
