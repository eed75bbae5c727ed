"""The project's own network: a perceptron over each block that also sees the blocks around it.

A first layer turns a block's features, and those of its page, into `hidden` numbers; a second one boils these down to a
`summary`, of which the last number is a first guess: how much the block looks like content so far. What surrounds the
block is the mean of the summaries of its neighbours, of the elements around it, of the blocks that are marked alike, of
the page, and of its content by the first guess; and how much content, by that guess, stands before the block and
behind it, which tells where an article ends. A last layer puts the block and its surroundings together. A text that
the page holds twice then is content once: its other blocks have a score of 0. The lines of a listing have one score.

There are several such networks, the members of a committee, which differ in nothing but what they started from. Each is
small, and makes mistakes of its own; the score is the mean of theirs. Arrays have the members first, then the blocks.
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
from .listings import whole_listings
from .repeats import said_once
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
_LISTING = SURROUNDINGS.index("listing_number")
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
        if self.feature_names[: len(SURROUNDINGS)] != SURROUNDINGS or np.ndim(arrays["hidden"]) != 3:
            raise ValueError("made for another version: train it again")
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
        self._first_bias = self.weights["hidden_bias"] - (mean @ self._first)[:, None]

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
        matrix = np.asarray(matrix, np.float32)
        places = matrix[:, : len(SURROUNDINGS)]
        hidden = self._hidden(matrix[:, len(SURROUNDINGS) :])
        summary = np.maximum(self._layer("summary", hidden), 0)
        guess = _sigmoid(self._layer("content", summary))
        around, page = surroundings(np.concatenate((summary, guess), axis=2), places)
        block = np.concatenate((hidden, *around), axis=2)
        joint = self._layer("joint", block, page)
        np.maximum(joint, 0, out=joint)
        raw = _sigmoid(self._layer("output", joint))[..., 0].mean(0)
        scores: Scores = np.minimum(raw.astype(np.float64), _HIGHEST)
        scores = whole_listings(scores, places[:, _LISTING].astype(np.int64), places[:, -1])
        return _said_once(scores, places)

    def _hidden(self, inputs: Array) -> Array:
        """The first layer. What is of the whole page is looked at once."""
        own = inputs.shape[1] - self._page_features
        low, high = self._bounds
        page = _clipped(inputs[:1, own:], low[own:], high[own:]) @ self._first[:, own:]
        blocks = np.ascontiguousarray(_clipped(inputs[:, :own], low[:own], high[:own]))
        hidden = np.stack([matmul(blocks, weights) for weights in self._first[:, :own]])
        hidden += page + self._first_bias
        return np.maximum(hidden, 0, out=hidden)

    def _layer(self, name: str, rows: Array, page: Array | None = None) -> Array:
        """What each member makes of its rows, and of what is the same for all of them."""
        weights, bias = self.weights[name], self.weights[f"{name}_bias"]
        if page is not None:
            bias = bias + page @ weights[:, rows.shape[2] :]
        return np.stack([matmul(*member) for member in zip(rows, weights[:, : rows.shape[2]], strict=True)]) + bias

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
    members, count, width = summary.shape
    *edges, group, path, _, _ = places[:, :-1].T.astype(np.int64)
    weights, guess = places[:, -1:], summary[..., -1]
    weighted = np.concatenate((summary * weights, np.broadcast_to(weights, (members, count, 1))), axis=2)
    # In double precision: differences of sums over the whole page must not suffer from what stands before.
    sums = np.zeros((members, count + 1, width + 1))
    np.cumsum(weighted, axis=1, out=sums[:, 1:])
    numbers = np.arange(count)

    around = _shifted(summary)
    firsts = np.stack((np.maximum(numbers - WINDOW, 0), *edges[::2]))
    lasts = np.stack((np.minimum(numbers + WINDOW + 1, count), *edges[1::2]))
    around += list(_mean(_between(sums, firsts, lasts)).swapaxes(0, 1))
    groups = np.concatenate((group, path + (group.max() + 1)))
    means = _mean(_sums_by_group(weighted, groups)).take(groups, axis=1)
    around += [means[:, :count], means[:, count:]]
    around.append(_amounts(guess, weights[:, 0], sums[..., -2:]))
    page = _mean(np.stack((sums[:, -1:], guess[:, None] @ weighted), axis=2))
    return around, page.reshape(members, 1, -1)


def _said_once(scores: Scores, places: Array) -> Scores:
    near_first, near_last, wider_first, wider_last, *_, listings, texts = places[:, :-1].T.astype(np.int64)
    sizes = places[:, -1] ** 2 - 1  # a weight is the root of a block's size and one more
    return said_once(scores, texts, sizes, (near_first, near_last), (wider_first, wider_last), listings)


def _amounts(guess: Array, weights: Array, sums: NDArray[np.float64]) -> Array:
    """How much content, by the first guess, stands before a block and behind it, and how dense it is nearby.

    `sums` are those of the weighted guesses and of the weights over all blocks before each place.
    """
    members, count = guess.shape
    content = np.zeros((members, count + 1))
    np.cumsum(guess * weights**2, axis=1, out=content[:, 1:])
    total = np.maximum(content[:, -1:], _SMALL)
    before, behind = content[:, :-1], content[:, -1:] - content[:, 1:]
    rows = [before / total, behind / total, np.log1p(before) / 4, np.log1p(behind) / 4]
    rows.append(np.broadcast_to(np.log1p(total) / 4, guess.shape))
    numbers, lengths = np.arange(count), np.array(STRETCHES)[:, None]
    here = np.broadcast_to(numbers, (len(STRETCHES), count))
    firsts = np.concatenate((np.maximum(here - lengths, 0), here + 1))
    lasts = np.concatenate((here, np.minimum(here + 1 + lengths, count)))
    part = _between(sums, firsts, lasts)
    rows += list((part[..., 0] / np.maximum(part[..., 1], _SMALL)).swapaxes(0, 1))
    return np.stack(rows, axis=2, dtype=np.float32, casting="same_kind")


def _between(sums: NDArray[np.float64], firsts: NDArray[np.int64], lasts: NDArray[np.int64]) -> NDArray[np.float64]:
    """What stands from each of the first places up to the last one."""
    return sums.take(lasts, axis=1) - sums.take(firsts, axis=1)


def _mean(sums: NDArray[np.floating]) -> Array:
    """Sums of weighted summaries, the last column being the sum of the weights, to means."""
    sums = sums.astype(np.float32)
    mean: Array = sums[..., :-1] / np.maximum(sums[..., -1:], _SMALL)
    return mean


def _sums_by_group(rows: Array, groups: NDArray[np.int64]) -> Array:
    """The sum of the rows of each group. Groups are numbered without a gap; there may be several for each row."""
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups.take(order), prepend=-1))
    sums: Array = np.add.reduceat(rows.take(order % rows.shape[1], axis=1), starts, axis=1)
    return sums


def _shifted(rows: Array) -> list[Array]:
    """For each of the SHIFTS every row replaced by the one so much further on; zeros beyond the ends."""
    members, count, width = rows.shape
    margin = max(map(abs, SHIFTS))
    padded = np.zeros((members, count + 2 * margin, width), np.float32)
    padded[:, margin : margin + count] = rows
    return [padded[:, margin + shift : margin + shift + count] for shift in SHIFTS]


def _clipped(inputs: Array, low: Array, high: Array) -> Array:
    # In two steps, feature by feature as they lie in memory, it takes a third of the time of numpy.clip.
    clipped: Array = np.maximum(inputs, low)
    return np.minimum(clipped, high, out=clipped)


def _sigmoid(values: Array) -> Array:
    # Unlike 1 / (1 + exp(-x)) it never overflows.
    return np.asarray((1 + np.tanh(values / 2)) / 2, np.float32)
