"""texrex: 37 features and a small network (Schäfer), trained on WCXB, or a network of your own in FANN's format."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features import Features
from ...features.texrex import TEXREX_NAMES
from ..base import Model, Scores, calibration
from ..selection import expected_f1_threshold
from ..weights_file import check_trained_on, load_weights, save_weights
from .fann import FannNetwork, Layer, is_fann

KIND = "texrex"

_SHIPPED = Path(__file__).parents[1] / "weights" / "texrex.npz"


class Texrex(Model):
    """A network that was trained on texrex's features, with 1 for boilerplate; here 1 is content, as everywhere.

    `chooses` lets it pick the threshold for each page.
    """

    feature_names = TEXREX_NAMES

    def __init__(
        self,
        network: FannNetwork,
        *,
        threshold: float = 0.5,
        chooses: bool = False,
        card: Mapping[str, Any] | None = None,
    ) -> None:
        if (network.sizes[0], network.sizes[-1]) != (len(TEXREX_NAMES), 1):
            sizes = "-".join(map(str, network.sizes))
            raise ValueError(f"a network of {sizes} neurons; texrex has {len(TEXREX_NAMES)} inputs and 1 output")
        self.network = network
        self.threshold = threshold
        self.card = dict(card or {})  # how the weights were made, and how good they are
        self.calibration = calibration(self.card)
        self._chooses = chooses

    @classmethod
    def load(cls, path: str | PathLike[str] = _SHIPPED) -> Texrex:
        """Read a weights file (`.npz`) or a FANN network (`.net`); without a path the weights that are shipped.

        The networks that come with texrex itself know its literal features, which only raw bytes have: here they work,
        but see other numbers than they were trained on; `features.texrex_literal` gives them their own.
        """
        try:
            if is_fann(path):
                return cls(FannNetwork.read(path))  # whose scores nobody knows the meaning of
            arrays, metadata = load_weights(path, KIND)
            check_trained_on(path, metadata, TEXREX_NAMES)
            layers = [
                Layer(arrays[f"layer_{number}"], function, steepness)
                for number, (function, steepness) in enumerate(metadata["functions"])
            ]
            network, threshold = FannNetwork(tuple(layers)), float(metadata["threshold"])
            return cls(network, threshold=threshold, chooses=True, card=metadata["card"])
        except (KeyError, ValueError) as error:
            raise ValueError(str(error) if str(path) in str(error) else f"can't use {path}: {error}") from None

    def save(self, path: str | PathLike[str]) -> str:
        """Write the network with its card; returns the digest."""
        arrays = {f"layer_{number}": layer.weights for number, layer in enumerate(self.network.layers)}
        functions = [[layer.function, layer.steepness] for layer in self.network.layers]
        metadata = {"kind": KIND, "feature_names": TEXREX_NAMES, "threshold": self.threshold, "card": self.card}
        return save_weights(path, arrays, {**metadata, "functions": functions})

    def sizes(self, features: Features) -> NDArray[np.floating]:
        return features.wording.size

    def predict(self, matrix: NDArray[np.floating]) -> Scores:
        return np.clip(1 - self.network.forward(matrix)[:, 0], 0, 1)

    def choose_threshold(self, scores: Scores, words: NDArray[np.floating]) -> float:
        return expected_f1_threshold(scores, words, self.threshold) if self._chooses else self.threshold
