"""R. Schäfer, Efficient High-precision Boilerplate Detection Using Multilayer Perceptrons: tables 1 to 3.

They are computed on the paper's own data, and again for unseen documents and across languages. The directory holds
`boilerplate.de.dat` and, for the tables across languages, those of en, fr and sv.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from scrapy_boilerplate.models.papers.fann import GAUSSIAN_SYMMETRIC, SIGMOID_SYMMETRIC
from scrapy_boilerplate.train.blockwise import (
    Folds,
    Metrics,
    Numbers,
    RowTrainer,
    block_folds,
    cross_validate,
    documents,
    group_folds,
    measure,
    sweep,
)
from scrapy_boilerplate.train.fann_data import read_fann_data
from scrapy_boilerplate.train.rows import rprop
from scrapy_boilerplate.train.rprop import Examples

from .classifiers import logistic_regression, puk_svm, rbf_svm

LANGUAGES = ("de", "en", "fr", "sv")

_FUNCTIONS = {"Gaussian": GAUSSIAN_SYMMETRIC, "tanh": SIGMOID_SYMMETRIC}
_PAPER_FOLDS = 10

# The paper's own figures. Its table 2 has the columns in another order than its head says.
_PAPER_TABLE_1 = "paper  0.59  0.968  0.948"
_PAPER_TABLE_2 = "paper  0.962  0.976  0.969  0.951"
_PAPER_TABLE_3 = {
    "SVM (PUK)": "0.957  0.957  0.957  0.957",
    "MLP": "0.944  0.945  0.945  0.945",
    "SVM (RBF)": "0.901  0.905  0.901  0.905",
    "Log. Reg.": "0.901  0.904  0.902  0.904",
}


def seed_tables(
    data: dict[str, Examples], *, epochs: int = 500, document_epochs: int = 200, svm: bool = True
) -> Iterator[str]:
    """Yield the lines of all tables, one by one; `data` is by language and has `de` at least."""
    german = data["de"]
    folds = block_folds(len(german.targets), _PAPER_FOLDS)
    outputs = cross_validate(german, folds, rprop(epochs=epochs))
    yield from _table_1(german, folds, outputs)
    yield from _table_2(german, folds, outputs)
    if svm:
        yield from _table_3(german, folds, outputs, epochs)
    yield from _grouped_table(data, document_epochs)
    if len(data) > 1:
        yield from _transfer_table(data, document_epochs)


def _table_1(examples: Examples, folds: Folds, outputs: Numbers) -> Iterator[str]:
    yield "Table 1: thresholds at which precision, recall and F1 are equal (German, 10 folds of blocks)"
    yield "fold   thresh.  F1  corr.   best thresh.  corr."
    rows = []
    for fold in range(_PAPER_FOLDS):
        swept = sweep(examples.targets[folds == fold], outputs[folds == fold])
        (balanced, metrics), (best, best_metrics) = swept.balanced, swept.best
        rows.append((balanced, metrics.f1, metrics.accuracy, best, best_metrics.accuracy))
        yield f"{fold + 1:<5}  {_row(rows[-1], digits=(2, 3, 3, 2, 3))}"
    yield f"mean   {_row(np.mean(rows, axis=0), digits=(2, 3, 3, 2, 3))}"
    yield f"{_PAPER_TABLE_1}\n"


def _table_2(examples: Examples, folds: Folds, outputs: Numbers) -> Iterator[str]:
    yield "Table 2: threshold 0.5 (German, 10 folds of blocks)"
    yield "fold   prec.  rec.   F1     corr.   content: prec. rec. F1"
    rows = []
    for fold in range(_PAPER_FOLDS):
        metrics = measure(examples.targets[folds == fold], outputs[folds == fold])
        rows.append((metrics.precision, metrics.recall, metrics.f1, metrics.accuracy, *_content(metrics)))
        yield f"{fold + 1:<5}  {_row(rows[-1])}"
    yield f"mean   {_row(np.mean(rows, axis=0))}"
    yield f"{_PAPER_TABLE_2}\n"


def _table_3(examples: Examples, folds: Folds, outputs: Numbers, epochs: int) -> Iterator[str]:
    yield "Table 3: other classifiers (German; precision, recall, F1 are means of both classes, as in Weka)"
    yield "method     prec.  rec.   F1     corr.  | paper                      | whole documents kept together"
    groups = group_folds(documents(examples.inputs), _PAPER_FOLDS)
    trainers: dict[str, RowTrainer] = {
        "SVM (PUK)": puk_svm(),
        "SVM (RBF)": rbf_svm(),
        "Log. Reg.": logistic_regression(),
    }
    by_groups = cross_validate(examples, groups, rprop(epochs=epochs))
    yield _line_3("MLP", measure(examples.targets, outputs), measure(examples.targets, by_groups))
    for name, trainer in trainers.items():
        blockwise, grouped = (measure(examples.targets, cross_validate(examples, f, trainer)) for f in (folds, groups))
        yield _line_3(name, blockwise, grouped)
    yield ""


def _line_3(name: str, *measured: Metrics) -> str:
    blockwise, grouped = (
        _row((metrics.weighted_precision, metrics.weighted_recall, metrics.weighted_f1, metrics.accuracy))
        for metrics in measured
    )
    return f"{name:<9}  {blockwise} | {_PAPER_TABLE_3[name]} | {grouped}"


def _grouped_table(data: dict[str, Examples], epochs: int) -> Iterator[str]:
    yield f"Unseen documents: 10 folds of whole documents, {epochs} epochs, threshold 0.5"
    yield "data  documents  hidden    corr.  prec.  rec.   F1     content: p. r. F1      by blocks: corr., content F1"
    for language, examples in data.items():
        groups = documents(examples.inputs)
        for name, function in _FUNCTIONS.items():
            trainer = rprop(function=function, epochs=epochs)
            grouped, blockwise = (
                measure(examples.targets, cross_validate(examples, folds, trainer))
                for folds in (group_folds(groups, _PAPER_FOLDS), block_folds(len(groups), _PAPER_FOLDS))
            )
            values = (grouped.accuracy, grouped.precision, grouped.recall, grouped.f1, *_content(grouped))
            compared = _row((blockwise.accuracy, blockwise.content_f1))
            yield f"{language:<4}  {groups.max() + 1:>9}  {name:<8}  {_row(values)}   {compared}"
    yield ""


def _transfer_table(data: dict[str, Examples], epochs: int) -> Iterator[str]:
    yield f"Across languages: Gaussian, {epochs} epochs; accuracy / F1 of boilerplate / F1 of content; * is in-sample"
    yield "trained on   " + "".join(f"{language:<20}" for language in data)
    for language, examples in data.items():
        predict = rprop(epochs=epochs)(examples, 0)
        cells = [
            _transfer_cell(measure(test.targets, predict(test.inputs)), name == language) for name, test in data.items()
        ]
        yield f"{language:<11}  " + "".join(cells)
    cells = []
    for language, test in data.items():
        others = [examples for name, examples in data.items() if name != language]
        joined = Examples(
            *(np.concatenate(parts) for parts in zip(*((e.inputs, e.targets) for e in others), strict=True))
        )
        predict = rprop(epochs=epochs)(joined, 0)
        cells.append(_transfer_cell(measure(test.targets, predict(test.inputs)), in_sample=False))
    yield "all others   " + "".join(cells)


def _transfer_cell(metrics: Metrics, in_sample: bool) -> str:
    values = "/".join(f"{value:.3f}" for value in (metrics.accuracy, metrics.f1, metrics.content_f1))
    return f"{values + '*' * in_sample:<20}"


def _content(metrics: Metrics) -> tuple[float, float, float]:
    return metrics.content_precision, metrics.content_recall, metrics.content_f1


def _row(values: Sequence[float] | Numbers, digits: Sequence[int] = (3,) * 9) -> str:
    return "  ".join(f"{value:.{places}f}" for value, places in zip(values, digits, strict=False))


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, help="folder with boilerplate.de.dat and the other languages")
    parser.add_argument("--epochs", type=int, default=500, help="for tables 1 to 3 (500); the paper has 50000")
    parser.add_argument("--document-epochs", type=int, default=200, help="for unseen documents and languages (200)")
    parser.add_argument("--no-svm", action="store_true", help="leave out table 3, which needs scikit-learn")


def tables(options: Namespace) -> Iterator[str]:
    paths = {language: options.directory / f"boilerplate.{language}.dat" for language in LANGUAGES}
    data = {name: read_fann_data(path) for name, path in paths.items() if name == "de" or path.exists()}
    return seed_tables(data, epochs=options.epochs, document_epochs=options.document_epochs, svm=not options.no_svm)
