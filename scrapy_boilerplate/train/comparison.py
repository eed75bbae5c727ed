"""Every model's accuracy and cost, side by side.

A model that was trained on pages can't be judged on them. Its card tells how good it is there by cross-validation: each
page is judged by a network that never saw its site. Rules need no such care and are tried on the pages.
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
from .recipe import folder_figures
from .timing import Task, fastest_runs, spread

Progress = Callable[[int], None]

_PARSE = "bare parse"


@dataclass(frozen=True, slots=True)
class Accuracy:
    """What is known of a model on a folder's pages, as cards have it, and how it was found."""

    figures: Mapping[str, Any] | None  # precision, recall, f1, f1_by_type, ...
    how: str
    is_comparable: bool  # judged on all pages of the folder, and on them alone


@dataclass(frozen=True, slots=True)
class Cost:
    """Processor time of `extract()` on a page, and as a multiple of the bare parse's."""

    milliseconds: float
    parses: float


def accuracy(model: Model, folder: str, examples: Sequence[Example], progress: Progress = lambda _: None) -> Accuracy:
    """A trained model's figures from its card; those of rules from a run over the examples."""
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
    # F1 is a mean over pages with a gold text: whether a card counts the others too makes no difference.
    are_the_same = figures["pages"] in (len(examples), sum(example.gold is not None for example in examples))
    if not are_the_same:
        how.append(_other_pages(figures, examples))
    return Accuracy(figures, "; ".join(how), are_the_same)


def _other_pages(figures: Mapping[str, Any], examples: Sequence[Example]) -> str:
    """In what the judged pages differ from these, as far as their number and types tell."""
    pages, types = figures["pages"], figures["f1_by_type"]
    if types and pages == sum(example.page_type in types for example in examples):
        return f"only {', '.join(types)}: {pages} of {len(examples)} pages"
    return f"on {pages} pages, while here are {len(examples)}"


def costs(
    models: Mapping[str, Model], pages: Sequence[bytes], repeats: int, progress: Progress = lambda _: None
) -> dict[str, Cost]:
    """For each model the fastest of so many runs over these pages, in turns with the bare parse; ValueError if none."""
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
    """Whether there is anything in it for the bare parse, which knows no empty page."""
    try:
        html.fromstring(page)
    except (etree.LxmlError, ValueError):
        return False
    return True


def sample(examples: Sequence[Example], count: int) -> list[bytes]:
    """Pages at equal distances."""
    return [example.read() for example in spread(examples, count)]
