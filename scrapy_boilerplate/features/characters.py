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
    """The classes of every code point. Planes 2 and 3 have only ideographs, higher planes no characters at all."""
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


@cache
def character_kinds() -> NDArray[np.uint8]:
    """The kind of every code point."""
    classes = character_classes()
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
        kinds[[ord(character) for character in characters]] = kind
    return kinds


@cache
def unspaced_scripts() -> NDArray[np.uint8]:
    """For every code point SYLLABLE or IDEOGRAPH, or 0 in scripts that separate words."""
    scripts = np.zeros(sys.maxunicode + 1, np.uint8)
    for low, high, stands_for in _UNSPACED:
        scripts[low : high + 1] = stands_for
    return scripts
