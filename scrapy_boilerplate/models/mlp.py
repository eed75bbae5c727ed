"""The project's own network: a perceptron over each block that also sees the blocks around it.

The first layer turns the features of a block and of its page into `hidden` numbers. A second layer reduces these to a
`summary`, whose last number is a first guess: the probability so far that the block is content. The surroundings of a
block are means of summaries: of its neighbours, of the elements around it, of the blocks with equal markup, of the
whole page, and of the page's content by the first guess; and the amount of content, by that guess, before and after
the block, which tells where an article begins and ends. The last layers join the block and its surroundings.

Two rules follow. Of a text that the page holds twice, one block keeps its score and the others get 0. All lines of a
listing get the same score.

A model may be a committee of such networks, which differ only in their random start: the score is the mean of theirs.
The shipped models have one member, which was trained on the scores of committees. Arrays have the members first, then
the blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..features import Features, check_feature_names
from ..features.compiled import facts_of
from ..features.surroundings import LEVELS, Surroundings
from .arithmetic import matmul
from .base import Scores
from .compiled import network_of
from .importance import Importance, importance_path, save_importance
from .listings import whole_listings
from .repeats import said_once
from .selection import expected_f1
from .trained import Trained
from .weights_file import Arrays

if TYPE_CHECKING:
    from .._core.shim import Network

Array = NDArray[np.float32]

WINDOW = 5  # blocks before and after that count as near
SHIFTS = (-1, 1, -2, 2)  # neighbours whose summaries are looked at one by one
CLIP = 4.0  # standard deviations; nothing in training was much further out
CONTEXTS = len(SHIFTS) + 1 + len(LEVELS) + 4  # near, elements, two groups, page, content
STRETCHES = (4, 12)  # the share of content is taken over so many blocks before, and over as many after
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


class Perceptron(Trained):
    """A committee of networks.

    Its card says how many of the features, the last ones, are of the whole page (`page_features`), and from which
    expected F1 on anything of a page is kept (`least_expected_f1`).
    """

    kind = "perceptron"
    leaves_no_holes = True
    drops_repeats = True

    def __init__(
        self,
        arrays: Mapping[str, NDArray[Any]],
        feature_names: Sequence[str],
        card: Mapping[str, Any],
        threshold: float = 0.5,
        importance: Importance | None = None,
    ) -> None:
        super().__init__(feature_names, threshold, card)
        check_feature_names(self.feature_names)
        if np.ndim(arrays["hidden"]) != 3:
            raise ValueError("made for another version: train it again")
        self.importance = importance  # only known while a network is trained; it is saved in a file of its own
        self._least_expected = float(card["least_expected_f1"])
        self._page_features = int(card["page_features"])
        self.weights = {name: np.asarray(arrays[name], np.float32) for name in _ARRAYS}
        # Inputs are standardised; that is made part of the first layer.
        mean, scale, first = (self.weights[name] for name in ("mean", "scale", "hidden"))
        self._bounds = mean - CLIP / scale, mean + CLIP / scale
        self._first = first * scale[:, None]
        self._first_bias = self.weights["hidden_bias"] - (mean @ self._first)[:, None]

    @classmethod
    def _of(cls, arrays: Arrays, metadata: Mapping[str, Any]) -> Perceptron:
        return cls(arrays, metadata["feature_names"], metadata["card"], metadata["threshold"])

    def arrays(self) -> Arrays:
        arrays: Arrays = {name: array.astype(np.float16) for name, array in self.weights.items()}
        # Half precision has no room for very small and very large numbers. These two arrays have some, and are small.
        return arrays | {name: self.weights[name] for name in ("mean", "scale")}

    def save(self, path: str | PathLike[str]) -> str:
        """Write the weights in half precision with their card, and beside them their importance, if it is known."""
        digest = super().save(path)
        if self.importance is not None:
            save_importance(importance_path(Path(path)), self.importance, self)
        return digest

    def score(self, features: Features) -> Scores:
        walked = features.walked
        if walked is not None and self._compiled is not None:
            if not len(walked):
                return np.zeros(0)
            scores, sizes, _ = walked.score(self._compiled, *facts_of(features.head))
            features.sizes = np.frombuffer(sizes)
            return np.frombuffer(scores)
        if not features.page.texts:
            return np.zeros(0)
        return self.predict(features.matrix(self.feature_names), features.surroundings)

    def sizes(self, features: Features) -> NDArray[np.floating]:
        return features.sizes  # Chinese has few words but many characters

    @cached_property
    def _compiled(self) -> Network | None:
        return network_of(self)

    @property
    def page_features(self) -> int:
        """How many of the features, the last ones, are of the whole page."""
        return self._page_features

    @property
    def first_layer(self) -> tuple[Array, Array, Array, Array]:
        """The bounds of the inputs, and the weights and biases of the first layer with the standardisation in them."""
        return *self._bounds, self._first, self._first_bias

    def predict(self, matrix: NDArray[np.floating], surroundings: Surroundings | None = None) -> Scores:
        if not len(matrix):
            return np.zeros(0)
        if surroundings is None:
            raise ValueError("a perceptron needs the surroundings of the blocks, too")
        hidden = self._hidden(np.asarray(matrix, np.float32))
        summary = np.maximum(self._layer("summary", hidden), 0)
        guess = sigmoid(self._layer("content", summary))
        around, page = look_around(np.concatenate((summary, guess), axis=2), surroundings)
        block = np.concatenate((hidden, *around), axis=2)
        joint = self._layer("joint", block, page)
        np.maximum(joint, 0, out=joint)
        raw = sigmoid(self._layer("output", joint))[..., 0].mean(0)
        scores: Scores = np.minimum(raw.astype(np.float64), _HIGHEST)
        scores = whole_listings(scores, surroundings.listings, surroundings.weights)
        return said_once(scores, surroundings)

    def _hidden(self, inputs: Array) -> Array:
        """The first layer; features of the whole page are multiplied once."""
        own = inputs.shape[1] - self._page_features
        low, high = self._bounds
        page = _clipped(inputs[:1, own:], low[own:], high[own:]) @ self._first[:, own:]
        blocks = np.ascontiguousarray(_clipped(inputs[:, :own], low[:own], high[:own]))
        hidden = np.stack([matmul(blocks, weights) for weights in self._first[:, :own]])
        hidden += page + self._first_bias
        return np.maximum(hidden, 0, out=hidden)

    def _layer(self, name: str, rows: Array, page: Array | None = None) -> Array:
        """The outputs of a layer for the rows of each member; `page` has inputs that are equal in all rows."""
        weights, bias = self.weights[name], self.weights[f"{name}_bias"]
        if page is not None:
            bias = bias + page @ weights[:, rows.shape[2] :]
        return np.stack([matmul(*member) for member in zip(rows, weights[:, : rows.shape[2]], strict=True)]) + bias

    def choose_threshold(self, scores: Scores, words: NDArray[np.floating]) -> float:
        """The cut with the best F1 to expect; 1, which keeps nothing, if even that F1 is too low."""
        if not len(scores):
            return self.threshold
        cut, expected = expected_f1(scores, words)
        return cut if expected >= self._least_expected else 1.0


def look_around(summary: Array, surroundings: Surroundings) -> tuple[list[Array], Array]:
    """The inputs from around each block: its neighbours' summaries, means of summaries, and amounts of content.

    The second value has the inputs that all blocks share: the means over the page and over its content by the first
    guess, which is the last number of each summary.
    """
    members, count, width = summary.shape
    weights, guess = surroundings.weights[:, None], summary[..., -1]
    weighted = np.concatenate((summary * weights, np.broadcast_to(weights, (members, count, 1))), axis=2)
    # In double precision, so that differences of these sums are exact enough at the end of a long page, too.
    sums = np.zeros((members, count + 1, width + 1))
    np.cumsum(weighted, axis=1, out=sums[:, 1:])
    numbers = np.arange(count)

    around = _shifted(summary)
    firsts = np.stack((np.maximum(numbers - WINDOW, 0), *surroundings.firsts))
    lasts = np.stack((np.minimum(numbers + WINDOW + 1, count), *surroundings.lasts))
    around += list(_mean(_between(sums, firsts, lasts)).swapaxes(0, 1))
    groups = np.concatenate((surroundings.groups, surroundings.paths + (surroundings.groups.max() + 1)))
    means = _mean(sums_by_group(weighted, groups)).take(groups, axis=1)
    around += [means[:, :count], means[:, count:]]
    around.append(_amounts(guess, weights[:, 0], sums[..., -2:]))
    page = _mean(np.stack((sums[:, -1:], guess[:, None] @ weighted), axis=2))
    return around, page.reshape(members, 1, -1)


def _amounts(guess: Array, weights: Array, sums: NDArray[np.float64]) -> Array:
    """The amount of content, by the first guess, before and after a block, and its share nearby.

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
    """The sums over half-open ranges of blocks, from differences of cumulative sums."""
    return sums.take(lasts, axis=1) - sums.take(firsts, axis=1)


