"""The threshold that a page's own scores suggest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import _core

_LEAST_SIZE = 0.3  # words


def expected_f1(scores: NDArray[np.floating], words: NDArray[np.floating]) -> tuple[float, float]:
    """The cut with the best expected F1 of words, and that F1; scores are taken as probabilities.

    For the blocks by falling score, it is 2 x sum of score x words / (words so far + that sum over the whole page).
    """
    if not len(scores):
        return 1.0, 0.0
    if _core.is_ready():
        return _core.shim.expected_f1(*(np.asarray(array, np.float64).tobytes() for array in (scores, words)))
    order = np.argsort(-scores, kind="stable")
    falling = scores[order]
    # A block without a word should not matter, but the sums must not be 0.
    sizes = np.maximum(words[order], _LEAST_SIZE)
    found = np.cumsum(falling * sizes)
    expected = 2 * found / (np.cumsum(sizes) + found[-1])
    # Blocks of equal score are kept or dropped together, so only the last of them may be the last to keep.
    expected[:-1][falling[:-1] == falling[1:]] = -1
    best = int(expected.argmax())
    return float(falling[best]), float(expected[best])


def expected_f1_threshold(scores: NDArray[np.floating], words: NDArray[np.floating], default: float) -> float:
    """The cut with the best expected F1; the default for a page without words or with no score above 0."""
    return expected_f1(scores, words)[0] if (scores * words).any() else default
