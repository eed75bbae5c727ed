"""The 37 clean features, each on a page small enough to count by hand."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilerplate.features import Features, is_feature
from scrapy_boilerplate.models.papers.texrex_inputs import TEXREX_NAMES
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment

CONTAINERS = [name for name in TEXREX_NAMES if name.startswith("texrex_container_")]
DOCTYPES = [name for name in TEXREX_NAMES if name.startswith("texrex_doctype_")]


def features(page: str) -> Features:
    return Features(segment(to_tree(page)))


def column(name: str, page: str) -> list[float]:
    return features(page).column(f"texrex_{name}").tolist()


def test_there_are_37_features_in_texrex_order():
    assert len(TEXREX_NAMES) == len(set(TEXREX_NAMES)) == 37
    assert all(map(is_feature, TEXREX_NAMES))
    places = {4: "document_text_share", 5: "markup_share", 14: "anchors", 20: "ends_sentence", 23: "doctype_html5"}
    places |= {24: "container_article", 31: "container_list_item", 32: "after_closing_tag", 36: "markup_share_2"}
    assert {number: TEXREX_NAMES[number].removeprefix("texrex_") for number in places} == places


def test_lengths_and_positions():
    page = f"<p>{'a' * 500}<p>{'b' * 250}<p>{'c' * 250}"
    assert column("text_length", page) == [0.5, 0.25, 0.25]
    assert column("text_share", page) == [0.5, 0.25, 0.25]
    assert column("text_position", page) == [0.5, 0.25, 0.75]  # middles at 0.25, 0.625 and 0.875 of the text
    assert column("block_position", page) == [1, 0, 1]
    assert column("text_length", f"<p>{'a' * 5000}") == [1]
    assert column("text_length", "<p>Café") == pytest.approx([0.004])


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("punctuation", "a, b.", 2 / 5),
        ("letters", "ab 1", 2 / 3),
        ("letters", "你好 1", 2 / 3),
        ("numbers", "ab 12", 2 / 4),
        ("literal_tags", "a &lt;b&gt; c", 1 / 5),
        ("literal_tags", "1 &lt; 2 &gt; 1", 0),
        ("emails", "to a.b@example.org", 1 / 17),
        ("emails", "an @ alone, @name", 0),
        ("uris", "http://a.b www.c.d", 2 / 17),
        ("uris", "a ://b", 0),
        ("hashtags", "#one #2 #a2", 2 / 9),
        ("years", "2012, 2026 12012 20123", 2 / 19),
        ("uppercase", "Abc D 1!", 2 / 4),
        ("uppercase", "12", 0),
        ("no_sentence_end", "Home", 1),
        ("no_sentence_end", "Yes. No", 0),
        ("no_sentence_end", "3.5", 1),
        ("sentence_length", "One two. Three!", 15 / 2 / 100),
        ("sentences", "A. B! C? 1.5", 0.3),
        ("sentences", "Home", 0.1),
        ("sentences", "一。二？三！", 0.3),
        ("copyright", "© Me", 1),
        ("copyright", "(c) Me", 0),
        ("ends_sentence", "Well done!", 1),
        ("ends_sentence", "Well done! »", 0),
    ],
)
def test_the_text_of_a_block(name, text, expected):
    assert column(name, f"<p>{text}</p>") == pytest.approx([expected])


def test_what_is_counted_belongs_to_its_own_block():
    page = "<p>a@b.de</p><p>plain</p><p>© 2012. http://x.y #tag</p>"
    assert [value > 0 for value in column("emails", page)] == [True, False, False]
    for name in ("uris", "hashtags", "years", "copyright"):
        assert [value > 0 for value in column(name, page)] == [False, False, True], name


@pytest.mark.parametrize(
    ("doctype", "expected"),
    [
        ("<!DOCTYPE html>", "html5"),
        (
            '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">',
            "xhtml",
        ),
        ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd">', "html4"),
        ("", None),
    ],
)
def test_the_document_type(doctype, expected):
    row = features(f"{doctype}<html><body><p>Text").matrix(DOCTYPES)[0]
    assert row.tolist() == [float(name == f"texrex_doctype_{expected}") for name in DOCTYPES]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<article>Text</article>", "article"),
        ("<section><p>Text</p></section>", "p"),
        ("<h3>Text</h3>", "heading"),
        ("<table><tr><th>Text</th></tr></table>", "cell"),
        ("<ul><li><span>Text</span></li></ul>", "list_item"),
        ("<blockquote><main>Text</main></blockquote>", "blockquote"),
        ("<main>Text</main>", None),
    ],
)
def test_the_container_is_the_closest_of_the_eight(page, expected):
    row = features(page).matrix(CONTAINERS)[0]
    assert row.tolist() == [float(name == f"texrex_container_{expected}") for name in CONTAINERS]


def test_text_behind_an_inner_block_starts_after_a_closing_tag():
    page = "<div>one<p>two</p>three<br><br>four</div><p>five</p>"
    assert column("after_closing_tag", page) == [0, 0, 1, 0, 0]


def test_skipped_are_the_breaks_between_two_blocks_but_for_the_one_that_ended_the_first():
    page = "<body><ul><li>one</li><li>two</li></ul><div><div></div><p>three</p></div>four</body>"
    assert [round(20 * value) for value in column("skipped", page)[1:]] == [1, 5, 1]
    assert max(column("skipped", "<p>one</p>" + "<div></div>" * 100 + "<p>two</p>")) == 1


def test_links_are_counted_for_each_mark_of_the_text():
    page = "<p>ab <a>cd</a> <a>e</a></p><p>none</p><p><a></a><a></a>x</p>"
    assert column("anchors", page) == pytest.approx([2 / 5, 0, 1])


def test_markup_makes_the_share_larger_and_windows_take_the_mean_of_existing_neighbours():
    page = "<p>some words</p><p><b>some</b> <i>words</i></p><p><a href='x'>some</a> <a>words</a></p>"
    shares = column("markup_share", page)
    assert 0 < shares[0] < shares[1] < shares[2] < 1
    first, second, third = shares
    assert column("markup_share_1", page) == pytest.approx(
        [(first + second) / 2, np.mean(shares), (second + third) / 2]
    )
    assert column("markup_share_2", page) == pytest.approx([np.mean(shares)] * 3)
    more_text, less_text = f"<div><p>{'word ' * 99}</p></div>", "<div><p>word</p></div>"
    assert column("document_text_share", more_text) > column("document_text_share", less_text)


def test_opening_tags_are_set_against_closing_ones():
    # Between the two blocks: </p>, </div>, <div>, <p>; inside the second <b> and </b>.
    assert column("opening_tags", "<body><div><p>one</p></div><div><p><b>two</b></p></div>")[1] == 0.5
    assert column("opening_tags", "<body><div><p>one<div><div><p>two")[1] > 0.5


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<p></p>",
        "text",
        "<pre>\n\n1\n2\n</pre>",
        "<div><pre>one\ntwo<b>three\nfour</b></pre>five</div>",
        "a<br><br>b<br><br>c",
        "<button aria-expanded='false'>x</button>y",
        "<p>\u00a0\u200b</p><p>…</p><p>\U0001f600</p><p>\U0002f800</p>",
        "<p>" + "<a>x</a>" * 1000,
        "<x-y><o:p>z</o:p></x-y>",
        "<ul>" * 200 + "deep",
        "@ # < :// www. 20",
    ],
)
def test_every_value_of_any_page_is_from_0_to_1(page):
    computed = features(page)
    matrix = computed.matrix(TEXREX_NAMES)
    assert matrix.shape == (len(computed.page.texts), 37)
    assert ((matrix >= 0) & (matrix <= 1)).all()
    assert (matrix[:, 24:32].sum(1) <= 1).all()
