"""How large the `boilernet` model has to be: accuracy, file size and speed by the number of units.

    python -m scrapy_boilerplate.train.boilernet_sizes DIRECTORY sizes.json --units 32 64 128 256

trains a network of each size on all folds but the first, judges it on that, and leaves its weights beside the table.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any

from lxml import html

from ..clean import extract
from ..extras import require
from ..models.papers.boilernet import BoilerNet
from .boilernet import chosen_settings, folds_of, report, train_fold
from .data import Example
from .leaf_pages import LeafPage, read_leaf_pages

_RUNS = 3  # of which the fastest counts


def size_row(
    pages: Sequence[LeafPage], fold_of: Sequence[int], units: int, epochs: int | None, weights: Path
) -> dict[str, Any]:
    """Train a network of this size, write its weights, and judge it."""
    start = process_time()
    settings = chosen_settings(units=units, epochs=epochs)
    trained, judged = train_fold(pages, fold_of, 0, settings, lambda text: report(f"{units} units, {text}"))
    minutes = (process_time() - start) / 60
    trained.model.save(weights)
    qualities = [page.quality() for page in judged]
    return {
        "units": units,
        "kilobytes": weights.stat().st_size / 1000,
        "parses": cost_elsewhere(weights, [page.page.example for page in judged]),
        "epochs": settings.epochs,
        "best_epoch": trained.epoch,
        "minutes": minutes,
        **{name: fmean(getattr(quality, name) for quality in qualities) for name in ("precision", "recall", "f1")},
    }


def cost_elsewhere(weights: Path, examples: Sequence[Example]) -> float:
    """The cost in a process of its own: where a network was trained, parsing takes longer than in a crawl."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(cost, weights, examples).result()


def cost(weights: Path, examples: Sequence[Example]) -> float:
    """The processor time of `extract()` on these pages, in bare parses."""
    model = BoilerNet.load(weights)
    total = parses = 0.0
    for example in examples:
        page = example.read()
        total += min(_seconds(partial(_clean, page, model)) for _ in range(_RUNS))
        parses += min(_seconds(partial(html.fromstring, page)) for _ in range(_RUNS))
    return total / parses


def _clean(page: bytes, model: BoilerNet) -> str:
    return extract(page, model=model).main_text


def _seconds(run: Callable[[], object]) -> float:
    start = process_time()
    run()
    return process_time() - start


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(description="Compare boilernet models of different sizes")
    parser.add_argument("directory", type=Path, help="pages and gold texts, in the layout of WCXB or as pairs")
    parser.add_argument("table", type=Path, help="the file to write, .json")
    parser.add_argument("--units", type=int, nargs="+", required=True, help="of each direction of each layer")
    parser.add_argument("--epochs", type=int, help="how often each page is seen")
    parser.add_argument("--folds", type=int, default=5, help="of the first of which the pages are judged")
    options = parser.parse_args(arguments)
    try:
        require("torch")
        pages = read_leaf_pages(options.directory)
        fold_of = folds_of(pages, options.folds)
        rows = []
        for units in options.units:
            weights = options.table.with_name(f"{options.table.stem}-{units}.npz")
            rows.append(size_row(pages, fold_of, units, options.epochs, weights))
            options.table.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")
            print(rows[-1], flush=True)
    except (ImportError, OSError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
