"""Linear-chain conditional random fields: how likely each label is at each place, and the likeliest labels of all.

`states` has a row of scores for each place, a score for each label; `transitions` one for each pair of labels that
follow each other, the first one's row.
"""

from __future__ import annotations

from math import isqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_LOWEST = -150.0  # below the highest of its kind, a weight counts as this: e^-150 is nothing, but not 0
_SMALLEST = 600.0  # a product may sink to e^-600 before it is scaled; at e^-745 it would be 0


def marginals(states: NDArray[np.floating], transitions: NDArray[np.floating]) -> Array:
    """The probability of each label at each place, by the forward-backward algorithm."""
    if not len(states):
        return np.zeros(states.shape)
    # A row for each label from here on: numpy is much faster along long rows.
    potentials, steps = _exp(np.ascontiguousarray(states.T), axis=0), _exp(transitions, axis=None)
    # Backwards is forwards on the page read from its end, with the transitions turned round: both run side by side.
    both = np.stack((potentials, potentials[:, ::-1]))
    forward, backward = _forward(both, np.stack((steps.T, steps)))
    behind = np.ones_like(forward)
    behind[:, :-1] = steps @ backward[:, ::-1][:, 1:]
    products = _scaled(forward) * _scaled(behind)
    probabilities: Array = (products / products.sum(axis=0)).T
    return probabilities


def viterbi(states: NDArray[np.floating], transitions: NDArray[np.floating]) -> NDArray[np.int64]:
    """The label of each place in the likeliest of all sequences of labels."""
    count = len(states)
    labels = np.zeros(count, np.int64)
    if not count:
        return labels
    best = np.asarray(states[0], np.float64)
    before = np.zeros(states.shape, np.int64)  # for each label the one before it on the best way there
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
    """e^score, the highest one being 1."""
    lowered = np.asarray(scores, np.float64) - scores.max(axis=axis, keepdims=True)
    return np.asarray(np.exp(np.maximum(lowered, _LOWEST)))


def _scaled(weights: Array) -> Array:
    """The weights with 1 as the highest of each place."""
    return np.asarray(weights / weights.max(axis=0))


def _forward(potentials: Array, steps: Array) -> Array:
    """For each chain, label and place the weight of all ways there, each place on a scale of its own.

    A place is a step from the one before, which would take a Python loop over all places. So the chains are cut into
    parts of equal length, and all parts go forward side by side: first from every label that a part might begin with,
    then, since this tells with what each part does begin, from there.
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
    """The weights of all ways to the place before each part, `first` being that of the first part."""
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
    """As many places as there are parts, unless the weights could sink too low on the way."""
    deepest = -float(np.log(steps.min()))
    return max(min(isqrt(steps_to_go), int(_SMALLEST / max(deepest, 1.0))), 1)
