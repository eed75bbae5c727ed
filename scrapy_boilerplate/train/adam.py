"""Adam, an optimiser (Kingma and Ba 2015), with the decay rates that its paper recommends."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Arrays = Mapping[str, NDArray[np.float32]]

_DECAY, _SQUARES_DECAY = 0.9, 0.999
_SMALL = 1e-8


class Adam:
    """Steps against the gradient, each weight at a pace of its own."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._steps = 0
        self._means: dict[str, NDArray[np.float32]] = {}
        self._squares: dict[str, NDArray[np.float32]] = {}

    def step(self, weights: Arrays, gradients: Arrays) -> Arrays:
        """The weights after the next step; the given ones stay as they are."""
        self._steps += 1
        for name, gradient in gradients.items():
            self._means[name] = _DECAY * self._means.get(name, 0) + (1 - _DECAY) * gradient
            self._squares[name] = _SQUARES_DECAY * self._squares.get(name, 0) + (1 - _SQUARES_DECAY) * gradient**2
        rate = self._rate / (1 - _DECAY**self._steps)
        correction = 1 - _SQUARES_DECAY**self._steps
        return {
            name: array - rate * self._means[name] / (np.sqrt(self._squares[name] / correction) + _SMALL)
            for name, array in weights.items()
        }
