"""`scrapy boilerplate evaluate`: models and other extractors on pages whose main text is known."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from scrapy.exceptions import UsageError

from ..models import DEFAULT_MODEL
from ..options import Options, add_flags, with_flags
from ..train import plots
from ..train.data import read_examples
from ..train.evaluation import OPTIONS, Contender, PageResult, evaluate, summarise
from ..train.rivals import installed, versions_of
from ..train.sweeps import ScoredPage
from .collection_tables import class_tables, cleaneval_tables
from .mistakes import model_of, usage
from .progress import progress
from .tables import table

SYNTAX = "evaluate --data DIR [options]"

_COLUMNS = ("precision", "recall", "f1", "shingle_f1", "with", "without", "snippets", "blocks", "empty", "failed", "ms")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        metavar="DIR",
        action="append",
        help="pages and gold texts: WCXB, CleanEval, L3S-GN1, label files, or pairs NAME.html and NAME.txt",
    )
    parser.add_argument(
        "--model", metavar="NAME", action="append", help=f"a model or its file (default: {DEFAULT_MODEL})"
    )
    parser.add_argument("--others", action="store_true", help="add the other extractors that are installed")
    add_flags(parser, OPTIONS)
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="number of processes (default: 1); times are exact with 1 only"
    )
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list the N worst pages of each model")
    parser.add_argument("--json", action="store_true", help="print everything, page by page, as JSON")
    parser.add_argument(
        "--plot",
        metavar="FILE",
        help="plot each model's accuracy by threshold, scores and reliability: .png, .svg, .pdf",
    )


def run(args: list[str], opts: Namespace) -> None:
    if args or not opts.data:
        raise usage(SYNTAX, f"{args[0]!r} belongs to no option" if args else "--data is missing")
    try:
        if opts.jobs < 1:
            raise ValueError(f"--jobs must be at least 1, not {opts.jobs}")
        if opts.worst < 0:
            raise ValueError(f"--worst must be 0 or more, not {opts.worst}")
        if opts.plot:
            plots.check_output(opts.plot)
        contenders = _contenders(opts)
        examples = [example for folder in opts.data for example in read_examples(folder)]
    except (ValueError, ImportError) as error:
        raise UsageError(str(error), print_help=False) from None
    results = []
    with progress(len(examples), "pages") as advance:
        for result in evaluate(contenders, examples, opts.jobs, scored=bool(opts.plot)):
            results.append(result)
            advance(len(results) // len(contenders))
    versions = versions_of(contender.name for contender in contenders if contender.model is None)
    print(_as_json(results, versions) if opts.json else _as_text(results, opts.worst, versions))
    if opts.plot:
        _plot(results, opts.plot)


def _contenders(opts: Namespace) -> list[Contender]:
    contenders = []
    options = with_flags(Options(), opts, OPTIONS)
    for model in opts.model or [DEFAULT_MODEL]:
        model_of("--model", model)  # fail here rather than in a worker
        contenders.append(Contender(model, model, options))
    if opts.others:
        found, missing = installed()
        contenders += [Contender(name) for name in found]
        if missing:
            print(f"not installed: {', '.join(missing)}", file=sys.stderr)
    return contenders


def _plot(results: Sequence[PageResult], path: str) -> None:
    pages: dict[str, list[tuple[ScoredPage, float]]] = {}
    for result in results:
        if result.scored is not None and result.quality is not None:
            pages.setdefault(result.contender, []).append((result.scored, result.quality.f1))
    if pages:
        plots.save(plots.evaluation_figure(pages), path)
    else:
        print("nothing to plot: that needs one of our models and pages with a gold text", file=sys.stderr)


def _as_json(results: list[PageResult], versions: list[str]) -> str:
    pages: list[dict[str, Any]] = [
        {
            "contender": result.contender,
            "page": result.page,
            "type": result.page_type,
            "f1": result.quality.f1 if result.quality else None,
            "precision": result.quality.precision if result.quality else None,
            "recall": result.quality.recall if result.quality else None,
            "ms": result.milliseconds,
            "error": result.error,
            "cleaneval": asdict(result.cleaneval) if result.cleaneval else None,
        }
        for result in results
    ]
    return json.dumps({"summary": summarise(results), "versions": versions, "pages": pages}, indent=1)


def _as_text(results: list[PageResult], worst: int, versions: list[str]) -> str:
    summaries = summarise(results)
    parts = [
        table(
            ("", "pages", *_COLUMNS),
            [
                (name, summary["pages"], *(summary[column] for column in _COLUMNS))
                for name, summary in summaries.items()
            ],
        )
    ]
    if versions:
        parts.append(f"versions: {', '.join(versions)}")
    types = sorted({name for summary in summaries.values() for name in summary["f1_by_type"]})
    if types:
        rows = [(name, *(summary["f1_by_type"].get(kind) for kind in types)) for name, summary in summaries.items()]
        parts.append(table(("f1 by type", *types), rows))
    parts += cleaneval_tables(summaries)
    parts += class_tables(summaries)
    for name in summaries if worst else ():
        judged = [result for result in results if result.contender == name and result.quality is not None]
        judged.sort(key=lambda result: result.quality.f1 if result.quality else 0.0)
        rows = [
            (result.page, result.page_type, result.quality.precision, result.quality.recall, result.quality.f1)
            for result in judged[:worst]
            if result.quality
        ]
        parts.append(table((f"worst of {name}", "type", "precision", "recall", "f1"), rows))
    return "\n\n".join(parts)
