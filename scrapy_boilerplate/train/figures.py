"""Measures of an extracted text (word F1, shingle F1, snippets) and of confidence (calibration, reliability)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_WORD = re.compile(r"\w+")
_BINS = 10  # of reliability diagrams


@dataclass(frozen=True, slots=True)
class Quality:
    """Precision, recall and F1 of a text against its gold text; all 1 if both are empty."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, common: int, found: int, wanted: int) -> Quality:
        """From the numbers of words in both texts, in the text, and in the gold text."""
        if not found and not wanted:
            return cls(1.0, 1.0, 1.0)
        return cls(common / max(found, 1), common / max(wanted, 1), 2 * common / (found + wanted))


def word_quality(text: str, gold: str, *, shingle: int = 1) -> Quality:
    """Compare two texts as bags of words (WCXB's measure), or of runs of `shingle` words."""
    found, wanted = _bag(text, shingle), _bag(gold, shingle)
    return Quality.of((found & wanted).total(), found.total(), wanted.total())


def words_of(text: str) -> list[str]:
    """The words of a text, by WCXB's definition."""
    return _WORD.findall(text.lower())


def _bag(text: str, shingle: int) -> Counter[tuple[str, ...]]:
    words = words_of(text)
    return Counter(zip(*(words[start:] for start in range(shingle)), strict=False))


def snippet_hits(text: str, required: Sequence[str], forbidden: Sequence[str]) -> list[bool]:
    """For each snippet whether it is in the text if required, or absent if forbidden; white space doesn't count."""
    plain = " ".join(text.split())
    wanted = [(" ".join(snippet.split()), True) for snippet in required]
    unwanted = [(" ".join(snippet.split()), False) for snippet in forbidden]
    return [(snippet in plain) == expected for snippet, expected in wanted + unwanted if snippet]


def reliability(beliefs: Sequence[float], truths: Sequence[bool]) -> list[tuple[float, float, int]]:
    """For each tenth of the scale: the mean belief, the share that is true, and the number of beliefs."""
    belief, truth = np.asarray(beliefs), np.asarray(truths)
    place = np.minimum((belief * _BINS).astype(int), _BINS - 1)
    rows = []
    for number in range(_BINS):
        inside = place == number
        if inside.any():
            rows.append((float(belief[inside].mean()), float(truth[inside].mean()), int(inside.sum())))
    return rows


def cross_fitted_reliability(folds: Sequence[tuple[Sequence[float], Sequence[bool]]]) -> list[tuple[float, float, int]]:
    """The reliability of beliefs when each fold is calibrated on the other folds."""
    calibrated: list[float] = []
    truths: list[bool] = []
    for fold, (beliefs, right) in enumerate(folds):
        others = [other for number, other in enumerate(folds) if number != fold]
        points, shares = calibrate([b for other, _ in others for b in other], [t for _, other in others for t in other])
        calibrated += np.interp(beliefs, [0.0, *points], [0.0, *shares]).tolist()
        truths += right
    return reliability(calibrated, truths)


def calibrate(beliefs: Sequence[float], truths: Sequence[bool], *, steps: int = 12) -> tuple[list[float], list[float]]:
    """Isotonic regression over groups of equal size: points of a rising map from belief to the share that is true."""
    order = np.argsort(beliefs, kind="stable")
    groups = np.array_split(order, min(steps, len(order)))
    pools = [
        [float(np.mean(np.take(beliefs, group))), float(np.mean(np.take(truths, group))), len(group)]
        for group in groups
    ]
    merged: list[list[float]] = []
    for pool in pools:
        merged.append(pool)
        while len(merged) > 1 and merged[-2][1] >= merged[-1][1]:
            belief, share, count = merged.pop()
            last = merged[-1]
            total = last[2] + count
            merged[-1] = [
                (last[0] * last[2] + belief * count) / total,
                (last[1] * last[2] + share * count) / total,
                total,
            ]
    return [pool[0] for pool in merged], [pool[1] for pool in merged]
