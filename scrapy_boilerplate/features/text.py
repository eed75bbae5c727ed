"""The texts of a page as numpy arrays, and what every text feature counts in them."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .characters import (
    FIRST_UNSPACED,
    FULL_WIDTH,
    IDEOGRAPH,
    LETTER,
    NUMBER,
    SENTENCE_END,
    SPACE,
    SYLLABLE,
    Count,
    Kind,
    character_classes,
    character_kinds,
    unspaced_scripts,
)


class Texts:
    """A list of texts as one array of characters, counted text by text.

    Tokens are separated by white space. In the array, a line end follows each text.
    """

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts
        self.lengths = np.fromiter(map(len, texts), np.int64, len(texts))

    @cached_property
    def tally(self) -> NDArray[np.int64]:
        """A row for each `Kind` and `Count`, a column for each text."""
        if not _core.is_ready():
            return self._tally()
        try:
            counts = np.frombuffer(_core.shim.tally(self._texts), np.uint32)
        except UnicodeEncodeError:  # a str made by hand may hold lone surrogates
            return self._tally()
        return counts.reshape(-1, Count.LAST + 1).T.astype(np.int64)

    def _tally(self) -> NDArray[np.int64]:
        """The same in numpy, which looks at every character a dozen times."""
        count = len(self.lengths)
        rows = np.zeros((Count.LAST + 1, count), np.int64)
        texts = np.repeat(np.arange(count), self.lengths + 1)
        cells = np.bincount(texts * len(Kind) + character_kinds()[self.characters], minlength=count * len(Kind))
        rows[: len(Kind)] = cells.reshape(-1, len(Kind)).T
        rows[Kind.SPACE] -= 1  # the line end after each text
        rows[Count.TOKENS] = self.token_counts
        rows[Count.WORDS] = self.count_tokens(self.has(LETTER | NUMBER))
        before_space = np.append(self.spaces[1:], True)
        is_end = (self.classes & SENTENCE_END != 0) & (before_space | (self.characters > FULL_WIDTH))
        rows[Count.SENTENCES] = self.count_characters(is_end)
        others = np.flatnonzero(self.characters >= FIRST_UNSPACED)  # few on most pages
        scripts = unspaced_scripts()[self.characters[others]]
        for row, script in ((Count.SYLLABLES, SYLLABLE), (Count.IDEOGRAPHS, IDEOGRAPH)):
            rows[row] = np.bincount(texts[others[scripts == script]], minlength=count)
        visible = self.lengths > 0
        rows[Count.FIRST, visible] = self.characters[self.starts[visible]]
        rows[Count.LAST, visible] = self.characters[(self.starts + self.lengths - 1)[visible]]
        return rows

    @cached_property
    def first_equals(self) -> NDArray[np.int64]:
        """For each text, the number of the first text that is equal to it."""
        seen: dict[str, int] = {}
        firsts = (seen.setdefault(text, number) for number, text in enumerate(self._texts))
        return np.fromiter(firsts, np.int64, len(self._texts))

    @cached_property
    def joined(self) -> str:
        return "\n".join([*self._texts, ""])

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """The start of each text in `joined`."""
        return np.cumsum(self.lengths + 1) - self.lengths - 1

    @cached_property
    def characters(self) -> NDArray[np.uint32]:
        # A str made by hand may hold lone surrogates; they have no class, which is all that matters here.
        return np.frombuffer(self.joined.encode("utf-32-le", "surrogatepass"), np.uint32)

    @cached_property
    def classes(self) -> NDArray[np.uint8]:
        return character_classes()[self.characters]

    @cached_property
    def spaces(self) -> NDArray[np.bool_]:
        return (self.classes & SPACE).astype(np.bool_)

    @cached_property
    def visible_lengths(self) -> NDArray[np.int64]:
        """The characters of each text that are not white space."""
        return self.count_characters(~self.spaces)

    @cached_property
    def token_starts(self) -> NDArray[np.int64]:
        after_space = np.concatenate(([True], self.spaces[:-1]))
        return np.flatnonzero(after_space & ~self.spaces)

    @cached_property
    def token_ends(self) -> NDArray[np.int64]:
        """The end of each token: the place after its last character."""
        before_space = np.concatenate((self.spaces[1:], [True]))
        return np.flatnonzero(before_space & ~self.spaces) + 1

    @cached_property
    def first_tokens(self) -> NDArray[np.int64]:
        """The number of each text's first token; the last entry is the number of all tokens."""
        return np.searchsorted(self.token_starts, np.append(self.starts, self.starts[-1:] + self.lengths[-1:]))

    @property
    def token_counts(self) -> NDArray[np.int64]:
        return np.diff(self.first_tokens)

    @cached_property
    def _token_classes(self) -> NDArray[np.uint8]:
        """For each token, all classes of its characters, as bits."""
        if not len(self.token_starts):
            return np.zeros(0, np.uint8)
        # Each slice also holds the white space after the token, which has none of the classes that are asked for.
        return np.bitwise_or.reduceat(self.classes, self.token_starts)

    def has(self, kind: np.uint8) -> NDArray[np.bool_]:
        """For each token, whether one of its characters is of this class."""
        return (self._token_classes & kind).astype(np.bool_)

    def count_tokens(self, wanted: NDArray[np.bool_] | NDArray[np.int64]) -> NDArray[np.int64]:
        """For each text, the number of its tokens that are wanted, or the sum of a number given for each token."""
        sums = np.concatenate(([0], np.cumsum(wanted)))
        return np.diff(sums[self.first_tokens])

    def count_characters(self, wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
        """For each text, the number of its characters that are wanted."""
        if not len(self.starts):
            return np.zeros(0, np.int64)
        return np.add.reduceat(wanted, self.starts, dtype=np.int64)
