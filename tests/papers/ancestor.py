"""Viveros-Jiménez et al., Improving the Boilerpipe Algorithm ... Using HTML Tree Structure (2018): tables 1 and 2.

Precision, recall and F1 of characters, those of the words in common: boilerpipe's tree, jusText if it is installed, and
the ancestor filter by its depth, on the pages of a folder. The paper's figures are for news in Spanish and in English;
it found depth 2 best. The other filters, which are Kohlschütter et al.'s, stand beside it.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from scrapy_boilerplate import extract
from scrapy_boilerplate.commands.tables import table
from scrapy_boilerplate.models import Model, load_model
from scrapy_boilerplate.train.align import tokenize
from scrapy_boilerplate.train.data import Example, read_examples
from scrapy_boilerplate.train.figures import Quality
from scrapy_boilerplate.train.rivals import RIVALS, installed

_ROWS: dict[str, dict[str, Any]] = {
    "none": {},
    **{f"ancestor, depth {depth}": {"filter": "ancestor", "ancestor_depth": depth} for depth in (1, 2, 3, 4, 5)},
    "largest": {"filter": "largest"},
    "main": {"filter": "main"},
}
_COLUMNS = ("precision", "recall", "f1")
_JUSTEXT = "jusText"

# By row: precision, recall and F1 in Spanish and in English, with boilerpipe's tree.
_PAPER: Mapping[str, tuple[float, ...]] = {
    "none": (0.83, 0.98, 0.90, 0.76, 0.92, 0.83),
    _JUSTEXT: (0.86, 0.93, 0.89, 0.85, 0.84, 0.84),
    "ancestor, depth 1": (0.97, 0.92, 0.94, 0.96, 0.82, 0.89),
    "ancestor, depth 2": (0.97, 0.93, 0.95, 0.95, 0.84, 0.89),
    "ancestor, depth 3": (0.91, 0.95, 0.92, 0.90, 0.88, 0.89),
    "ancestor, depth 4": (0.90, 0.95, 0.92, 0.87, 0.88, 0.87),
    "ancestor, depth 5": (0.89, 0.95, 0.91, 0.85, 0.89, 0.87),
}
_PAPER_COLUMNS = tuple(f"{language}: {figure}" for language in ("es", "en") for figure in _COLUMNS)


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
    yield table(("paper, tables 1 and 2", *_PAPER_COLUMNS), [(name, *figures) for name, figures in _PAPER.items()])
    yield ""
    for name in options.model:
        rows = [
            (title, *_figures(examples, partial(_text_of, load_model(name), filtering)))
            for title, filtering in _ROWS.items()
        ]
        yield table((f"{name}, {len(examples)} pages", *_COLUMNS), rows)
        yield ""
    if _JUSTEXT in installed()[0]:
        yield table(("others", *_COLUMNS), [(_JUSTEXT, *_figures(examples, RIVALS[_JUSTEXT]()))])


def _text_of(model: Model, filtering: Mapping[str, Any], page: bytes) -> str:
    return extract(page, model=model, **filtering).main_text


def _figures(examples: Sequence[Example], text_of: Callable[[bytes], str]) -> tuple[float, ...]:
    qualities = [_character_quality(text_of(example.read()), example.gold or "") for example in examples]
    return tuple(fmean(getattr(quality, figure) for quality in qualities) for figure in _COLUMNS)


def _character_quality(text: str, gold: str) -> Quality:
    found, wanted = Counter(tokenize(text)), Counter(tokenize(gold))
    return Quality.of(
        *(sum(len(word) * number for word, number in words.items()) for words in (found & wanted, found, wanted))
    )
