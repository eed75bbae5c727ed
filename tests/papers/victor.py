"""Marek et al., Web Page Cleaning with Conditional Random Fields (2007): tables 5.1 and 6.1 on CleanEval's pages.

Beside the paper's figures stand those of the shipped models, which have learnt from CleanEval's development pages but
have not seen its final ones, and with `--folds` those of `victor` trained on the other pages of the folder (the paper
has six folds). Labelling accuracy counts blocks, "markup" is the F1 of the marks, "text" that of the words, "total" the
mean of both. The paper takes CleanEval's own scorer for these, with an edit distance.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from scrapy_boilerplate.commands.collection_tables import VICTOR_COLUMNS, cleaneval_tables, victor_row
from scrapy_boilerplate.commands.tables import table
from scrapy_boilerplate.train.crossvalidation import Split, train_without_own_site
from scrapy_boilerplate.train.data import Example, read_examples
from scrapy_boilerplate.train.evaluation import Contender, PageResult, evaluate, summarise
from scrapy_boilerplate.train.victor import VictorSample, VictorSettings, make_victor_sample, train_victor

_MODELS = ("victor", "mlp", "boilernet", "texrex", "numwords")
_LABELS = {"header": 1996, "list": 1149, "paragraph": 3419, "continuation": 3380, "other": 12557}
_TABLE_6_1 = {
    "paper, Exp-1": (0.7445, 0.8260, 0.6671, 0.8111, 0.7392),
    "paper, Exp-2": (0.7509, 0.8309, 0.6731, 0.8168, 0.7450),
    "paper, Exp-3": (0.7501, 0.8288, 0.6846, 0.8183, 0.7515),
}


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, help="CleanEval's input/ and GoldStandard/")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="number of processes (1)")
    parser.add_argument(
        "--folds", type=int, default=0, metavar="N", help="also train on the other pages, in N folds (0)"
    )


def tables(options: Namespace) -> Iterator[str]:
    examples = [example for example in read_examples(options.directory) if example.cleaneval]
    if not examples:
        raise ValueError(f"{options.directory}: not in CleanEval's layout, input/N.html and GoldStandard/N.txt")
    samples = [make_victor_sample(example) for example in examples]
    counts = Counter(label for sample in samples for label in sample.structure)
    rows = [(label, paper, counts[label]) for label, paper in _LABELS.items()]
    yield table(("table 5.1, blocks", "paper", f"{len(samples)} pages"), rows)
    yield ""
    summaries = summarise(evaluate([Contender(name, name) for name in _MODELS], examples, options.jobs))
    if options.folds:
        summaries |= summarise(_cross_validated(examples, samples, options.folds))
    ours = [(name, *victor_row(summary)) for name, summary in summaries.items()]
    yield table(("table 6.1", *VICTOR_COLUMNS), [(name, *figures) for name, figures in _TABLE_6_1.items()] + ours)
    yield ""
    for printed in cleaneval_tables(summaries)[:-1]:
        yield printed
        yield ""


def _cross_validated(examples: Sequence[Example], samples: Sequence[VictorSample], folds: int) -> Iterator[PageResult]:
    """The results on each page of a model that was trained on the pages of other sites."""

    def train(split: Split[VictorSample]) -> object:
        return train_victor(split.training, VictorSettings())

    with TemporaryDirectory() as folder:
        for example, (_, fold, model) in zip(examples, train_without_own_site(samples, train, folds), strict=True):
            path = Path(folder) / f"{fold}.npz"
            if not path.exists():
                model.save(path)
            yield from evaluate([Contender(f"victor, {folds} folds of these pages", str(path))], [example])
