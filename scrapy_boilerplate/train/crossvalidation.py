"""Cross-validation in which a site is never on both sides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..models.base import Model, Scores
from ..models.selection import expected_f1
from .data import folds_by_site, joined_sites
from .figures import Quality, calibrate, word_quality
from .samples import Sample

Trainer = Callable[[Sequence[Sample]], Model]

GOOD = 0.9  # a page's word F1 from which on it counts as good


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a network that never saw the page's site made of a page."""

    sample: Sample
    fold: int
    scores: Scores
    text: str  # what was kept
    expected_f1: float
    quality: Quality | None  # None without a gold text

    @property
    def is_good(self) -> bool:
        """Whether nearly all of the main text, and little else, was found."""
        return self.quality is not None and self.quality.f1 >= GOOD


def cross_validate(samples: Sequence[Sample], train: Trainer, *, folds: int = 5, seed: int = 0) -> list[Outcome]:
    """Score each page by a model that was trained on the other sites' pages; in the order of `samples`.

    The samples may come from several collections: a site that is in two of them is in one fold.
    """
    return [_outcome(*judged) for judged in trained_on_other_sites(samples, train, folds, seed)]


def trained_on_other_sites(
    samples: Sequence[Sample], train: Trainer, folds: int, seed: int = 0
) -> list[tuple[Sample, int, Model]]:
    """Each sample with its fold and the model that was trained on the others; in the order of `samples`."""
    fold_of = folds_by_site(joined_sites([sample.site for sample in samples]), folds, seed)
    models = [
        train([sample for sample, other in zip(samples, fold_of, strict=True) if other != fold])
        for fold in range(folds)
    ]
    return [(sample, fold, models[fold]) for sample, fold in zip(samples, fold_of, strict=True)]


def _outcome(sample: Sample, fold: int, model: Model) -> Outcome:
    scores = model.predict(sample.matrix, sample.surroundings)
    threshold = model.choose_threshold(scores, sample.sizes)
    _, expected = expected_f1(scores, sample.sizes)
    text = kept_text(sample, scores >= threshold)
    quality = None if sample.gold is None else word_quality(text, sample.gold)
    return Outcome(sample, fold, scores, text, expected, quality)


def kept_text(sample: Sample, kept: NDArray[np.bool_]) -> str:
    """The kept blocks of a page, one a line."""
    return "\n".join(text for text, is_kept in zip(sample.texts, kept, strict=True) if is_kept)


def confidence_map(outcomes: Sequence[Outcome]) -> dict[str, list[float]]:
    """The card's entry that turns an expected F1 into the share of good pages among those that expect as much."""
    judged = [outcome for outcome in outcomes if outcome.quality is not None]
    beliefs, shares = calibrate([outcome.expected_f1 for outcome in judged], [outcome.is_good for outcome in judged])
    # A page of which nothing is kept is not one of those.
    return {"expected_f1": [0.0, *beliefs], "share_of_good_pages": [0.0, *shares]}


def threshold_table(outcomes: Sequence[Outcome]) -> list[dict[str, float]]:
    """Mean precision, recall and F1 of the pages at the thresholds 0.1 to 0.9."""
    rows = []
    for threshold in np.arange(1, 10) / 10:
        qualities = [
            word_quality(kept_text(outcome.sample, outcome.scores >= threshold), outcome.sample.gold)
            for outcome in outcomes
            if outcome.sample.gold is not None
        ]
        means = {name: float(np.mean([getattr(q, name) for q in qualities])) for name in ("precision", "recall", "f1")}
        rows.append({"threshold": float(threshold), **means})
    return rows
