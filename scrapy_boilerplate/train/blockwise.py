"""Cross-validation over single blocks: folds, metrics and the sweep of thresholds, as in the texrex paper.

The paper shuffles the blocks of all pages into ten folds, so a block is judged by a network that has seen its
neighbours. Folds of whole documents show the accuracy on new pages.

In all metrics the positive class is boilerplate, as in the paper, with the target 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .crossvalidation import train_on_folds
from .rprop import Examples

Numbers = NDArray[np.floating]
Folds = NDArray[np.int64]
Predictor = Callable[[Numbers], Numbers]  # inputs to outputs; above the threshold is boilerplate
RowTrainer = Callable[[Examples, int], Predictor]  # gets the training rows, and the fold to make a seed of

SWEEP = np.round(np.arange(-0.1, 1.005, 0.01), 2)

_DOCUMENT_FEATURES = (4, 21, 22, 23)  # texrex's text share and document type are equal in all blocks of a document


@dataclass(frozen=True, slots=True)
class Metrics:
    """Accuracy, and precision, recall and F1 of both classes."""

    accuracy: float
    precision: float
    recall: float
    f1: float
    content_precision: float
    content_recall: float
    content_f1: float
    weighted_precision: float  # mean of both classes by their number of blocks, as Weka reports it
    weighted_recall: float
    weighted_f1: float


@dataclass(frozen=True, slots=True)
class Sweep:
    """Metrics at every threshold of SWEEP."""

    metrics: tuple[Metrics, ...]

    @property
    def balanced(self) -> tuple[float, Metrics]:
        """The threshold at which precision and recall are closest to each other and not both 0."""
        return self._least([abs(m.precision - m.recall) if m.f1 else np.inf for m in self.metrics])

    @property
    def best(self) -> tuple[float, Metrics]:
        """The lowest threshold with the highest accuracy."""
        return self._least([-metrics.accuracy for metrics in self.metrics])

    def _least(self, costs: list[float]) -> tuple[float, Metrics]:
        number = int(np.argmin(costs))
        return float(SWEEP[number]), self.metrics[number]


def measure(targets: Numbers, outputs: Numbers, threshold: float = 0.5, weights: Numbers | None = None) -> Metrics:
    """Metrics of calling blocks above the threshold boilerplate; `weights` are those of the blocks."""
    actual, predicted = targets > 0.5, outputs > threshold
    counts = np.ones(len(actual)) if weights is None else np.asarray(weights, np.float64)
    both = float(counts[actual & predicted].sum())
    neither = float(counts[~actual & ~predicted].sum())
    positive, predicted_positive, total = (float(counts[rows].sum()) for rows in (actual, predicted, slice(None)))
    boilerplate = _scores(both, predicted_positive, positive)
    content = _scores(neither, total - predicted_positive, total - positive)
    share = _ratio(positive, total)
    weighted = [share * one + (1 - share) * other for one, other in zip(boilerplate, content, strict=True)]
    return Metrics(_ratio(both + neither, total), *boilerplate, *content, *weighted)


def sweep(targets: Numbers, outputs: Numbers) -> Sweep:
    """Metrics at thresholds from -0.1 to 1 in steps of 0.01."""
    return Sweep(tuple(measure(targets, outputs, threshold) for threshold in SWEEP))


def block_folds(count: int, folds: int = 10, seed: int = 0) -> Folds:
    """Random folds of single blocks, of equal size give or take one."""
    return np.random.default_rng(seed).permutation(np.arange(count) % folds)


def group_folds(groups: NDArray[np.int64], folds: int = 10) -> Folds:
    """Folds of whole groups, documents for example: the largest first, each into the smallest fold."""
    names, numbers, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    if len(names) < folds:
        raise ValueError(f"{len(names)} groups are too few for {folds} folds")
    order = np.random.default_rng(0).permutation(len(names))
    order = order[np.argsort(-sizes[order], kind="stable")]
    fold_of = np.zeros(len(names), np.int64)
    filled = np.zeros(folds, np.int64)
    for group in order:
        fold_of[group] = filled.argmin()
        filled[fold_of[group]] += sizes[group]
    return fold_of[numbers]


def documents(inputs: Numbers) -> NDArray[np.int64]:
    """The document of each row of texrex's shuffled data, told by the features that all its blocks share."""
    _, numbers = np.unique(inputs[:, _DOCUMENT_FEATURES], axis=0, return_inverse=True)
    return numbers.reshape(-1)


def cross_validate(examples: Examples, folds: Folds, trainer: RowTrainer) -> NDArray[np.float64]:
    """An output for each row, from a model that was trained on the other folds."""

    def train(numbers: NDArray[np.intp], fold: int) -> Predictor:
        targets = examples.targets[numbers]
        if targets.min() == targets.max():
            raise ValueError(f"without fold {fold + 1} all targets are {targets[0]:g}; use fewer folds or more data")
        weights = None if examples.weights is None else examples.weights[numbers]
        return trainer(Examples(examples.inputs[numbers], targets, weights), fold)

    outputs = np.zeros(len(examples.targets))
    for fold, predict in enumerate(train_on_folds(folds, train)):
        outputs[folds == fold] = predict(examples.inputs[folds == fold])
    return outputs


def _scores(hits: float, predicted: float, actual: float) -> tuple[float, float, float]:
    """Precision, recall, F1."""
    return _ratio(hits, predicted), _ratio(hits, actual), _ratio(2 * hits, predicted + actual)


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
