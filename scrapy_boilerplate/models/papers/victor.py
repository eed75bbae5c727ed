"""victor: a conditional random field over the text nodes of a page (Marek et al., 2007), trained on WCXB."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from ...features import Features
from ...features.surroundings import Surroundings
from ...page import Page
from ...segment.kinds import CONTINUATION, HEADING, LIST_ITEM, PARAGRAPH
from ...segment.text_nodes import segment_text_nodes
from ..base import Scores
from ..trained import Trained
from ..weights_file import Arrays
from .crf import Array, marginals, viterbi
from .victor_features import VictorFeatures
from .victor_values import VALUE_COUNTS

LABELS = ("header", "list", "paragraph", "continuation", "other")
OFFSETS = (-1, 0, 1)  # a label depends on the features of the block and of its two neighbours

_KINDS = (HEADING, LIST_ITEM, PARAGRAPH, CONTINUATION, "other")  # of blocks, for each of the LABELS
_HIGHEST = 0.9999  # so that a threshold of 1 keeps nothing
_ROWS_AT_ONCE = 2048
_LARGEST_GROUP = 512


class Victor(Trained):
    """A conditional random field, which turns the categories of text nodes into scores and labels.

    `states` has a weight for each offset, each value of each feature and each label; `transitions` one for each label
    and the label after it.
    """

    kind = "crf"

    def __init__(
        self,
        feature_names: Sequence[str],
        states: NDArray[np.floating],
        transitions: NDArray[np.floating],
        threshold: float,
        card: Mapping[str, Any],
    ) -> None:
        super().__init__(feature_names, threshold, card)
        unknown = [name for name in self.feature_names if name not in VictorFeatures.names]
        if unknown:
            raise ValueError(f"unknown features: {', '.join(unknown)}")
        counts = [VALUE_COUNTS[name] for name in self.feature_names]
        expected = (len(OFFSETS), sum(counts), len(LABELS))
        if states.shape != expected or transitions.shape != (len(LABELS), len(LABELS)):
            raise ValueError(f"weights of shape {states.shape} and {transitions.shape}; its features need {expected}")
        self.states, self.transitions = np.asarray(states, np.float64), np.asarray(transitions, np.float64)
        self._table, self._first_rows, self._steps = _look_up_table(np.concatenate(list(self.states), axis=1), counts)

    @classmethod
    def _of(cls, arrays: Arrays, metadata: Mapping[str, Any]) -> Victor:
        if metadata["labels"] != list(LABELS):
            raise ValueError(f"its labels are {', '.join(metadata['labels'])}")
        weights = arrays["states"], arrays["transitions"]
        return cls(metadata["feature_names"], *weights, metadata["threshold"], metadata["card"])

    def arrays(self) -> Arrays:
        return {"states": self.states, "transitions": self.transitions}

    def _metadata(self) -> dict[str, Any]:
        return {"labels": LABELS}

    def segment(
        self, root: etree._Element | None, *, image_alt: bool = False, skip: Collection[etree._Element] = ()
    ) -> Page:
        return segment_text_nodes(root, image_alt=image_alt, skip=skip)

    def predict(self, matrix: NDArray[np.floating], surroundings: Surroundings | None = None) -> Scores:  # noqa: ARG002
        other = marginals(self.state_scores(matrix), self.transitions)[:, LABELS.index("other")]
        return np.minimum(1 - other, _HIGHEST)

    def labels(self, features: Features) -> list[str]:
        states = self.state_scores(features.matrix(self.feature_names))
        return [_KINDS[number] for number in viterbi(states, self.transitions).tolist()]

    def state_scores(self, matrix: NDArray[np.floating]) -> Array:
        """The scores of each block and label by the features alone, without the labels around it."""
        parts = [self._weighed(matrix[start : start + _ROWS_AT_ONCE]) for start in range(0, len(matrix), _ROWS_AT_ONCE)]
        weighed = np.concatenate(parts) if parts else np.zeros((0, len(OFFSETS) * len(LABELS)))
        scores = np.zeros((len(matrix), len(LABELS)))
        for offset, weights in zip(OFFSETS, np.split(weighed, len(OFFSETS), axis=1), strict=True):
            scores[max(-offset, 0) : len(matrix) - max(offset, 0)] += weights[
                max(offset, 0) : len(matrix) + min(offset, 0)
            ]
        return scores

    def _weighed(self, values: NDArray[np.floating]) -> Array:
        """For each block, the sums of the weights of its values, for all offsets side by side."""
        rows = (self._steps @ np.asarray(values, np.float32).T).astype(np.int64) + self._first_rows[:, None]
        sums: Array = self._table.take(rows, axis=0).sum(axis=0)
        return sums


def _look_up_table(weights: Array, counts: Sequence[int]) -> tuple[Array, NDArray[np.int64], NDArray[np.float32]]:
    """A table of sums of weights, with a row for each combination of values of a few features.

    The features are divided into groups; a look-up for each group is enough for all of its features. Returns the table,
    the first row of each group in it, and for each group and feature the number of rows between two values.
    """
    tables: list[Array] = []
    steps: list[NDArray[np.float32]] = []
    first_value = 0
    for feature, count in enumerate(counts):
        own = weights[first_value : first_value + count]
        first_value += count
        if not tables or len(tables[-1]) * count > _LARGEST_GROUP:
            tables.append(np.zeros((1, weights.shape[1])))
            steps.append(np.zeros(len(counts), np.float32))
        steps[-1][feature] = len(tables[-1])
        tables[-1] = (own[:, None] + tables[-1]).reshape(-1, weights.shape[1])
    first_rows = np.cumsum([0, *map(len, tables)][:-1])
    return np.concatenate(tables), first_rows, np.array(steps)
