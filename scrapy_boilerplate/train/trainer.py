"""From labelled pages to a model with its card: the same steps for every kind of model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Generic

from .crossvalidation import P, Split
from .data import Example
from .judge import judge
from .plots import ErrorCurve
from .recipe import Recipe, Source, read_sources

# `with progress(total, unit) as advance: advance(done)`
Progress = Callable[[int, str], AbstractContextManager[Callable[[int], None]]]


@contextmanager
def silent(_total: int, _unit: str) -> Iterator[Callable[[int], None]]:
    """Progress that is shown nowhere."""
    yield lambda _: None


class Trainer(ABC, Generic[P]):
    """Trains models of one kind by a recipe. Raises ValueError for a recipe that the kind can't follow."""

    needs_gold = False  # pages without a gold text are left out
    error = ""  # the unit of the error curves; "" if there are none

    def __init__(self, recipe: Recipe, progress: Progress = silent) -> None:
        self.recipe = recipe
        self.progress = progress
        self.curves: dict[str, list[ErrorCurve]] = {}  # by the title of their panel in a plot

    def check_sequential(self) -> None:
        """Raise ValueError if the recipe asks for something that only networks of blocks can do."""
        if self.recipe.augment.truncated or self.recipe.label_smoothing:
            raise ValueError(f"{self.recipe.kind} can't be trained with truncated copies or label_smoothing")

    @abstractmethod
    def pages(self, examples: Sequence[tuple[Source, Example]]) -> Iterator[P | None]:
        """The training data of each example; None for one that has nothing to learn from."""

    @abstractmethod
    def train(self, split: Split[P]) -> Any:
        """A model of the training side of a fold."""

    @abstractmethod
    def train_on_all(self, pages: Sequence[P], card: Mapping[str, Any]) -> Any:
        """The final model, after the cross-validation, whose figures are in the card."""


def make_model(trainer: Trainer[P], root: Path | None = None) -> Any:
    """Cross-validate and train by the trainer's recipe; `root` is where its folders are."""
    recipe = trainer.recipe
    examples = read_sources(recipe.data, root, recipe.page_type)
    examples = [pair for pair in examples if pair[1].gold is not None or not trainer.needs_gold]
    pages: list[P | None] = []
    with trainer.progress(len(examples), "pages") as advance:
        for page in trainer.pages(examples):
            pages.append(page)
            advance(len(pages))
    named = [(source.folder, example) for source, example in examples]
    card = judge(named, pages, trainer.train, recipe.folds) if recipe.folds else {}
    model = trainer.train_on_all([page for page in pages if page is not None], card)
    model.card |= card
    model.card["data"] = data_of(recipe.data, examples)
    return model


def data_of(sources: Sequence[Source], examples: Sequence[tuple[Source, Example]]) -> list[dict[str, Any]]:
    """The card's entry about the training data."""
    return [
        {
            "folder": Path(source.folder).name,
            "weight": source.weight,
            "pages": sum(other == source for other, _ in examples),
        }
        for source in sources
    ]
