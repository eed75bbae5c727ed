"""The project's own network: a perceptron over each block that also sees the blocks around it.

A first layer turns a block's features, and those of its page, into `hidden` numbers; a second one boils these down to a
`summary`. What surrounds the block is the mean of the summaries of its neighbours, of the elements around it, of the
blocks that are marked alike, of the page, and of the part of the page that looks like content so far. A last layer puts
the block and its surroundings together.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..features import Features, check_feature_names
from ..features.surroundings import LEVELS, SURROUNDINGS
from .arithmetic import matmul
from .base import Model, Scores, calibration
from .selection import expected_f1
from .weights_file import load_weights, save_weights

KIND = "perceptron"
WEIGHTS = Path(__file__).parent / "weights"

Array = NDArray[np.float32]

WINDOW = 5  # blocks before and after that count as near
SHIFTS = (-1, 1, -2, 2)  # neighbours whose summaries are looked at one by one
CLIP = 4.0  # standard deviations; nothing in training was much further out
CONTEXTS = len(SHIFTS) + 1 + len(LEVELS) + 4  # near, elements, two groups, page, content
_HIGHEST = 0.9999  # so that a threshold of 1 keeps nothing
_ARRAYS = (
    "mean",
    "scale",
    "hidden",
    "hidden_bias",
    "summary",
    "summary_bias",
    "content",
    "content_bias",
    "joint",
    "joint_bias",
    "output",
    "output_bias",
)


class Perceptron(Model):
    """Weights from a file, and the arithmetic that turns a feature matrix into scores."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], card: Mapping[str, Any]) -> None:
        self.card = dict(card)  # how the weights were made, and how good they are
        self.feature_names = tuple(card["feature_names"])
        check_feature_names(self.feature_names)
        self.threshold = float(card["threshold"])
        self._least_expected = float(card["least_expected_f1"])
        self.calibration = calibration(card)
        self._page_features = int(card["page_features"])  # how many features, the last ones, are of the whole page
        self._weights = {name: np.asarray(arrays[name], np.float32) for name in _ARRAYS}

    @classmethod
    def load(cls, path: Path | str) -> Perceptron:
        """Read a weights file; ValueError if it is damaged, of another version or for other features."""
        arrays, metadata = load_weights(path, KIND)
        card = {**metadata["card"], "feature_names": metadata["feature_names"], "threshold": metadata["threshold"]}
        try:
            return cls(arrays, card)
        except (KeyError, ValueError) as error:
            raise ValueError(f"can't use weights from {path}: {error}") from None

    def save(self, path: Path | str) -> None:
        """Write the weights in half precision, with their card."""
        arrays: dict[str, NDArray[Any]] = {name: array.astype(np.float16) for name, array in self._weights.items()}
        # Half precision has no room for what is very small or large: these two are few, and stay as they are.
        arrays |= {name: self._weights[name] for name in ("mean", "scale")}
        card = {name: value for name, value in self.card.items() if name not in ("feature_names", "threshold")}
        metadata = {"kind": KIND, "feature_names": self.feature_names, "threshold": self.threshold, "card": card}
        save_weights(path, arrays, metadata)

    def score(self, features: Features) -> Scores:
        return super().score(features) if features.page.texts else np.zeros(0)

    def sizes(self, features: Features) -> NDArray[np.floating]:
        return features.wording.size  # Chinese has few words but many characters

    def predict(self, matrix: NDArray[np.floating]) -> Scores:
        if not len(matrix):
            return np.zeros(0)
        weights = self._weights
        matrix = np.asarray(matrix, np.float32)
        inputs = matrix[:, len(SURROUNDINGS) :]
        own = inputs.shape[1] - self._page_features
        page = self._standardised(inputs[:1], slice(own, None)) @ weights["hidden"][own:] + weights["hidden_bias"]
        hidden = matmul(self._standardised(inputs, slice(own)), weights["hidden"][:own])
        hidden += page
        np.maximum(hidden, 0, out=hidden)
        summary = np.maximum(matmul(hidden, weights["summary"]) + weights["summary_bias"], 0)
        content = _sigmoid(summary @ weights["content"] + weights["content_bias"])
        around, page = surroundings(summary, content, matrix[:, : len(SURROUNDINGS)])
        block = np.hstack((hidden, *around))
        joint = matmul(block, weights["joint"][: block.shape[1]])
        joint += page @ weights["joint"][block.shape[1] :] + weights["joint_bias"]
        np.maximum(joint, 0, out=joint)
        scores = _sigmoid(joint @ weights["output"] + weights["output_bias"])
        return np.minimum(scores.astype(np.float64), _HIGHEST)

    def _standardised(self, inputs: Array, columns: slice) -> Array:
        standardised: Array = inputs[:, columns] - self._weights["mean"][columns]
        standardised *= self._weights["scale"][columns]
        return np.clip(standardised, -CLIP, CLIP, out=standardised)

    def choose_threshold(self, scores: Scores, words: NDArray[np.floating]) -> float:
        """The cut with the best F1 to expect, or 1, which keeps nothing, where even that is too low."""
        if not len(scores):
            return self.threshold
        cut, expected = expected_f1(scores, words)
        return cut if expected >= self._least_expected else 1.0


def surroundings(summary: Array, content: Array, places: Array) -> tuple[list[Array], Array]:
    """What is around each block: the summaries of four neighbours, then weighted means of summaries.

    Behind them what is the same for all blocks: the means over the page and over its content so far. `content` is how
    much each block looks like content so far; `places` has the columns of `SURROUNDINGS`.
    """
    count, width = summary.shape
    *edges, group, path = places[:, :-1].T.astype(np.int64)
    weights = places[:, -1:]
    weighted = np.hstack((summary * weights, weights))
    # In double precision: differences of sums over the whole page must not suffer from what stands before.
    sums = np.zeros((count + 1, width + 1))
    np.cumsum(weighted, axis=0, out=sums[1:])
    numbers = np.arange(count)

    around = [_shifted(summary, shift) for shift in SHIFTS]
    near = (np.maximum(numbers - WINDOW, 0), np.minimum(numbers + WINDOW + 1, count))
    spans = (near, *zip(edges[::2], edges[1::2], strict=True))
    around += [_mean(sums.take(last, axis=0) - sums.take(first, axis=0)) for first, last in spans]
    around += [_mean(_sums_by_group(weighted, groups))[groups] for groups in (group, path)]
    return around, _mean(np.stack((sums[-1], content @ weighted))).ravel()


def _mean(sums: NDArray[np.floating]) -> Array:
    """Sums of weighted summaries, the last column being the sum of the weights, to means."""
    mean: Array = (sums[:, :-1] / np.maximum(sums[:, -1:], 1e-6)).astype(np.float32)
    return mean


def _sums_by_group(rows: Array, groups: NDArray[np.int64]) -> Array:
    """The sum of the rows of each group, groups being numbered without a gap."""
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    sums: Array = np.add.reduceat(rows[order], starts, axis=0)
    return sums


def _shifted(rows: Array, shift: int) -> Array:
    """Each row replaced by the one `shift` further on; zeros beyond the ends."""
    shifted = np.zeros_like(rows)
    if shift > 0:
        shifted[:-shift] = rows[shift:]
    else:
        shifted[-shift:] = rows[:shift]
    return shifted


def _sigmoid(values: Array) -> Array:
    # Unlike 1 / (1 + exp(-x)) it never overflows.
    return np.asarray((1 + np.tanh(values / 2)) / 2, np.float32)
