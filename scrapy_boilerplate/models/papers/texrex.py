"""texrex (Schäfer): a small network of 37 features, trained on WCXB, or a network of your own in FANN's format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features import Features
from ...features.surroundings import Surroundings
from ..base import Scores
from ..trained import Trained
from ..weights_file import Arrays, is_fann
from .fann import FannNetwork, Layer
from .texrex_inputs import TEXREX_NAMES


class Texrex(Trained):
    """A network of texrex's inputs. Its output is 1 for boilerplate; the scores are 1 for content, as everywhere.

    With `chooses` it chooses the threshold for each page.
    """

    kind = "texrex"
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
        super().__init__(TEXREX_NAMES, threshold, card or {})
        self.network = network
        self._chooses = chooses

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Texrex:
        """Read a weights file (`.npz`) or a FANN network (`.net`).

        The networks that come with the program texrex were trained on inputs that only raw bytes have (see
        `texrex_literal`). They can be loaded here, but they see other numbers than they were trained on.
        """
        if not is_fann(path):
            return super().load(path)
        try:
            return cls(FannNetwork.read(path))  # with a fixed threshold: its scores may mean anything
        except ValueError as error:
            raise ValueError(str(error) if str(path) in str(error) else f"can't use {path}: {error}") from None

    @classmethod
    def _of(cls, arrays: Arrays, metadata: Mapping[str, Any]) -> Texrex:
        _check_inputs(metadata["feature_names"])
        layers = [
            Layer(arrays[f"layer_{number}"], function, steepness)
            for number, (function, steepness) in enumerate(metadata["functions"])
        ]
        network = FannNetwork(tuple(layers))
        return cls(network, threshold=metadata["threshold"], chooses=True, card=metadata["card"])

    def arrays(self) -> Arrays:
        return {f"layer_{number}": layer.weights for number, layer in enumerate(self.network.layers)}

    def _metadata(self) -> dict[str, Any]:
        return {"functions": [[layer.function, layer.steepness] for layer in self.network.layers]}

    def sizes(self, features: Features) -> NDArray[np.floating]:
        return features.wording.size

    def predict(self, matrix: NDArray[np.floating], surroundings: Surroundings | None = None) -> Scores:  # noqa: ARG002
        return np.clip(1 - self.network.forward(matrix)[:, 0], 0, 1)

    def choose_threshold(self, scores: Scores, words: NDArray[np.floating]) -> float:
        return super().choose_threshold(scores, words) if self._chooses else self.threshold


def _check_inputs(names: Sequence[str]) -> None:
    """Raise ValueError for weights that were trained on other inputs, or in another order."""
    if tuple(names) == TEXREX_NAMES:
        return
    unknown = [str(name) for name in names if name not in TEXREX_NAMES]
    inputs = f"features {', '.join(unknown)}" if unknown else f"{len(names)} features in an order of their own"
    raise ValueError(f"they were trained on {inputs}")
