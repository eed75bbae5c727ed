"""`scrapy boilerplate train`: a network of one's own, or the shipped ones again."""

from __future__ import annotations

import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from ..training._imports import require
from ..training.cards import card_page
from ..training.recipe import Source, judge, make_samples, read_sources
from .progress import progress

if TYPE_CHECKING:
    from ..models.mlp import Perceptron
    from ..training.samples import Sample

SYNTAX = "train --data DIR[:WEIGHT] -o FILE [options]"


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        metavar="DIR[:WEIGHT]",
        action="append",
        help="html/ and ground-truth/, or pairs of page and text; WEIGHT is how much each page counts, 1 if not given",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write the weights; their card goes beside")
    parser.add_argument("--page-type", metavar="TYPE", help="of folders that know page types only this one")
    parser.add_argument("--folds", type=int, default=5, metavar="N", help="of the cross-validation by site; 0 for none")
    parser.add_argument("--epochs", type=int, metavar="N", help="how often each page is seen")
    parser.add_argument("--seed", type=int, metavar="N", help="the same seed gives the same weights")
    parser.add_argument("--credit", metavar="TEXT", action="append", default=[], help="licence and credit for the card")


def run(args: list[str], opts: Namespace) -> None:
    if args or not opts.data or not opts.output or opts.folds == 1 or opts.folds < 0:
        raise UsageError(f"usage: scrapy boilerplate {SYNTAX}", print_help=False)
    try:
        require("torch")
    except ImportError as error:
        raise UsageError(str(error), print_help=False) from None
    from ..training import network

    chosen = {name: getattr(opts, name) for name in ("epochs", "seed") if getattr(opts, name) is not None}
    settings = replace(network.Settings(), **chosen)

    def train(samples: Sequence[Sample]) -> Perceptron:
        with progress(settings.epochs, "epochs") as advance:
            return network.train(samples, settings, progress=lambda epoch, _loss, _error: advance(epoch))

    try:
        sources = [Source.parse(text) for text in opts.data]
        examples = read_sources(sources, opts.page_type)
        samples: list[Sample | None] = []
        with progress(len(examples), "pages") as advance:
            for sample in make_samples(examples):
                samples.append(sample)
                advance(len(samples))
        card: dict[str, Any] = judge(examples, samples, train, opts.folds) if opts.folds else {}
        model = train([sample for sample in samples if sample is not None])
    except (ValueError, ImportError) as error:
        raise UsageError(str(error), print_help=False) from None
    model.card |= card
    model.card["data"] = [
        {
            "folder": Path(source.folder).name,
            "weight": source.weight,
            "pages": sum(other == source for other, _ in examples),
        }
        for source in sources
    ]
    model.card["credit"] = opts.credit
    model.card["command"] = "scrapy " + shlex.join(sys.argv[1:])
    output = Path(opts.output)
    model.save(output)
    page = card_page(output.stem, model.card)
    output.with_suffix(".md").write_text(page, "utf-8")
    print(page)
