"""The values of Victor's features: the paper's configuration, with values of our own where the paper names none.

A number becomes the largest value of its list that is less or equal, or the first where there is none.
"""

from __future__ import annotations

import numpy as np


def _scale(count: int) -> tuple[float, ...]:
    """This number of values of a share: 5 values are 0, 0.2, 0.4, 0.6 and 0.8."""
    return tuple(number / count for number in range(count))


_YES_OR_NO = (0, 1)
_FEW = (0, 1, 2, 3, 5)
_WORDS = (0, 1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 80)

VALUES: dict[str, tuple[float, ...]] = {
    "container.p": _YES_OR_NO,
    "container.a": _YES_OR_NO,
    "container.u": _YES_OR_NO,
    "container.img": _YES_OR_NO,
    "container.class-header": _YES_OR_NO,
    "container.class-bold": _YES_OR_NO,
    "container.class-italic": _YES_OR_NO,
    "container.class-list": _YES_OR_NO,
    "container.class-form": _YES_OR_NO,
    "split.p": (0, 1, 2, 3, 4),
    "split.br": (0, 1, 2, 3),
    "split.hr": _YES_OR_NO,
    "split.class-inline": (0, 1, 2, 3, 4, 6, 9),
    "split.class-block": (0, 1, 2, 3, 4, 5, 6, 8, 11, 15, 20),
    "char.alpha-rel": _scale(10),
    "char.num-rel": _scale(10),
    "char.punct-rel": (0, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5),
    "char.white-rel": (0, 0.05, 0.1, 0.13, 0.15, 0.17, 0.2, 0.25),
    "char.other-rel": (0, 0.01, 0.05, 0.2, 0.5),
    "token.alpha-rel": _scale(10),
    "token.num-rel": _scale(10),
    "token.mix-rel": _scale(5),
    "token.other-rel": _scale(5),
    "token.alpha-abs": _WORDS,
    "token.num-abs": _FEW,
    "token.mix-abs": _FEW,
    "token.other-abs": _FEW,
    "sentence.count": (0, 1, 2, 3, 4, 6, 9),
    "sentence.avg-length": _WORDS,
    "sentence-begin": _YES_OR_NO,
    "sentence-end": _YES_OR_NO,
    "first-duplicate": _YES_OR_NO,
    "duplicate-count": (1, 2, 3, 4, 6, 10, 20, 40),
    "regexp.url": (0, 1, 2, 3),
    "regexp.date": (0, 1, 2, 3, 4),
    "regexp.time": (0, 1, 2, 3),
    "bullet": tuple(range(32)),
    "div-group.word-ratio": (
        0,
        0.002,
        0.005,
        0.01,
        0.02,
        0.04,
        0.07,
        0.1,
        0.15,
        0.2,
        0.3,
        0.4,
        0.5,
        0.6,
        0.7,
        0.8,
        0.9,
    ),
    "td-group.word-ratio": _scale(10),
    "position": _scale(20),
    "document.word-count": (0, 50, 100, 200, 350, 500, 750, 1000, 1500, 2000, 3000, 5000, 10000),
    "document.sentence-count": (0, 2, 5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 500),
    "document.block-count": (0, 30, 60, 100, 150, 200, 300, 450, 700, 1000, 1500, 3000),
    "document.max-div-group": _scale(10),
    "document.max-td-group": _scale(10),
}

VICTOR_NAMES = tuple(f"victor.{name}" for name in VALUES)
VALUE_COUNTS = {name: len(values) for name, values in zip(VICTOR_NAMES, VALUES.values(), strict=True)}

# The values of each list from the second on: a feature's category is the number of those that it reaches. For lists of
# 0, 1, 2, 3, ... only the highest.
LEVELS = tuple(
    len(values) - 1 if values == tuple(range(len(values))) else np.array(values[1:], np.float64)
    for values in VALUES.values()
)
