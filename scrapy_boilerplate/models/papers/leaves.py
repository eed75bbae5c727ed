"""The input of BoilerNet: for each leaf, which is a text node, the tags around it and the words in it.

Leonhardt, Anand, Khosla, "Boilerplate Removal using a Neural Sequence Labeling Model" (2020), section 3.1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from ...page import Page

Numbers = NDArray[np.int64]

# Words are runs of letters and digits, single ideographs, and single marks. Line ends separate the leaves.
_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[^\W{_IDEOGRAPHS}]+|\S|\n")
_LEAF_END = -1


@dataclass(frozen=True)
class Vocabulary:
    """The known tags and words, the most common ones first. All others share one place after them."""

    tags: tuple[str, ...]
    words: tuple[str, ...]

    @classmethod
    def learn(cls, pages: Iterable[Page], *, tags: int, words: int) -> Vocabulary:
        """The most common tags and words of these pages; a tag counts once for each leaf in it."""
        tag_counts: Counter[str] = Counter()
        word_counts: Counter[str] = Counter()
        for page in pages:
            below = [0] * len(page.tags)  # the leaves in each element
            for node in page.block_nodes:
                below[node] += 1
            for node in range(len(below) - 1, 0, -1):
                below[max(page.parents[node], 0)] += below[node]
            for tag, count in zip(page.tags, below, strict=True):
                tag_counts[tag] += count
            word_counts.update(_words(page.texts))
        del word_counts["\n"]
        return cls(_most_common(tag_counts, tags), _most_common(word_counts, words))

    @cached_property
    def tag_numbers(self) -> dict[str, int]:
        return {tag: number for number, tag in enumerate(self.tags)}

    @cached_property
    def word_numbers(self) -> dict[str, int]:
        return {"\n": _LEAF_END, **{word: number for number, word in enumerate(self.words)}}


@dataclass(frozen=True, slots=True)
class Leaves:
    """The leaves of a page as numbers, with lists of words instead of word bags, which would be nearly empty."""

    tag_counts: NDArray[np.float32]  # a row for each leaf, a column for each tag and one for the unknown ones
    words: Numbers  # of all leaves, in order
    owners: Numbers  # the leaf that each word is in

    @classmethod
    def of(cls, page: Page, vocabulary: Vocabulary) -> Leaves:
        numbers, unknown = vocabulary.word_numbers, len(vocabulary.words)
        words = _words(page.texts)
        found = np.fromiter(map(numbers.get, words, repeat(unknown)), np.int64, len(words))
        is_word = found != _LEAF_END
        return cls(_tag_counts(page, vocabulary), found[is_word], np.cumsum(~is_word)[is_word])

    def some(self, first: int, last: int) -> Leaves:
        """The leaves in the half-open range [first, last)."""
        start, stop = np.searchsorted(self.owners, (first, last))
        return Leaves(self.tag_counts[first:last], self.words[start:stop], self.owners[start:stop] - first)


def _words(texts: Sequence[str]) -> list[str]:
    """The words of all texts in lower case, with a line end after each text."""
    return _WORD.findall("\n".join([*texts, ""]).lower())


def _tag_counts(page: Page, vocabulary: Vocabulary) -> NDArray[np.float32]:
    numbers, unknown = vocabulary.tag_numbers, len(vocabulary.tags)
    count = len(page.tags)
    # A row for each element, and an empty row at the end, index -1, which is the parent of the root.
    counts = np.zeros((count + 1, unknown + 1), np.float32)
    counts[np.arange(count), [numbers.get(tag, unknown) for tag in page.tags]] = 1
    above = np.append(np.array(page.parents, np.int64), -1)
    # After k rounds, each row counts 2^k elements: the element itself and those around it.
    while (above >= 0).any():
        counts += counts[above]
        above = above[above]
    return counts[page.block_nodes]


def _most_common(counts: Counter[str], count: int) -> tuple[str, ...]:
    """The most common names. Equal counts are sorted by name, so that the order of the pages doesn't matter."""
    return tuple(sorted(counts, key=lambda name: (-counts[name], name))[:count])
