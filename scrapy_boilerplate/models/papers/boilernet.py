"""BoilerNet: two bidirectional LSTM layers that read the text nodes of a page, with their words and tags, in order.

Leonhardt, Anand, Khosla, "Boilerplate Removal using a Neural Sequence Labeling Model" (2020).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from ...features import Features
from ...features.surroundings import Surroundings
from ...page import Page
from ...segment.text_nodes import segment_text_nodes
from ..arithmetic import matmul
from ..base import Scores
from ..trained import Trained
from ..weights_file import Arrays
from .leaves import Leaves, Vocabulary
from .lstm import Array, BidirectionalLstm

LAYERS = 2

_OTHER_TAGS, _OTHER_WORDS = "other tags", "other words"  # no tag or word of a page has a blank
_WORDS_AT_ONCE = 8192  # so few rows of the projection stay in the processor's cache


class BoilerNet(Trained):
    """A network that reads the leaves of a page, its text nodes, as a sequence.

    `arrays` are `tags` and `words`, the two parts of the dense projection, whose last rows are for unknown tags and
    words; `dense_bias`; `inputs_N`, `recurrent_N` and `bias_N` of the LSTM layers; `output` and `output_bias`.
    """

    kind = "boilernet"

    def __init__(self, arrays: Mapping[str, NDArray[Any]], vocabulary: Vocabulary, card: Mapping[str, Any]) -> None:
        card = dict(card)
        super().__init__(_names(vocabulary), card.pop("threshold"), card)
        self.vocabulary = vocabulary
        self._arrays = _checked(arrays, vocabulary)
        self._layers = [
            BidirectionalLstm(*(self._arrays[f"{name}_{layer}"] for name in ("inputs", "recurrent", "bias")))
            for layer in range(LAYERS)
        ]

    @classmethod
    def _of(cls, arrays: Arrays, metadata: Mapping[str, Any]) -> BoilerNet:
        card = {**metadata["card"], "threshold": metadata["threshold"]}
        return cls(arrays, _vocabulary(metadata["feature_names"]), card)

    def arrays(self) -> Arrays:
        return {name: array.astype(np.float16) for name, array in self._arrays.items()}

    def segment(
        self, root: etree._Element | None, *, image_alt: bool = False, skip: Collection[etree._Element] = ()
    ) -> Page:
        return segment_text_nodes(root, image_alt=image_alt, skip=skip)

    def score(self, features: Features) -> Scores:
        return self.score_leaves(Leaves.of(features.page, self.vocabulary))

    def score_leaves(self, leaves: Leaves) -> Scores:
        """A score for each leaf of a page."""
        tags = matmul(leaves.tag_counts, self._arrays["tags"])
        return self._label(tags + _sums_of_rows(self._arrays["words"], leaves))

    def predict(self, matrix: NDArray[np.floating], surroundings: Surroundings | None = None) -> Scores:  # noqa: ARG002
        weights = np.concatenate((self._arrays["tags"], self._arrays["words"]))
        return self._label(matmul(np.asarray(matrix, np.float32), weights))

    def _label(self, projected: Array) -> Scores:
        rows = np.maximum(projected + self._arrays["dense_bias"], 0)
        for layer in self._layers:
            rows = layer.forward(rows)
        logits = rows @ self._arrays["output"] + self._arrays["output_bias"]
        scores: Scores = (1 + np.tanh(logits.astype(np.float64) / 2)) / 2  # 1 / (1 + exp(-x)) without its overflow
        return scores


def _sums_of_rows(rows: Array, leaves: Leaves) -> Array:
    """For each leaf, the sum of the rows of its words: its word bag times the matrix, without making the bag."""
    sums = np.zeros((len(leaves.tag_counts), rows.shape[1]), np.float32)
    for start in range(0, len(leaves.words), _WORDS_AT_ONCE):
        part = slice(start, start + _WORDS_AT_ONCE)
        owners = leaves.owners[part]
        first = np.flatnonzero(np.diff(owners, prepend=-1))
        sums[owners[first]] += np.add.reduceat(rows[leaves.words[part]], first)
    return sums


def _names(vocabulary: Vocabulary) -> tuple[str, ...]:
    """The names of the columns: tags as `<div>`, words as they are, and one name each for all others."""
    return (*(f"<{tag}>" for tag in vocabulary.tags), _OTHER_TAGS, *vocabulary.words, _OTHER_WORDS)


def _vocabulary(names: Sequence[str]) -> Vocabulary:
    tags = names.index(_OTHER_TAGS)
    if names[-1] != _OTHER_WORDS:
        raise ValueError(f"the last of their features is not {_OTHER_WORDS!r}")
    return Vocabulary(tuple(name[1:-1] for name in names[:tags]), tuple(names[tags + 1 : -1]))


def _checked(arrays: Mapping[str, NDArray[Any]], vocabulary: Vocabulary) -> dict[str, Array]:
    """The arrays that a model needs; ValueError if they do not fit together."""
    width, units = arrays["dense_bias"].size, arrays["recurrent_0"].shape[1]
    shapes: dict[str, tuple[int, ...]] = {
        "tags": (len(vocabulary.tags) + 1, width),
        "words": (len(vocabulary.words) + 1, width),
        "dense_bias": (width,),
        "output": (2 * units,),
        "output_bias": (),
    }
    for layer in range(LAYERS):
        shapes[f"inputs_{layer}"] = (2, 2 * units if layer else width, 4 * units)
        shapes[f"recurrent_{layer}"] = (2, units, 4 * units)
        shapes[f"bias_{layer}"] = (2, 4 * units)
    for name, shape in shapes.items():
        if arrays[name].shape != shape:
            raise ValueError(f"{name} has the shape {arrays[name].shape} instead of {shape}")
    return {name: np.asarray(arrays[name], np.float32) for name in shapes}
