"""Kohlschütter et al., Boilerplate Detection using Shallow Text Features (2010): table 2 on any labelled pages.

The table compares single features, the paper's two trees and all local features. As in the paper, each block is
weighted by its words, precision, recall and F1 are means of both classes by their share, and leaves hold at least 1000
blocks. Unlike there, the ten folds are of whole domains. For pages whose words have classes (L3S-GN1) there are trees
for the paper's two tasks as well.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scrapy_boilerplate.extras import require
from scrapy_boilerplate.features import Features
from scrapy_boilerplate.features.shallow import ShallowFeatures
from scrapy_boilerplate.models.base import Model
from scrapy_boilerplate.models.papers.trees import Densitometric, NumWords
from scrapy_boilerplate.page import Page
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment
from scrapy_boilerplate.train.align import label_blocks
from scrapy_boilerplate.train.blockwise import Folds, Numbers, RowTrainer, cross_validate, group_folds, measure
from scrapy_boilerplate.train.data import read_examples, site_of
from scrapy_boilerplate.train.example import Example
from scrapy_boilerplate.train.rprop import Examples

from .class_trees import tree_figures, tree_tables
from .classifiers import decision_tree, linear_svm

LOCAL = ShallowFeatures.names
CONTEXT = tuple(prefix + name for prefix in ("previous_", "", "next_") for name in LOCAL)  # P/C/N in the paper


@dataclass(frozen=True, slots=True)
class LabelledBlocks:
    """The blocks of all pages. The arrays have a row for each block."""

    names: tuple[str, ...]
    matrix: NDArray[np.float32]
    is_content: NDArray[np.bool_]
    words: NDArray[np.float64]
    domains: NDArray[np.int64]

    @classmethod
    def of(cls, pages: Iterable[tuple[Page, Numbers, str]]) -> LabelledBlocks:
        """From triples of page, the content share of each block (0.5 and more counts as content), and domain."""
        matrices, targets, words, domains = [], [], [], []
        numbers: dict[str, int] = {}
        for page, shares, domain in pages:
            features = Features(page)
            matrices.append(features.matrix(CONTEXT))
            targets.append(np.asarray(shares) >= 0.5)
            words.append(features.shallow.words)
            domains.append(np.full(len(page.texts), numbers.setdefault(domain, len(numbers))))
        if not matrices:
            raise ValueError("there are no labelled pages")
        return cls(CONTEXT, *(np.concatenate(parts) for parts in (matrices, targets, words, domains)))

    def columns(self, names: Sequence[str]) -> NDArray[np.float32]:
        return self.matrix[:, [self.names.index(name) for name in names]]


# The rows of the table: the name in the paper, the features, and the number of leaves if the paper has it.
_TREES: tuple[tuple[str, tuple[str, ...], int | None], ...] = (
    ("Only average sentence length", ("average_sentence_length",), 2),
    ("Only average word length", ("average_word_length",), 2),
    ("Only number of words", ("words",), 2),
    ("Only link density", ("link_density",), 2),
    ("Only text density", ("text_density",), 2),
    ("Tree: link density (P/C/N)", ("previous_link_density", "link_density", "next_link_density"), None),
    ("Tree: number of words (P/C/N)", ("previous_words", "words", "next_words"), None),
    ("Tree: all local features (C)", LOCAL, None),
    (
        "Tree: text and link density (P/C/N)",
        tuple(prefix + name for prefix in ("previous_", "", "next_") for name in ("text_density", "link_density")),
        None,
    ),
    ("Tree: all local features (P/C/N)", CONTEXT, None),
)


# Precision, recall, F1, false positive rate and area under the curve of the 2-class task in the paper's table 2.
_PAPER = {
    "Baseline: all is content": (0.407, 0.638, 0.497, 0.638, 0.490),
    "Only average sentence length": (0.785, 0.679, 0.680, 0.214, 0.733),
    "Only average word length": (0.802, 0.770, 0.775, 0.200, 0.788),
    "Only number of words": (0.867, 0.867, 0.867, 0.155, 0.856),
    "Only link density": (0.885, 0.878, 0.874, 0.192, 0.843),
    "Only text density": (0.878, 0.879, 0.879, 0.143, 0.868),
    "Tree: link density (P/C/N)": (0.911, 0.911, 0.910, 0.121, 0.942),
    "Tree: number of words (P/C/N)": (0.911, 0.908, 0.909, 0.089, 0.947),
    "Tree: all local features (C)": (0.929, 0.929, 0.929, 0.087, 0.966),
    "Tree: text and link density (P/C/N)": (0.939, 0.938, 0.939, 0.067, 0.976),
    "Tree: all local features (P/C/N)": (0.950, 0.950, 0.950, 0.055, 0.981),
    "NumWords: the paper's tree": (0.922, 0.922, 0.922, 0.101, 0.957),
    "Densitometric: the paper's tree": (0.924, 0.924, 0.924, 0.085, 0.969),
}


def boilerpipe_tables(blocks: LabelledBlocks, *, folds: int = 10, smallest_leaf: int = 1000) -> Iterator[str]:
    """Yield the lines of the table, one by one."""
    fold_of = group_folds(blocks.domains, folds)
    yield f"{len(blocks.words)} blocks, {blocks.words.sum():.0f} words, {folds} folds of domains, weighted by words"
    yield f"{'':<38}  inputs  prec.  rec.   F1     FP rate  AUC    | paper: the same five"
    yield _line("Baseline: all is content", 0, blocks, np.ones(len(blocks.words)))
    for name, features, leaves in _TREES:
        trainer = decision_tree(smallest_leaf, max_leaf_nodes=leaves)
        yield _line(name, len(features), blocks, _trained(blocks, features, fold_of, trainer))
    models: dict[str, Model] = {
        "NumWords: the paper's tree": NumWords(),
        "Densitometric: the paper's tree": Densitometric(),
    }
    for name, model in models.items():
        scores = model.predict(blocks.columns(model.feature_names))
        yield _line(name, len(model.feature_names), blocks, scores, least=model.threshold)
    yield _line(
        "Linear SVM: all local features (P/C/N)", len(CONTEXT), blocks, _trained(blocks, CONTEXT, fold_of, linear_svm())
    )


def _trained(blocks: LabelledBlocks, names: Sequence[str], folds: Folds, trainer: RowTrainer) -> Numbers:
    """The content share of each block by cross-validation."""
    # A block without words has next to no weight, but not 0, which scikit-learn would refuse.
    weights = np.maximum(blocks.words, 1e-3)
    examples = Examples(blocks.columns(names), (~blocks.is_content).astype(np.float64), weights)
    return 1 - cross_validate(examples, folds, trainer)


def _line(name: str, inputs: int, blocks: LabelledBlocks, scores: Numbers, least: float = 0.5) -> str:
    boilerplate = np.where(scores >= least, 0.0, 1.0)
    metrics = measure((~blocks.is_content).astype(np.float64), boilerplate, weights=blocks.words)
    share = float(np.average(blocks.is_content, weights=blocks.words))
    false_content, false_boilerplate = 1 - metrics.recall, 1 - metrics.content_recall
    false_rate = share * false_content + (1 - share) * false_boilerplate
    area = require("sklearn.metrics").roc_auc_score(blocks.is_content, scores, sample_weight=blocks.words)
    values = (metrics.weighted_precision, metrics.weighted_recall, metrics.weighted_f1)
    ours = f"{'  '.join(f'{value:.3f}' for value in values)}  {false_rate:.3f}    {area:.3f}"
    paper = "  ".join(f"{value:.3f}" for value in _PAPER.get(name, ()))
    return f"{name:<38}  {inputs:>6}  {ours}{'  | ' if paper else ''}{paper}"


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("directory", type=Path, help="pages with their main texts, in any layout that `train` reads")
    parser.add_argument("--smallest-leaf", type=int, default=1000, metavar="N", help="blocks in a leaf (1000)")


def tables(options: Namespace) -> Iterator[str]:
    examples = read_examples(options.directory)
    blocks = LabelledBlocks.of(map(_labelled, (example for example in examples if example.gold is not None)))
    yield from boilerpipe_tables(blocks, smallest_leaf=options.smallest_leaf)
    figures = tree_figures(examples, CONTEXT)
    if figures is not None:
        yield ""
        yield from tree_tables(figures)


def _labelled(example: Example) -> tuple[Page, Numbers, str]:
    """The blocks of an example, the share of each that is content, and the site."""
    page = segment(to_tree(example.read()))
    return page, label_blocks(page.texts, example.gold or ""), site_of(example)
