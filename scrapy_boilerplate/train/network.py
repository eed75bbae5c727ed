"""The trainer of the perceptron. It needs torch; the models that it makes do not."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ..features import families
from ..features.surroundings import SURROUNDINGS
from ..features.whole import Whole
from ..models.mlp import AMOUNTS, CLIP, CONTEXTS, SHIFTS, STRETCHES, WINDOW, Perceptron
from .samples import Sample

FEATURES = (*SURROUNDINGS, *families("wording", "markup", "containers", "place", "whole"))

ERROR = "loss (cross-entropy + 1 - soft F1)"

_INPUTS = FEATURES[len(SURROUNDINGS) :]
_PAGE_FEATURES = len(Whole.names)

# Inputs that a page may lack through no fault of its content: pages of 2005 have none of them. In training each group
# is blanked on some of the pages, so that the network doesn't lean on it.
_BLANKED = (
    (
        *("title_", "share_of_title", "is_title_", "is_description_", "page_has_", "page_og_", "page_type_"),
        "page_address_",
    ),
    ("in_cue_", "near_cue_", "page_cue_"),
    (
        "page_log_",
        "page_linked",
        "page_paragraph",
        "page_long_",
        "page_short_",
        "page_main_",
        "page_best_",
        "page_mix_",
    ),
    ("in_property_", "in_role_", "in_article", "in_section"),
)
# Below this a page is more likely to have no main text at all than to be worth what would be kept of it.
_LEAST_EXPECTED_F1 = 0.4
_SMALL = 1e-6


@dataclass(frozen=True, slots=True)
class MlpSettings:
    """Sizes and rates of a training; the defaults are those of the shipped weights."""

    members: int = 4  # of the committee
    hidden: int = 48
    summary: int = 12
    joint: int = 32
    dropout: float = 0.2
    epochs: int = 12
    pages_a_batch: int = 32
    rate: float = 0.002
    decay: float = 0.001
    blanking: float = 0.1  # of the pages, for each group of inputs
    first_guess: float = 0.3  # how much the loss of the network's first guess counts
    seed: int = 1


class Network(nn.Module):
    """A committee of networks. Its parameters have the names and shapes of the arrays in `Perceptron.weights`."""

    def __init__(self, settings: MlpSettings) -> None:
        super().__init__()
        around = CONTEXTS * (settings.summary + 1) + AMOUNTS
        self._add_layer("hidden", settings.members, len(_INPUTS), settings.hidden)
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
        around = batch.surroundings(torch.cat((summary, torch.sigmoid(guess)), 2))
        joint = self.dropout(torch.relu(self._layer("joint", torch.cat((hidden, *around), 2))))
        return self._layer("output", joint)[..., 0], guess[..., 0]


class Batch:
    """Some pages one behind the other, as tensors."""

    def __init__(self, samples: Sequence[Sample], mean: NDArray[np.float32], scale: NDArray[np.float32]) -> None:
        counts = [len(sample.labels) for sample in samples]
        edges = np.concatenate(([0], np.cumsum(counts)))
        self.pages = np.repeat(np.arange(len(samples)), counts)
        self.page_edges = edges
        matrix = np.concatenate([sample.matrix for sample in samples])
        inputs = (matrix[:, len(SURROUNDINGS) :].astype(np.float32) - mean) * scale
        self.inputs = torch.from_numpy(np.clip(inputs, -CLIP, CLIP))
        self.page = torch.from_numpy(self.pages)
        self.sizes = torch.from_numpy(np.maximum(np.concatenate([sample.sizes for sample in samples]), 0.3))
        self.labels = torch.from_numpy(np.concatenate([sample.labels for sample in samples]))
        self.known = torch.from_numpy(np.concatenate([sample.known for sample in samples]))
        self.weights = torch.tensor([sample.weight for sample in samples])
        self._place(matrix[:, : len(SURROUNDINGS)])

    def _place(self, places: NDArray[np.floating]) -> None:
        """Block numbers within pages to numbers within the batch."""
        *spans, group, path, _, _ = places[:, :-1].T.astype(np.int64)
        numbers, count = np.arange(len(self.pages)), len(self.pages)
        first, last = self.page_edges[self.pages], self.page_edges[self.pages + 1]
        self._weights = torch.from_numpy(np.asarray(places[:, -1:], np.float32))
        self._shifts = []
        for shift in SHIFTS:
            moved = numbers + shift
            self._shifts.append(torch.from_numpy(np.where((moved >= first) & (moved < last), moved, count)))
        near = np.maximum(numbers - WINDOW, first), np.minimum(numbers + WINDOW + 1, last)
        around = [(low + first, high + first) for low, high in zip(spans[::2], spans[1::2], strict=True)]
        self._spans = [(torch.from_numpy(low), torch.from_numpy(high)) for low, high in (near, *around)]
        self._places = tuple(map(torch.from_numpy, (numbers, first, last)))
        stretches = [(np.maximum(numbers - length, first), numbers) for length in STRETCHES]
        stretches += [(numbers + 1, np.minimum(numbers + 1 + length, last)) for length in STRETCHES]
        self._stretches = [(torch.from_numpy(low), torch.from_numpy(high)) for low, high in stretches]
        self._groups = []
        for groups in (group, path):
            _, unique = np.unique(self.pages * (groups.max() + 1) + groups, return_inverse=True)
            self._groups.append(torch.from_numpy(unique))

    def surroundings(self, summary: Tensor) -> list[Tensor]:
        """The same as `models.mlp.surroundings`, for many pages at once."""
        guess = summary[..., -1]
        weighted = torch.cat((summary * self._weights, self._weights.expand(len(summary), -1, 1)), 2)
        sums = _running_sums(weighted)
        padded = nn.functional.pad(summary, (0, 0, 0, 1))
        around = [padded[:, shift] for shift in self._shifts]
        around += [_mean(sums[:, last] - sums[:, first]) for first, last in self._spans]
        around += [self._group_mean(weighted, groups) for groups in self._groups]
        around.append(self._amounts(guess, sums[..., -2:]))
        around += [self._group_mean(rows, self.page) for rows in (weighted, weighted * guess[..., None])]
        return around

    def _amounts(self, guess: Tensor, sums: Tensor) -> Tensor:
        content = _running_sums(guess * self._weights[:, 0] ** 2)
        numbers, first, last = self._places
        before, behind = content[:, numbers] - content[:, first], content[:, last] - content[:, numbers + 1]
        total = (content[:, last] - content[:, first]).clamp(min=_SMALL)
        rows = [before / total, behind / total, *(torch.log1p(amount) / 4 for amount in (before, behind, total))]
        for low, high in self._stretches:
            part = sums[:, high] - sums[:, low]
            rows.append(part[..., 0] / part[..., 1].clamp(min=_SMALL))
        return torch.stack(rows, 2).float()

    @staticmethod
    def _group_mean(weighted: Tensor, groups: Tensor) -> Tensor:
        members, _, width = weighted.shape
        sums = torch.zeros(members, int(groups.max()) + 1, width).index_add(1, groups, weighted)
        return _mean(sums)[:, groups]

    def losses(self, logits: Tensor) -> Tensor:
        """Of each member the mean over the pages.

        A page counts with the mean cross-entropy, weighted by the root of words, plus one minus the soft word F1.
        """
        labels = self.labels.expand_as(logits)
        entropy = nn.functional.binary_cross_entropy_with_logits(logits, labels, reduction="none")
        roots = (torch.sqrt(self.sizes) * self.known)[None]
        entropy = self._per_page(entropy * roots) / self._per_page(roots).clamp(min=_SMALL)
        words, scores = (self.sizes * self.known)[None], torch.sigmoid(logits)
        gold = self._per_page(words * self.labels)
        found = self._per_page(words * self.labels * scores)
        f1 = 2 * found / (self._per_page(words * scores) + gold).clamp(min=_SMALL)
        losses = entropy + (1 - f1) * (gold > 0)
        return (losses * self.weights).sum(1) / self.weights.sum()

    def _per_page(self, values: Tensor) -> Tensor:
        return torch.zeros(len(values), len(self.weights)).index_add(1, self.page, values)

    def blank(self, share: float, generator: np.random.Generator) -> None:
        """Set each group of inputs to its mean on a share of the pages."""
        for columns in _blanked_columns():
            for page in np.flatnonzero(generator.random(len(self.weights)) < share):
                self.inputs[self.page_edges[page] : self.page_edges[page + 1], columns] = 0


def train(
    samples: Sequence[Sample],
    settings: MlpSettings,
    *,
    validation: Sequence[Sample] = (),
    held_out: Sequence[Sample] | None = None,
    progress: Callable[[int, float, float], None] | None = None,
) -> Perceptron:
    """Train a network on these pages. The same samples and settings give the same weights.

    With `validation` pages the weights after the epoch with the smallest error on them are taken, else the last ones.
    An interrupt ends the training with what it has by then. `progress` is told of each epoch's loss and error.
    With `held_out` pages, which have no say in the training, it is told the errors on the training pages and on these,
    both after the epoch and without dropout.
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
    """From here on torch does the same each time, on whatever machine.

    One thread: sums come out in one order, and on a busy machine several would spend their time waiting for each other.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)


def note_importance(model: Perceptron, samples: Sequence[Sample]) -> None:
    """Keep with the model how much each of its weights matters to these pages.

    That is the root of the mean squared slope of a page's loss (the diagonal of the Fisher information), as a share of
    the largest; `Perceptron.card` has the largest.
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
    model.importance = {f"{name}_importance": array for name, array in as_arrays(shares).items()}
    model.card["largest_importance"] = (largest / len(samples)) ** 0.5


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
    inputs = np.concatenate([sample.matrix[::3, len(SURROUNDINGS) :] for sample in samples]).astype(np.float64)
    if not np.isfinite(inputs).all():
        names = sorted({_INPUTS[column] for column in np.flatnonzero(~np.isfinite(inputs).all(0))})
        raise ValueError(f"features that are not numbers: {', '.join(names)}")
    deviation = inputs.std(0)
    # What (almost) never changes in training must not explode on a page where it does.
    scale = np.where(deviation < 1e-3, 1.0, 1 / np.maximum(deviation, 1e-3))
    return inputs.mean(0).astype(np.float32), scale.astype(np.float32)


