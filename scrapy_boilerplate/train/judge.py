"""The figures of a card: accuracy by cross-validation, thresholds, calibration of the confidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import numpy as np

from .crossvalidation import Outcome, P, TrainOnSplit, cross_validate
from .example import Example
from .figures import calibrate, cross_fitted_reliability, snippet_hits, word_quality

_THRESHOLDS = tuple(float(tenth) for tenth in np.arange(1, 10) / 10)
_FIGURES = ("precision", "recall", "f1")
_SURE = (0.8, 0.9)  # the scores whose calibration is shown for each folder
_ALL = "all"  # folders together
_LEAST_SURE = 500  # words; of fewer the share says nothing


def judge(
    examples: Sequence[tuple[str, Example]], pages: Sequence[P | None], train: TrainOnSplit[P], folds: int
) -> dict[str, Any]:
    """Cross-validate by site.

    `examples` are pairs of folder and example; `pages` has None for an example with no text, which counts as empty.
    """
    outcomes = cross_validate([page for page in pages if page is not None], train, folds)
    remaining = iter(outcomes)
    by_folder: dict[str, list[tuple[Example, str]]] = defaultdict(list)
    outcomes_by_folder: dict[str, list[Outcome]] = defaultdict(list)
    for (folder, example), page in zip(examples, pages, strict=True):
        outcome = None if page is None else next(remaining)
        for name in {folder, _ALL}:
            by_folder[name].append((example, outcome.text if outcome else ""))
            outcomes_by_folder[name] += [outcome] if outcome else []
    return {
        "confidence": _confidence(outcomes),
        "cross_validation": {
            "folds": folds,
            "folders": {
                folder: {**folder_figures(texts), "sure": _share_of_sure(outcomes_by_folder[folder])}
                for folder, texts in sorted(by_folder.items(), key=lambda entry: entry[0] == _ALL)
            },
            "aged": _aged(outcomes),
            "thresholds": [_threshold_row(outcomes, threshold) for threshold in _THRESHOLDS],
            "reliability": _reliability(outcomes),
        },
    }


def folder_figures(pages: Sequence[tuple[Example, str]]) -> dict[str, Any]:
    """Means over the pages of a folder, from each example and the text that was extracted from it."""
    qualities = [word_quality(text, example.gold) for example, text in pages if example.gold is not None]
    types: dict[str, list[float]] = defaultdict(list)
    for example, text in pages:
        if example.gold is not None and example.page_type:
            types[example.page_type].append(word_quality(text, example.gold).f1)
    hits = [hit for example, text in pages for hit in snippet_hits(text, example.required, example.forbidden)]
    return {
        "pages": len(pages),
        **{name: fmean(getattr(q, name) for q in qualities) if qualities else None for name in _FIGURES},
        "f1_by_type": {name: fmean(values) for name, values in sorted(types.items())},
        "snippets": fmean(hits) if hits else None,
    }


def _share_of_sure(outcomes: Sequence[Outcome]) -> float | None:
    """The share of content in the words of blocks that score .8 to .9; None if there are few."""
    low, high = _SURE
    content = words = 0.0
    for outcome in outcomes:
        sure = (outcome.scores >= low) & (outcome.scores < high) & (outcome.page.known > 0)
        words += float(outcome.page.sizes[sure].sum())
        content += float((outcome.page.sizes * (outcome.page.labels > 0))[sure].sum())
    return content / words if words >= _LEAST_SURE else None


def _aged(outcomes: Sequence[Outcome]) -> dict[str, float] | None:
    """Word F1 of the pages that have a copy in the markup of 2005, and of these copies; None if there are no copies."""
    pairs = [
        (outcome.quality.f1, copy.quality.f1)
        for outcome in outcomes
        for copy in outcome.copies
        if outcome.quality is not None and copy.quality is not None
    ]
    if not pairs:
        return None
    unchanged, aged = map(fmean, zip(*pairs, strict=True))
    return {"pages": len(pairs), "unchanged": unchanged, "aged": aged}


def _confidence(outcomes: Sequence[Outcome]) -> dict[str, list[float]]:
    """The map from expected F1 to `document.score`, the share of good pages."""
    judged = [outcome for outcome in outcomes if outcome.quality is not None]
    beliefs, shares = calibrate([outcome.expected_f1 for outcome in judged], [outcome.is_good for outcome in judged])
    # A page of which nothing is kept has a score of 0.
    return {"expected_f1": [0.0, *beliefs], "share_of_good_pages": [0.0, *shares]}


def _threshold_row(outcomes: Sequence[Outcome], threshold: float) -> dict[str, float]:
    """Means over the pages with one threshold for all of them."""
    qualities = [
        word_quality(outcome.page.text(outcome.scores >= threshold), outcome.page.gold)
        for outcome in outcomes
        if outcome.page.gold is not None
    ]
    means = {name: float(np.mean([getattr(quality, name) for quality in qualities])) for name in _FIGURES}
    return {"threshold": threshold, **means}


def _reliability(outcomes: Sequence[Outcome]) -> list[tuple[float, float, int]]:
    judged = [outcome for outcome in outcomes if outcome.quality is not None]
    folds = [[outcome for outcome in judged if outcome.fold == fold] for fold in sorted({o.fold for o in judged})]
    return cross_fitted_reliability(
        [([outcome.expected_f1 for outcome in fold], [outcome.is_good for outcome in fold]) for fold in folds]
    )
