"""texrex (Schäfer): a small network of 37 features, with weights of ours or those of a network that texrex trained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...features import Features
from ...features.surroundings import Surroundings
from ..base import Scores
from ..selection import expected_f1_threshold
from ..trained import Trained
from ..weights_file import Arrays, is_fann
from .fann import FannNetwork, Layer
from .texrex_inputs import TEXREX_NAMES
from .texrex_program import PROGRAM_NAMES

_CAUTION = 1.5  # chosen on collections that the network was not trained on


class Texrex(Trained):
    """A network of texrex's inputs. Its output is 1 for boilerplate; the scores are 1 for content, as everywhere.

    The inputs are ours (TEXREX_NAMES), or those that the program texrex computes (PROGRAM_NAMES). With `chooses` it
    chooses the threshold for each page.
    """

    kind = "texrex"

    def __init__(
        self,
        network: FannNetwork,
        names: Sequence[str] = TEXREX_NAMES,
        *,
        threshold: float = 0.5,
        chooses: bool = False,
        card: Mapping[str, Any] | None = None,
    ) -> None:
        _check_inputs(names)
        if (network.sizes[0], network.sizes[-1]) != (len(TEXREX_NAMES), 1):
            sizes = "-".join(map(str, network.sizes))
            raise ValueError(f"a network of {sizes} neurons; texrex has {len(TEXREX_NAMES)} inputs and 1 output")
        super().__init__(names, threshold, card or {})
        self.network = network
        self.reads_source = self.feature_names == PROGRAM_NAMES
        self._chooses = chooses

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Texrex:
        """Read a weights file (`.npz`) or a FANN network (`.net`) that the program texrex has trained."""
        if not is_fann(path):
            return super().load(path)
        try:
            return cls(FannNetwork.read(path), PROGRAM_NAMES)  # with a fixed threshold, as in the program
        except ValueError as error:
            raise ValueError(str(error) if str(path) in str(error) else f"can't use {path}: {error}") from None

    @classmethod
    def _of(cls, arrays: Arrays, metadata: Mapping[str, Any]) -> Texrex:
        names = tuple(metadata["feature_names"])
        layers = [
            Layer(arrays[f"layer_{number}"], function, steepness)
            for number, (function, steepness) in enumerate(metadata["functions"])
        ]
        network = FannNetwork(tuple(layers))
        chooses = names == TEXREX_NAMES
        return cls(network, names, threshold=metadata["threshold"], chooses=chooses, card=metadata["card"])

    def arrays(self) -> Arrays:
        return {f"layer_{number}": layer.weights for number, layer in enumerate(self.network.layers)}

    def _metadata(self) -> dict[str, Any]:
        return {"functions": [[layer.function, layer.steepness] for layer in self.network.layers]}

    def sizes(self, features: Features) -> NDArray[np.floating]:
        return features.wording.size

    def predict(self, matrix: NDArray[np.floating], surroundings: Surroundings | None = None) -> Scores:  # noqa: ARG002
        scores = np.clip(1 - self.network.forward(matrix)[:, 0], 0, 1)
        # The program drops a text without a single input other than 0.
        return np.where(np.any(matrix, axis=1), scores, 0) if self.reads_source else scores

    def choose_threshold(self, scores: Scores, words: NDArray[np.floating]) -> float:
        """The cut with the best F1 to expect if the scores are lowered: on pages of other kinds they are too high."""
        lowered = scores**_CAUTION
        if not self._chooses or not (lowered * words).any():
            return self.threshold
        return float(scores[lowered >= expected_f1_threshold(lowered, words, self.threshold)].min())


def _check_inputs(names: Sequence[str]) -> None:
    """Raise ValueError for weights that were trained on other inputs, or in another order."""
    if tuple(names) in (TEXREX_NAMES, PROGRAM_NAMES):
        return
    unknown = [str(name) for name in names if name not in TEXREX_NAMES + PROGRAM_NAMES]
    inputs = f"features {', '.join(unknown)}" if unknown else f"{len(names)} features in an order of their own"
    raise ValueError(f"they were trained on {inputs}")
