"""The base class of all models."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from ..features import Features
from ..features.surroundings import Surroundings
from ..page import Page
from ..segment import segment

Scores = NDArray[np.float64]


class Model(ABC):
    """Content scores for the blocks of a page: 0 is boilerplate, 1 is content."""

    feature_names: tuple[str, ...]  # the columns that predict() expects, in this order
    threshold: float  # used when the user gives none and choose_threshold() has no better one
    leaves_no_holes = False  # whether lists and tables that are kept for the most part are kept as a whole
    reads_source = False  # whether some of its features are computed from the HTML itself, `Page.source`
    drops_repeats = False  # whether a text that a page holds twice gets a score of 0 in all places but one

    def segment(
        self, root: etree._Element | None, *, image_alt: bool = False, skip: Collection[etree._Element] = ()
    ) -> Page:
        """The blocks that the model scores; elements to `skip` are not read."""
        return segment(root, image_alt=image_alt, skip=skip)

    @abstractmethod
    def predict(self, matrix: NDArray[np.floating], surroundings: Surroundings | None = None) -> Scores:
        """A score for each row of a feature matrix; the rows are the blocks of one page, in order.

        `surroundings` are only needed by models that look at the blocks around a block.
        """

    def score(self, features: Features) -> Scores:
        """A score for each block of a page."""
        return self.predict(features.matrix(self.feature_names))

    def labels(self, features: Features) -> list[str] | None:  # noqa: ARG002
        """For each block "heading", "list item", "paragraph", "continuation" or "other"; None if a model can't tell."""
        return None

    def sizes(self, features: Features) -> NDArray[np.floating]:
        """The weight of each block when a threshold is chosen: its words."""
        return features.shallow.words

    def confidence(self, expected_f1: float) -> float:
        """The probability of a word F1 of at least 0.9, for a page with this expected F1.

        A model that was never measured returns the expected F1 itself.
        """
        return expected_f1

    def choose_threshold(self, scores: Scores, words: NDArray[np.floating]) -> float:  # noqa: ARG002
        """The threshold for a page when the user gives none; some models choose it by the page's scores."""
        return self.threshold
