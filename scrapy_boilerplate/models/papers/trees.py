"""The two decision trees of Kohlschütter et al. (2010), with a score for how far a block is from the decision.

A tree alone says yes or no. Here each comparison has a degree of truth: 0.5 at its threshold, 1 and 0 far away. All
conditions of a path must hold, so the lowest degree counts; one path to a content leaf is enough, so the highest path
counts. The score is at least 0.5 exactly where the tree says content. It rises with words and density and falls with
link density (except for the last block of a page in algorithm 1). It is not a probability.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...features.surroundings import Surroundings
from ..base import Model, Scores

Values = NDArray[np.floating]

_JUST_FALSE = 0.4999  # the highest degree of a comparison that fails; below 0.5 when rounded to four places, too

_CURRENT_LINKS, _PREVIOUS_LINKS = 0.333333, 0.555556


class NumWords(Model):
    """Algorithm 2: number of words and link density of the block and its neighbours."""

    feature_names = ("link_density", "previous_link_density", "words", "previous_words", "next_words")
    threshold = 0.5

    def predict(self, matrix: NDArray[np.floating], surroundings: Surroundings | None = None) -> Scores:  # noqa: ARG002
        links, previous_links, words, previous_words, next_words = _columns(matrix)
        after_text = _any(_above(words, 16), _above(next_words, 15), _above(previous_words, 4))
        after_anything = _any(_above(words, 40), _above(next_words, 17))
        return _content(links, previous_links, after_text, after_anything)


class Densitometric(Model):
    """Algorithm 1: text density and link density of the block and its neighbours."""

    feature_names = (
        "link_density",
        "previous_link_density",
        "text_density",
        "previous_text_density",
        "next_text_density",
    )
    threshold = 0.5

    def predict(self, matrix: NDArray[np.floating], surroundings: Surroundings | None = None) -> Scores:  # noqa: ARG002
        links, previous_links, density, previous_density, next_density = _columns(matrix)
        dense = _above(density, 9)
        among_dense = _any(_above(next_density, 10), _above(previous_density, 4))
        # For the last block (the next density is 0) the tree says the opposite: a dense one is a legal notice.
        after_text = np.where(next_density > 0, _any(dense, among_dense), _all(_not(dense), among_dense))
        after_anything = _above(next_density, 11)
        return _content(links, previous_links, after_text, after_anything)


def _columns(matrix: NDArray[np.floating]) -> list[Values]:
    return list(np.asarray(matrix, np.float32).astype(np.float64).T)


def _content(links: Values, previous_links: Values, after_text: Scores, after_anything: Scores) -> Scores:
    """The upper part of both trees. A block that is content after links is content after text, too."""
    few_links_before = _share_at_most(previous_links, _PREVIOUS_LINKS)
    return _all(_share_at_most(links, _CURRENT_LINKS), _any(_all(few_links_before, after_text), after_anything))


def _above(values: Values, limit: float) -> Scores:
    """The degree of truth of "values > limit"."""
    # Each side of the limit has its own formula, which must not divide by 0 on the other side.
    over = 1 - limit / (2 * np.maximum(values, limit))
    under = np.minimum(values / (2 * limit), _JUST_FALSE)
    return np.where(values > limit, over, under)


def _share_at_most(shares: Values, limit: float) -> Scores:
    """The degree of truth of "shares <= limit", for numbers from 0 to 1."""
    under = 1 - shares / (2 * limit)
    over = np.minimum((1 - shares) / (2 * (1 - limit)), _JUST_FALSE)
    return np.where(shares <= limit, under, over)


def _all(*truths: Scores) -> Scores:
    return np.asarray(np.minimum.reduce(truths))


def _any(*truths: Scores) -> Scores:
    return np.asarray(np.maximum.reduce(truths))


def _not(truth: Scores) -> Scores:
    return np.where(truth < 0.5, 1 - truth, np.minimum(1 - truth, _JUST_FALSE))
