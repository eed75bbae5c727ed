"""What every model offers to the rest of the package."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from ..features import Features
from ..page import Page
from ..segment import segment

Scores = NDArray[np.float64]


class Model(ABC):
    """Content scores for the blocks of a page: 0 is boilerplate, 1 is content."""

    feature_names: tuple[str, ...]  # the columns that predict() expects, in this order
    threshold: float  # what is kept when the user names no threshold
    calibration: tuple[Sequence[float], Sequence[float]] | None = None  # expected F1s, and the shares of good pages

    def segment(self, root: etree._Element | None, *, image_alt: bool = False) -> Page:
        """The blocks that the model scores."""
        return segment(root, image_alt=image_alt)

    @abstractmethod
    def predict(self, matrix: NDArray[np.floating]) -> Scores:
        """A score for each row of a feature matrix; the rows are the blocks of one page, in order."""

    def score(self, features: Features) -> Scores:
        """A score for each block of a page."""
        return self.predict(features.matrix(self.feature_names))

    def labels(self, features: Features) -> list[str] | None:  # noqa: ARG002
        """For each block "heading", "list item", "paragraph", "continuation" or "other"; None if a model can't tell."""
        return None

    def sizes(self, features: Features) -> NDArray[np.floating]:
        """How much each block counts when a threshold is chosen: its words, where a model has no better idea."""
        return features.shallow.words

    def confidence(self, expected_f1: float) -> float:
        """How sure to be of a page whose scores let this F1 be expected: the share of such pages that are good.

        Good is a word F1 of at least 0.9. A model that was never measured believes its scores.
        """
        return expected_f1 if self.calibration is None else float(np.interp(expected_f1, *self.calibration))

    def choose_threshold(self, scores: Scores, words: NDArray[np.floating]) -> float:  # noqa: ARG002
        """The threshold for a page when the user names none; a model may pick it by the page's scores."""
        return self.threshold


def calibration(card: Mapping[str, Any]) -> tuple[Sequence[float], Sequence[float]] | None:
    """The entry of a card that turns an expected F1 into a confidence, if it has one."""
    found = card.get("confidence")
    return found and (tuple(found["expected_f1"]), tuple(found["share_of_good_pages"]))
