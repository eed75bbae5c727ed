"""Augmentation with truncated articles, from which a network learns where short articles end."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from scrapy_boilerplate.features import Features
from scrapy_boilerplate.page import Page
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment
from scrapy_boilerplate.train.example import Example
from scrapy_boilerplate.train.samples import Augmentation, make_sample
from scrapy_boilerplate.train.truncation import restricted, truncated_blocks

PARAGRAPHS = [f"Paragraph {number} tells of {number} boats, " + "and of the sea " * 8 + "too." for number in range(20)]
MENU = '<ul class="menu"><li><a href="/">Home</a><li><a href="/news">News</a></ul>'
FOOTER = '<div id="footer" role="contentinfo"><img src="logo.png"><p>All rights reserved.</div>'


def page_with(paragraphs: list[str], extra: str = "") -> str:
    story = "".join(f"<p>{text}</p>" for text in paragraphs)
    return f"<!DOCTYPE html><body>{MENU}<article>{story}{extra}</article>{FOOTER}"


def measured(page: Page) -> Page:
    """A plain page without what features don't read: its inline markup."""
    plain = Page(**{field.name: getattr(page, field.name) for field in fields(Page)})
    lists: Any = {name: [] for name in ("block_starts", "image_blocks", "image_sources", "image_texts")}
    return replace(plain, runs={}, marks={}, hrefs={}, layout={}, **lists)


def test_a_restricted_page_is_the_page_as_it_would_be_without_the_other_blocks():
    dropped = '<div class="gallery" style="color: red"><figure><img src="a.png"><p>A caption.</figure><input></div>'
    page = segment(to_tree(page_with(PARAGRAPHS[:5], dropped)))
    wanted = segment(to_tree(page_with(PARAGRAPHS[:2])))

    assert restricted(page, np.isin(page.texts, wanted.texts)) == measured(wanted)


def test_all_blocks_make_the_page_itself():
    page = segment(to_tree(page_with(PARAGRAPHS[:3])))

    assert restricted(page, np.ones(len(page.texts), np.bool_)) == measured(page)


def test_an_article_is_cut_and_what_is_around_it_stays():
    labels = np.array([0, 0, 1, 1, 1, 1, 1, 1, 0, 0], np.float32)
    kept = truncated_blocks("page", labels, np.full(10, 50.0))

    assert kept is not None
    content = kept[2:8]
    assert kept[labels == 0].all()
    assert 0 < content.sum() * 50 <= 200 or not content.any()
    assert (np.diff(content.astype(int)) <= 0).all()  # it ends, and does not go on later


def test_the_same_page_is_always_cut_at_the_same_place():
    labels, sizes = np.ones(40, np.float32), np.full(40, 10.0)
    cuts = [truncated_blocks(name, labels, sizes) for name in ("a", "a", "b", "c", "d")]
    lengths = [int(cut.sum()) for cut in cuts if cut is not None]

    assert lengths[0] == lengths[1]
    assert len(set(lengths)) > 2


@pytest.mark.parametrize("labels", [[], [0, 0, 0], [1, 0, 1]])
def test_what_is_short_already_is_not_cut(labels):
    assert truncated_blocks("page", np.array(labels, np.float32), np.full(len(labels), 20.0)) is None


def test_a_sample_has_a_truncated_copy_if_asked(tmp_path):
    file = tmp_path / "page.html"
    file.write_text(page_with(PARAGRAPHS))
    example = Example("page", file, gold="\n".join(PARAGRAPHS))
    names = ("words", "log_length", "page_log_blocks")

    sample = make_sample(example, names, weight=3.0, augment=Augmentation(truncated=0.3))

    assert sample is not None
    [short] = sample.copies
    assert short.weight == 0.3
    assert 0 < short.labels.sum() < sample.labels.sum()
    assert (short.labels == 0).sum() == (sample.labels == 0).sum()
    root = to_tree(page_with([text for text in PARAGRAPHS if text in short.texts]))
    np.testing.assert_array_equal(short.matrix, Features(segment(root)).matrix(names))
    assert make_sample(example, names).copies == ()


def test_only_articles_are_cut(tmp_path):
    file = tmp_path / "page.html"
    file.write_text(page_with(PARAGRAPHS))
    example = Example("page", file, gold="\n".join(PARAGRAPHS), page_type="forum")
    sample = make_sample(example, ("words",), augment=Augmentation(truncated=1))

    assert sample is not None
    assert sample.copies == ()
