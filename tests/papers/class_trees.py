"""Decision trees for the two tasks of the boilerpipe paper, cross-validated on annotated pages.

The inputs are the paper's local features and tags of the block, the one before and the one after it. A leaf holds at
least the same share of all blocks as in the paper, 1000 of 72,662. The folds are of whole pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_boilerplate.commands.tables import table
from scrapy_boilerplate.extras import require
from scrapy_boilerplate.features import Features
from scrapy_boilerplate.page import Page
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment
from scrapy_boilerplate.segment.tags import HEADING_LEVELS
from scrapy_boilerplate.train.blockwise import group_folds
from scrapy_boilerplate.train.classes import (
    AS_IN_THE_PAPER,
    TASK_NAMES,
    Counts,
    area_under_curve,
    classes_in_blocks,
    confusion_figures,
    task_confusion,
)
from scrapy_boilerplate.train.crossvalidation import train_on_folds
from scrapy_boilerplate.train.example import Example

_TAGS = (*HEADING_LEVELS, "p", "div")
_LEAF_SHARE = 1000 / 72_662
_FOLDS = 10
_COLUMNS = ("accuracy", "precision", "recall", "f1", "fp_rate", "auc")

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks of all pages: inputs, words of each class, and the number of the page."""

    matrix: Matrix
    counts: Counts
    pages: NDArray[np.int64]


def tree_figures(examples: Sequence[Example], features: Sequence[str], *, folds: int = _FOLDS) -> dict[str, Any] | None:
    """Figures of a tree for each task; None if there are fewer than two annotated pages."""
    annotated = [example for example in examples if example.word_classes]
    blocks = _read(annotated, features) if annotated else None
    pages = len(np.unique(blocks.pages)) if blocks else 0  # pages without a block don't count
    if blocks is None or pages < 2:
        return None
    fold_of = group_folds(blocks.pages, min(folds, pages))
    four = task_confusion(blocks.counts.T, AS_IN_THE_PAPER).T
    two = np.stack((four[:, 0], four[:, 1:].sum(1)), axis=1)
    return {
        "folds": int(fold_of.max()) + 1,
        "two_classes": _figures(blocks, two, fold_of),
        "four_classes": _figures(blocks, four, fold_of),
    }


def _read(examples: Sequence[Example], features: Sequence[str]) -> _Blocks:
    matrices, counts, pages = [], [], []
    for number, example in enumerate(examples):
        page = segment(to_tree(example.read()))
        matrices.append(np.hstack((Features(page).matrix(features), _tag_columns(page))))
        counts.append(classes_in_blocks(page.texts, example.word_classes or ()))
        pages.append(np.full(len(page.texts), number))
    return _Blocks(np.concatenate(matrices), np.concatenate(counts), np.concatenate(pages))


def _tag_columns(page: Page) -> Matrix:
    """For the previous block, the block and the next one a column for each tag: whether the block has it."""
    tags = np.array([[page.tags[node] == tag for tag in _TAGS] for node in page.block_nodes], np.float32)
    tags = tags.reshape(len(page.texts), len(_TAGS))
    outside = np.zeros((1, len(_TAGS)), np.float32)
    around = np.vstack((outside, tags, outside))
    return np.hstack((around[:-2], tags, around[2:]))


def _figures(blocks: _Blocks, counts: Counts, fold_of: NDArray[np.int64]) -> dict[str, Any]:
    """Figures by words: each word has its own class, and the prediction of its block."""
    tree = require("sklearn.tree")
    words = counts.sum(1)
    targets = counts.argmax(1)

    def train(numbers: NDArray[np.intp], _: int) -> Any:
        leaf = max(round(_LEAF_SHARE * len(numbers)), 1)
        classifier = tree.DecisionTreeClassifier(criterion="entropy", min_samples_leaf=leaf, random_state=0)
        # A block without words has next to no weight, but not 0.
        weights = np.maximum(words[numbers], 1e-3)
        return classifier.fit(blocks.matrix[numbers], targets[numbers], sample_weight=weights)

    beliefs = np.zeros(counts.shape)
    for fold, classifier in enumerate(train_on_folds(fold_of, train)):
        test = fold_of == fold
        if test.any():
            beliefs[np.ix_(test, classifier.classes_)] = classifier.predict_proba(blocks.matrix[test])
    guesses = beliefs.argmax(1)
    confusion = np.stack([counts[guesses == guess].sum(0) for guess in range(counts.shape[1])], axis=1)
    return confusion_figures(confusion) | {"auc": _mean_area(beliefs, counts), "confusion": confusion.tolist()}


def tree_tables(figures: dict[str, Any]) -> Iterator[str]:
    """Both tasks, then the classes and the confusion matrix of the second."""
    tasks = [(name.replace("_", " "), *map(figures[name].get, _COLUMNS)) for name in ("two_classes", "four_classes")]
    yield table((f"decision tree, {figures['folds']} folds of pages", *_COLUMNS), tasks)
    yield ""
    classes = figures["four_classes"]["classes"]
    rows = [(kind, of_class["words"], *map(of_class.get, _COLUMNS[1:4])) for kind, of_class in classes.items()]
    yield table(("four classes", "words", *_COLUMNS[1:4]), rows)
    yield ""
    confusion = zip(TASK_NAMES, figures["four_classes"]["confusion"], strict=True)
    yield table(("words, classified as", *TASK_NAMES), [(kind, *row) for kind, row in confusion])


def _mean_area(beliefs: NDArray[np.float64], counts: Counts) -> float | None:
    """The mean over the classes of the area under the ROC curve of one against all, by the classes' sizes."""
    areas, sizes = [], []
    for number in range(counts.shape[1]):
        of_class, others = counts[:, number], counts.sum(1) - counts[:, number]
        truths = np.repeat([True, False], len(counts))
        scores = np.tile(beliefs[:, number], 2)
        area = area_under_curve(scores, truths, np.concatenate((of_class, others)))
        if area is not None:
            areas.append(area)
            sizes.append(of_class.sum())
    return float(np.average(areas, weights=sizes)) if areas else None
