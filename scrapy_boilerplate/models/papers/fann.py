"""Networks in the text format of FANN, the Fast Artificial Neural Network library: read, run and written with numpy."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.floating]

SIGMOID_SYMMETRIC, GAUSSIAN_SYMMETRIC, LINEAR_PIECE_SYMMETRIC = 5, 8, 13  # FANN's numbers

_FUNCTIONS: dict[int, Callable[[Values], Values]] = {
    SIGMOID_SYMMETRIC: np.tanh,
    GAUSSIAN_SYMMETRIC: lambda x: 2 * np.exp(-np.square(x)) - 1,
    LINEAR_PIECE_SYMMETRIC: lambda x: np.clip(x, -1, 1),
}
_HIDDEN_FUNCTIONS = (SIGMOID_SYMMETRIC, GAUSSIAN_SYMMETRIC)

_VERSION = "FANN_FLO_2.1"
_NEURONS = "neurons (num_inputs, activation_function, activation_steepness)"
_CONNECTIONS = "connections (connected_to_neuron, weight)"
_GROUP = re.compile(r"\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class Layer:
    """Fully connected: a row of weights for each neuron, the last of them for the constant input 1."""

    weights: NDArray[np.float32]
    function: int
    steepness: float

    def forward(self, inputs: Values) -> Values:
        sums = inputs @ self.weights[:, :-1].T.astype(inputs.dtype) + self.weights[:, -1].astype(inputs.dtype)
        return _FUNCTIONS[self.function](self.steepness * sums)


@dataclass(frozen=True, slots=True)
class FannNetwork:
    """A feed-forward network with one or more hidden layers and a linear piece output."""

    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        shapes = [layer.weights.shape for layer in self.layers]
        if not shapes or any(len(shape) != 2 for shape in shapes):
            raise ValueError("there must be layers, each with a table of weights")
        if any(below[1] != above[0] + 1 for above, below in pairwise(shapes)):
            raise ValueError(f"layers of {', '.join(map(str, shapes))} weights don't fit together")
        if any(layer.function not in _FUNCTIONS for layer in self.layers):
            raise ValueError(f"activation functions are {', '.join(map(str, _FUNCTIONS))}")

    @classmethod
    def read(cls, path: str | PathLike[str]) -> FannNetwork:
        """Read a `.net` file, as FANN 2.1, 2.2 and `write` do; ValueError says what is wrong with any other file."""
        try:
            return cls(_read_layers(Path(path).read_text("utf-8")))
        except ValueError as error:  # also bytes that are no text
            raise ValueError(f"{path}: {error}") from None

    def write(self, path: str | PathLike[str]) -> None:
        """Write a `.net` file as FANN 2.2 does."""
        Path(path).write_text(_to_text(self.layers), "utf-8")

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of inputs, of neurons in each hidden layer, and of outputs."""
        return (self.layers[0].weights.shape[1] - 1, *(len(layer.weights) for layer in self.layers))

    def forward(self, matrix: Values) -> NDArray[np.float64]:
        """The outputs for each row of inputs, as FANN computes them: the same to about 1e-5."""
        values: Values = np.asarray(matrix, np.float64)
        for layer in self.layers:
            values = layer.forward(values)
        return np.asarray(values, np.float64)


def _read_layers(text: str) -> tuple[Layer, ...]:
    version, *lines = text.splitlines() or [""]
    if version != _VERSION:
        raise ValueError(f"not a network file: it begins with {version[:20]!r}, not {_VERSION!r}")
    # The other keys differ between FANN's versions; they only serve training.
    entries = dict(line.split("=", 1) for line in lines if "=" in line)
    for key, wanted in (("network_type", 0), ("connection_rate", 1), ("scale_included", 0)):
        if float(_entry(entries, key)) != wanted:
            raise ValueError(f"{key} is {entries[key].strip()}; only {wanted} is supported")
    sizes = [int(size) for size in _entry(entries, "layer_sizes").split()]
    if len(sizes) < 3 or min(sizes) < 2:
        raise ValueError(f"layer_sizes is {entries['layer_sizes'].strip()!r}; there must be a hidden layer")
    neurons = _groups(_entry(entries, _NEURONS), 3, sum(sizes), "neurons")
    _check_neurons(neurons, sizes)
    count = sum((size - 1) * inputs for inputs, size in pairwise(sizes))
    connections = _groups(_entry(entries, _CONNECTIONS), 2, count, "connections")
    if not np.isfinite(connections).all():
        raise ValueError("a weight is not a finite number")
    return tuple(_layers(neurons, connections, sizes))


