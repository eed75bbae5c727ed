"""texrex: 37 features and a small network (Schäfer), trained on WCXB, or a network of your own in FANN's format."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..features.texrex import TEXREX_NAMES
from .base import Model, Scores
from .fann import FannNetwork, Layer
from .selection import expected_f1_threshold
from .weights_file import check_trained_on, load_weights, save_weights

KIND = "texrex"

_SHIPPED = Path(__file__).with_name("weights") / "texrex.npz"
_FANN_THRESHOLD = 0.5


class Texrex(Model):
    """A network that was trained on texrex's features, with 1 for boilerplate; here 1 is content, as everywhere.

    `path` is a weights file (`.npz`) or a FANN network (`.net`); without it, the weights that come with the package.
    The networks that come with texrex itself know its literal features, which only raw bytes have: here they work, but
    see other numbers than they were trained on; `features.texrex_literal` gives them their own.
    """

    feature_names = TEXREX_NAMES

    def __init__(self, path: str | PathLike[str] = _SHIPPED) -> None:
        self.card: dict[str, Any] = {}
        self._chooses = Path(path).suffix != ".net"  # nobody knows what the scores of a foreign network mean
        if not self._chooses:
            self.network, self.threshold = FannNetwork.read(path), _FANN_THRESHOLD
        else:
            self.network, metadata = _load(path)
            self.threshold, self.card = float(metadata["threshold"]), metadata["card"]
        if (self.network.sizes[0], self.network.sizes[-1]) != (len(TEXREX_NAMES), 1):
            sizes = "-".join(map(str, self.network.sizes))
            raise ValueError(
                f"{path}: a network of {sizes} neurons; texrex has {len(TEXREX_NAMES)} inputs and 1 output"
            )

    def predict(self, matrix: NDArray[np.floating]) -> Scores:
        return content_scores(self.network, matrix)

    def choose_threshold(self, scores: Scores, words: NDArray[np.floating]) -> float:
        if not self._chooses:
            return self.threshold
        return expected_f1_threshold(scores, words, self.threshold)


def content_scores(network: FannNetwork, matrix: NDArray[np.floating]) -> Scores:
    """What a network for which 1 is boilerplate says about content."""
    return np.clip(1 - network.forward(matrix)[:, 0], 0, 1)


def save_texrex(path: str | PathLike[str], network: FannNetwork, threshold: float, card: dict[str, Any]) -> str:
    """Write a network as weights that `Texrex` reads; returns their digest."""
    arrays = {f"layer_{number}": layer.weights for number, layer in enumerate(network.layers)}
    functions = [[layer.function, layer.steepness] for layer in network.layers]
    metadata = {"kind": KIND, "feature_names": TEXREX_NAMES, "threshold": threshold, "card": card}
    return save_weights(path, arrays, {**metadata, "functions": functions})


def _load(path: str | PathLike[str]) -> tuple[FannNetwork, dict[str, Any]]:
    arrays, metadata = load_weights(path, KIND)
    check_trained_on(path, metadata, TEXREX_NAMES)
    try:
        layers = [
            Layer(arrays[f"layer_{number}"], function, steepness)
            for number, (function, steepness) in enumerate(metadata["functions"])
        ]
        return FannNetwork(tuple(layers)), metadata
    except (KeyError, ValueError) as error:
        raise ValueError(f"can't use weights from {path}: {error}") from None
