"""Cross-validation: every page is scored by a model that was trained without its site."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..models.base import Model, Scores
from ..models.selection import expected_f1
from .data import folds_by_site, joined_sites
from .figures import Quality, word_quality

GOOD = 0.9  # a page with at least this word F1 counts as good


class LabelledPage(Protocol):
    """A page as models are trained and judged on it."""

    @property
    def site(self) -> str:
        """Pages of one site are always in the same fold."""

    @property
    def gold(self) -> str | None:
        """The main text, if it is known."""

    @property
    def sizes(self) -> NDArray[np.floating]:
        """The words of each block."""

    @property
    def labels(self) -> NDArray[np.floating]:
        """The label of each block: more than 0 is content."""

    @property
    def known(self) -> NDArray[np.floating]:
        """0 for blocks without a label."""

    @property
    def copies(self) -> Sequence[LabelledPage]:
        """Altered copies of the page, from which a model may learn as well."""

    def scores(self, model: Model) -> Scores:
        """The score that a model gives each block."""

    def text(self, kept: NDArray[np.bool_]) -> str:
        """The text of the blocks that are kept."""


P = TypeVar("P", bound=LabelledPage)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Split(Generic[P]):
    """The two sides of a fold."""

    training: Sequence[P]
    held_out: Sequence[P]
    fold: int


TrainOnSplit = Callable[[Split[P]], Model]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result on a page of a model that was not trained on its site."""

    page: LabelledPage
    fold: int
    scores: Scores
    text: str  # of the blocks above the threshold that the model chose
    expected_f1: float
    quality: Quality | None  # None without a gold text
    copies: tuple[Outcome, ...] = ()  # those of its altered copies that have the same gold text

    @property
    def is_good(self) -> bool:
        """Whether nearly all of the main text, and little else, was kept."""
        return self.quality is not None and self.quality.f1 >= GOOD


def train_on_folds(fold_of: Sequence[int] | NDArray[np.int64], train: Callable[[NDArray[np.intp], int], T]) -> list[T]:
    """For each fold the result of training without it; `train` gets the indices of the training rows, and the fold."""
    folds = np.asarray(fold_of)
    return [train(np.flatnonzero(folds != fold), fold) for fold in range(int(folds.max()) + 1)]


def train_without_own_site(pages: Sequence[P], train: TrainOnSplit[P], folds: int) -> list[tuple[P, int, Model]]:
    """Each page with its fold and the model that was trained without that fold, in the order of `pages`.

    Pages may come from several collections: a site that occurs in two of them is in one fold.
    """
    fold_of = folds_by_site(joined_sites([page.site for page in pages]), folds)

    def train_on(numbers: NDArray[np.intp], fold: int) -> Model:
        held_out = [page for page, other in zip(pages, fold_of, strict=True) if other == fold]
        return train(Split([pages[number] for number in numbers], held_out, fold))

    models = train_on_folds(fold_of, train_on)
    return [(page, fold, models[fold]) for page, fold in zip(pages, fold_of, strict=True)]


def cross_validate(pages: Sequence[P], train: TrainOnSplit[P], folds: int) -> list[Outcome]:
    """Judge each page and its copies by a model that was trained on other sites, in the order of `pages`."""
    return [
        replace(
            outcome_of(page, model, fold),
            copies=tuple(outcome_of(copy, model, fold) for copy in page.copies if copy.gold is not None),
        )
        for page, fold, model in train_without_own_site(pages, train, folds)
    ]


def outcome_of(page: LabelledPage, model: Model, fold: int = 0) -> Outcome:
    """Score a page, choose the threshold as the model does, and compare the kept text with the gold text."""
    scores = page.scores(model)
    _, expected = expected_f1(scores, page.sizes)
    text = page.text(scores >= model.choose_threshold(scores, page.sizes))
    quality = None if page.gold is None else word_quality(text, page.gold)
    return Outcome(page, fold, scores, text, expected, quality)
