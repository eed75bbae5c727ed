"""The base class of the models whose weights are in a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .base import Model, Scores
from .selection import expected_f1_threshold
from .weights_file import Arrays, load_weights, save_weights

if TYPE_CHECKING:
    from typing_extensions import Self


class Trained(Model):
    """A model with weights and a card, which can be saved and loaded.

    A subclass says what `kind` it is, how it is made from the contents of a file, and which arrays it saves.
    """

    kind: ClassVar[str]  # in weights files
    path: Path | None = None  # the file that it was read from

    def __init__(self, feature_names: Sequence[str], threshold: float, card: Mapping[str, Any]) -> None:
        self.feature_names = tuple(feature_names)
        self.threshold = float(threshold)
        self.card = dict(card)  # how the weights were made, and how good they are

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read a weights file; ValueError if it is damaged, of another kind or version, or for other features."""
        return cls.read(path, *load_weights(path, cls.kind))

    @classmethod
    def read(cls, path: str | PathLike[str], arrays: Arrays, metadata: Mapping[str, Any]) -> Self:
        """The model in the contents of a weights file; the path is for messages."""
        try:
            model = cls._of(arrays, metadata)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"can't use weights from {path}: {error}") from None
        model.path = Path(path)
        return model

    def save(self, path: str | PathLike[str]) -> str:
        """Write the weights with their card; returns the digest of the file's contents."""
        metadata = {
            "kind": self.kind,
            "feature_names": self.feature_names,
            "threshold": self.threshold,
            "card": self.card,
        }
        return save_weights(path, self.arrays(), {**metadata, **self._metadata()})

    @classmethod
    @abstractmethod
    def _of(cls, arrays: Arrays, metadata: Mapping[str, Any]) -> Self:
        """The model that was saved as these arrays and metadata; any of the errors above if they don't fit."""

    @abstractmethod
    def arrays(self) -> Arrays:
        """The weights as they are saved."""

    def _metadata(self) -> dict[str, Any]:
        """Facts about the weights that only this kind of model has."""
        return {}

    def confidence(self, expected_f1: float) -> float:
        measured = self.card.get("confidence")
        if not measured:
            return expected_f1
        return float(np.interp(expected_f1, measured["expected_f1"], measured["share_of_good_pages"]))

    def choose_threshold(self, scores: Scores, words: NDArray[np.floating]) -> float:
        """The cut with the best F1 to expect."""
        return expected_f1_threshold(scores, words, self.threshold)
