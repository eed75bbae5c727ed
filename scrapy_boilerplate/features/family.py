"""What the feature families have in common."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import proxy

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from . import Features

Rows = NDArray[np.float32]  # a row for each feature, a column for each block


class Family:
    """Features that are computed together: a name and a row of numbers for each."""

    names: tuple[str, ...]

    def __init__(self, features: Features) -> None:
        # Weak, because the features keep the family, whose user has to keep them: in a circle they would hold the page
        # and its whole tree until the garbage collector comes by.
        self._features: Features = proxy(features)

    @cached_property
    def rows(self) -> Rows:
        """All features of the family, in the order of their names."""
        if not self._features.page.texts:
            return np.zeros((len(self.names), 0), np.float32)
        rows = self._rows()
        return rows if isinstance(rows, np.ndarray) else np.asarray(rows, np.float32)

    def _rows(self) -> Rows | Sequence[NDArray[np.generic]]:
        raise NotImplementedError


def log(values: NDArray[np.generic]) -> NDArray[np.float64]:
    """log(1 + value): counts of very different size on one scale."""
    result: NDArray[np.float64] = np.log1p(values)
    return result


def share(part: NDArray[np.generic], whole: NDArray[np.generic] | float) -> NDArray[np.float64]:
    """part / whole, 0 where there is no whole."""
    result: NDArray[np.float64] = part / np.maximum(whole, 1e-9)
    return result
