"""Shallow text features: Kohlschütter, Fankhauser, Nejdl, "Boilerplate Detection using Shallow Text Features" (2010).

Each feature is a column with a value for each block, computed when it is first asked for. Section and equation numbers
are those of the paper.
"""

from __future__ import annotations

import re
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..page import Page
from .characters import FULL_STOP, FULL_WIDTH, LETTER, LOWER, NUMBER, PUNCTUATION, SENTENCE_END, UPPER, Count
from .text import Texts

Column = NDArray[np.float64]

LINE_WIDTH = 80  # w_max of section 3.4
_LONGEST_DATE = 100  # characters of a token

_DATE_OR_TIME = re.compile(
    r"""
    \W* (?:
        \d{1,2} [:h.] \d{2} (?: : \d{2} )? (?: [ap]\.?m\.? )?      # 9:30, 14h05, 10.15, 7:00pm
      | \d{1,4} ([-/.]) \d{1,2} \1 \d{1,4} (?: T [\d:.]+ Z? )?     # 2024-05-31, 31.05.2024, 5/31/24
      | (?: 19 | 20 ) \d{2}                                        # a year
    ) \W*
    """,
    re.VERBOSE | re.IGNORECASE,
)


class ShallowFeatures:
    """The features of section 3.3 and 3.4 for the blocks of a page."""

    names = (
        "words",
        "link_density",
        "text_density",
        "average_word_length",
        "average_sentence_length",
        "capitalised_words",
        "capitalised_ratio",
        "all_caps_words",
        "all_caps_ratio",
        "full_stops",
        "full_stop_ratio",
        "vertical_bars",
        "date_time_tokens",
        "absolute_position",
        "relative_position",
    )

    def __init__(self, page: Page) -> None:
        self.texts = Texts(page.texts)
        self._page = page

    @cached_property
    def link_texts(self) -> Texts:
        return Texts(self._page.link_texts)

    @cached_property
    def tokens(self) -> Column:
        """Character sequences between white space, |T(b)| in equation 1."""
        return self.texts.token_counts.astype(np.float64)

    @cached_property
    def words(self) -> Column:
        """Tokens with at least one letter or digit."""
        words: Column = self.texts.tally[Count.WORDS].astype(np.float64)
        return words

    @cached_property
    def link_density(self) -> Column:
        """Tokens within links / tokens."""
        linked = self.link_texts.token_counts
        # "wor<a>ld</a>, <a>!</a>" has more pieces within links than the block has tokens.
        return np.minimum(linked / np.maximum(self.tokens, 1), 1.0)

    @cached_property
    def text_density(self) -> Column:
        """Equation 1: tokens per line, wrapped at 80 characters, without the last line unless it is the only one."""
        first = self.texts.first_tokens[:-1]
        last_line, full_lines = self._wrap()
        before_last_line = last_line[first] - first
        wrapped = full_lines[first]
        return np.where(wrapped > 0, before_last_line / np.maximum(wrapped, 1), self.tokens)

    @cached_property
    def average_word_length(self) -> Column:
        """Characters of the words / words."""
        lengths = self.texts.token_ends - self.texts.token_starts
        return _ratio(self.texts.count_tokens(lengths * self._is_word), self.words)

    @cached_property
    def average_sentence_length(self) -> Column:
        """Words / sentences, which end with . ? ! ; at the end of a token (or 。？！； anywhere) or with the block."""
        texts = self.texts
        # Words after the last mark of a block count as a sentence.
        last = texts.first_tokens[1:] - 1
        sentences = texts.count_tokens(self._sentence_ends) + ~self._ends_sentence[last]
        return _ratio(self.words, sentences)

    @cached_property
    def capitalised_words(self) -> Column:
        """Words that start with an upper-case letter, or with a mark and then such a letter."""
        texts = self.texts
        first = texts.classes[texts.token_starts]
        second = texts.classes[np.minimum(texts.token_starts + 1, len(texts.classes) - 1)]
        start = np.where(first & PUNCTUATION, second, first)
        return texts.count_tokens((start & UPPER).astype(np.bool_)).astype(np.float64)

    @cached_property
    def capitalised_ratio(self) -> Column:
        """Capitalised words / words."""
        return _ratio(self.capitalised_words, self.words)

    @cached_property
    def all_caps_words(self) -> Column:
        """Words whose letters are all upper-case."""
        return self.texts.count_tokens(self.texts.has(UPPER) & ~self.texts.has(LOWER)).astype(np.float64)

    @cached_property
    def all_caps_ratio(self) -> Column:
        """Words in capitals / words."""
        return _ratio(self.all_caps_words, self.words)

    @cached_property
    def full_stops(self) -> Column:
        """The number of full stops."""
        return self.texts.count_characters((self.texts.classes & FULL_STOP).astype(np.bool_)).astype(np.float64)

    @cached_property
    def full_stop_ratio(self) -> Column:
        """Full stops / words."""
        return _ratio(self.full_stops, self.words)

    @cached_property
    def vertical_bars(self) -> Column:
        """The number of vertical bars, |."""
        return self.texts.count_characters(self.texts.characters == ord("|")).astype(np.float64)

    @cached_property
    def date_time_tokens(self) -> Column:
        """Tokens that are a date, a year or a time of day in digits; names of months depend on the language."""
        texts = self.texts
        is_date = np.zeros(len(texts.token_starts), np.bool_)
        is_short = texts.token_ends - texts.token_starts <= _LONGEST_DATE
        with_figures = np.flatnonzero(texts.has(NUMBER) & is_short)
        spans = zip(texts.token_starts[with_figures].tolist(), texts.token_ends[with_figures].tolist(), strict=True)
        is_date[with_figures] = [_DATE_OR_TIME.fullmatch(texts.joined, *span) is not None for span in spans]
        return texts.count_tokens(is_date).astype(np.float64)

    @cached_property
    def absolute_position(self) -> Column:
        """The block's number on the page, from 0."""
        return np.arange(len(self.texts.lengths), dtype=np.float64)

    @cached_property
    def relative_position(self) -> Column:
        """The block's place between the first block (0) and the last one (1)."""
        return self.absolute_position / max(len(self.texts.lengths) - 1, 1)

    @cached_property
    def _is_word(self) -> NDArray[np.bool_]:
        return self.texts.has(LETTER | NUMBER)

    @cached_property
    def _ends_sentence(self) -> NDArray[np.bool_]:
        """For each token, whether its last character ends a sentence; a closing mark at its end is skipped."""
        texts = self.texts
        last = texts.classes[texts.token_ends - 1]
        second_last = texts.classes[np.maximum(texts.token_ends - 2, texts.token_starts)]
        closing = (last & PUNCTUATION).astype(np.bool_) & ~(last & SENTENCE_END).astype(np.bool_)
        return (np.where(closing, second_last, last) & SENTENCE_END).astype(np.bool_)

    @cached_property
    def _sentence_ends(self) -> NDArray[np.int64]:
        """For each token, how many sentences end in it: full-width marks have no white space after them."""
        texts = self.texts
        full_width = (texts.characters > FULL_WIDTH) & (texts.classes & SENTENCE_END).astype(np.bool_)
        if not full_width.any():
            return self._ends_sentence.astype(np.int64)
        inside = np.add.reduceat(full_width, texts.token_starts, dtype=np.int64)
        return np.maximum(inside, self._ends_sentence)

    def _wrap(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For a line that starts at each token: the first token of its block's last line, and the lines before that.

        A greedy wrap goes from line to line. Here all lines are followed at once, with strides that double: after k
        rounds, each token has the token that starts the line 2^k lines further on.
        """
        texts = self.texts
        tokens = np.arange(len(texts.token_starts))
        block_end = np.repeat(texts.first_tokens[1:], texts.token_counts)
        # The first token that ends beyond the last column starts the next line; a longer token has a line of its own.
        next_line = np.searchsorted(texts.token_ends, texts.token_starts + LINE_WIDTH, side="right")
        next_line = np.maximum(next_line, tokens + 1)
        is_last = next_line >= block_end
        ahead = np.where(is_last, tokens, next_line)
        lines = (~is_last).astype(np.int64)
        while (step := lines[ahead]).any():
            lines += step
            ahead = ahead[ahead]
        return ahead, lines


def _ratio(part: Column | NDArray[np.int64], whole: Column | NDArray[np.int64]) -> Column:
    """part / whole, 0 where there is no whole."""
    ratio = np.zeros(len(part))
    np.divide(part, whole, out=ratio, where=whole != 0)
    return ratio
