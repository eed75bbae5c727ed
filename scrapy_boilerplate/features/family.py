"""The base class of the feature families, and the arithmetic that they share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import proxy

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from . import Features

Rows = NDArray[np.float32]  # a row for each feature, a column for each block


class Family:
    """Features that are computed together: a name and a row of numbers for each.

    `Features` finds a feature by its name as soon as the class of its family exists: a model that needs features of its
    own brings a family along, and nothing else has to know of it.
    """

    names: tuple[str, ...]
    rows_of_all: ClassVar[dict[str, tuple[type[Family], int]]] = {}  # name: its family, and its row there

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for row, name in enumerate(cls.names):
            if name in Family.rows_of_all:
                raise ValueError(f"there is a feature {name!r} already")
            Family.rows_of_all[name] = cls, row

    def __init__(self, features: Features) -> None:
        # A weak reference: a cycle would keep the page in memory until the garbage collector runs.
        self._features: Features = proxy(features)

    @cached_property
    def rows(self) -> Rows:
        """All features of the family, in the order of their names."""
        if not self._features.page.texts:
            return np.zeros((len(self.names), 0), np.float32)
        rows = self._rows()
        return rows if isinstance(rows, np.ndarray) else np.asarray(rows, np.float32)

    def _rows(self) -> Rows | Sequence[NDArray[np.generic]]:
        """The same for a page that has blocks."""
        raise NotImplementedError


def log(values: NDArray[np.generic]) -> NDArray[np.float64]:
    """log(1 + value), which puts counts of very different size on one scale."""
    result: NDArray[np.float64] = np.log1p(values)
    return result


def share(part: NDArray[np.generic], whole: NDArray[np.generic] | float) -> NDArray[np.float64]:
    """part / whole, and 0 where the whole is 0."""
    result: NDArray[np.float64] = part / np.maximum(whole, 1e-9)
    return result
