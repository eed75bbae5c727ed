"""The project's own network: a perceptron over each block that also sees the blocks around it.

A first layer turns a block's features, and those of its page, into `hidden` numbers; a second one boils these down to a
`summary`, of which the last number is a first guess: how much the block looks like content so far. What surrounds the
block is the mean of the summaries of its neighbours, of the elements around it, of the blocks that are marked alike, of
the page, and of its content by the first guess; and how much content, by that guess, stands before the block and
behind it, which tells where an article ends. A last layer puts the block and its surroundings together. A text that
the page holds twice then is content once: its other blocks have a score of 0.
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
from .repeats import repeats
from .selection import expected_f1
from .weights_file import load_weights, save_weights

KIND = "perceptron"
WEIGHTS = Path(__file__).parent / "weights"

Array = NDArray[np.float32]

WINDOW = 5  # blocks before and after that count as near
SHIFTS = (-1, 1, -2, 2)  # neighbours whose summaries are looked at one by one
CLIP = 4.0  # standard deviations; nothing in training was much further out
CONTEXTS = len(SHIFTS) + 1 + len(LEVELS) + 4  # near, elements, two groups, page, content
STRETCHES = (4, 12)  # blocks before and, apart from them, behind whose share of content is looked at
AMOUNTS = 5 + 2 * len(STRETCHES)
_SMALL = 1e-6
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
# For each weight how much the training pages depend on it, from 0 to 1: what a training that goes on may not forget.
_IMPORTANCE = {f"{name}_importance": name for name in _ARRAYS if name not in ("mean", "scale")}


class Perceptron(Model):
    """Weights from a file, and the arithmetic that turns a feature matrix into scores."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], card: Mapping[str, Any]) -> None:
        self.card = dict(card)  # how the weights were made, and how good they are
        self.feature_names = tuple(card["feature_names"])
        check_feature_names(self.feature_names)
        if self.feature_names[: len(SURROUNDINGS)] != SURROUNDINGS:
            raise ValueError("made for the features of another version: train it again")
        self.threshold = float(card["threshold"])
        self._least_expected = float(card["least_expected_f1"])
        self.calibration = calibration(card)
        self._page_features = int(card["page_features"])  # how many features, the last ones, are of the whole page
        self.weights = {name: np.asarray(arrays[name], np.float32) for name in _ARRAYS}
        self.importance = {name: np.asarray(array, np.float32) for name, array in arrays.items() if name in _IMPORTANCE}
        # The network knows its inputs in standard deviations from their means: that is made part of the first layer.
        mean, scale, first = (self.weights[name] for name in ("mean", "scale", "hidden"))
        self._bounds = mean - CLIP / scale, mean + CLIP / scale
        self._first = first * scale[:, None]
        self._first_bias = self.weights["hidden_bias"] - mean @ self._first

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
        arrays: dict[str, NDArray[Any]] = {name: array.astype(np.float16) for name, array in self.weights.items()}
        # Half precision has no room for what is very small or large: these two are few, and stay as they are.
        arrays |= {name: self.weights[name] for name in ("mean", "scale")}
        arrays |= {name: array.astype(np.float16) for name, array in self.importance.items()}
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
        weights = self.weights
        matrix = np.asarray(matrix, np.float32)
        inputs = matrix[:, len(SURROUNDINGS) :]
        own = inputs.shape[1] - self._page_features
        low, high = self._bounds
        hidden = matmul(_clipped(inputs[:, :own], low[:own], high[:own]), self._first[:own])
        hidden += _clipped(inputs[0, own:], low[own:], high[own:]) @ self._first[own:] + self._first_bias
        np.maximum(hidden, 0, out=hidden)
        summary = np.maximum(matmul(hidden, weights["summary"]) + weights["summary_bias"], 0)
        guess = _sigmoid(summary @ weights["content"] + weights["content_bias"])
        around, page = surroundings(np.column_stack((summary, guess)), matrix[:, : len(SURROUNDINGS)])
        block = np.hstack((hidden, *around))
        joint = matmul(block, weights["joint"][: block.shape[1]])
        joint += page @ weights["joint"][block.shape[1] :] + weights["joint_bias"]
        np.maximum(joint, 0, out=joint)
        raw = _sigmoid(joint @ weights["output"] + weights["output_bias"])
        scores: Scores = np.minimum(raw.astype(np.float64), _HIGHEST)
        scores[_repeats(scores, matrix[:, : len(SURROUNDINGS)])] = 0
        return scores

    def choose_threshold(self, scores: Scores, words: NDArray[np.floating]) -> float:
        """The cut with the best F1 to expect, or 1, which keeps nothing, where even that is too low."""
        if not len(scores):
            return self.threshold
        cut, expected = expected_f1(scores, words)
        return cut if expected >= self._least_expected else 1.0


