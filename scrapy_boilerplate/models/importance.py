"""The importance of a network's weights, in a file beside them that only a training that goes on from them reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .weights_file import digest_of, load_weights, save_weights

if TYPE_CHECKING:
    from .mlp import Perceptron

KIND = "importance"


@dataclass(frozen=True, slots=True)
class Importance:
    """The importance of each weight of a network for its training pages."""

    shares: Mapping[str, NDArray[np.float32]]  # of the largest, from 0 to 1, under the name of the array of weights
    largest: float


def importance_path(weights: Path) -> Path:
    """The file that belongs to a weights file: `mlp.importance.npz` to `mlp.npz`."""
    return weights.with_suffix(".importance.npz")


def save_importance(path: Path, importance: Importance, model: Perceptron) -> None:
    """Write the importance of a model's weights, in half precision."""
    arrays = {name: array.astype(np.float16) for name, array in importance.shares.items()}
    card = {"largest": importance.largest, "weights": digest_of(model.arrays())}
    metadata = {"kind": KIND, "feature_names": model.feature_names, "threshold": model.threshold, "card": card}
    save_weights(path, arrays, metadata)


def importance_of(model: Perceptron) -> Importance:
    """The importance that the model has with it, or else the file beside its weights; ValueError if there is none."""
    if model.importance is not None:
        return model.importance
    if model.path is None or not importance_path(model.path).is_file():
        where = f": there is no {importance_path(model.path)}" if model.path else ""
        raise ValueError(f"the weights don't tell which of them matter{where}; train them again to go on from them")
    path = importance_path(model.path)
    arrays, metadata = load_weights(path, KIND)
    if metadata["card"]["weights"] != digest_of(model.arrays()):
        raise ValueError(f"{path} belongs to other weights than {model.path}")
    shares = {name: np.asarray(array, np.float32) for name, array in arrays.items()}
    return Importance(shares, float(metadata["card"]["largest"]))
