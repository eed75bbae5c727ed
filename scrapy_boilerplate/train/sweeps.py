"""What becomes of pages when the threshold moves."""

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
    """The blocks of a page whose truth is known, and the words that are kept of it at each of `THRESHOLDS`."""

    scores: Numbers
    words: Numbers
    is_content: NDArray[np.bool_]
    found: NDArray[np.int64]  # words that are kept
    common: NDArray[np.int64]  # those of them that are in the gold text too
    wanted: int  # words of the gold text
    confidence: float  # `document.score`


@dataclass(frozen=True, slots=True)
class ThresholdSweep:
    """At each of `THRESHOLDS` the means over pages: figures of words, and the share of words in right blocks."""

    precision: Numbers
    recall: Numbers
    f1: Numbers
    correct: Numbers

    @property
    def balanced(self) -> int:
        """The number of the threshold at which precision and recall are closest to each other.

        Where next to nothing is kept both are next to 0: that is not meant.
        """
        is_meant = self.f1 >= self.f1.max() / 2
        return int(np.argmin(np.where(is_meant, np.abs(self.precision - self.recall), np.inf)))

    @property
    def most_correct(self) -> int:
        """The number of the lowest threshold with the most words in right blocks."""
        return int(self.correct.argmax())


def score_page(
    texts: Sequence[str], scores: Sequence[float], truths: Sequence[bool | None], gold: str, confidence: float
) -> ScoredPage:
    """A page from what a model makes of its blocks; those without a truth are left out."""
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
    """The means over these pages, which may not be none."""
    found = np.array([page.found for page in pages])
    common = np.array([page.common for page in pages])
    wanted = np.array([[page.wanted] for page in pages])
    nothing = found + wanted == 0  # neither kept nor wanted: as it should be
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