def surroundings(summary: Array, places: Array) -> tuple[list[Array], Array]:
    """What is around each block: four neighbours' summaries, weighted means of summaries, and amounts of content.

    Behind them what is the same for all blocks: the means over the page and over its content by the first guess.
    `places` has the columns of `SURROUNDINGS`.
    """
    count, width = summary.shape
    *edges, group, path, _ = places[:, :-1].T.astype(np.int64)
    weights, guess = places[:, -1:], summary[:, -1]
    weighted = np.hstack((summary * weights, weights))
    # In double precision: differences of sums over the whole page must not suffer from what stands before.
    sums = np.zeros((count + 1, width + 1))
    np.cumsum(weighted, axis=0, out=sums[1:])
    numbers = np.arange(count)

    around = _shifted(summary)
    firsts = np.stack((np.maximum(numbers - WINDOW, 0), *edges[::2]))
    lasts = np.stack((np.minimum(numbers + WINDOW + 1, count), *edges[1::2]))
    around += list(_mean(_between(sums, firsts, lasts)))
    groups = np.concatenate((group, path + (group.max() + 1)))
    means = _mean(_sums_by_group(weighted, groups)).take(groups, axis=0)
    around += [means[:count], means[count:]]
    around.append(_amounts(guess, weights[:, 0], sums[:, -2:]))
    return around, _mean(np.stack((sums[-1], guess @ weighted))).ravel()


def _repeats(scores: Scores, places: Array) -> NDArray[np.int64]:
    near_first, near_last, wider_first, wider_last, *_, texts = places[:, :-1].T.astype(np.int64)
    sizes = places[:, -1] ** 2 - 1  # a weight is the root of a block's size and one more
    return repeats(scores, texts, sizes, (near_first, near_last), (wider_first, wider_last))


def _amounts(guess: Array, weights: Array, sums: NDArray[np.float64]) -> Array:
    """How much content, by the first guess, stands before a block and behind it, and how dense it is nearby.

    `sums` are those of the weighted guesses and of the weights over all blocks before each place.
    """
    count = len(guess)
    content = np.zeros(count + 1)
    np.cumsum(guess * weights**2, out=content[1:])
    total = max(content[-1], _SMALL)
    before, behind = content[:-1], content[-1] - content[1:]
    rows = [before / total, behind / total, np.log1p(before) / 4, np.log1p(behind) / 4]
    rows.append(np.full(count, np.log1p(total) / 4))
    numbers, lengths = np.arange(count), np.array(STRETCHES)[:, None]
    here = np.broadcast_to(numbers, (len(STRETCHES), count))
    firsts = np.concatenate((np.maximum(here - lengths, 0), here + 1))
    lasts = np.concatenate((here, np.minimum(here + 1 + lengths, count)))
    part = _between(sums, firsts, lasts)
    rows += list(part[..., 0] / np.maximum(part[..., 1], _SMALL))
    return np.array(rows, np.float32).T


def _between(sums: NDArray[np.float64], firsts: NDArray[np.int64], lasts: NDArray[np.int64]) -> NDArray[np.float64]:
    """What stands from each of the first places up to the last one."""
    return sums.take(lasts, axis=0) - sums.take(firsts, axis=0)


def _mean(sums: NDArray[np.floating]) -> Array:
    """Sums of weighted summaries, the last column being the sum of the weights, to means."""
    sums = sums.astype(np.float32)
    mean: Array = sums[..., :-1] / np.maximum(sums[..., -1:], _SMALL)
    return mean


def _sums_by_group(rows: Array, groups: NDArray[np.int64]) -> Array:
    """The sum of the rows of each group. Groups are numbered without a gap; there may be several for each row."""
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups.take(order), prepend=-1))
    sums: Array = np.add.reduceat(rows.take(order % len(rows), axis=0), starts, axis=0)
    return sums


def _shifted(rows: Array) -> list[Array]:
    """For each of the SHIFTS every row replaced by the one so much further on; zeros beyond the ends."""
    count, margin = len(rows), max(map(abs, SHIFTS))
    padded = np.zeros((count + 2 * margin, rows.shape[1]), np.float32)
    padded[margin : margin + count] = rows
    return [padded[margin + shift : margin + shift + count] for shift in SHIFTS]


def _clipped(inputs: Array, low: Array, high: Array) -> Array:
    # In two steps, feature by feature as they lie in memory, it takes a third of the time of numpy.clip.
    clipped: Array = np.maximum(inputs, low)
    return np.minimum(clipped, high, out=clipped)


def _sigmoid(values: Array) -> Array:
    # Unlike 1 / (1 + exp(-x)) it never overflows.
    return np.asarray((1 + np.tanh(values / 2)) / 2, np.float32)
