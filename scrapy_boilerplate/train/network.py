"""The trainer of the perceptron. It needs torch; the models that it makes don't."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ..features.whole import Whole
from ..models.importance import Importance
from ..models.mlp import AMOUNTS, CONTEXTS, Perceptron
from .batch import FEATURES, Batch
from .gradients import ERROR, weights_of
from .samples import Sample

__all__ = ["ERROR", "FEATURES", "MlpSettings", "Network", "note_importance", "train"]

_PAGE_FEATURES = len(Whole.names)

# A page whose expected F1 is lower probably has no main text at all.
_LEAST_EXPECTED_F1 = 0.4
_SMALL = 1e-6


@dataclass(frozen=True, slots=True)
class MlpSettings:
    """Sizes and rates of a training; the defaults are those of the shipped weights."""

    members: int = 1  # of the committee
    hidden: int = 64
    summary: int = 14
    joint: int = 32
    dropout: float = 0.2
    epochs: int = 12
    pages_a_batch: int = 32
    rate: float = 0.002
    decay: float = 0.001
    blanking: float = 0.1  # the share of pages on which a group of inputs is blanked
    first_guess: float = 0.3  # the weight of the loss of the first guess
    seed: int = 1


class Network(nn.Module):
    """A committee of networks. Its parameters have the names and shapes of the arrays in `Perceptron.weights`."""

    def __init__(self, settings: MlpSettings) -> None:
        super().__init__()
        around = CONTEXTS * (settings.summary + 1) + AMOUNTS
        self._add_layer("hidden", settings.members, len(FEATURES), settings.hidden)
        self._add_layer("summary", settings.members, settings.hidden, settings.summary)
        self._add_layer("content", settings.members, settings.summary, 1)
        self._add_layer("joint", settings.members, settings.hidden + around, settings.joint)
        self._add_layer("output", settings.members, settings.joint, 1)
        self.dropout = nn.Dropout(settings.dropout)

    def _add_layer(self, name: str, members: int, inputs: int, units: int) -> None:
        bound = inputs**-0.5
        for suffix, height in (("", inputs), ("_bias", 1)):
            weights = torch.empty(members, height, units).uniform_(-bound, bound)
            self.register_parameter(name + suffix, nn.Parameter(weights))

    def _layer(self, name: str, rows: Tensor) -> Tensor:
        return rows @ self.get_parameter(name) + self.get_parameter(f"{name}_bias")

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """The logits that each member gives the blocks, and those of its first guess."""
        hidden = self.dropout(torch.relu(self._layer("hidden", batch.inputs)))
        summary = torch.relu(self._layer("summary", hidden))
        guess = self._layer("content", summary)
        around = batch.look_around(torch.cat((summary, torch.sigmoid(guess)), 2))
        joint = self.dropout(torch.relu(self._layer("joint", torch.cat((hidden, *around), 2))))
        return self._layer("output", joint)[..., 0], guess[..., 0]


def train(
    samples: Sequence[Sample],
    settings: MlpSettings,
    *,
    validation: Sequence[Sample] = (),
    held_out: Sequence[Sample] | None = None,
    progress: Callable[[int, float, float], None] | None = None,
) -> Perceptron:
    """Train a network on these pages. The same samples and settings give the same weights.

    With `validation` pages, the weights after the epoch with the lowest error on them are kept, else the last ones.
    Ctrl-C stops the training and keeps the best weights so far. `progress` gets the number of each epoch, its loss, and
    the error on the validation pages. With `held_out` pages, which don't influence the training, it gets the errors on
    the training pages and on these instead, both after the epoch and without dropout.
    """
    if not any(sample.labels.any() for sample in samples):
        raise ValueError("no block of the training pages is content: nothing to learn")
    be_repeatable(settings.seed)
    generator = np.random.default_rng(settings.seed)
    mean, scale = _standardisation(samples)
    network = Network(settings)
    batches = -(-len(samples) // settings.pages_a_batch)
    optimiser = torch.optim.AdamW(network.parameters(), lr=settings.rate, weight_decay=settings.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, settings.rate, total_steps=batches * settings.epochs)
    best: tuple[float, dict[str, Any]] = (np.inf, copy.deepcopy(network.state_dict()))
    try:
        for epoch in range(settings.epochs):
            network.train()
            total = 0.0
            for numbers in np.array_split(generator.permutation(len(samples)), batches):
                batch = Batch([samples[number] for number in numbers], mean, scale)
                batch.blank(settings.blanking, generator)
                scores, guess = network(batch)
                losses = batch.losses(scores) + settings.first_guess * batch.losses(guess)
                optimiser.zero_grad()
                losses.sum().backward()  # type: ignore[no-untyped-call]
                optimiser.step()
                schedule.step()
                total += losses.mean().item()
            error = _error(network, validation, mean, scale) if validation else -float(epoch)
            if error < best[0]:
                best = (error, copy.deepcopy(network.state_dict()))
            if progress and held_out is not None:
                errors = [_error(network, pages, mean, scale) if pages else np.nan for pages in (samples, held_out)]
                progress(epoch + 1, *errors)
            elif progress:
                progress(epoch + 1, total / batches, error)
    except KeyboardInterrupt:
        pass
    network.load_state_dict(best[1])
    return _exported(network, mean, scale, settings)


def be_repeatable(seed: int) -> None:
    """Make torch deterministic from here on.

    With one thread, sums are always added in the same order; on a busy machine, it is also faster than several.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)


