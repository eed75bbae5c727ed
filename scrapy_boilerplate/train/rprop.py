"""Full-batch iRPROP- for a network with one hidden layer, by FANN's rules: the training of the texrex paper.

From the same start weights it takes the same steps as FANN's RPROP training. Unlike FANN's, it takes weights of rows,
keeps the best snapshot, and returns that snapshot on Ctrl-C.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..models.papers.fann import GAUSSIAN_SYMMETRIC, LINEAR_PIECE_SYMMETRIC, FannNetwork, Layer

Matrix = NDArray[np.float32]

_STEEPNESS = np.float32(0.5)
_INCREASE, _DECREASE = np.float32(1.2), np.float32(0.5)
_FIRST_STEP, _LEAST_STEP, _LARGEST_STEP = np.float32(0.1), np.float32(1e-4), np.float32(50)
_LARGEST_WEIGHT = np.float32(1500)
_SATURATED = np.float32(0.98)  # a hidden unit beyond it still learns
_WRONG = 0.9999999  # errors beyond this have a fixed size
_WRONG_ERROR = np.float32(17)

_CHUNK = 8192  # rows at a time, so that they fit into the processor's cache


@dataclass(frozen=True, slots=True)
class Examples:
    """Rows of inputs, their targets (in texrex's data 1 is boilerplate), and the weight of each row."""

    inputs: NDArray[np.floating]
    targets: NDArray[np.floating]
    weights: NDArray[np.floating] | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A network and its errors: as in FANN, a quarter of the mean squared error."""

    epoch: int
    network: FannNetwork
    training_error: float
    validation_error: float | None = None

    @property
    def error(self) -> float:
        """The error by which snapshots are compared: the validation error if there is one."""
        return self.training_error if self.validation_error is None else self.validation_error


def train_rprop(
    training: Examples,
    *,
    validation: Examples | None = None,
    hidden: int = 18,
    function: int = GAUSSIAN_SYMMETRIC,
    epochs: int = 500,
    snapshot_every: int = 10,
    seed: int = 0,
    start: FannNetwork | None = None,
    progress: Callable[[Snapshot], None] | None = None,
) -> Snapshot:
    """Train a network and return its best snapshot; the same arguments give the same weights.

    It starts from `start`, or from random weights drawn as in FANN. `progress` is called with every snapshot.
    """
    _check(training)
    network = start or random_network(training.inputs, hidden, function, seed)
    trainer = _Trainer(network, training)
    best: Snapshot | None = None
    try:
        for epoch in range(1, epochs + 1):
            trainer.step()
            if epoch % snapshot_every == 0 or epoch == epochs:
                snapshot = trainer.snapshot(epoch, validation)
                if best is None or snapshot.error < best.error:
                    best = snapshot
                if progress is not None:
                    progress(snapshot)
    except KeyboardInterrupt:
        if best is None:
            raise
    return best or Snapshot(0, network, mean_error(network, training))


def random_network(inputs: NDArray[np.floating], hidden: int, function: int, seed: int) -> FannNetwork:
    """Start weights after Widrow and Nguyen, as FANN draws them: only the biases' may be negative."""
    random = np.random.default_rng(seed)
    count = inputs.shape[1]
    bound = (0.7 * hidden) ** (1 / count) / max(float(np.ptp(inputs)), 1e-6)

    def layer(inputs: int, neurons: int, function: int) -> Layer:
        weights = random.uniform(0, bound, (neurons, inputs + 1))
        weights[:, -1] = random.uniform(-bound, bound, neurons)
        return Layer(weights.astype(np.float32), function, float(_STEEPNESS))

    return FannNetwork((layer(count, hidden, function), layer(hidden, 1, LINEAR_PIECE_SYMMETRIC)))


def mean_error(network: FannNetwork, examples: Examples) -> float:
    """FANN's "MSE": the weighted mean of ((target - output) / 2) squared."""
    halves = (examples.targets - network.forward(examples.inputs)[:, 0]) / 2
    return float(np.average(np.square(halves), weights=examples.weights))


def _check(examples: Examples) -> None:
    inputs, targets, weights = examples.inputs, examples.targets, examples.weights
    if inputs.ndim != 2 or not len(inputs) or targets.shape != inputs.shape[:1]:
        raise ValueError(f"inputs of shape {inputs.shape} and targets of shape {targets.shape} can't be trained on")
    if not np.isfinite(inputs).all() or not np.isfinite(targets).all():
        raise ValueError("an input or a target is not a finite number")
    if targets.min() == targets.max():
        raise ValueError(f"all targets are {targets[0]:g}: there is nothing to learn")
    if weights is not None and (weights.shape != targets.shape or not (weights >= 0).all() or not weights.any()):
        raise ValueError("weights must be one number for each row, none negative and not all 0")


class _Trainer:
    """The state of a training: weights, steps and slopes of both layers."""

    def __init__(self, network: FannNetwork, training: Examples) -> None:
        self._functions = tuple(layer.function for layer in network.layers)
        self._weights = [layer.weights.copy() for layer in network.layers]
        self._steps = [np.full_like(weights, _FIRST_STEP) for weights in self._weights]
        self._slopes = [np.zeros_like(weights) for weights in self._weights]
        self._inputs = _with_bias(training.inputs)
        self._targets = training.targets.astype(np.float32)
        self._shares = _shares(training)
        self._error = np.inf

    def step(self) -> None:
        """Train for one epoch: sum the slopes over all rows, then move every weight by a step."""
        slopes = [np.zeros_like(weights) for weights in self._weights]
        for first in range(0, len(self._inputs), _CHUNK):
            self._add_slopes(slice(first, first + _CHUNK), slopes)
        for layer, sums in enumerate(slopes):
            self._move(layer, sums)

    def _add_slopes(self, rows: slice, slopes: list[Matrix]) -> None:
        hidden_weights, output_weights = self._weights
        inputs = self._inputs[rows]
        x = (inputs @ hidden_weights.T) * _STEEPNESS
        if self._functions[0] == GAUSSIAN_SYMMETRIC:
            bell = 2 * np.exp(-np.square(x))
            values = bell - 1
            derivatives = -2 * x * bell * np.square(_STEEPNESS)
        else:
            values = 2 / (1 + np.exp(np.minimum(-2 * x, 80))) - 1  # tanh, computed several times faster
            derivatives = _STEEPNESS * (1 - np.square(np.clip(values, -_SATURATED, _SATURATED)))
        hidden = _with_bias(values)
        output = np.clip((hidden @ output_weights[0]) * _STEEPNESS, -1, 1)
        halves = (self._targets[rows] - output) / 2
        errors = _output_errors(halves) * _STEEPNESS * self._shares[rows]
        hidden_errors = np.outer(errors, output_weights[0, :-1]) * derivatives
        slopes[0] += hidden_errors.T @ inputs
        slopes[1] += errors @ hidden

    def snapshot(self, epoch: int, validation: Examples | None) -> Snapshot:
        layers = [
            Layer(weights.copy(), function, float(_STEEPNESS))
            for weights, function in zip(self._weights, self._functions, strict=True)
        ]
        network = FannNetwork(tuple(layers))
        training = Examples(self._inputs[:, :-1], self._targets, self._shares)
        validation_error = None if validation is None else mean_error(network, validation)
        return Snapshot(epoch, network, mean_error(network, training), validation_error)

    def _move(self, layer: int, slopes: Matrix) -> None:
        steps, previous = np.maximum(self._steps[layer], _LEAST_STEP), self._slopes[layer]
        turned = previous * slopes < 0
        steps = np.where(turned, steps * _DECREASE, np.minimum(steps * _INCREASE, _LARGEST_STEP))
        slopes = np.where(turned, np.float32(0), slopes)
        # FANN moves up also where the slope is 0, right after a turn.
        moved = self._weights[layer] + np.where(slopes < 0, -steps, steps)
        self._weights[layer] = np.clip(moved, -_LARGEST_WEIGHT, _LARGEST_WEIGHT)
        self._steps[layer], self._slopes[layer] = steps, slopes


def _with_bias(inputs: NDArray[np.floating]) -> Matrix:
    result = np.ones((len(inputs), inputs.shape[1] + 1), np.float32)
    result[:, :-1] = inputs
    return result


def _shares(examples: Examples) -> NDArray[np.float32]:
    """The rows' weights scaled to a mean of 1, so that slopes are as large as without weights."""
    if examples.weights is None:
        return np.ones(len(examples.targets), np.float32)
    return np.asarray(examples.weights / examples.weights.mean(), np.float32)


def _output_errors(halves: NDArray[np.float32]) -> NDArray[np.float32]:
    """FANN's default error function, which punishes large errors more than their square does."""
    inside = np.clip(halves, -_WRONG, _WRONG)
    errors = np.log((1 + inside) / (1 - inside))
    return np.where(np.abs(halves) > _WRONG, np.copysign(_WRONG_ERROR, halves), errors).astype(np.float32)
