"""Accuracy and cost of the models, side by side.

A trained model can't be judged on its training pages, so its accuracy comes from the cross-validation in its card. The
models that are rules have no training pages and are run over the folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from lxml import etree, html

from ..clean import extract
from ..models import Model
from .example import Example
from .judge import folder_figures
from .timing import Task, fastest_runs, spread

Progress = Callable[[int], None]

_PARSE = "bare parse"


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A model's figures on a folder, in the form of a card's, and how they were measured."""

    figures: Mapping[str, Any] | None  # precision, recall, f1, f1_by_type, ...
    how: str
    is_comparable: bool  # judged on all pages of the folder, and on them alone


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor time of `extract()` on a page, and as a multiple of the bare parse's."""

    milliseconds: float
    parses: float


def accuracy(model: Model, folder: str, examples: Sequence[Example], progress: Progress = lambda _: None) -> Accuracy:
    """The figures of a trained model from its card, those of rules from a run over the examples."""
    card = getattr(model, "card", None)
    if card is not None:
        return _from_card(card, Path(folder).resolve().name, examples)
    texts = []
    for example in examples:
        texts.append((example, extract(example.read(), model=model).main_text))
        progress(len(texts))
    return Accuracy(folder_figures(texts), "no training", is_comparable=True)


def _from_card(card: Mapping[str, Any], folder: str, examples: Sequence[Example]) -> Accuracy:
    judged = card.get("cross_validation", {})
    figures = next((of for name, of in judged.get("folders", {}).items() if Path(name).name == folder), None)
    if figures is None:
        return Accuracy(None, f"its card has no cross-validation on {folder}", is_comparable=False)
    how = [f"{judged['folds']} folds by site, card"]
    others = [data["folder"] for data in card.get("data", ()) if data.get("folder") not in (None, folder)]
    if others:
        how.append(f"trained with {' and '.join(others)}")
    # F1 is a mean over pages with a gold text, so a card may count the others or not.
    are_the_same = figures["pages"] in (len(examples), sum(example.gold is not None for example in examples))
    if not are_the_same:
        how.append(_other_pages(figures, examples))
    return Accuracy(figures, "; ".join(how), are_the_same)


def _other_pages(figures: Mapping[str, Any], examples: Sequence[Example]) -> str:
    """The differences between the pages of a card and these, in number and types."""
    pages, types = figures["pages"], figures["f1_by_type"]
    if types and pages == sum(example.page_type in types for example in examples):
        return f"only {', '.join(types)}: {pages} of {len(examples)} pages"
    return f"on {pages} pages, while here are {len(examples)}"


def costs(
    models: Mapping[str, Model], pages: Sequence[bytes], repeats: int, progress: Progress = lambda _: None
) -> dict[str, Cost]:
    """For each model the fastest of `repeats` runs, page by page in turn with the bare parse.

    Raises ValueError if no page can be parsed.
    """
    pages = [page for page in pages if _can_be_parsed(page)]
    if not pages:
        raise ValueError("no page to measure the cost on")
    tasks = [Task(_PARSE, html.fromstring), *(_extraction(name, model) for name, model in models.items())]
    times = fastest_runs(tasks, pages, repeats, progress)
    parse = fmean(times.pop(_PARSE))
    return {name: Cost(1000 * fmean(seconds), fmean(seconds) / parse) for name, seconds in times.items()}


def _extraction(name: str, model: Model) -> Task:
    return Task(name, lambda page: extract(page, model=model).main_text)


def _can_be_parsed(page: bytes) -> bool:
    """Whether the bare parse takes the page; it fails on empty ones."""
    try:
        html.fromstring(page)
    except (etree.LxmlError, ValueError):
        return False
    return True


def sample(examples: Sequence[Example], count: int) -> list[bytes]:
    """At most `count` pages, spread evenly over the folder."""
    return [example.read() for example in spread(examples, count)]