def note_importance(model: Perceptron, samples: Sequence[Sample]) -> None:
    """Measure how much each weight of the model matters to these pages, and keep it with the model.

    It is the root of the mean squared gradient of a page's loss (the diagonal of the Fisher information).
    """
    network = network_of(model)
    network.eval()
    squares = {name: torch.zeros_like(weights) for name, weights in network.named_parameters()}
    for sample in samples:
        batch = Batch([sample], model.weights["mean"], model.weights["scale"])
        network.zero_grad()
        batch.losses(network(batch)[0]).sum().backward()  # type: ignore[no-untyped-call]
        for name, weights in network.named_parameters():
            if weights.grad is not None:
                squares[name] += weights.grad**2
    largest = max(float(sums.max()) for sums in squares.values())
    shares = {name: torch.sqrt(sums / max(largest, _SMALL**2)) for name, sums in squares.items()}
    model.importance = Importance(as_arrays(shares), (largest / len(samples)) ** 0.5)


def _error(network: Network, samples: Sequence[Sample], mean: NDArray[np.float32], scale: NDArray[np.float32]) -> float:
    network.eval()
    with torch.no_grad():
        losses = []
        for start in range(0, len(samples), 32):
            batch = Batch(samples[start : start + 32], mean, scale)
            losses.append(batch.losses(network(batch)[0]).mean().item() * float(batch.weights.sum()))
    return sum(losses) / sum(sample.weight for sample in samples)


def _standardisation(samples: Sequence[Sample]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The mean of each input and one over its deviation, from every third block."""
    inputs = np.concatenate([sample.matrix[::3] for sample in samples]).astype(np.float64)
    if not np.isfinite(inputs).all():
        names = sorted({FEATURES[column] for column in np.flatnonzero(~np.isfinite(inputs).all(0))})
        raise ValueError(f"features that are not numbers: {', '.join(names)}")
    deviation = inputs.std(0)
    # A feature that is (almost) constant in training must not explode on a page where it isn't.
    scale = np.where(deviation < 1e-3, 1.0, 1 / np.maximum(deviation, 1e-3))
    return inputs.mean(0).astype(np.float32), scale.astype(np.float32)


def _exported(
    network: Network, mean: NDArray[np.float32], scale: NDArray[np.float32], settings: MlpSettings
) -> Perceptron:
    arrays = {"mean": mean, "scale": scale, **as_arrays(dict(network.named_parameters()))}
    card = {
        "page_features": _PAGE_FEATURES,
        "least_expected_f1": _LEAST_EXPECTED_F1,
        "settings": asdict(settings),
    }
    return Perceptron(arrays, FEATURES, card)


def as_arrays(tensors: Mapping[str, Tensor]) -> dict[str, NDArray[np.float32]]:
    """Copies of a network's parameters for `Perceptron`."""
    return {name: tensor.detach().numpy().copy() for name, tensor in tensors.items()}


def network_of(model: Perceptron) -> Network:
    """A network with a model's weights, the reverse of the export."""
    weights = weights_of(model)
    members, _, hidden = weights["hidden"].shape
    sizes = {layer: weights[layer].shape[2] for layer in ("summary", "joint")}
    network = Network(MlpSettings(members=members, hidden=hidden, **sizes))
    network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
    return network
