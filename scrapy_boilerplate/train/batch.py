"""Pages as tensors, for the trainers of the perceptron: what the network reads, and the loss. It needs torch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ..features import FEATURE_NAMES, SHALLOW_NAMES
from ..features.surroundings import Surroundings
from ..models.mlp import CLIP, SHIFTS, STRETCHES, WINDOW
from .gradients import LEAST_WORDS
from .samples import Sample

FEATURES = FEATURE_NAMES[len(SHALLOW_NAMES) :]  # those of the whole page are the last ones

# Features that good pages may lack: pages of 2005 have none of them. In training, each group is set to its mean on some
# of the pages, so that the network doesn't depend on it.
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
_SMALL = 1e-6


class Batch:
    """Some pages, one after the other, as tensors."""

    def __init__(self, samples: Sequence[Sample], mean: NDArray[np.float32], scale: NDArray[np.float32]) -> None:
        counts = [len(sample.labels) for sample in samples]
        edges = np.concatenate(([0], np.cumsum(counts)))
        self.pages = np.repeat(np.arange(len(samples)), counts)
        self.page_edges = edges
        inputs = (np.concatenate([sample.matrix for sample in samples]) - mean) * scale
        self.inputs = torch.from_numpy(np.clip(inputs, -CLIP, CLIP))
        self.page = torch.from_numpy(self.pages)
        self.sizes = torch.from_numpy(np.maximum(np.concatenate([sample.sizes for sample in samples]), LEAST_WORDS))
        self.labels = torch.from_numpy(np.concatenate([sample.labels for sample in samples]))
        self.known = torch.from_numpy(np.concatenate([sample.known for sample in samples]))
        self.weights = torch.tensor([sample.weight for sample in samples])
        self._place([sample.surroundings for sample in samples if sample.surroundings is not None])

    def _place(self, surroundings: Sequence[Surroundings]) -> None:
        """Turn numbers of blocks and groups of a page into numbers of the batch."""
        numbers, count = np.arange(len(self.pages)), len(self.pages)
        first, last = self.page_edges[self.pages], self.page_edges[self.pages + 1]
        self._weights = torch.from_numpy(np.concatenate([page.weights for page in surroundings])[:, None])
        self._shifts = []
        for shift in SHIFTS:
            moved = numbers + shift
            self._shifts.append(torch.from_numpy(np.where((moved >= first) & (moved < last), moved, count)))
        near = np.maximum(numbers - WINDOW, first), np.minimum(numbers + WINDOW + 1, last)
        edges = [np.concatenate([getattr(page, name) for page in surroundings], axis=1) for name in ("firsts", "lasts")]
        around = [(low + first, high + first) for low, high in zip(*edges, strict=True)]
        self._spans = [(torch.from_numpy(low), torch.from_numpy(high)) for low, high in (near, *around)]
        self._places = tuple(map(torch.from_numpy, (numbers, first, last)))
        stretches = [(np.maximum(numbers - length, first), numbers) for length in STRETCHES]
        stretches += [(numbers + 1, np.minimum(numbers + 1 + length, last)) for length in STRETCHES]
        self._stretches = [(torch.from_numpy(low), torch.from_numpy(high)) for low, high in stretches]
        self._groups = []
        for name in ("groups", "paths"):
            groups = np.concatenate([getattr(page, name) for page in surroundings])
            _, unique = np.unique(self.pages * (groups.max() + 1) + groups, return_inverse=True)
            self._groups.append(torch.from_numpy(unique))

    def look_around(self, summary: Tensor) -> list[Tensor]:
        """The same as `models.mlp.look_around`, for many pages at once."""
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
        """The mean loss of the pages, for each member of the committee; the same as in `gradients.py`.

        The loss of a page is its cross-entropy, weighted by the root of words, plus one minus the soft word F1.
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


def _blanked_columns() -> list[list[int]]:
    return [[column for column, name in enumerate(FEATURES) if name.startswith(group)] for group in _BLANKED]


def _mean(sums: Tensor) -> Tensor:
    return (sums[..., :-1] / sums[..., -1:].clamp(min=_SMALL)).float()


def _running_sums(rows: Tensor) -> Tensor:
    """For each member, the sum of all rows before each place, in double precision."""
    return torch.cat((torch.zeros_like(rows[:, :1], dtype=torch.float64), torch.cumsum(rows.double(), 1)), 1)
