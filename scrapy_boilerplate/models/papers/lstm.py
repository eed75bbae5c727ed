"""A bidirectional LSTM layer in numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..arithmetic import matmul

Array = NDArray[np.float32]

_CHUNK = 2048  # rows whose inputs are projected at a time, to bound the memory for long pages
_HALF, _ONE = np.float32(0.5), np.float32(1)


class BidirectionalLstm:
    """Two LSTMs over the same rows, one forward and one backward, that take their steps together.

    The first axis of the weights is the direction, the last one has PyTorch's four gates (input, forget, cell, output):
    `inputs` is (2, width, 4 x units), `recurrent` (2, units, 4 x units), `bias` (2, 4 x units).

    Nearly all time is spent in the loop over the rows, so it has few steps and allocates nothing. A sigmoid is
    (1 + tanh(x / 2)) / 2. Its inner factor 1/2 is part of the weights, so that one tanh does for all gates. Its outer
    factor is left out: the loop passes on twice the output, and the recurrent weights are halved.
    """

    def __init__(self, inputs: Array, recurrent: Array, bias: Array) -> None:
        self.units = units = recurrent.shape[1]
        self._inputs = [_gates_in_order(matrix) for matrix in inputs]
        self._bias = [_gates_in_order(vector) for vector in bias]
        # One block-diagonal matrix for both directions.
        both = np.zeros((4, 2, units, 2, units), np.float32)
        for direction, matrix in enumerate(recurrent):
            both[:, direction, :, direction] = _gates_in_order(matrix).T.reshape(4, units, units) * _HALF
        self._recurrent = both.reshape(8 * units, 2 * units)

    def forward(self, rows: Array) -> Array:
        """For each row, the outputs of both directions side by side."""
        count, units = len(rows), self.units
        outputs = np.empty((count, 2, units), np.float32)
        steps = outputs.reshape(count, 2 * units)
        state = np.zeros(10 * units, np.float32)  # output, input and forget gates, new and old cell
        output = np.zeros(2 * units, np.float32)
        for start in range(0, count, _CHUNK):
            stop = min(start + _CHUNK, count)
            projected = self._project(rows[start:stop], rows[count - stop : count - start][::-1])
            output = self._run(projected, state, output, steps[start:stop])
        outputs *= _HALF
        outputs[:, 1] = outputs[::-1, 1].copy()
        return steps

    def _project(self, ahead: Array, back: Array) -> Array:
        """The contribution of the inputs to the gates of each step."""
        projected = np.empty((len(ahead), 4, 2, self.units), np.float32)
        for direction, rows in enumerate((ahead, back)):
            product = matmul(rows, self._inputs[direction])
            product += self._bias[direction]
            projected[:, :, direction] = product.reshape(-1, 4, self.units)
        return projected.reshape(-1, 8 * self.units)

    def _run(self, projected: Array, state: Array, output: Array, outputs: Array) -> Array:
        """Step through the rows and return the last output."""
        width = 2 * self.units
        gates, sigmoids = state[: 4 * width], state[: 3 * width]
        output_gate, input_and_forget, cells = state[:width], state[width : 3 * width], state[3 * width :]
        cell = state[4 * width :]
        products = np.empty(2 * width, np.float32)
        gained, remembered = products[:width], products[width:]
        squashed = np.empty(width, np.float32)
        recurrent, dot, add, multiply, tanh = self._recurrent, np.dot, np.add, np.multiply, np.tanh
        for inputs, row in zip(projected, outputs, strict=True):
            dot(recurrent, output, gates)
            add(gates, inputs, gates)
            tanh(gates, gates)
            add(sigmoids, _ONE, sigmoids)
            multiply(input_and_forget, cells, products)
            add(gained, remembered, cell)
            multiply(cell, _HALF, cell)
            tanh(cell, squashed)
            multiply(output_gate, squashed, row)
            output = row
        return output


def _gates_in_order(weights: Array) -> Array:
    """The gates in the order output, input, forget, cell, with halved inputs of the three sigmoids."""
    input_gate, forget_gate, cell, output_gate = np.split(np.asarray(weights, np.float32), 4, axis=-1)
    sigmoids = np.concatenate((output_gate, input_gate, forget_gate), axis=-1) * _HALF
    return np.ascontiguousarray(np.concatenate((sigmoids, cell), axis=-1))
