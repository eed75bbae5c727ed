"""The counting of characters in C against the one in numpy: they count the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilerplate.features.characters import Count, Kind
from scrapy_boilerplate.features.text import Texts
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment

from .quality import COLLECTIONS, pages
from .test_properties import many

shim = pytest.importorskip("scrapy_boilerplate._core.shim", reason="the core was not compiled where this was installed")

characters = st.characters(codec=None) | st.sampled_from("aA1 .,。、ไ漢\u00a0\u2003\n?!\ud800\U0001f600\U0010ffff")


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_real_pages_are_counted_alike(collection):
    for path, _ in pages(collection):
        page = segment(to_tree(path.read_bytes()))
        for texts in (Texts(page.texts), Texts(page.link_texts)):
            assert texts.tally.tolist() == texts._tally().tolist()


@many
@given(st.lists(st.text(characters)))
def test_random_texts_are_counted_alike(values):
    texts = Texts(values)

    assert texts.tally.tolist() == texts._tally().tolist()


def test_what_is_counted():
    tally = Texts(["Two words. – 3.5!", "漢字。漢字。", "ไทย", ""]).tally

    assert tally[Count.TOKENS].tolist() == [4, 1, 1, 0]
    assert tally[Count.WORDS].tolist() == [3, 1, 1, 0]
    assert tally[Count.SENTENCES].tolist() == [2, 2, 0, 0]
    assert tally[Count.SYLLABLES].tolist() == [0, 0, 3, 0]
    assert tally[Count.IDEOGRAPHS].tolist() == [0, 6, 0, 0]
    assert tally[Kind.UPPER].tolist() == [1, 0, 0, 0]
    assert [chr(character) for character in tally[Count.LAST]] == ["!", "。", "ย", "\0"]


def test_only_texts_are_counted():
    for wrong in (None, [None], [b"text"]):
        with pytest.raises(TypeError):
            shim.tally(wrong)
