"""`scrapy boilerplate train`: a model of one's own, or the shipped ones again."""

from __future__ import annotations

import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from ..training import texrex
from ..training._imports import require
from ..training.cards import card_page
from ..training.recipe import Source, judge, make_samples, read_sources
from ..training.rows import judge_rows, read_rows, train_on_rows
from .progress import progress

if TYPE_CHECKING:
    from ..training.samples import Sample

SYNTAX = "train --data DIR[:WEIGHT] -o FILE [options]"

# Modules of training/ with FEATURES, Settings and train().
_TRAINERS = {"mlp": "network", "texrex": "texrex"}


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        metavar="DIR[:WEIGHT]",
        action="append",
        help="html/ and ground-truth/, pairs of page and text, or label files; WEIGHT is how much each page counts, "
        "1 if not given. For texrex also FANN's .dat files",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write the weights; their card goes beside")
    parser.add_argument("--kind", choices=_TRAINERS, default="mlp", help="of network, mlp if not given")
    parser.add_argument("--page-type", metavar="TYPE", help="of folders that know page types only this one")
    parser.add_argument("--folds", type=int, default=5, metavar="N", help="of the cross-validation by site; 0 for none")
    parser.add_argument("--epochs", type=int, metavar="N", help="how often each page is seen")
    parser.add_argument("--seed", type=int, metavar="N", help="the same seed gives the same weights")
    parser.add_argument("--credit", metavar="TEXT", action="append", default=[], help="licence and credit for the card")


def run(args: list[str], opts: Namespace) -> None:
    if args or not opts.data or not opts.output or opts.folds == 1 or opts.folds < 0:
        raise UsageError(f"usage: scrapy boilerplate {SYNTAX}", print_help=False)
    try:
        has_rows = any(name.endswith(".dat") for name in opts.data)
        model = _train_on_rows(opts) if has_rows else _train_on_pages(opts)
    except (OSError, ValueError, ImportError) as error:
        raise UsageError(str(error), print_help=False) from None
    model.card["credit"] = opts.credit
    output = Path(opts.output)
    model.card["command"] = _command(output)
    model.save(output)
    page = card_page(output.stem, model)
    output.with_suffix(".md").write_text(page, "utf-8")
    print(page)


def _train_on_pages(opts: Namespace) -> Any:
    if opts.kind == "mlp":
        require("torch")
    trainer = require(f"scrapy_boilerplate.training.{_TRAINERS[opts.kind]}")
    settings = _settings(trainer.Settings(), opts)

    def train(samples: Sequence[Sample]) -> Any:
        with progress(settings.epochs, "epochs") as advance:
            return trainer.train(samples, settings, progress=lambda epoch, _loss, _error: advance(epoch))

    sources = [Source.parse(text) for text in opts.data]
    examples = read_sources(sources, opts.page_type)
    samples: list[Sample | None] = []
    with progress(len(examples), "pages") as advance:
        for sample in make_samples(examples, trainer.FEATURES):
            samples.append(sample)
            advance(len(samples))
    card = judge(examples, samples, train, opts.folds) if opts.folds else {}
    usable = [sample for sample in samples if sample is not None]
    model = train(usable)
    model.card |= card
    model.card["data"] = [
        {
            "folder": Path(source.folder).name,
            "weight": source.weight,
            "pages": sum(other == source for other, _ in examples),
        }
        for source in sources
    ]
    return model


def _train_on_rows(opts: Namespace) -> Any:
    if opts.kind != "texrex":
        raise ValueError("rows of features, .dat files, are for --kind texrex")
    settings = _settings(texrex.Settings(), opts)
    examples = read_rows(opts.data)
    card = judge_rows(examples, settings, opts.folds) if opts.folds else {}
    with progress(settings.epochs, "epochs") as advance:
        model = train_on_rows(examples, settings, progress=lambda epoch, _loss, _error: advance(epoch))
    model.card |= card
    model.card["data"] = [{"file": Path(name).name} for name in opts.data]
    return model


def _settings(settings: Any, opts: Namespace) -> Any:
    chosen = {name: getattr(opts, name) for name in ("epochs", "seed") if getattr(opts, name) is not None}
    return replace(settings, **chosen)


def _command(output: Path) -> str:
    """How the user called it, whatever the folder that the weights went to."""
    given = sys.argv[sys.argv.index("train") + 1 :] if "train" in sys.argv else []
    return shlex.join(
        ["scrapy", "boilerplate", "train", *(output.name if word == str(output) else word for word in given)]
    )