def _mean(sums: NDArray[np.floating]) -> Array:
    """Weighted means from weighted sums, whose last column is the sum of the weights."""
    sums = sums.astype(np.float32)
    mean: Array = sums[..., :-1] / np.maximum(sums[..., -1:], _SMALL)
    return mean


def sums_by_group(rows: Array, groups: NDArray[np.int64]) -> Array:
    """The sum of the rows of each group. Groups are numbered without a gap; a row may be in several groups."""
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups.take(order), prepend=-1))
    sums: Array = np.add.reduceat(rows.take(order % rows.shape[1], axis=1), starts, axis=1)
    return sums


def _shifted(rows: Array) -> list[Array]:
    """For each of the SHIFTS, the rows moved by so many places; zeros beyond the ends."""
    members, count, width = rows.shape
    margin = max(map(abs, SHIFTS))
    padded = np.zeros((members, count + 2 * margin, width), np.float32)
    padded[:, margin : margin + count] = rows
    return [padded[:, margin + shift : margin + shift + count] for shift in SHIFTS]


def _clipped(inputs: Array, low: Array, high: Array) -> Array:
    # Two steps in the order of memory take a third of the time of numpy.clip.
    clipped: Array = np.maximum(inputs, low)
    return np.minimum(clipped, high, out=clipped)


def sigmoid(values: Array) -> Array:
    # Unlike 1 / (1 + exp(-x)) it never overflows.
    return np.asarray((1 + np.tanh(values / 2)) / 2, np.float32)
