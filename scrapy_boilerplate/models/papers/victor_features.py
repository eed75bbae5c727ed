"""The features of Victor: M. Marek, P. Pecina, M. Spousta, "Web Page Cleaning with Conditional Random Fields" (2007).

They are features of text nodes. Each value is the number of a category, from 0, as the paper's conditional random field
needs it. Names and definitions are the paper's (chapter 4), with `victor.` before each name to make it unique.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...features.characters import LETTER, LOWER, NUMBER, PUNCTUATION, SENTENCE_END, SPACE
from ...features.family import Family, Rows, share
from .victor_elements import VictorElements
from .victor_values import LEVELS, VICTOR_NAMES

Numbers = NDArray[np.int64]

# regexp.*: the value of the feature is the number of the first expression that matches. URLs are looked for in the
# whole page, by signs that are rare; dates and times where a token with a figure begins, months one token before it.
_URLS = (("://", re.compile(r"://\w")), ("www.", re.compile(r"www\.\w")), ("@", re.compile(r"@[\w-]+\.\w")))
_MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"
_FIGURES = re.compile(
    rf"""
    \W? (?:
        ( \d{{1,4}} [-/.] \d{{1,2}} [-/.] \d{{1,4}} )              # 2024-05-31, 31.05.2024, 5/31/24
      | ( \d{{1,2}} (?: st | nd | rd | th | \. )? \  {_MONTH} )    # 31st May
      | ( {_MONTH} [.,]? \  \d{{1,4}} )                            # May 31
      | ( (?: 19 | 20 ) \d\d (?! \d ) )                            # a year
      | ( \d{{1,2}} [:.h] \d\d (?! \d ) )                          # 9:30, 14h05
      | ( \d{{1,2}} \ ? [ap] \.? m \b )                            # 7 pm
      | ( \d+ \  [a-z]+ \  ago \b )                                # 3 hours ago
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_DATES = 4  # of these expressions are dates, the others times
_MONTH_INITIALS = np.isin(np.arange(128), [ord(letter) for letter in "JFMASONDjfmasond"])

# A dash or another sign, a number, a single letter, a closing parenthesis, a full stop: each has its bit in `bullet`.
_BULLET = re.compile(r"([-–—*•·●○■▪►▶»›>+→])? ?\(?(?:(\d{1,3})|([^\W\d_])(?=[)\].:]))?(?:([)\]])|([.:]))?(?!\w)")
_BULLET_LENGTH = 5


class VictorFeatures(Family):
    """Features of markup, text, groups and document, as numbers of categories."""

    names = VICTOR_NAMES

    def _rows(self) -> Rows:
        rows = np.empty((len(VICTOR_NAMES), len(self._features.page.texts)), np.float32)
        for row, values, levels in zip(rows, self.values(), LEVELS, strict=True):
            if isinstance(levels, int):
                np.minimum(values, levels, out=row, casting="unsafe")
            else:
                row[:] = levels.searchsorted(values, side="right")  # the number of levels that are less or equal
        return rows

    def values(self) -> Sequence[NDArray[np.generic] | float]:
        """The numbers before they become categories, in the order of the names; a single one for the whole page."""
        page, texts = self._features.page, self._features.texts
        elements = VictorElements(page.tags, page.parents, page.block_nodes, page.block_ends)
        words, sentences = self._features.shallow.words, self._features.wording.sentences
        length, count = texts.lengths, len(texts.lengths)
        characters = self._characters()
        tokens = self._tokens()
        unlinked = np.where(elements.linked, 0.0, words)
        groups = [elements.group_shares(tag, unlinked) for tag in ("div", "td")]
        return (
            *elements.containers,
            *elements.splits,
            *(characters / length),
            *share(tokens, tokens.sum(axis=0)),
            *tokens,
            sentences,
            words / np.maximum(sentences, 1),
            *self._sentence_edges(),
            *self._duplicates(characters[0]),
            *self._expressions(),
            self._bullets(),
            *groups,
            np.arange(count) / count,
            float(words.sum()),
            float(sentences.sum()),
            float(count),
            *(float(shares.max()) for shares in groups),
        )

    def _characters(self) -> Numbers:
        """For each block, the number of letters, digits, punctuation marks, white space and other characters."""
        texts = self._features.texts
        kinds = (LETTER, NUMBER, PUNCTUATION, SPACE)
        counts = np.array([*(texts.count_characters(texts.classes & kind != 0) for kind in kinds), texts.lengths])
        counts[3] -= 1  # the line end after each text is not part of it
        counts[4] -= counts[:4].sum(axis=0)
        return counts

    def _tokens(self) -> Numbers:
        """For each block, the number of tokens with letters, with digits, with both, and with neither."""
        texts = self._features.texts
        kinds = texts.has(LETTER) + 2 * texts.has(NUMBER)
        blocks = np.repeat(np.arange(0, 4 * len(texts.lengths), 4), texts.token_counts)
        counts = np.bincount(blocks + kinds, minlength=4 * len(texts.lengths)).reshape(-1, 4)
        return counts.T[[1, 2, 3, 0]]

    def _sentence_edges(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Whether each block begins like a sentence, and whether it ends like one; quotation marks are skipped."""
        texts = self._features.texts
        first, last = texts.starts, texts.starts + texts.lengths - 1
        classes = texts.classes
        start = np.where(classes[first] & PUNCTUATION, classes[np.minimum(first + 1, last)], classes[first])
        is_closing = classes[last] & (PUNCTUATION | SENTENCE_END) == PUNCTUATION
        end = np.where(is_closing, classes[np.maximum(last - 1, first)], classes[last])
        return start & (LETTER | LOWER) == LETTER, end & SENTENCE_END != 0

    def _duplicates(self, letters: Numbers) -> tuple[NDArray[np.bool_], Numbers]:
        """Whether each block is the first of several with equal letters, and the number of blocks with its letters."""
        texts = self._features.texts
        plain = texts.characters[texts.classes & LETTER != 0]
        if texts.joined.isascii():
            plain = plain.astype(np.uint8)  # fewer bytes to compare
        edges = (plain.itemsize * np.cumsum(letters)).tolist()
        content, numbers = plain.tobytes(), dict[bytes, int]()
        equal = np.array([numbers.setdefault(content[start:end], len(numbers)) for start, end in pairwise([0, *edges])])
        counts = np.bincount(equal)[equal]
        is_first = np.ones(len(equal), np.bool_)
        is_first[1:] = equal[1:] > np.maximum.accumulate(equal)[:-1]
        return is_first & (counts > 1), counts

    def _expressions(self) -> Numbers:
        """regexp.url, regexp.date, regexp.time: the number of the first expression that matches, 0 for none."""
        texts = self._features.texts
        found = [  # feature, number of the expression, place
            (0, number, match.start())
            for number, (sign, pattern) in enumerate(_URLS, 1)
            if sign in texts.joined
            for match in pattern.finditer(texts.joined)
        ]
        with_figures = np.flatnonzero(texts.has(NUMBER) & self._may_begin_an_expression())
        before = texts.token_starts[np.maximum(with_figures - 1, 0)]
        months = before[_MONTH_INITIALS.take(texts.characters[before], mode="clip")]
        for place in (*texts.token_starts[with_figures].tolist(), *months.tolist()):
            match = _FIGURES.match(texts.joined, place)
            if match:
                number = match.lastindex or 0
                found.append((1, number, place) if number <= _DATES else (2, number - _DATES, place))
        firsts = np.zeros((3, len(texts.starts)), np.int64)
        if found:
            feature, numbers, places = np.array(sorted(found, reverse=True)).T
            firsts[feature, texts.starts.searchsorted(places, side="right") - 1] = numbers  # the lowest one last
        return firsts

    def _may_begin_an_expression(self) -> NDArray[np.bool_]:
        """The tokens of three characters or more, and those beside a word: pages may have millions of others."""
        texts = self._features.texts
        places = np.append(texts.token_starts, len(texts.joined))
        is_word = np.pad(texts.classes[texts.token_starts] & LETTER != 0, 1)
        result: NDArray[np.bool_] = (np.diff(places) > 3) | is_word[:-2] | is_word[2:]
        return result

    def _bullets(self) -> Numbers:
        """For each block, the signs of a list item at its beginning, as bits."""
        texts = self._features.texts
        first, second = texts.classes[texts.starts], texts.classes[texts.starts + 1]
        blocks = np.flatnonzero((second & LETTER == 0) & ((first & LETTER == 0) | (second & PUNCTUATION != 0)))
        bullets = np.zeros(len(texts.starts), np.int64)
        bullets[blocks] = [
            _bullet(texts.joined[start : start + _BULLET_LENGTH]) for start in texts.starts[blocks].tolist()
        ]
        return bullets


@lru_cache(maxsize=4096)
def _bullet(text: str) -> int:
    match = _BULLET.match(text)
    return sum(1 << bit for bit, sign in enumerate(match.groups()) if sign) if match else 0
