"""A text that a page holds twice is main text once: which of its blocks then is the one too many."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilerplate import extract
from scrapy_boilerplate.features.surroundings import Surroundings
from scrapy_boilerplate.models.repeats import LONG, said_once

from ..pages import PARAGRAPHS, article


def found(texts: str, scores: list[float], near: str, wider: str, size: int = LONG) -> list[int]:
    """The repeats among blocks that each have a letter for their text and for the two elements that they are in."""
    left = said_once(np.array(scores), page(texts, near, wider, size=size))
    return np.flatnonzero(left == 0).tolist()


def once(texts: str, scores: list[float], element: str, listings: str = "") -> list[float]:
    """The scores that are left of such blocks; a figure for each says which listing it is a line of, 0 for none."""
    return said_once(np.array(scores), page(texts, element, element, listings)).tolist()


def page(texts: str, near: str, wider: str, listings: str = "", size: int = LONG) -> Surroundings:
    firsts, lasts = (
        np.array([[edge(element, letter) for letter in element] for element in (near, wider)], np.int64)
        for edge in (str.index, last_of)
    )
    return Surroundings(
        firsts=firsts,
        lasts=lasts,
        groups=np.zeros(len(texts), np.int64),
        paths=np.zeros(len(texts), np.int64),
        listings=np.array([int(figure) for figure in listings or "0" * len(texts)]),
        texts=np.array([texts.index(letter) for letter in texts], np.int64),
        weights=np.full(len(texts), np.sqrt(size + 1), np.float32),
    )


def last_of(element: str, letter: str) -> int:
    return element.rindex(letter) + 1


def test_of_two_blocks_in_different_parts_of_a_page_the_one_with_the_higher_score_stays():
    assert found("AxA", [0.2, 0.5, 0.9], near="aab", wider="aab") == [0]


def test_of_two_blocks_with_the_same_score_the_first_one_stays():
    assert found("AxA", [0.901, 0.5, 0.902], near="aab", wider="aab") == [2]


def test_of_many_blocks_one_stays():
    assert found("AAAB", [0.1, 0.3, 0.2, 0.3], near="abcd", wider="abcd") == [0, 2]


def test_what_one_part_of_a_page_says_twice_is_meant():
    assert found("AxA", [0.9, 0.5, 0.9], near="aab", wider="aaa") == []


def test_an_element_that_stands_twice_in_a_part_of_the_page_is_not_meant():
    assert found("ABAB", [0.9, 0.9, 0.8, 0.8], near="aabb", wider="aaaa") == [2, 3]


def test_lines_of_one_list_may_be_the_same():
    assert found("ABAB", [0.9, 0.9, 0.8, 0.8], near="aaaa", wider="aaaa") == []


def test_the_edges_of_a_page_are_no_neighbours_that_say_the_same():
    assert found("AxA", [0.9, 0.5, 0.9], near="axb", wider="aaa") == []


def test_short_texts_are_repeated_for_good_reasons():
    assert found("AxA", [0.9, 0.5, 0.8], near="aab", wider="aab", size=LONG - 1) == []


def test_a_page_without_repetition_has_none():
    assert found("ABC", [0.9, 0.5, 0.8], near="abc", wider="abc") == []
    assert found("", [], near="", wider="") == []


def test_an_excerpt_above_the_full_text_is_the_one_too_many():
    assert found("AABCD", [0.9] * 5, near="abbbb", wider="abbbb") == [0]
    assert found("ABCDA", [0.9] * 5, near="aaaab", wider="aaaab") == [4]


@pytest.mark.parametrize("scores", [[0.896, 0.904], [0.904, 0.896], [0.2, 0.9], [0.9, 0.2]])
def test_the_one_that_stays_has_the_highest_score_so_that_no_threshold_loses_the_text(scores):
    assert sorted(once("AA", scores, "ab")) == [0, max(scores)]


def test_lines_of_a_listing_stay_with_it():
    assert once("ABAB", [0.9, 0.9, 0.8, 0.8], "aabb", listings="1122") == [0.9, 0.9, 0.8, 0.8]


def test_what_is_said_again_outside_of_a_listing_goes_unless_it_has_the_higher_score():
    assert once("ABA", [0.9, 0.9, 0.8], "aab", listings="110") == [0.9, 0.9, 0]
    assert once("ABA", [0.901, 0.9, 0.904], "aab", listings="110") == [0.901, 0.9, 0.904]


def test_an_article_that_is_there_for_narrow_screens_too_is_read_once():
    markup = article(*PARAGRAPHS)
    opening, closing = markup.index("<body"), markup.index("</body>")
    body = markup[markup.index(">", opening) + 1 : closing]
    twice = f"{markup[:opening]}<body><div class='wide'>{body}</div><div class='narrow'>{body}</div></body></html>"

    once, document = extract(markup), extract(twice)

    for paragraph in PARAGRAPHS:
        assert once.main_text.count(paragraph) == document.main_text.count(paragraph) == 1
    assert sum(block.score == 0 for block in document.blocks) >= len(PARAGRAPHS)