def _exported(
    network: Network, mean: NDArray[np.float32], scale: NDArray[np.float32], settings: MlpSettings
) -> Perceptron:
    arrays = {"mean": mean, "scale": scale, **as_arrays(dict(network.named_parameters()))}
    card = {
        "feature_names": list(FEATURES),
        "page_features": _PAGE_FEATURES,
        "threshold": 0.5,
        "least_expected_f1": _LEAST_EXPECTED_F1,
        "settings": asdict(settings),
    }
    return Perceptron(arrays, card)


def as_arrays(tensors: Mapping[str, Tensor]) -> dict[str, NDArray[np.float32]]:
    """Copies of a network's parameters for `Perceptron`."""
    return {name: tensor.detach().numpy().copy() for name, tensor in tensors.items()}


def network_of(model: Perceptron) -> Network:
    """The other way round: a network with a model's weights."""
    weights = {name: array for name, array in model.weights.items() if name not in ("mean", "scale")}
    members, _, hidden = weights["hidden"].shape
    sizes = {layer: weights[layer].shape[2] for layer in ("summary", "joint")}
    network = Network(MlpSettings(members=members, hidden=hidden, **sizes))
    network.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in weights.items()})
    return network


def _blanked_columns() -> list[list[int]]:
    return [[column for column, name in enumerate(_INPUTS) if name.startswith(group)] for group in _BLANKED]


def _mean(sums: Tensor) -> Tensor:
    return (sums[..., :-1] / sums[..., -1:].clamp(min=_SMALL)).float()


def _running_sums(rows: Tensor) -> Tensor:
    """For each member the sum of all its rows before each place, in double precision."""
    return torch.cat((torch.zeros_like(rows[:, :1], dtype=torch.float64), torch.cumsum(rows.double(), 1)), 1)
