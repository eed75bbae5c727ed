"""Leonhardt et al., Boilerplate Removal using a Neural Sequence Labeling Model (2020): tables 1 and 2.

Precision, recall and F1 of both classes, counted by text blocks: our models on the pages of a folder, below those of
the paper for CleanEval (if the folder has its layout) or for GoogleTrends-2017. With `--training` a network of the
paper's size learns from another folder, such as CleanEval's development pages, a tenth of whose sites choose the epoch.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scrapy_boilerplate import extract
from scrapy_boilerplate.commands.tables import table
from scrapy_boilerplate.models import Model, load_model
from scrapy_boilerplate.train.align import label_blocks, label_text_nodes
from scrapy_boilerplate.train.boilernet import BoilerNetTrainer
from scrapy_boilerplate.train.crossvalidation import Split
from scrapy_boilerplate.train.data import Example, read_examples
from scrapy_boilerplate.train.recipe import Recipe, Source, read_sources

_MODELS = ("boilernet", "victor", "mlp", "texrex", "numwords")
_CLASSES = ("boilerplate", "content")
_COLUMNS = tuple(f"{name}: {figure}" for name in _CLASSES for figure in ("precision", "recall", "F1"))

_TABLE_1 = {
    "Web2Text": (0.82, 0.76, 0.79, 0.84, 0.89, 0.86),
    "Web2Text (unary)": (0.80, 0.78, 0.79, 0.85, 0.87, 0.86),
    "BoilerPipe": (0.58, 0.90, 0.71, 0.90, 0.58, 0.71),
    "Readability.js": (0.85, 0.76, 0.81, 0.82, 0.89, 0.85),
    "BoilerNet": (0.82, 0.83, 0.82, 0.87, 0.86, 0.87),
}
_TABLE_2 = {
    "Web2Text": (0.88, 0.89, 0.88, 0.69, 0.67, 0.68),
    "Web2Text (unary)": (0.91, 0.85, 0.88, 0.67, 0.77, 0.71),
    "BoilerPipe": (0.78, 0.98, 0.87, 0.85, 0.26, 0.39),
    "Readability.js": (0.84, 0.85, 0.84, 0.53, 0.52, 0.53),
    "BoilerNet": (0.95, 0.86, 0.90, 0.70, 0.88, 0.78),
}

Counts = NDArray[np.int64]  # blocks, by class and by what they are taken for


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, help="CleanEval, or other pages with their main texts")
    parser.add_argument(
        "--training", type=Path, metavar="DIR", help="also train a network as in the paper (needs torch)"
    )
    parser.add_argument("--units", type=int, default=256, help="of the network that is trained (256)")
    parser.add_argument("--epochs", type=int, default=50, help="of its training (50)")


def tables(options: Namespace) -> Iterator[str]:
    examples = [example for example in read_examples(options.directory) if example.gold]
    is_cleaneval = any(example.cleaneval for example in examples)
    name, paper = ("1: CleanEval", _TABLE_1) if is_cleaneval else ("2: GoogleTrends-2017", _TABLE_2)
    yield table((f"paper, table {name}", *_COLUMNS), [(row, *figures) for row, figures in paper.items()])
    yield ""
    models: dict[str, Model] = {name: load_model(name) for name in _MODELS}
    if options.training:
        models |= _trained(options.training, options.units, options.epochs)
    counts = {name: sum(_counts(example, model) for example in examples) for name, model in models.items()}
    yield table((f"ours, {len(examples)} pages", *_COLUMNS), _rows(counts))


def _trained(folder: Path, units: int, epochs: int) -> Mapping[str, Model]:
    settings = {"units": units, "epochs": epochs, "dropout": 0.5, "pages_a_batch": 16, "balance": 1.0}
    recipe = Recipe("boilernet", data=(Source(str(folder)),), settings=settings)
    trainer = BoilerNetTrainer(recipe)
    pages = list(trainer.pages([pair for pair in read_sources(recipe.data) if pair[1].gold is not None]))
    return {f"boilernet, {len(pages)} pages of {folder.name}": trainer.train(Split(pages, (), 0))}


def _counts(example: Example, model: Model) -> Counts:
    document = extract(example.read(), model=model)
    page, gold = document.page, example.gold or ""
    truths = (label_text_nodes(page, gold) if page.glue else label_blocks(page.texts, gold)) > 0
    counts = np.zeros((2, 2), np.int64)
    np.add.at(counts, (truths.astype(int), [int(block.is_content) for block in document.blocks]), 1)
    return counts


def _rows(counts: Mapping[str, Counts | int]) -> Iterator[Sequence[object]]:
    for name, blocks in counts.items():
        right, wanted, found = np.diag(blocks), np.sum(blocks, axis=1), np.sum(blocks, axis=0)
        figures = (
            right / np.maximum(found, 1),
            right / np.maximum(wanted, 1),
            2 * right / np.maximum(wanted + found, 1),
        )
        yield (name, *(float(figure[number]) for number in range(len(_CLASSES)) for figure in figures))
