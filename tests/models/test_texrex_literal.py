"""texrex's own features: its worked example to the last digit, and its tokenizer's rules one by one."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilerplate.models.papers.texrex_literal import literal_blocks, literal_features

PAGE = """\
<!DOCTYPE html>
<html><head><title>T</title><meta charset=utf-8 /></head>
<body>
Rogue start.
<div class="nav"><ul>
<li><a href="/">Start</a></li>
<li><a href="/k">Kontakt &amp; mehr</a></li>
<li>&nbsp;</li>
<li> x </li>
</ul></div>
<h1>Ein Titel</h1>
<p>Ein Satz. Noch ein Satz, gut! Siehe http://example.org/a oder schreib an a.b@example.org seit 2012.</p>
<p>Zweiter<br>Absatz<br/>mit <b>Markup</b> 3 <4 und &lt;i&gt;Tag&lt;/i&gt; #hash.</p>
<script>var x = 1;</script>
<form><p>dropped</p></form>
<div><section>Caf&eacute;</section> tail text</div>
<div>© 2011 Firma</div>
</body>
</html>
""".encode()

# Text, length, raw length, opened, closed, anchors, skipped, container, after a closing tag, valid.
BLOCKS = [
    ("Rogue start. ", 12, 32, 1, 0, 0, 1, "", False, True),
    ("Start", 4, 25, 3, 2, 1, 1, "li", False, True),
    ("Kontakt & mehr", 13, 39, 2, 2, 1, 1, "li", False, True),
    ("\u00a0", 1, 10, 1, 1, 0, 1, "li", False, False),
    ("x ", 1, 7, 1, 1, 0, 1, "li", False, False),
    ("Ein Titel", 8, 13, 1, 3, 0, 2, "h", False, True),
    (
        "Ein Satz. Noch ein Satz, gut! Siehe uriblank oder schreib an emailblank seit 2012.",
        *(81, 102, 1, 1, 0, 1, "p", False, True),
    ),
    ("Zweiter Absatz mit Markup 3 <4 und Tag hashtagblank .", 52, 81, 4, 2, 0, 1, "p", False, True),
    ("Café", 4, 20, 5, 4, 0, 2, "section", False, True),
    ("tail text", 8, 15, 0, 1, 0, 0, "section", True, True),
    ("© 2011 Firma", 11, 18, 1, 1, 0, 1, "div", False, True),
]

WINDOWS = [
    (0.6966667, 0.6763333),
    (0.7105556, 0.7645),
    (1.004444, 1.029),
    (0.3250377, 0.3641389),
    (0.3161741, 0.4445567),
    (0.4546357, 0.4430378),
    (0.5415638, 0.4438925),
    (0.5518519, 0.5682716),
    (0.5703704, 0.6733333),
]

SENTENCES = """
    0.081 0.4153846 0.2051282 0 0.3181077 0.2058824 0.04938272 0.8970588 0.05882353 0 0.01470588 0.01470588 0
    0.01470588 0 0.08196721 0 0.27 0.3 0 1 0 0 1 0 0 0 1 0 0 0 0 0 0.5 0.05 0.3161741 0.4445567
"""
MARKUP = """
    0.052 0.2666667 0.4769231 0.1666667 0.3181077 0.3580247 0.01923077 0.9302326 0.04651163 0.04651163 0 0
    0.02325581 0 0 0.1 0 0.52 0.1 0 1 0 0 1 0 0 0 1 0 0 0 0 0 0.6666667 0.05 0.4546357 0.4430378
"""


def test_the_blocks_of_the_worked_example():
    *blocks, last = literal_blocks(PAGE)
    found = [
        (
            *(block.text, block.length, block.raw_length, block.opened, block.closed, block.anchors, block.skipped),
            *(block.container, block.after_closing_tag, block.is_valid),
        )
        for block in blocks
    ]
    assert found == BLOCKS
    assert (last.text, last.opened, last.closed, last.is_valid) == ("", 0, 1, False)


def test_the_features_of_the_worked_example():
    blocks, matrix = literal_features(PAGE)
    assert matrix.shape == (9, 37)
    assert matrix[:, 35:] == pytest.approx(np.array(WINDOWS), abs=1e-6)
    texts = [block.text[:7] for block in blocks]
    for start, expected in (("Ein Sat", SENTENCES), ("Zweiter", MARKUP)):
        assert matrix[texts.index(start)] == pytest.approx(np.array(expected.split(), float), abs=1e-6)


def texts(body: str, **options: bool) -> list[str]:
    return [block.text for block in literal_blocks(f"<body>{body}".encode(), **options) if block.text]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>one<p>two</p>three", ["one", "two", "three "]),
        ("<p>a<tr>b<th>c<ul>d", ["abcd "]),  # these break nothing
        ("<p/>one<p >two", ["one", "two "]),  # <p/> is no p
        ("1 <2 <3<< 4", ["1 <2 <3<< 4 "]),  # no tags
        ("a < b > c", ["a c "]),  # a tag with an empty name
        ("a <img alt='>' title=\">\">b", ["a b "]),
        ("a<!-- <p>b</p> -->c<![CDATA[ <p> ]]>d", ["acd "]),
        ("a<span>b</span><span>c</span>", ["abc "]),
        ("<form><p>a</p></form><code>b</code>c", ["c "]),
        ("<script>'<p>\"</script>a", ["a "]),
        ("a</body>b", ["a"]),
        ("a<body>b", ["a"]),
        ("a <!-- never closed", ["a "]),
        ("a <b title='never closed>c", ["a "]),
        ("&amp;auml; &Auml; &bogus; &#228; &#xE4; &#150; &#32; &euro;", ["ä Ä &bogus; ä ä – &#32; € "]),
        ("a@b.de www.x.org/y. #tag #123", [" emailblank uriblank . hashtagblank #123 "]),
    ],
)
def test_the_tokenizer(body, expected):
    assert texts(body) == expected


def test_hashtags_may_be_left_as_they_are():
    assert texts("a #tag", hashtags=False) == ["a #tag "]


@pytest.mark.parametrize("page", [b"", b"no body", b"<body></body>", b"<body>x", b"<", b"<body><", b"<body><p"])
def test_a_page_without_text_has_no_features(page):
    blocks, matrix = literal_features(page)
    assert (blocks, matrix.shape) == ([], (0, 37))


@pytest.mark.parametrize(
    ("doctype", "expected"),
    [
        ('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">', [1, 0, 0]),
        ('<!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">', [0, 1, 0]),
        ("<!doctype  html >", [0, 0, 1]),
        ("<!doctype html5>", [0, 0, 0]),
        ("", [0, 0, 0]),
    ],
)
def test_the_document_type(doctype, expected):
    _, matrix = literal_features(f"{doctype}<body><p>Some words.</p>".encode())
    assert matrix[0, 21:24].tolist() == expected
