"""What every model offers to the rest of the package."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from ..blocks import Page, segment
from ..features import Features

Scores = NDArray[np.float64]


class Model(ABC):
    """Content scores for the blocks of a page: 0 is boilerplate, 1 is content."""

    feature_names: tuple[str, ...]  # the columns that predict() expects, in this order
    threshold: float  # what is kept when the user names no threshold

    def segment(self, root: etree._Element | None, *, image_alt: bool = False) -> Page:
        """The blocks that the model scores."""
        return segment(root, image_alt=image_alt)

    @abstractmethod
    def predict(self, matrix: NDArray[np.floating]) -> Scores:
        """A score for each row of a feature matrix; the rows are the blocks of one page, in order."""

    def score(self, features: Features) -> Scores:
        """A score for each block of a page."""
        return self.predict(features.matrix(self.feature_names))

    def sizes(self, features: Features) -> NDArray[np.floating]:
        """How much each block counts when a threshold is chosen: its words, where a model has no better idea."""
        return features.shallow.words

    def confidence(self, expected_f1: float) -> float:
        """How sure to be of a page whose scores let this F1 be expected."""
        return expected_f1

    def choose_threshold(self, scores: Scores, words: NDArray[np.floating]) -> float:  # noqa: ARG002
        """The threshold for a page when the user names none; a model may pick it by the page's scores."""
        return self.threshold
