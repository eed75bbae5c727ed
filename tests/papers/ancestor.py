"""Viveros-Jiménez et al.: the ancestor filter by its depth, on any labelled pages.

The paper found depth 2 best. The other filters, which are Kohlschütter et al.'s, stand beside it.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scrapy_boilerplate import extract
from scrapy_boilerplate.commands.tables import table
from scrapy_boilerplate.models import load_model
from scrapy_boilerplate.train.data import read_examples
from scrapy_boilerplate.train.judge import folder_figures

_ROWS: dict[str, dict[str, Any]] = {
    "none": {},
    **{f"ancestor, depth {depth}": {"filter": "ancestor", "ancestor_depth": depth} for depth in (1, 2, 3, 4, 5)},
    "largest": {"filter": "largest"},
    "main": {"filter": "main"},
}
_COLUMNS = ("precision", "recall", "f1")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, help="pages with their main texts, in any layout that `train` reads")
    parser.add_argument("--model", nargs="+", default=["numwords", "mlp"], help="models or their files (numwords mlp)")
    parser.add_argument("--page-type", metavar="TYPE", help="only pages of this type, if the folder has types")


def tables(options: Namespace) -> Iterator[str]:
    examples = [
        example
        for example in read_examples(options.directory)
        if example.gold is not None and example.page_type in (None, options.page_type or example.page_type)
    ]
    if not examples:
        raise ValueError(f"{options.directory}: no pages of the type {options.page_type}")
    for name in options.model:
        model = load_model(name)
        rows = []
        for title, filtering in _ROWS.items():
            texts = [(example, extract(example.read(), model=model, **filtering).main_text) for example in examples]
            figures = folder_figures(texts)
            rows.append((title, *(figures[column] for column in _COLUMNS)))
        yield table((f"{name}, {len(examples)} pages", *_COLUMNS), rows)
        yield ""
