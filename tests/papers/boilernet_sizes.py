"""Accuracy of BoilerNet (Leonhardt et al., 2020) by the size of its network.

The paper has LSTMs of 256 units. A network of each size is trained on all folds but the first and judged on that one.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from time import process_time

import scrapy_boilerplate.models
from scrapy_boilerplate.commands.tables import table
from scrapy_boilerplate.train.boilernet import BoilerNetTrainer, LeafPage
from scrapy_boilerplate.train.crossvalidation import Split, outcome_of
from scrapy_boilerplate.train.data import folds_by_site, joined_sites
from scrapy_boilerplate.train.recipe import Recipe, Source, read_recipe, read_sources

_RECIPE = Path(scrapy_boilerplate.models.__file__).parent / "weights" / "boilernet.toml"
_COLUMNS = ("units", "precision", "recall", "f1", "kB", "epochs", "best epoch", "minutes")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, help="pages with their main texts, in any layout that `train` reads")
    parser.add_argument("--units", type=int, nargs="+", default=[32, 64, 128, 256], help="sizes (32 64 128 256)")
    parser.add_argument("--epochs", type=int, help="passes over the pages (those of the shipped recipe)")
    parser.add_argument("--weights", type=Path, default=Path(), metavar="DIR", help="where to write the weights (.)")


def tables(options: Namespace) -> Iterator[str]:
    recipe = replace(read_recipe(_RECIPE), data=(Source(str(options.directory)),))
    trainer = BoilerNetTrainer(recipe)
    examples = [pair for pair in read_sources(recipe.data) if pair[1].gold is not None]
    pages = list(trainer.pages(examples))
    fold_of = folds_by_site(joined_sites([page.site for page in pages]), recipe.folds)
    split = Split(
        [page for page, fold in zip(pages, fold_of, strict=True) if fold],
        [page for page, fold in zip(pages, fold_of, strict=True) if not fold],
        0,
    )
    yield f"{len(split.training)} pages for training, {len(split.held_out)} of other sites; 256 units in the paper"
    rows = [_row(recipe, split, units, options) for units in options.units]
    yield table(_COLUMNS, rows)
    yield "The cost: scrapy boilerplate compare --data DIR --model boilernet-32.npz --model boilernet-64.npz ..."


def _row(recipe: Recipe, split: Split[LeafPage], units: int, options: Namespace) -> tuple[float, ...]:
    chosen = {"units": units} | ({"epochs": options.epochs} if options.epochs else {})
    trainer = BoilerNetTrainer(replace(recipe, settings={**recipe.settings, **chosen}))
    start = process_time()
    model = trainer.train(split)
    minutes = (process_time() - start) / 60
    weights = options.weights / f"boilernet-{units}.npz"
    model.save(weights)
    qualities = [quality for page in split.held_out if (quality := outcome_of(page, model).quality) is not None]
    means = (fmean(getattr(quality, name) for quality in qualities) for name in ("precision", "recall", "f1"))
    epochs = trainer.settings.epochs, trainer.checkpoints[-1].epoch
    return (units, *means, weights.stat().st_size / 1000, *epochs, minutes)
