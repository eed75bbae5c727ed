"""The trainer of the classifier of page types. It needs no extra but the one that reads domains."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..features import Features
from ..models.page_types import CLIP, PAGE_FEATURES, PAGE_TYPES, PageTypes, page_features, softmax
from ..parse import to_tree
from ..segment import segment
from .adam import Adam
from .crossvalidation import train_on_folds
from .data import Example, folds_by_site, site_of
from .recipe import Recipe, Source, fill, read_sources
from .trainer import Progress, data_of, silent

KIND = "page types"

logger = logging.getLogger(__name__)

Array = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PageTypeSettings:
    """Sizes and rates of a training; the defaults are those of the shipped weights."""

    members: int = 3  # of the committee
    hidden: int = 32
    epochs: int = 300  # each is one step over all pages
    rate: float = 0.003
    decay: float = 1.0
    dropout: float = 0.3
    blur: float = 0.1  # the share of each label that is given to all types alike
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Rows:
    """The features and the type of each page."""

    inputs: Array
    types: NDArray[np.intp]
    weights: Array

    def part(self, numbers: NDArray[np.intp]) -> Rows:
        """These rows only."""
        return Rows(self.inputs[numbers], self.types[numbers], self.weights[numbers])


class PageTypeTrainer:
    """Trains and judges a classifier by a recipe whose folders have page types."""

    def __init__(self, recipe: Recipe, progress: Progress = silent) -> None:
        plain = Recipe(KIND, folds=recipe.folds, credit=recipe.credit, data=recipe.data, settings=recipe.settings)
        if recipe != plain:
            raise ValueError(f"{KIND} takes no page_type, augment or label_smoothing")
        self.recipe = recipe
        self.settings = fill(PageTypeSettings(), recipe.settings, "settings.")
        self._progress = progress

    def make(self, root: Path | None = None) -> PageTypes:
        """Cross-validate by site, then train on all pages."""
        examples, rows = self._read(root)
        card = {"accuracy": self._judge(examples, rows)} if self.recipe.folds else {}
        model = train(rows, self.settings)
        model.card |= {**card, "data": data_of(self.recipe.data, examples)}
        return model

    def _read(self, root: Path | None) -> tuple[list[tuple[Source, Example]], Rows]:
        """The pages that have a known type and text, and their features."""
        read: list[tuple[Source, Example]] = []
        inputs: list[Array] = []
        pairs = [pair for pair in read_sources(self.recipe.data, root) if pair[1].page_type in PAGE_TYPES]
        with self._progress(len(pairs), "pages") as advance:
            for number, pair in enumerate(pairs, start=1):
                page = segment(to_tree(pair[1].read()))
                if page.texts:
                    read.append(pair)
                    inputs.append(page_features(Features(page)))
                else:
                    logger.warning("%s left out: it has no text", pair[1].path)
                advance(number)
        if not read:
            raise ValueError(f"no page has one of the types {', '.join(PAGE_TYPES)}")
        types = np.array([PAGE_TYPES.index(str(example.page_type)) for _, example in read])
        return read, Rows(np.stack(inputs), types, np.array([source.weight for source, _ in read], np.float32))

    def _judge(self, examples: Sequence[tuple[Source, Example]], rows: Rows) -> dict[str, Any]:
        """The share of pages of the first folder that are classified rightly by a model that saw no page of their site.

        The other folders only help in the training.
        """
        fold_of = np.array(folds_by_site([site_of(example) for _, example in examples], self.recipe.folds))
        models = train_on_folds(fold_of, lambda numbers, _: train(rows.part(numbers), self.settings))
        probabilities = np.zeros((len(examples), len(PAGE_TYPES)))
        for fold, model in enumerate(models):
            probabilities[fold_of == fold] = model.predict(rows.inputs[fold_of == fold])
        judged = np.array([source == self.recipe.data[0] for source, _ in examples])
        types, found = rows.types[judged], probabilities[judged].argmax(1)
        table = np.zeros((len(PAGE_TYPES), len(PAGE_TYPES)), int)
        np.add.at(table, (types, found), 1)
        return {
            "folds": self.recipe.folds,
            "folder": Path(self.recipe.data[0].folder).name,
            "right": float((types == found).mean()),
            "pages": int(judged.sum()),
            "types": list(PAGE_TYPES),
            "table": table.tolist(),
        }


def train(rows: Rows, settings: PageTypeSettings) -> PageTypes:
    """Train a committee on these pages. The same rows and settings give the same weights."""
    inputs = rows.inputs.astype(np.float64)
    deviation = inputs.std(0)
    mean = inputs.mean(0).astype(np.float32)
    scale = (1 / np.maximum(deviation, 0.01)).astype(np.float32)
    standardised = np.clip((rows.inputs - mean) * scale, -CLIP, CLIP)
    members = [_train_member(standardised, rows, settings, number) for number in range(settings.members)]
    arrays = {name: np.stack([member[name] for member in members]) for name in members[0]}
    return PageTypes({"mean": mean, "scale": scale, **arrays}, PAGE_FEATURES, {"settings": asdict(settings)})


def _train_member(inputs: Array, rows: Rows, settings: PageTypeSettings, number: int) -> dict[str, Array]:
    generator = np.random.default_rng((settings.seed, number))
    targets = np.full((len(inputs), len(PAGE_TYPES)), settings.blur / len(PAGE_TYPES), np.float32)
    targets[np.arange(len(inputs)), rows.types] += 1 - settings.blur
    shares = (rows.weights / rows.weights.sum())[:, None]
    weights = _start(inputs.shape[1], settings.hidden, generator)
    adam = Adam(settings.rate)
    shrink = 1 - settings.rate * settings.decay
    for _ in range(settings.epochs):
        kept = (generator.random((len(inputs), settings.hidden)) >= settings.dropout) / (1 - settings.dropout)
        gradients = _gradients(weights, inputs, targets, shares, kept.astype(np.float32))
        weights = {name: array * shrink for name, array in adam.step(weights, gradients).items()}
    return {name: array.astype(np.float32) for name, array in weights.items()}


def _start(inputs: int, hidden: int, generator: np.random.Generator) -> dict[str, Array]:
    def uniform(rows: int, columns: int, fan_in: int) -> Array:
        return generator.uniform(-(fan_in**-0.5), fan_in**-0.5, (rows, columns)).astype(np.float32)

    return {
        "hidden": uniform(inputs, hidden, inputs),
        "hidden_bias": uniform(1, hidden, inputs),
        "output": uniform(hidden, len(PAGE_TYPES), hidden),
        "output_bias": uniform(1, len(PAGE_TYPES), hidden),
    }


def _gradients(
    weights: dict[str, Array], inputs: Array, targets: Array, shares: Array, kept: Array
) -> dict[str, NDArray[np.float32]]:
    """The gradients of the cross-entropy, by hand: forward with dropout, then back."""
    raw = inputs @ weights["hidden"] + weights["hidden_bias"]
    hidden = np.maximum(raw, 0) * kept
    error = (softmax(hidden @ weights["output"] + weights["output_bias"]) - targets).astype(np.float32) * shares
    behind = (error @ weights["output"].T) * kept * (raw > 0)
    return {
        "hidden": inputs.T @ behind,
        "hidden_bias": behind.sum(0, keepdims=True),
        "output": hidden.T @ error,
        "output_bias": error.sum(0, keepdims=True),
    }
