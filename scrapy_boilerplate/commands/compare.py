"""`scrapy boilerplate compare`: accuracy and cost of every model."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from typing import Any

from scrapy.exceptions import UsageError

from ..models import MODELS, Model
from ..train import plots
from ..train.comparison import Accuracy, Cost, accuracy, costs, sample
from ..train.data import Example, read_examples
from .mistakes import model_of, usage
from .progress import progress
from .tables import table

SYNTAX = "compare --data DIR [options]"

_NOTE = """\
f1: word F1, mean over pages. parses: processor time of extract() divided by that of lxml.html.fromstring()
({pages} pages, fastest of {repeats} runs). Figures from cards are cross-validated by site."""


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data", metavar="DIR", help="pages and gold texts; the shipped cards have figures for wcxb-dev"
    )
    parser.add_argument("--model", metavar="NAME", action="append", help="a model or its file (default: all models)")
    parser.add_argument(
        "--pages", type=int, default=100, metavar="N", help="pages to measure the cost on (default: 100)"
    )
    parser.add_argument(
        "--repeats", type=int, default=3, metavar="N", help="runs, of which the fastest counts (default: 3)"
    )
    parser.add_argument("--plot", metavar="FILE", help="plot accuracy against cost: .png, .svg, .pdf")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")


def run(args: list[str], opts: Namespace) -> None:
    if args or not opts.data:
        raise usage(SYNTAX, f"{args[0]!r} belongs to no option" if args else "--data is missing")
    try:
        for name in ("pages", "repeats"):
            if getattr(opts, name) < 1:
                raise ValueError(f"--{name} must be at least 1, not {getattr(opts, name)}")
        if opts.plot:
            plots.check_output(opts.plot)
        models = {name: model_of("--model", name) for name in opts.model or MODELS}
        examples = read_examples(opts.data)
        cost_of = _costs(models, examples, opts)
    except (ValueError, ImportError) as error:
        raise UsageError(str(error), print_help=False) from None
    accuracy_of = {name: _accuracy(model, examples, opts) for name, model in models.items()}
    rows = [_row(name, accuracy_of[name], cost_of[name]) for name in models]
    print(_as_json(rows, examples, opts) if opts.json else _as_text(rows, len(examples), opts))
    if opts.plot:
        _plot(rows, len(examples), opts.plot)


def _costs(models: Mapping[str, Model], examples: list[Example], opts: Namespace) -> dict[str, Cost]:
    pages = sample(examples, opts.pages)
    with progress(len(pages) * opts.repeats, "pages timed") as advance:
        return costs(models, pages, opts.repeats, advance)


def _accuracy(model: Model, examples: list[Example], opts: Namespace) -> Accuracy:
    with progress(len(examples), "pages") as advance:
        return accuracy(model, opts.data, examples, advance)


def _row(name: str, found: Accuracy, cost: Cost) -> dict[str, Any]:
    figures = found.figures or {}
    return {
        "model": name,
        **{key: figures.get(key) for key in ("pages", "precision", "recall", "f1")},
        "f1_by_type": figures.get("f1_by_type", {}),
        "ms": cost.milliseconds,
        "parses": cost.parses,
        "how": found.how,
        "comparable": found.is_comparable,
    }


def _as_json(rows: list[dict[str, Any]], examples: list[Example], opts: Namespace) -> str:
    timed = {"pages": min(opts.pages, len(examples)), "repeats": opts.repeats}
    return json.dumps({"data": opts.data, "pages": len(examples), "timed": timed, "models": rows}, indent=1)


def _as_text(rows: list[dict[str, Any]], pages: int, opts: Namespace) -> str:
    columns = ("model", "pages", "precision", "recall", "f1", "ms", "parses", "how")
    parts = [table(columns, [[row[column] for column in columns] for row in rows])]
    types = sorted({kind for row in rows for kind in row["f1_by_type"]})
    if types:
        by_type = [(row["model"], *(row["f1_by_type"].get(kind) for kind in types)) for row in rows]
        parts.append(table(("f1 by type", *types), by_type))
    return "\n\n".join([*parts, _NOTE.format(pages=min(opts.pages, pages), repeats=opts.repeats)])


def _plot(rows: list[dict[str, Any]], pages: int, path: str) -> None:
    trades = [
        plots.Trade(row["model"], row["parses"], row["f1"], row["comparable"]) for row in rows if row["f1"] is not None
    ]
    if trades:
        plots.save(plots.trade_figure(trades, f"{pages} pages"), path)
