"""Linear-chain conditional random fields: the probability of each label at each place, and the likeliest sequence.

`states` has a row for each place with a score for each label. `transitions` has a row for each label with a score for
each label that follows it.
"""

from __future__ import annotations

from math import isqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_LOWEST = -150.0  # lower scores, relative to the highest, count as this one: e^-150 is nearly 0, but not 0
_SMALLEST = 600.0  # products are scaled before they get below e^-600; below e^-745 they would be 0


def marginals(states: NDArray[np.floating], transitions: NDArray[np.floating]) -> Array:
    """The probability of each label at each place, by the forward-backward algorithm."""
    if not len(states):
        return np.zeros(states.shape)
    # From here on a row for each label, because numpy is much faster along long rows.
    potentials, steps = _exp(np.ascontiguousarray(states.T), axis=0), _exp(transitions, axis=None)
    # The backward pass is a forward pass on the reversed page with transposed transitions; both run side by side.
    both = np.stack((potentials, potentials[:, ::-1]))
    forward, backward = _forward(both, np.stack((steps.T, steps)))
    behind = np.ones_like(forward)
    behind[:, :-1] = steps @ backward[:, ::-1][:, 1:]
    products = _scaled(forward) * _scaled(behind)
    probabilities: Array = (products / products.sum(axis=0)).T
    return probabilities


def viterbi(states: NDArray[np.floating], transitions: NDArray[np.floating]) -> NDArray[np.int64]:
    """The labels of the likeliest sequence, by the Viterbi algorithm."""
    count = len(states)
    labels = np.zeros(count, np.int64)
    if not count:
        return labels
    best = np.asarray(states[0], np.float64)
    before = np.zeros(states.shape, np.int64)  # for each label, the previous label on the best path to it
    numbers = np.arange(states.shape[1])
    for place in range(1, count):
        ways = best[:, None] + transitions
        before[place] = ways.argmax(axis=0)
        best = ways[before[place], numbers] + states[place]
    labels[-1] = best.argmax()
    for place in range(count - 1, 0, -1):
        labels[place - 1] = before[place, labels[place]]
    return labels


def _exp(scores: NDArray[np.floating], axis: int | None) -> Array:
    """e^score, scaled so that the highest one is 1."""
    lowered = np.asarray(scores, np.float64) - scores.max(axis=axis, keepdims=True)
    return np.asarray(np.exp(np.maximum(lowered, _LOWEST)))


def _scaled(weights: Array) -> Array:
    """The weights, scaled so that the highest one of each place is 1."""
    return np.asarray(weights / weights.max(axis=0))


def _forward(potentials: Array, steps: Array) -> Array:
    """For each chain, label and place the weight of all paths to it, each place on a scale of its own.

    Each place depends on the one before, so the plain algorithm is a Python loop over all places. Here the chains are
    cut into parts of equal length, which run side by side, in two passes: the first one starts from every label that a
    part may begin with, which gives the weights that each part does begin with; the second one starts from these.
    """
    chains, labels, places = potentials.shape
    length = _part_length(places - 1, steps)
    parts = -(-(places - 1) // length)
    padded = np.ones((chains, labels, parts * length))
    padded[:, :, : places - 1] = potentials[:, :, 1:]
    rows = np.ascontiguousarray(np.moveaxis(padded.reshape(chains, labels, parts, length), 3, 0))
    result = np.empty_like(rows)
    weights = _begins(rows, steps, potentials[:, :, :1])
    for row, place in zip(rows, result, strict=True):
        weights = np.multiply(steps @ weights, row, out=place)
    joined = np.moveaxis(result, 0, 3).reshape(chains, labels, -1)[:, :, : places - 1]
    return np.concatenate((potentials[:, :, :1], joined), axis=2)


def _begins(rows: Array, steps: Array, first: Array) -> Array:
    """The weights of all paths to the place before each part; `first` has those of the first part."""
    _, chains, labels, parts = rows.shape
    # From each label before a part (the third axis) to each label at its last place so far (the second).
    through = np.zeros((chains, labels, labels, parts))
    through[:, range(labels), range(labels)] = 1
    for row in rows:
        through = (steps @ through.reshape(chains, labels, -1)).reshape(through.shape)
        through *= row[:, :, None]
    begins, ones = [first], np.ones((1, labels))
    for part in np.ascontiguousarray(np.moveaxis(through, 3, 0))[:-1]:
        ends = part @ begins[-1]
        ends /= ones @ ends  # their sum
        begins.append(ends)
    return np.concatenate(begins, axis=2)


def _part_length(steps_to_go: int, steps: Array) -> int:
    """The length of the parts: as many places as there are parts, unless weights could become 0 in so many steps."""
    deepest = -float(np.log(steps.min()))
    return max(min(isqrt(steps_to_go), int(_SMALLEST / max(deepest, 1.0))), 1)