def _entry(entries: dict[str, str], key: str) -> str:
    if key not in entries:
        raise ValueError(f"{key.split(' (')[0]!r} is missing; the file may be truncated")
    return entries[key]


def _groups(text: str, size: int, count: int, name: str) -> NDArray[np.float64]:
    rows = [group.split(",") for group in _GROUP.findall(text)]
    if len(rows) != count or any(len(row) != size for row in rows):
        raise ValueError(f"it has {len(rows)} {name} instead of {count}; the file may be truncated")
    return np.array(rows, np.float64)


def _check_neurons(neurons: NDArray[np.float64], sizes: Sequence[int]) -> None:
    """Raise ValueError unless each layer is fully connected, ends with a bias neuron and is of one kind."""
    start = sizes[0]
    for number, (inputs, size) in enumerate(pairwise(sizes), 1):
        layer = neurons[start : start + size - 1]
        start += size
        if (layer[:, 0] != inputs).any() or neurons[start - 1, 0] != 0:
            raise ValueError(f"layer {number} is not fully connected to the layer before it")
        if (layer[:, 1:] != layer[0, 1:]).any():
            raise ValueError(f"layer {number} mixes activation functions or steepnesses")
        is_output = number == len(sizes) - 1
        wanted = (LINEAR_PIECE_SYMMETRIC,) if is_output else _HIDDEN_FUNCTIONS
        if layer[0, 1] not in wanted:
            kind = "output" if is_output else "hidden"
            names = " or ".join(map(str, wanted))
            raise ValueError(f"activation function {layer[0, 1]:g} of {kind} layer {number}; only {names} is supported")
        if not 0 < layer[0, 2] < np.inf:
            raise ValueError(f"activation steepness {layer[0, 2]:g} of layer {number}")


def _layers(neurons: NDArray[np.float64], connections: NDArray[np.float64], sizes: Sequence[int]) -> list[Layer]:
    layers = []
    source, first, neuron = 0, 0, sizes[0]
    for inputs, size in pairwise(sizes):
        rows = connections[first : first + (size - 1) * inputs].reshape(size - 1, inputs, 2)
        if (rows[:, :, 0] != np.arange(source, source + inputs)).any():
            raise ValueError("the connections are not in the order of the neurons")
        _, function, steepness = neurons[neuron]
        layers.append(Layer(rows[:, :, 1].astype(np.float32), int(function), float(steepness)))
        source, first, neuron = source + inputs, first + (size - 1) * inputs, neuron + size
    return layers


# FANN refuses a file in which a key is missing or out of order; apart from these values they only serve its training.
_HEADER = """\
num_layers={count}
learning_rate=0.700000
connection_rate=1.000000
network_type=0
learning_momentum=0.000000
training_algorithm=2
train_error_function=1
train_stop_function=0
cascade_output_change_fraction=0.010000
quickprop_decay=-0.000100
quickprop_mu=1.750000
rprop_increase_factor=1.200000
rprop_decrease_factor=0.500000
rprop_delta_min=0.000000
rprop_delta_max=50.000000
rprop_delta_zero=0.100000
cascade_output_stagnation_epochs=12
cascade_candidate_change_fraction=0.010000
cascade_candidate_stagnation_epochs=12
cascade_max_out_epochs=150
cascade_min_out_epochs=50
cascade_max_cand_epochs=150
cascade_min_cand_epochs=50
cascade_num_candidate_groups=2
bit_fail_limit=3.5e-01
cascade_candidate_limit=1.0e+03
cascade_weight_multiplier=4.0e-01
cascade_activation_functions_count=1
cascade_activation_functions=5
cascade_activation_steepnesses_count=1
cascade_activation_steepnesses=5.0e-01
layer_sizes={sizes}
scale_included=0
"""


def _to_text(layers: Sequence[Layer]) -> str:
    inputs = layers[0].weights.shape[1]
    neurons = ["(0, 0, 0.0)"] * inputs
    connections = []
    source = 0
    for layer in layers:
        count, width = layer.weights.shape
        neurons += [f"({width}, {layer.function}, {layer.steepness!r})"] * count
        neurons.append("(0, 0, 0.0)")
        for row in layer.weights.tolist():
            connections += [f"({neuron}, {weight:.20e})" for neuron, weight in enumerate(row, source)]
        source += width
    sizes = [inputs, *(len(layer.weights) + 1 for layer in layers)]
    header = _HEADER.format(count=len(sizes), sizes=" ".join(map(str, sizes)))
    return f"{_VERSION}\n{header}{_NEURONS}={' '.join(neurons)} \n{_CONNECTIONS}={' '.join(connections)} \n"
