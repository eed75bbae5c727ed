"""Features of a block's text, in any language: lengths, character classes, punctuation, links."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .characters import LETTER, LOWER, NUMBER, SENTENCE_END, UPPER, Count, Kind, character_classes
from .family import Family, log, share

_SYLLABLE = 0.2  # words per character, in scripts without white space between words
_IDEOGRAPH = 0.6
_PARAGRAPH_LENGTH = 10  # words; a block with at least so many, and the end of a sentence, is a paragraph
_LONG = 25


class Wording(Family):
    """Properties of the text itself."""

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
        counts = texts.tally
        letters = counts[Kind.UPPER] + counts[Kind.LOWER] + counts[Kind.LETTER]
        commas = self.commas
        words = np.maximum(shallow.words, 1)
        sentences = self.sentences
        last_character = counts[Count.LAST]
        first, last = character_classes()[counts[Count.FIRST]], character_classes()[last_character]
        size = self.size
        return (
            log(size),
            log(texts.lengths),
            np.minimum(characters / words, 20),
            self.linked,
            log(self._features.link_texts.tally[Count.TOKENS]),
            letters / characters,
            counts[Kind.UPPER] / np.maximum(letters, 1),
            counts[Kind.DIGIT] / characters,
            (commas + counts[Kind.MARK] + counts[Kind.PUNCTUATION]) / characters,
            log(commas),
            np.minimum(share(commas, size), 1),
            log(sentences),
            log(size / np.maximum(sentences, 1)),
            counts[Kind.SYMBOL] / characters,
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

    @property
    def commas(self) -> NDArray[np.int64]:
        commas: NDArray[np.int64] = self._features.texts.tally[Kind.COMMA]
        return commas

    @property
    def digits(self) -> float:
        """The number of digits on the whole page."""
        return float(self._features.texts.tally[Kind.DIGIT].sum())

    @cached_property
    def size(self) -> NDArray[np.float64]:
        """Words; in scripts that don't separate words, characters times the words per character."""
        words, counts = self._features.shallow.words, self._features.texts.tally
        unspaced = counts[Count.SYLLABLES] * _SYLLABLE + counts[Count.IDEOGRAPHS] * _IDEOGRAPH
        size: NDArray[np.float64] = np.maximum(words, unspaced)
        return size

    @cached_property
    def linked(self) -> NDArray[np.float64]:
        """The share of the characters inside links, not counting white space."""
        texts, link_texts = self._features.texts, self._features.link_texts
        visible = texts.lengths - texts.tally[Kind.SPACE]
        return np.minimum(share(link_texts.lengths - link_texts.tally[Kind.SPACE], visible), 1)

    @property
    def sentences(self) -> NDArray[np.int64]:
        sentences: NDArray[np.int64] = self._features.texts.tally[Count.SENTENCES]
        return sentences

    @cached_property
    def is_paragraph(self) -> NDArray[np.bool_]:
        """At least ten words, with the end of a sentence, and less than half of them linked."""
        return (self.size >= _PARAGRAPH_LENGTH) & (self.sentences > 0) & (self.linked < 0.5)
