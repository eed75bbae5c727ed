"""Every shallow feature on examples computed by hand, and equation 1 against a wrap written out line by line."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_boilerplate.features import FEATURE_NAMES, SHALLOW_NAMES, Features, check_feature_names
from scrapy_boilerplate.features.shallow import ShallowFeatures
from scrapy_boilerplate.features.text import Texts
from scrapy_boilerplate.page import Page
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment

repeatable = settings(derandomize=True, database=None, deadline=None, max_examples=150)


def page_of(*texts: str) -> Page:
    """A page of plain paragraphs."""
    count = len(texts)
    return Page(
        list(texts), [""] * count, list(range(1, count + 1)), [0] * count, ["body"] + ["p"] * count, [-1] + [0] * count
    )


def column(name: str, *texts: str) -> list[float]:
    return Features(page_of(*texts)).column(name).tolist()


def of_markup(name: str, markup: str) -> list[float]:
    return Features(segment(to_tree(markup))).column(name).tolist()


# Words and tokens


@pytest.mark.parametrize(
    ("text", "tokens", "words"),
    [
        ("one", 1, 1),
        ("The quick brown fox", 4, 4),
        ("a - b – c", 5, 3),
        ("*** | ***", 3, 0),
        ("£5 & 10%", 3, 2),
        ("don't stop-gap U.S.A.", 3, 3),
        ("_ __ x_y", 3, 1),
        ("日本語のページ です", 2, 2),
        ("½ Ⅷ ²", 3, 3),
        ("🐟 fish", 2, 1),
    ],
)
def test_words_are_tokens_with_a_letter_or_a_digit(text, tokens, words):
    shallow = ShallowFeatures(page_of(text))

    assert shallow.tokens.tolist() == [tokens]
    assert shallow.words.tolist() == [words]


def test_the_blocks_of_a_page_are_counted_apart():
    assert column("words", "one two", "-", "three", "four five six") == [2, 0, 1, 3]


def test_white_space_is_what_python_splits_at():
    spaces = {chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()}
    texts = Texts([f"a{space}b" for space in sorted(spaces)] + ["a\u200bb", "a\u2800b"])

    assert texts.token_counts.tolist() == [2] * len(spaces) + [1, 1]


# Further up Python's tables know fewer ideographs than there are.
text_with_tokens = st.text(st.characters(max_codepoint=0x1FFFF), min_size=1).filter(str.split)


@repeatable
@given(st.lists(text_with_tokens, min_size=1, max_size=5))
def test_tokens_and_words_are_those_of_a_plain_count(texts):
    shallow = ShallowFeatures(page_of(*texts))

    words = [sum(any(map(is_letter_or_number, token)) for token in text.split()) for text in texts]
    assert shallow.tokens.tolist() == [len(text.split()) for text in texts]
    assert shallow.words.tolist() == words


def is_letter_or_number(character: str) -> bool:
    return character.isalpha() or character.isnumeric()


# Link density


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>no links at all</p>", 0),
        ("<p><a>all of it</a></p>", 1),
        ("<p>one <a>two</a> three four</p>", 0.25),
        ("<p><a>one</a><a>two</a> three</p>", 2 / 3),
        ("<p>one <a>&raquo;</a></p>", 0.5),  # tokens, not words
        ("<p>one <a></a> <a> </a> two</p>", 0),
        ("<p>wor<a>ld</a></p>", 1),
        ("<p>a<a>b</a>c<a>d</a>e</p>", 1),  # two pieces within links, but one token: never above 1
        ("<p>one <a>two <img alt=three></a></p>", 0.5),
    ],
)
def test_link_density_is_tokens_within_links_by_tokens(markup, expected):
    assert of_markup("link_density", markup) == [expected]


# Text density: equation 1


def text_density_line_by_line(text: str) -> float:
    """Equation 1 written out: put token after token on a line while it fits into 80 columns."""
    lines: list[list[str]] = []
    for token in text.split():
        if lines and len(" ".join([*lines[-1], token])) <= 80:
            lines[-1].append(token)
        else:
            lines.append([token])
    if len(lines) > 1:
        return sum(map(len, lines[:-1])) / (len(lines) - 1)
    return len(lines[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("word", 1),
        ("three short words", 3),
        (" ".join(["abc"] * 20), 20),  # 79 columns: one line
        (" ".join(["abc"] * 20 + ["a"]), 20),  # 81 columns: the last token goes to the next line, which is left out
        (" ".join(["abcd"] * 16), 16),  # 79 columns
        ("a" * 39 + " " + "b" * 40, 2),  # 80 columns fit
        ("a" * 40 + " " + "b" * 40, 1),  # 81 don't
        (" ".join(["abc"] * 50), 20),  # 20 + 20, the last 10 left out
        (" ".join(["abc"] * 20 + ["x" * 200] + ["abc"] * 5), 10.5),  # 20 and a word too long, alone on its line
        ("x" * 500, 1),
        (" ".join(["x" * 500] * 3), 1),
    ],
)
def test_text_density_on_examples(text, expected):
    assert text_density_line_by_line(text) == expected
    assert column("text_density", text) == [expected]


words_of_a_text = st.lists(
    st.integers(1, 100).map("x".__mul__) | st.integers(1, 9).map("é".__mul__), min_size=1, max_size=400
)


@repeatable
@given(st.lists(words_of_a_text.map(" ".join), min_size=1, max_size=6))
def test_text_density_is_that_of_a_wrap_line_by_line(texts):
    assert column("text_density", *texts) == pytest.approx(
        [text_density_line_by_line(text) for text in texts], rel=1e-12
    )


def test_text_density_counts_tokens_that_are_no_words():
    assert column("text_density", "a - b") == [3]


# Lengths


@pytest.mark.parametrize(
    ("text", "expected"),
    [("abc", 3), ("a bb ccc", 2), ("word - word", 4), ("it's fine.", 4.5), ("*** !!!", 0)],
)
def test_average_word_length_is_characters_by_words(text, expected):
    assert column("average_word_length", text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One two three", 3),
        ("One two three.", 3),
        ("One two. Three four five six.", 3),
        ("One? Two! Three; four", 1),
        ("He said “go home.” She went.", 3),
        ("(It rained.) We left", 2),
        ("Version 3.5 is out.", 4),
        ("Wait... what", 1),
        ("今日は晴れ。明日は雨。", 0.5),
        ("...", 0),
    ],
)
def test_average_sentence_length_is_words_by_sentences(text, expected):
    assert column("average_sentence_length", text) == [expected]


# Case and marks


@pytest.mark.parametrize(
    ("text", "capitalised", "all_caps"),
    [
        ("all lower case", 0, 0),
        ("The Old Pier", 3, 0),
        ("BREAKING news FROM Saltmere", 3, 2),
        ("“Quoted” (Brackets)", 2, 0),
        ("iPhone eBay", 0, 0),
        ("A I", 2, 2),
        ("B2B 3D 42", 1, 2),
        ("Ünder Éclair ÇA", 3, 1),
        ("日本語", 0, 0),
        ("- | –", 0, 0),
    ],
)
def test_capitalised_and_all_caps_words(text, capitalised, all_caps):
    words = max(column("words", text)[0], 1)

    assert column("capitalised_words", text) == [capitalised]
    assert column("all_caps_words", text) == [all_caps]
    assert column("capitalised_ratio", text) == [capitalised / words]
    assert column("all_caps_ratio", text) == [all_caps / words]


@pytest.mark.parametrize(
    ("text", "stops"),
    [("One. Two.", 2), ("Wait... what", 3), ("3.5 km", 1), ("no stop", 0), ("晴れ。雨。", 2), ("? ! ;", 0)],
)
def test_full_stops(text, stops):
    words = column("words", text)[0]

    assert column("full_stops", text) == [stops]
    assert column("full_stop_ratio", text) == [stops / words if words else 0]


def test_vertical_bars():
    assert column("vertical_bars", "Home | News | Sport", "a||b", "none") == [2, 2, 0]


@pytest.mark.parametrize(
    "token",
    "9:30 09:30:15 14h05 10.15 7:00pm 7:00p.m. (18:45) 2024-05-31 31.05.2024 5/31/24 31/05/2024, 2024-05-31T10:00:00Z"
    " 1998 2024. [2011]".split(),
)
def test_dates_times_and_years_in_figures_are_date_time_tokens(token):
    assert column("date_time_tokens", token, f"on {token} and {token}") == [1, 2]


@pytest.mark.parametrize(
    "token", ["word", "12", "1234567", "1850", "2150", "9:5", "1:2:3:4", "a2024", "2024-05", "1.5"]
)
def test_other_figures_are_not(token):
    assert column("date_time_tokens", token) == [0]


# Position


def test_positions():
    assert column("absolute_position", "a", "b", "c", "d", "e") == [0, 1, 2, 3, 4]
    assert column("relative_position", "a", "b", "c", "d", "e") == [0, 0.25, 0.5, 0.75, 1]


def test_the_only_block_stands_at_the_beginning():
    assert column("relative_position", "alone") == [0]


# Neighbours


def test_the_features_of_the_neighbours_are_zero_at_the_edges():
    texts = ["one", "one two", "one two three"]

    assert column("previous_words", *texts) == [0, 1, 2]
    assert column("next_words", *texts) == [2, 3, 0]


@pytest.mark.parametrize("name", ShallowFeatures.names)
def test_every_feature_has_neighbours(name):
    texts = ["Home | News", "IN 2024 the tide rose. It fell at 9:30.", "plain words; more words", "End."]
    own = column(name, *texts)

    assert column(f"previous_{name}", *texts) == [0, *own[:-1]]
    assert column(f"next_{name}", *texts) == [*own[1:], 0]


def test_the_only_block_has_no_neighbours():
    assert column("previous_words", "a b c") == [0]
    assert column("next_words", "a b c") == [0]


# The matrix


def test_the_matrix_has_the_named_columns_in_their_order():
    matrix = Features(page_of("one two", "three")).matrix(("words", "next_words", "absolute_position"))

    assert matrix.dtype == np.float32
    assert matrix.tolist() == [[2, 1, 0], [1, 0, 1]]


def test_all_features_are_finite_numbers():
    page = page_of("***", "Words 2024. | IN caps", "-", "x" * 300)

    matrix = Features(page).matrix(SHALLOW_NAMES)

    assert matrix.shape == (4, 45)
    assert np.isfinite(matrix).all()


def test_an_empty_page_has_all_columns_and_no_rows():
    features = Features(segment(None))

    assert features.matrix(SHALLOW_NAMES).shape == (0, 45)


def test_the_names_are_unique():
    assert len(set(FEATURE_NAMES)) == len(FEATURE_NAMES)
    assert len(SHALLOW_NAMES) == 45


def test_an_unknown_feature_is_named():
    check_feature_names(("words", "next_link_density"))

    with pytest.raises(ValueError, match=r"unknown features: colour, previous_colour$"):
        check_feature_names(("words", "previous_colour", "colour"))


def test_lone_surrogates_in_a_text_made_by_hand_are_tokens_but_no_words():
    assert column("words", "\ud800 word") == [1]
    assert column("text_density", "\ud800 word") == [2]
