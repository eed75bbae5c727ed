"""Marek et al., Web Page Cleaning with Conditional Random Fields (2007): the shipped `victor` on CleanEval.

The paper trains on CleanEval; the shipped weights are trained on WCXB and see CleanEval's pages for the first time.
The other models stand beside it.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from scrapy_boilerplate.commands.collection_tables import cleaneval_tables
from scrapy_boilerplate.train.data import read_examples
from scrapy_boilerplate.train.evaluation import Contender, evaluate, summarise

_MODELS = ("victor", "mlp", "boilernet", "texrex", "numwords")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, help="CleanEval's input/ and GoldStandard/")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="number of processes (1)")


def tables(options: Namespace) -> Iterator[str]:
    examples = read_examples(options.directory)
    if not any(example.cleaneval for example in examples):
        raise ValueError(f"{options.directory}: not in CleanEval's layout, input/N.html and GoldStandard/N.txt")
    summaries = summarise(evaluate([Contender(name, name) for name in _MODELS], examples, options.jobs))
    for printed in cleaneval_tables(summaries):
        yield printed
        yield ""
