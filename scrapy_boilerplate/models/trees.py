"""The two decision trees of Kohlschütter et al. (2010), with a score that tells how far a block is from the decision.

A tree alone says yes or no. Here each of its comparisons says how true it is: 0.5 at its threshold, 1 and 0 far away.
All conditions of a path must hold (the least true one counts), one path to a content leaf is enough (the truest one
counts). So the score is at least 0.5 exactly where the tree says content; it rises with words and density and falls
with link density; and it names the distance of the one comparison on which the decision hangs. It is not a
probability.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .base import Model, Scores

Values = NDArray[np.floating]

_JUST_FALSE = 0.4999  # a comparison that fails, however narrowly; also when rounded to four places

_CURRENT_LINKS, _PREVIOUS_LINKS = 0.333333, 0.555556


class NumWords(Model):
    """Algorithm 2: number of words and link density of the block and its neighbours."""

    feature_names = ("link_density", "previous_link_density", "words", "previous_words", "next_words")
    threshold = 0.5

    def predict(self, matrix: NDArray[np.floating]) -> Scores:
        links, previous_links, words, previous_words, next_words = _columns(matrix)
        after_text = _any(_above(words, 16), _above(next_words, 15), _above(previous_words, 4))
        after_links = _any(_above(words, 40), _above(next_words, 17))
        few_links_before = _share_at_most(previous_links, _PREVIOUS_LINKS)
        return _all(
            _share_at_most(links, _CURRENT_LINKS),
            _either(few_links_before, after_text, after_links),
        )


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

    def predict(self, matrix: NDArray[np.floating]) -> Scores:
        links, previous_links, density, previous_density, next_density = _columns(matrix)
        sparse = _any(_above(next_density, 10), _above(previous_density, 4))
        dense = _above(next_density, 0)  # 0: there is no next block
        after_text = _either(_above(density, 9), dense, sparse)
        after_links = _above(next_density, 11)
        few_links_before = _share_at_most(previous_links, _PREVIOUS_LINKS)
        return _all(
            _share_at_most(links, _CURRENT_LINKS),
            _either(few_links_before, after_text, after_links),
        )


def _columns(matrix: NDArray[np.floating]) -> list[Values]:
    return list(np.asarray(matrix, np.float32).astype(np.float64).T)


def _above(values: Values, limit: float) -> Scores:
    """How true "values > limit" is."""
    if limit == 0:
        return (values > 0).astype(np.float64)
    # Each side has a formula of its own; the other one's divisions are kept harmless.
    over = 1 - limit / (2 * np.maximum(values, limit))
    under = np.minimum(values / (2 * limit), _JUST_FALSE)
    return np.where(values > limit, over, under)


def _share_at_most(shares: Values, limit: float) -> Scores:
    """How true "shares <= limit" is, for numbers from 0 to 1."""
    under = 1 - shares / (2 * limit)
    over = np.minimum((1 - shares) / (2 * (1 - limit)), _JUST_FALSE)
    return np.where(shares <= limit, under, over)


def _all(*truths: Scores) -> Scores:
    return np.asarray(np.minimum.reduce(truths))


def _any(*truths: Scores) -> Scores:
    return np.asarray(np.maximum.reduce(truths))


def _either(condition: Scores, if_true: Scores, if_false: Scores) -> Scores:
    """A node of the tree: one of its two branches, whichever the condition opens."""
    return _any(_all(condition, if_true), _all(1 - condition, if_false))
