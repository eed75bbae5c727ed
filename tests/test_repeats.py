"""A text that a page holds twice is main text once: which of its blocks then is the one too many."""

from __future__ import annotations

import numpy as np

from scrapy_boilerplate import extract
from scrapy_boilerplate.models.repeats import LONG, repeats

from .pages import PARAGRAPHS, article


def found(texts: str, scores: list[float], near: str, wider: str, size: int = LONG) -> list[int]:
    """The repeats among blocks that each have a letter for their text and for the two elements that they are in."""
    numbers = np.array([texts.index(letter) for letter in texts], np.int64)
    edges = [
        tuple(np.array([edge(element, letter) for letter in element], np.int64) for edge in (str.index, last_of))
        for element in (near, wider)
    ]
    return sorted(repeats(np.array(scores), numbers, np.full(len(texts), size), *edges).tolist())


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


def test_an_article_that_is_there_for_narrow_screens_too_is_read_once():
    markup = article(*PARAGRAPHS)
    opening, closing = markup.index("<body"), markup.index("</body>")
    body = markup[markup.index(">", opening) + 1 : closing]
    twice = f"{markup[:opening]}<body><div class='wide'>{body}</div><div class='narrow'>{body}</div></body></html>"

    once, document = extract(markup), extract(twice)

    for paragraph in PARAGRAPHS:
        assert once.main_text.count(paragraph) == document.main_text.count(paragraph) == 1
    assert sum(block.score == 0 for block in document.blocks) >= len(PARAGRAPHS)
