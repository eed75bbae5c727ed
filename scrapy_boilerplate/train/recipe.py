"""Recipes: TOML files with the data and the settings that a model is trained with.

The recipes of the shipped models are beside their weights. All keys but `data` have defaults:

    kind = "mlp"
    label_smoothing = 0.2

    [[data]]
    folder = "wcxb-dev"
    weight = 2

    [augment]
    truncated = 0.1

    [settings]
    epochs = 12
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

from ..extras import require
from ..models.papers.fann import GAUSSIAN_SYMMETRIC, SIGMOID_SYMMETRIC
from .data import Example, read_examples
from .samples import NO_COPIES, Augmentation

T = TypeVar("T")

_SEEDS = 2**32
_FUNCTIONS = (GAUSSIAN_SYMMETRIC, SIGMOID_SYMMETRIC)
_Check = tuple[Callable[[Any], bool], str]
_IS_SHARE: _Check = (lambda value: 0 <= value < 1, "from 0 to less than 1")
_IS_POSITIVE: _Check = (lambda value: value > 0, "more than 0")
# The values that a key may have, where it isn't any integer from 1, or any number from 0.
_CHECKS: dict[str, _Check] = {
    "blanking": _IS_SHARE,
    "dropout": _IS_SHARE,
    "folds": (lambda value: value == 0 or value >= 2, "0, or 2 or more"),
    "function": (lambda value: value in _FUNCTIONS, " or ".join(map(str, _FUNCTIONS))),
    "label_smoothing": _IS_SHARE,
    "rate": _IS_POSITIVE,
    "seed": (lambda value: 0 <= value < _SEEDS, f"from 0 to {_SEEDS - 1}"),
    "weight": _IS_POSITIVE,
}


@dataclass(frozen=True, slots=True)
class Source:
    """A folder of labelled pages, or a file of rows, and the weight of each of its pages in the loss."""

    folder: str = ""
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Recipe:
    """The data and the settings of a training."""

    kind: str = "mlp"
    page_type: str = ""  # of folders with page types only the pages of this one; "" for all
    label_smoothing: float = 0.0  # the share of out-of-fold predictions in each label
    folds: int = 5  # of the cross-validation by site; 0 for none
    credit: tuple[str, ...] = ()  # licences and authors of the data, for the card
    data: tuple[Source, ...] = ()
    augment: Augmentation = NO_COPIES
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the kind's trainer, instead of its defaults
    teacher: Mapping[str, Any] = field(default_factory=dict)  # its settings, where they differ


_TABLES = ("data", "augment", "settings", "teacher")  # the keys of a recipe that have keys of their own


def read_recipe(path: Path) -> Recipe:
    """Read a TOML file; ValueError names the file and the key that is wrong."""
    toml = require("tomllib" if sys.version_info >= (3, 11) else "tomli")  # Python 3.10 has none of its own
    try:
        return _recipe(toml.loads(path.read_text("utf-8")))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def _recipe(content: Mapping[str, Any]) -> Recipe:
    plain = {key: value for key, value in content.items() if key not in _TABLES}
    sources = content.get("data", [])
    if not isinstance(sources, list) or not sources:
        raise ValueError("no [[data]] with a folder")
    recipe = fill(Recipe(), plain)
    return replace(
        recipe,
        data=tuple(_source(source) for source in sources),
        augment=fill(NO_COPIES, _table("augment", content), "augment."),
        settings=_table("settings", content),
        teacher=_table("teacher", content),
    )


def _table(name: str, content: Mapping[str, Any]) -> Mapping[str, Any]:
    table = content.get(name, {})
    if not isinstance(table, dict):
        raise ValueError(f"{name} must be a table, not {table!r}")
    return table


def _source(content: object) -> Source:
    if not isinstance(content, dict) or not content.get("folder"):
        raise ValueError(f"data needs a folder in each entry, and {content!r} has none")
    return fill(Source(), content, "data.")


def fill(template: T, values: Mapping[str, Any], where: str = "") -> T:
    """A copy of a dataclass with these values; ValueError names an unknown key or a value that makes no sense."""
    defaults = {entry.name: getattr(template, entry.name) for entry in fields(template)}  # type: ignore[arg-type]
    known = {name: default for name, default in defaults.items() if where or name not in _TABLES}
    for name in values:
        if name not in known:
            raise ValueError(f"unknown key {where}{name}; the keys here are {', '.join(known)}")
    return replace(template, **{name: checked(where + name, values[name], known[name]) for name in values})  # type: ignore[type-var]


def checked(key: str, value: Any, default: Any) -> Any:
    """The value if it has the default's type and makes sense; ValueError names the key, or the option."""
    if isinstance(default, str):
        if not isinstance(value, str):
            raise ValueError(f"{key} must be a text, not {value!r}")
        return value
    if isinstance(default, tuple):
        if not isinstance(value, list | tuple) or not all(isinstance(entry, str) for entry in value):
            raise ValueError(f"{key} must be a list of texts, not {value!r}")
        return tuple(value)
    is_whole = isinstance(default, int)
    usual: _Check = (lambda value: value >= 1, "1 or more") if is_whole else (lambda value: value >= 0, "0 or more")
    fits, range_ = _CHECKS.get(key.rpartition(".")[2].removeprefix("--"), usual)
    numbers = int if is_whole else int | float
    if isinstance(value, bool) or not isinstance(value, numbers) or not isfinite(value) or not fits(value):
        raise ValueError(f"{key} must be {'an integer' if is_whole else 'a number'}, {range_}, not {value!r}")
    return value if is_whole else float(value)


def read_sources(
    sources: Sequence[Source], root: Path | None = None, page_type: str = ""
) -> list[tuple[Source, Example]]:
    """All examples, from folders in `root`; with a page type, of folders that have types only these pages."""
    examples = [
        (source, example)
        for source in sources
        for example in read_examples(source.folder if root is None else root / source.folder)
    ]
    return [pair for pair in examples if not page_type or pair[1].page_type in (None, page_type)]
