"""The trainer of BoilerNet's network. It needs torch; the models that it makes don't."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ..models.papers.boilernet import LAYERS, BoilerNet
from ..models.papers.leaves import Leaves, Vocabulary

_MOST_LEAVES = 1000  # of a longer page, each epoch sees a random part of this length
_POOL = 32  # batches whose pages are sorted by length together, to reduce padding
_LARGEST_GRADIENT = 1.0


@dataclass(frozen=True, slots=True)
class BoilerNetSettings:
    """Sizes and rates of a training; the defaults are those of the shipped weights."""

    tags: int = 50
    words: int = 1000
    units: int = 32  # of each direction of each layer, and of the projection
    dropout: float = 0.3
    epochs: int = 6
    pages_a_batch: int = 8
    rate: float = 0.003
    balance: float = 0.0  # 1: content and boilerplate weigh the same in the loss; 0: as much as they have
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Lesson:
    """The leaves of a page, with the share of content in each leaf and its weight."""

    leaves: Leaves
    labels: NDArray[np.float32]
    weights: NDArray[np.float32]

    def some(self, first: int, last: int) -> Lesson:
        """The same for the leaves in the half-open range [first, last)."""
        return Lesson(self.leaves.some(first, last), self.labels[first:last], self.weights[first:last])


class LeafNetwork(nn.Module):
    """Dense projection, bidirectional LSTM layers, one output."""

    def __init__(self, tags: int, words: int, units: int, dropout: float) -> None:
        super().__init__()
        self.tags = nn.Linear(tags, units)
        self.words = nn.EmbeddingBag(words, units, mode="sum")
        nn.init.uniform_(self.words.weight, -0.1, 0.1)
        # One layer for each direction: each page is reversed by itself, so that no padding is read before it.
        self.lstms = nn.ModuleList(
            nn.LSTM(2 * units if layer else units, units) for layer in range(LAYERS) for _ in range(2)
        )
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(2 * units, 1)

    def forward(self, pages: Sequence[Leaves]) -> Tensor:
        """The logits of all leaves, page after page."""
        counts = np.array([len(leaves.tag_counts) for leaves in pages])
        rows = torch.relu(self._projected(pages, counts))
        page = np.repeat(np.arange(len(pages)), counts)
        ahead = np.arange(len(page)) - np.repeat(np.cumsum(counts) - counts, counts)
        back = counts[page] - 1 - ahead
        places = [(torch.from_numpy(steps), torch.from_numpy(page)) for steps in (ahead, back)]
        for layer in range(LAYERS):
            outputs = []
            for lstm, place in zip(self.lstms[2 * layer : 2 * layer + 2], places, strict=True):
                padded = torch.zeros(int(counts.max()), len(pages), rows.shape[1])
                outputs.append(lstm(padded.index_put(place, rows))[0][place])
            rows = torch.cat(outputs, 1)
        return self.output(self.dropout(rows))[:, 0]

    def _projected(self, pages: Sequence[Leaves], counts: NDArray[np.int64]) -> Tensor:
        tags = np.concatenate([leaves.tag_counts for leaves in pages])
        words = np.concatenate([leaves.words for leaves in pages])
        firsts = np.cumsum(counts) - counts
        owners = np.concatenate([leaves.owners + first for leaves, first in zip(pages, firsts, strict=True)])
        starts = np.searchsorted(owners, np.arange(len(tags)))
        return self.tags(torch.from_numpy(tags)) + self.words(torch.from_numpy(words), torch.from_numpy(starts))


def train(
    lessons: Sequence[Lesson], vocabulary: Vocabulary, settings: BoilerNetSettings
) -> Iterator[tuple[int, BoilerNet]]:
    """Train a network on these pages; yields the number of each epoch, and the model after it.

    The same lessons and settings give the same weights.
    """
    if not any(lesson.labels.any() for lesson in lessons):
        raise ValueError("no leaf of the training pages is content: nothing to learn")
    lessons = balanced(lessons, settings.balance)
    torch.manual_seed(settings.seed)
    generator = np.random.default_rng(settings.seed)
    network = LeafNetwork(len(vocabulary.tags) + 1, len(vocabulary.words) + 1, settings.units, settings.dropout)
    optimiser = torch.optim.Adam(network.parameters(), lr=settings.rate)
    batches = -(-len(lessons) // settings.pages_a_batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, settings.rate, total_steps=batches * settings.epochs)
    for epoch in range(1, settings.epochs + 1):
        network.train()
        for batch in _batches(lessons, settings.pages_a_batch, generator):
            logits = network([lesson.leaves for lesson in batch])
            labels, weights = (
                torch.from_numpy(np.concatenate([getattr(lesson, name) for lesson in batch]))
                for name in ("labels", "weights")
            )
            loss = nn.functional.binary_cross_entropy_with_logits(logits, labels, weights, reduction="sum")
            optimiser.zero_grad()
            (loss / len(batch)).backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), _LARGEST_GRADIENT)
            optimiser.step()
            schedule.step()
        yield epoch, exported(network, vocabulary, settings)


def balanced(lessons: Sequence[Lesson], balance: float) -> list[Lesson]:
    """The lessons with weights by class, which the share of content and of boilerplate in all weights determines."""
    total = sum(float(lesson.weights.sum()) for lesson in lessons)
    content = sum(float(lesson.weights @ lesson.labels) for lesson in lessons) / total
    of_content, of_boilerplate = ((0.5 / max(share, 0.5 / total)) ** balance for share in (content, 1 - content))
    return [
        replace(lesson, weights=lesson.weights * (of_boilerplate + (of_content - of_boilerplate) * lesson.labels))
        for lesson in lessons
    ]


def _batches(lessons: Sequence[Lesson], size: int, generator: np.random.Generator) -> Iterator[list[Lesson]]:
    """Batches of all pages in random order, with pages of similar length together; of long pages a part."""
    order = generator.permutation(len(lessons))
    batches: list[list[int]] = []
    for start in range(0, len(order), size * _POOL):
        pool = sorted(order[start : start + size * _POOL].tolist(), key=lambda number: len(lessons[number].labels))
        batches += [pool[first : first + size] for first in range(0, len(pool), size)]
    for number in generator.permutation(len(batches)):
        yield [_part(lessons[page], generator) for page in batches[number]]


def _part(lesson: Lesson, generator: np.random.Generator) -> Lesson:
    spare = len(lesson.labels) - _MOST_LEAVES
    if spare <= 0:
        return lesson
    first = int(generator.integers(spare + 1))
    return lesson.some(first, first + _MOST_LEAVES)


def exported(network: LeafNetwork, vocabulary: Vocabulary, settings: BoilerNetSettings) -> BoilerNet:
    """The network as a model, with weights rounded to the half precision of a weights file."""
    arrays = {
        "tags": network.tags.weight.T,
        "words": network.words.weight,
        "dense_bias": network.tags.bias,
        "output": network.output.weight[0],
        "output_bias": network.output.bias[0],
    }
    for layer in range(LAYERS):
        directions = network.lstms[2 * layer : 2 * layer + 2]
        inputs, recurrent, input_bias, recurrent_bias = (
            torch.stack([lstm.get_parameter(f"{name}_l0") for lstm in directions])
            for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        )
        arrays[f"inputs_{layer}"], arrays[f"recurrent_{layer}"] = inputs.mT, recurrent.mT
        arrays[f"bias_{layer}"] = input_bias + recurrent_bias
    card = {
        "threshold": 0.5,
        "confidence": {"expected_f1": [0.0, 1.0], "share_of_good_pages": [0.0, 1.0]},
        "settings": asdict(settings),
    }
    rounded = {name: array.detach().numpy().astype(np.float16) for name, array in arrays.items()}
    return BoilerNet(rounded, vocabulary, card)
