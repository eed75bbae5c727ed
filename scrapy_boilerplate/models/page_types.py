"""The type of a page: a small network over the features of the whole page, apart from the models of blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..features import Features, check_feature_names
from ..features.phrases import Phrases
from ..features.whole import Whole
from .weights_file import Arrays, load_weights, save_weights

KIND = "page types"
PAGE_TYPES = ("article", "service", "product", "collection", "forum", "listing", "documentation")
PAGE_FEATURES = (*Whole.names, *Phrases.names)
CLIP = 4.0  # standard deviations

_WEIGHTS = Path(__file__).parent / "weights" / "page_types.npz"
_ARRAYS = ("mean", "scale", "hidden", "hidden_bias", "output", "output_bias")


class PageTypes:
    """Probabilities of the types of a page, from a committee of perceptrons with one hidden layer."""

    def __init__(
        self, arrays: Mapping[str, NDArray[Any]], feature_names: Sequence[str], card: Mapping[str, Any]
    ) -> None:
        check_feature_names(feature_names)
        self.feature_names = tuple(feature_names)
        self.weights = {name: np.asarray(arrays[name], np.float32) for name in _ARRAYS}
        self.card = dict(card)

    @classmethod
    def load(cls, path: str | PathLike[str]) -> PageTypes:
        """Read a weights file; ValueError if it is damaged or of another kind."""
        arrays, metadata = load_weights(path, KIND)
        return cls(arrays, metadata["feature_names"], metadata["card"])

    def save(self, path: str | PathLike[str]) -> str:
        """Write the weights in half precision with their card; returns the digest of the file's contents."""
        arrays: Arrays = {name: array.astype(np.float16) for name, array in self.weights.items()}
        arrays |= {name: self.weights[name] for name in ("mean", "scale")}
        metadata = {"kind": KIND, "feature_names": self.feature_names, "threshold": 0.5, "card": self.card}
        return save_weights(path, arrays, metadata)

    def probabilities(self, features: Features) -> dict[str, float]:
        """The probability of each type, the likeliest first; empty for a page without text."""
        if not features.page.texts:
            return {}
        [shares] = self.predict(page_features(features, self.feature_names)[None])
        order = np.argsort(-shares, kind="stable").tolist()
        return {PAGE_TYPES[number]: float(shares[number]) for number in order}

    def predict(self, rows: NDArray[np.floating]) -> NDArray[np.float64]:
        """For each row of page features the probabilities of the PAGE_TYPES."""
        weights = self.weights
        inputs = np.clip((rows - weights["mean"]) * weights["scale"], -CLIP, CLIP).astype(np.float32)
        hidden = np.maximum(inputs @ weights["hidden"] + weights["hidden_bias"], 0)
        shares: NDArray[np.float64] = softmax(hidden @ weights["output"] + weights["output_bias"]).mean(0)
        return shares


def page_features(features: Features, names: Sequence[str] = PAGE_FEATURES) -> NDArray[np.float32]:
    """The features of the whole page, which are equal in all rows of the matrix."""
    row: NDArray[np.float32] = features.matrix(names)[0]
    return row


def softmax(logits: NDArray[np.floating]) -> NDArray[np.float64]:
    """Probabilities that add up to 1 along the last axis."""
    powers = np.exp((logits - logits.max(-1, keepdims=True)).astype(np.float64))
    result: NDArray[np.float64] = powers / powers.sum(-1, keepdims=True)
    return result


@cache
def page_types() -> PageTypes:
    """The shipped classifier, read when it is first asked for."""
    return PageTypes.load(_WEIGHTS)
