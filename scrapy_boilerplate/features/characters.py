"""Classes and kinds of characters, for every code point of Unicode."""

from __future__ import annotations

import sys
import unicodedata
from enum import IntEnum, auto
from functools import cache

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
_COMMAS = ",:،、，：;；"
_SYMBOLS = "|/•·›»>←→©®™@#$€£¥%*+=_~^°✓★☆"

FULL_WIDTH = 0x3000  # marks above this code point end a sentence without white space after them

# Scripts without white space between words: first and last code point, and what a character stands for.
SYLLABLE, IDEOGRAPH = 1, 2
FIRST_UNSPACED = 0x0E00
_UNSPACED = (
    (0x0E00, 0x0EFF, SYLLABLE),  # Thai, Lao
    (0x1000, 0x109F, SYLLABLE),  # Burmese
    (0x1780, 0x17FF, SYLLABLE),  # Khmer
    (0x2E80, 0xA4CF, IDEOGRAPH),  # Chinese, Japanese
    (0xF900, 0xFAFF, IDEOGRAPH),
    (0x20000, 0x3FFFF, IDEOGRAPH),
)


class Kind(IntEnum):
    """The kind of a character. A character may be in several of the classes above, but is of one kind only."""

    OTHER = 0
    SPACE = auto()
    UPPER = auto()
    LOWER = auto()
    LETTER = auto()
    DIGIT = auto()
    COMMA = auto()
    MARK = auto()
    PUNCTUATION = auto()
    SYMBOL = auto()


class Count(IntEnum):
    """Counts of a text, after those of its characters of each kind."""

    TOKENS = len(Kind)  # separated by white space
    WORDS = auto()  # tokens with a letter or a digit
    SENTENCES = auto()  # marks that end one: before white space, at the end of the text, or full-width marks anywhere
    SYLLABLES = auto()  # characters of scripts without white space between words
    IDEOGRAPHS = auto()
    FIRST = auto()  # not a count: the text's first character, 0 if it is empty; LAST is the same for its last one
    LAST = auto()


@cache
def character_classes() -> NDArray[np.uint8]:
    """The classes of every code point."""
    return classes_of(range(sys.maxunicode + 1))


@cache
def character_kinds() -> NDArray[np.uint8]:
    """The kind of every code point."""
    return kinds_of(range(sys.maxunicode + 1), character_classes())


@cache
def unspaced_scripts() -> NDArray[np.uint8]:
    """For every code point SYLLABLE or IDEOGRAPH, or 0 in scripts that separate words."""
    return scripts_of(range(sys.maxunicode + 1))


def classes_of(codes: range) -> NDArray[np.uint8]:
    """The classes of some code points. Planes 2 and 3 have only ideographs, higher planes no characters at all."""
    classes = np.zeros(len(codes), np.uint8)
    known = range(codes.start, min(codes.stop, 0x20000))
    classes[: len(known)] = [_CLASSES.get(unicodedata.category(chr(code)), 0) for code in known]
    classes[max(0x20000 - codes.start, 0) : max(0x40000 - codes.start, 0)] = LETTER
    for code in (*range(0x09, 0x0E), *range(0x1C, 0x20), 0x85):
        if code in codes:
            classes[code - codes.start] = SPACE
    for characters, further in ((_FULL_STOPS, FULL_STOP), (_SENTENCE_ENDS, SENTENCE_END)):
        classes[_places(characters, codes)] |= further
    return classes


def kinds_of(codes: range, classes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The kinds of some code points, whose classes are known."""
    kinds = np.full(len(classes), Kind.OTHER, np.uint8)
    for kind, wanted in (
        (Kind.LETTER, LETTER),
        (Kind.UPPER, UPPER),
        (Kind.LOWER, LOWER),
        (Kind.DIGIT, NUMBER),
        (Kind.SPACE, SPACE),
        (Kind.PUNCTUATION, PUNCTUATION),
        (Kind.MARK, SENTENCE_END),
    ):
        kinds[classes & wanted != 0] = kind
    for kind, characters in ((Kind.COMMA, _COMMAS), (Kind.SYMBOL, _SYMBOLS)):
        kinds[_places(characters, codes)] = kind
    return kinds


def scripts_of(codes: range) -> NDArray[np.uint8]:
    """The same as unspaced_scripts() for some code points."""
    scripts = np.zeros(len(codes), np.uint8)
    for low, high, stands_for in _UNSPACED:
        scripts[max(low - codes.start, 0) : max(high + 1 - codes.start, 0)] = stands_for
    return scripts


def _places(characters: str, codes: range) -> list[int]:
    return [ord(character) - codes.start for character in characters if ord(character) in codes]
