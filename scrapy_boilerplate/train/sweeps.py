"""Accuracy of pages at every threshold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .figures import words_of

Numbers = NDArray[np.floating]

THRESHOLDS: Numbers = np.round(np.arange(101) / 100, 2)


@dataclass(frozen=True, slots=True)
class ScoredPage:
    """The labelled blocks of a page, and the numbers of words kept at each of `THRESHOLDS`."""

    scores: Numbers
    words: Numbers
    is_content: NDArray[np.bool_]
    found: NDArray[np.int64]  # words that are kept
    common: NDArray[np.int64]  # kept words that are in the gold text, too
    wanted: int  # words of the gold text
    confidence: float  # `document.score`


@dataclass(frozen=True, slots=True)
class ThresholdSweep:
    """Means over pages at each of `THRESHOLDS`: figures by words, and the share of words in correct blocks."""

    precision: Numbers
    recall: Numbers
    f1: Numbers
    correct: Numbers

    @property
    def balanced(self) -> int:
        """The index of the threshold at which precision and recall are closest to each other.

        Thresholds that keep next to nothing, where both are next to 0, are left out.
        """
        is_useful = self.f1 >= self.f1.max() / 2
        return int(np.argmin(np.where(is_useful, np.abs(self.precision - self.recall), np.inf)))

    @property
    def most_correct(self) -> int:
        """The index of the lowest threshold with the most words in correct blocks."""
        return int(self.correct.argmax())


def score_page(
    texts: Sequence[str], scores: Sequence[float], truths: Sequence[bool | None], gold: str, confidence: float
) -> ScoredPage:
    """A page from the scores and labels of its blocks; blocks without a label are left out."""
    known = [number for number, truth in enumerate(truths) if truth is not None]
    words = [words_of(texts[number]) for number in known]
    belief = np.array([scores[number] for number in known], np.float64)
    order = np.argsort(-belief, kind="stable")
    left = Counter(words_of(gold))
    wanted = left.total()
    found, common = [0], [0]
    for number in order.tolist():
        hits = Counter(words[number]) & left
        left.subtract(hits)
        found.append(found[-1] + len(words[number]))
        common.append(common[-1] + hits.total())
    kept = np.searchsorted(-belief[order], -THRESHOLDS, side="right")
    return ScoredPage(
        scores=belief,
        words=np.array([len(of_block) for of_block in words], np.float64),
        is_content=np.array([truths[number] for number in known], np.bool_),
        found=np.array(found)[kept],
        common=np.array(common)[kept],
        wanted=wanted,
        confidence=confidence,
    )


def sweep_thresholds(pages: Sequence[ScoredPage]) -> ThresholdSweep:
    """The means over these pages, of which there must be at least one."""
    found = np.array([page.found for page in pages])
    common = np.array([page.common for page in pages])
    wanted = np.array([[page.wanted] for page in pages])
    nothing = found + wanted == 0  # an empty text of an empty gold text is perfect
    return ThresholdSweep(
        precision=np.where(nothing, 1, common / np.maximum(found, 1)).mean(0),
        recall=np.where(nothing, 1, common / np.maximum(wanted, 1)).mean(0),
        f1=np.where(nothing, 1, 2 * common / np.maximum(found + wanted, 1)).mean(0),
        correct=np.mean([_correct(page) for page in pages if page.words.any()] or [np.ones(len(THRESHOLDS))], 0),
    )


def _correct(page: ScoredPage) -> Numbers:
    right = (page.scores >= THRESHOLDS[:, np.newaxis]) == page.is_content
    share: Numbers = right @ page.words / page.words.sum()
    return share
