"""What a block's text looks like, in any language: lengths, character classes, punctuation, links."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from .family import Family, log, share
from .text import LETTER, LOWER, NUMBER, PUNCTUATION, SENTENCE_END, SPACE, UPPER, character_classes

# Scripts that put no white space between words: from, to, and how many words a character is.
_UNSPACED = (
    (0x0E00, 0x0EFF, 0.2),  # Thai, Lao
    (0x1000, 0x109F, 0.2),  # Burmese
    (0x1780, 0x17FF, 0.2),  # Khmer
    (0x2E80, 0xA4CF, 0.6),  # Chinese, Japanese
    (0xF900, 0xFAFF, 0.6),
    (0x20000, 0x3FFFF, 0.6),
)
_COMMAS = ",:،、，：;；"
_SYMBOLS = "|/•·›»>←→©®™@#$€£¥%*+=_~^°✓★☆"
# Kinds of characters that are counted in one go; a character is of one kind only.
_OTHER, _SPACE, _UPPER, _LOWER, _LETTER, _DIGIT, _COMMA, _MARK, _PUNCTUATION, _SYMBOL, _KINDS = range(11)
_PARAGRAPH_LENGTH = 10  # words from which on a block with a sentence's end is taken for a paragraph
_LONG = 25


class Wording(Family):
    """A row for each property of the text itself."""

    names = (
        "log_length",
        "log_characters",
        "word_length",
        "linked_share",
        "log_linked_words",
        "letter_share",
        "upper_share",
        "digit_share",
        "punctuation_share",
        "log_commas",
        "commas_per_word",
        "log_sentences",
        "sentence_length",
        "symbol_share",
        "ends_with_mark",
        "ends_with_colon",
        "starts_upper",
        "starts_lower",
        "starts_digit",
        "starts_symbol",
        "is_one_word",
        "is_two_to_four_words",
        "is_paragraph",
        "is_long",
        "is_fully_linked",
        "has_no_letter",
    )

    def _rows(self) -> Sequence[NDArray[np.generic]]:
        texts, shallow = self._features.texts, self._features.shallow
        characters = np.maximum(texts.lengths, 1)
        counts = self._counts
        letters = counts[_UPPER] + counts[_LOWER] + counts[_LETTER]
        commas = self.commas
        words = np.maximum(shallow.words, 1)
        sentences = self.sentences
        first, last = texts.classes[texts.starts], texts.classes[texts.starts + texts.lengths - 1]
        last_character = texts.characters[texts.starts + texts.lengths - 1]
        size = self.size
        return (
            log(size),
            log(texts.lengths),
            np.minimum(characters / words, 20),
            self.linked,
            log(self._features.link_texts.token_counts),
            letters / characters,
            counts[_UPPER] / np.maximum(letters, 1),
            counts[_DIGIT] / characters,
            (commas + counts[_MARK] + counts[_PUNCTUATION]) / characters,
            log(commas),
            np.minimum(share(commas, size), 1),
            log(sentences),
            log(size / np.maximum(sentences, 1)),
            counts[_SYMBOL] / characters,
            last & SENTENCE_END != 0,
            (last_character == ord(":")) | (last_character == ord("：")),
            first & UPPER != 0,
            first & LOWER != 0,
            first & NUMBER != 0,
            first & (LETTER | NUMBER) == 0,
            size <= 1.5,
            (size > 1.5) & (size < 5),
            self.is_paragraph,
            (size >= _LONG) & (self.linked < 0.5),
            self.linked >= 0.99,
            letters == 0,
        )

    @cached_property
    def _counts(self) -> NDArray[np.int64]:
        """For each kind of character how many of it each block has."""
        texts = self._features.texts
        blocks = np.repeat(np.arange(len(texts.lengths)) * _KINDS, texts.lengths + 1)
        cells = np.bincount(blocks + _kinds()[texts.characters], minlength=len(texts.lengths) * _KINDS)
        counts: NDArray[np.int64] = cells.reshape(-1, _KINDS).T
        return counts

    @property
    def commas(self) -> NDArray[np.int64]:
        commas: NDArray[np.int64] = self._counts[_COMMA]
        return commas

    @property
    def digits(self) -> float:
        """On the whole page."""
        return float(self._counts[_DIGIT].sum())

    @cached_property
    def size(self) -> NDArray[np.float64]:
        """Words; in scripts that don't separate them, characters divided by the usual length of a word."""
        texts, words = self._features.texts, self._features.shallow.words
        codes = texts.characters
        if not len(words) or codes.max() < _UNSPACED[0][0]:
            return words
        weights = np.zeros(len(codes))
        for low, high, weight in _UNSPACED:
            weights[(codes >= low) & (codes <= high)] = weight
        return np.maximum(words, np.add.reduceat(weights, texts.starts))

    @cached_property
    def linked(self) -> NDArray[np.float64]:
        """The share of the characters, white space aside, that are inside links."""
        visible = self._features.texts.lengths + 1 - self._counts[_SPACE]  # 1 for the line end behind each text
        return np.minimum(share(self._features.link_texts.visible_lengths, visible), 1)

    @cached_property
    def sentences(self) -> NDArray[np.int64]:
        """Marks that end a sentence: before white space, at the block's end, or full-width ones anywhere."""
        texts = self._features.texts
        marks = (texts.classes & SENTENCE_END).astype(np.bool_)
        before_space = np.append(texts.spaces[1:], True)
        return texts.count_characters(marks & (before_space | (texts.characters > 0x3000)))

    @cached_property
    def is_paragraph(self) -> NDArray[np.bool_]:
        """At least ten words, a sentence's end in them, and less than half of it linked."""
        return (self.size >= _PARAGRAPH_LENGTH) & (self.sentences > 0) & (self.linked < 0.5)


@cache
def _kinds() -> NDArray[np.uint8]:
    """The kind of every code point."""
    classes = character_classes()
    kinds = np.full(len(classes), _OTHER, np.uint8)
    for kind, wanted in (
        (_LETTER, LETTER),
        (_UPPER, UPPER),
        (_LOWER, LOWER),
        (_DIGIT, NUMBER),
        (_SPACE, SPACE),
        (_PUNCTUATION, PUNCTUATION),
        (_MARK, SENTENCE_END),
    ):
        kinds[classes & wanted != 0] = kind
    for kind, characters in ((_COMMA, _COMMAS), (_SYMBOL, _SYMBOLS)):
        kinds[[ord(character) for character in characters]] = kind
    return kinds
