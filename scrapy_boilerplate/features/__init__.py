"""Blocks to numbers: a column for each feature, a row for each block."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..blocks import Page
from .shallow import Column, ShallowFeatures

__all__ = ["FEATURE_NAMES", "Features", "check_feature_names"]

_NEIGHBOURS = {"previous_": 1, "next_": -1}

FEATURE_NAMES = (
    *ShallowFeatures.names,
    *(prefix + name for prefix in _NEIGHBOURS for name in ShallowFeatures.names),
)


def check_feature_names(names: Sequence[str]) -> None:
    """Raise ValueError for a feature that this version can't compute."""
    unknown = sorted(set(names) - set(FEATURE_NAMES))
    if unknown:
        raise ValueError(f"unknown features: {', '.join(unknown)}")


class Features:
    """The features of a page, each computed once and only if somebody asks for it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.shallow = ShallowFeatures(page)

    def column(self, name: str) -> Column:
        """A feature of every block; that of a neighbour is 0 where there is no neighbour."""
        for prefix, shift in _NEIGHBOURS.items():
            if name.startswith(prefix):
                return _shifted(self.column(name.removeprefix(prefix)), shift)
        column: Column = getattr(self.shallow, name)
        return column

    def matrix(self, names: Sequence[str]) -> NDArray[np.float32]:
        """The named features as columns, in this order."""
        columns = np.empty((len(names), len(self.page.texts)), np.float32)
        for number, name in enumerate(names):
            columns[number] = self.column(name)
        return columns.T


def _shifted(column: Column, shift: int) -> Column:
    shifted = np.zeros_like(column)
    if shift > 0:
        shifted[1:] = column[:-1]
    else:
        shifted[:-1] = column[1:]
    return shifted
