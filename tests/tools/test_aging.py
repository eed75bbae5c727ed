"""Copies of pages in the markup of 2005, from which training learns to do without today's."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilerplate.features import Features
from scrapy_boilerplate.page import Page
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment
from scrapy_boilerplate.segment.text_nodes import segment_text_nodes
from scrapy_boilerplate.train.aging import age_tree, aged, aged_features, is_to_be_aged
from scrapy_boilerplate.train.example import Example
from scrapy_boilerplate.train.samples import Augmentation, make_sample

PAGE = """<!DOCTYPE html><html><head><title>Boats</title><meta property="og:type" content="article"></head><body>
<nav class="menu" role="navigation"><ul><li><a href="/">Home</a><li><a href="/news">News</a></ul></nav>
<main id="content"><article itemscope><h1 class="title">Boats</h1><p>Two boats <b>came</b> in.</p><p>One left.</p>
</article></main><footer style="color: grey"><div hidden>All rights reserved.</div></footer></body></html>"""
NAMES = [str(number) for number in range(30)]


def page() -> Page:
    return segment(to_tree(PAGE))


@pytest.mark.parametrize("name", NAMES)
def test_an_aged_page_has_the_same_texts_and_no_word_of_what_they_are_for(name):
    old, new = aged(page(), name), page()

    assert old.texts == new.texts
    assert old.link_texts == new.link_texts
    assert old.parents == new.parents
    assert not any(old.classes)
    assert {attribute for _, attribute, _ in old.attributes} <= {"style"}
    assert {"nav", "main", "article", "footer", "div"}.isdisjoint(old.tags)
    assert {"table", "tr"} <= set(old.tags)


@pytest.mark.parametrize("name", NAMES)
def test_its_texts_stand_in_the_elements_in_which_they_would_be_found(name):
    """Written down and read again, paragraphs that are fonts belong to the cell around them."""
    old = aged(page(), name)

    for number, node in enumerate(old.block_nodes):
        inner = page().block_nodes[number]
        passed_over = []
        while inner != node:
            passed_over.append(old.tags[inner])
            inner = old.parents[inner]
        assert set(passed_over) <= {"font"}
        assert old.tags[node] != "font"


def test_authors_differ_and_each_has_the_same_habits_every_time():
    pages = [aged(page(), name) for name in NAMES]

    assert pages == [aged(page(), name) for name in NAMES]
    for tag in ("li", "h1", "p"):
        assert 0 < sum(tag in old.tags for old in pages) < len(pages)


def test_containers_within_containers_are_table_row_and_cell_in_turn():
    old = aged(segment(to_tree("<div><div><div><div><div>text")), "page")

    assert old.tags == ["html", "body", "table", "tr", "td", "table", "tr"]


def test_its_head_says_no_more_than_the_title():
    root = to_tree(PAGE)
    features = aged_features(segment(root), "page", Features(segment(root)).head.title)

    assert features.head.title == "Boats"
    assert features.column("page_has_title").all()
    assert not features.column("page_has_og_type").any()


def test_a_share_of_the_samples_bring_an_aged_one_along_if_asked(tmp_path):
    file = tmp_path / "page.html"
    file.write_text(PAGE)
    gold = "Boats Two boats came in. One left."
    names = ("words", "in_cue_navigation", "in_article", "is_td")
    samples = [
        make_sample(Example(name, file, gold=gold), names, weight=3.0, augment=Augmentation(aged=0.3)) for name in NAMES
    ]

    for name, sample in zip(NAMES, samples, strict=True):
        assert sample is not None
        assert len(sample.copies) == is_to_be_aged(name)
        for copy in sample.copies:
            assert copy.weight == 0.3
            assert sample.weight == 3.0
            assert copy.texts == sample.texts
            np.testing.assert_array_equal(copy.labels, sample.labels)
            assert sample.matrix[:, 2].any()
            assert not copy.matrix[:, 1:3].any()
    assert 5 < sum(map(is_to_be_aged, NAMES)) < 20


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("split", [segment, segment_text_nodes])
def test_an_aged_tree_has_the_same_texts_and_paragraphs_in_tables_and_fonts(name, split):
    root = to_tree(PAGE)
    young = split(root)
    age_tree(root, name)
    old = split(root)

    assert old.texts == young.texts
    assert [glue is None for glue in old.glue] == [glue is None for glue in young.glue]
    assert {"nav", "main", "article", "footer", "div"}.isdisjoint(old.tags)
    assert {"table", "tr"} <= set(old.tags)


def test_the_same_authors_have_the_same_habits_in_trees():
    for name in NAMES:
        root = to_tree(PAGE)
        age_tree(root, name)
        tags, others = (set(page.tags) & {"li", "h1", "p"} for page in (segment(root), aged(page(), name)))
        assert tags == others
