"""The characters of a page as numpy arrays: what every text feature counts."""

from __future__ import annotations

import sys
import unicodedata
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

SPACE, LETTER, NUMBER, UPPER, LOWER, PUNCTUATION, FULL_STOP, SENTENCE_END = (np.uint8(1 << bit) for bit in range(8))

_CLASSES = {
    "Lu": LETTER | UPPER,
    "Lt": LETTER | UPPER,
    "Ll": LETTER | LOWER,
    "Lm": LETTER,
    "Lo": LETTER,
    "Zs": SPACE,
    "Zl": SPACE,
    "Zp": SPACE,
    **dict.fromkeys(("Nd", "Nl", "No"), NUMBER),
    **dict.fromkeys(("Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"), PUNCTUATION),
}
_FULL_STOPS = ".。．"
_SENTENCE_ENDS = ".?!;。．？！；"


@cache
def character_classes() -> NDArray[np.uint8]:
    """The class of every code point. Planes 2 and 3 hold ideographs only, those above no characters at all."""
    classes = np.zeros(sys.maxunicode + 1, np.uint8)
    classes[:0x20000] = [_CLASSES.get(unicodedata.category(chr(code)), 0) for code in range(0x20000)]
    classes[0x20000:0x40000] = LETTER
    for code in (*range(0x09, 0x0E), *range(0x1C, 0x20), 0x85):
        classes[code] = SPACE
    for character in _FULL_STOPS:
        classes[ord(character)] |= FULL_STOP
    for character in _SENTENCE_ENDS:
        classes[ord(character)] |= SENTENCE_END
    return classes


class Texts:
    """A list of texts as one array of characters, counted text by text.

    Tokens are what white space separates; a line end behind each text keeps the texts apart.
    """

    def __init__(self, texts: list[str]) -> None:
        self.joined = "\n".join([*texts, ""])
        self.lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        ends = np.cumsum(self.lengths + 1)
        self.starts = ends - self.lengths - 1

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
        """Just behind the last character of each token."""
        before_space = np.concatenate((self.spaces[1:], [True]))
        return np.flatnonzero(before_space & ~self.spaces) + 1

    @cached_property
    def first_tokens(self) -> NDArray[np.int64]:
        """The number of each text's first token, and at the end the number of all tokens."""
        return np.searchsorted(self.token_starts, np.append(self.starts, self.starts[-1:] + self.lengths[-1:]))

    @property
    def token_counts(self) -> NDArray[np.int64]:
        return np.diff(self.first_tokens)

    @cached_property
    def _token_classes(self) -> NDArray[np.uint8]:
        """All classes that occur in each token."""
        if not len(self.token_starts):
            return np.zeros(0, np.uint8)
        # The stretch runs up to the next token: the white space in between is of no class that a token can have.
        return np.bitwise_or.reduceat(self.classes, self.token_starts)

    def has(self, kind: np.uint8) -> NDArray[np.bool_]:
        """For each token whether one of its characters is of this class."""
        return (self._token_classes & kind).astype(np.bool_)

    def count_tokens(self, wanted: NDArray[np.bool_] | NDArray[np.int64]) -> NDArray[np.int64]:
        """How many of each text's tokens are wanted, or the sum of a number given for each token."""
        sums = np.concatenate(([0], np.cumsum(wanted)))
        return np.diff(sums[self.first_tokens])

    def count_characters(self, wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
        """How many of each text's characters are wanted."""
        if not len(self.starts):
            return np.zeros(0, np.int64)
        return np.add.reduceat(wanted, self.starts, dtype=np.int64)
