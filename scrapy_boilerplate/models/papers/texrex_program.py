"""The inputs of the program texrex for the blocks of a page, for networks that were trained by that program.

The program splits pages into blocks of its own. So each block of a page sees the inputs of that block of the program's
which holds its text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from ...features.family import Family, Rows
from .texrex_inputs import PREFIX, TEXREX_NAMES
from .texrex_literal import literal_features

PROGRAM_NAMES = tuple(f"{PREFIX}program_{name.removeprefix(PREFIX)}" for name in TEXREX_NAMES)

_BODY = re.compile(rb"<body[\s>]", re.IGNORECASE)

# In characters, without white space.
_PROBE = 30  # a text of this length is not found by chance
_NEAR = 200  # how far ahead a shorter one may be
_FAR = 100_000  # how far ahead a longer one may be


class ProgramInputs(Family):
    """The 37 inputs of the program. They are all 0 for texts that it drops, such as those of forms."""

    names = PROGRAM_NAMES

    def _rows(self) -> Rows:
        page = self._features.page
        source = page.source if _BODY.search(page.source) else b"<body>" + page.source
        blocks, matrix = literal_features(source)
        rows: Rows = np.zeros((len(self.names), len(page.texts)), np.float32)
        places = _places(page.texts, [block.plain for block in blocks])
        found = np.flatnonzero(places >= 0)
        rows[:, found] = matrix[places[found]].T
        return rows


def _places(texts: Sequence[str], others: Sequence[str]) -> NDArray[np.int64]:
    """For each text the number of the other one that holds it, in the same order; -1 where there is none."""
    wanted, given = list(map(_without_spaces, texts)), list(map(_without_spaces, others))
    page, whole = "".join(wanted), "".join(given)
    ends = list(accumulate(map(len, given)))
    places = np.full(len(texts), -1)
    start = position = 0
    for number, text in enumerate(wanted):
        found = _found(page, start, len(text), whole, position)
        if found is not None:
            places[number], position = bisect_right(ends, found[0]), found[1]
        start += len(text)
    return places


def _found(page: str, start: int, length: int, whole: str, position: int) -> tuple[int, int] | None:
    """The range of `whole`, from a position on, that holds a text of the page, or its second half at least."""
    for first in (start, start + length // 2):
        probe = page[first : first + _PROBE]
        found = whole.find(probe, position, position + (_FAR if len(probe) == _PROBE else _NEAR))
        if found >= 0:
            rest = page[first : start + length]
            return found, found + (len(rest) if whole.startswith(rest, found) else len(probe))
    found = whole.find(page[start : start + length], position, position + _NEAR)
    return None if found < 0 else (found, found + length)


def _without_spaces(text: str) -> str:
    return "".join(text.split())
