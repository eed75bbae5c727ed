"""Decision trees for the two tasks of the boilerpipe paper, by cross-validation on the annotated pages themselves.

The inputs are the paper's local features of the block, the one before and the one after it, and the tags that the paper
looks at. A leaf holds at least as large a share of all blocks as in the paper, where it was 1000 of 72,662. The folds
are of whole pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..extras import require
from ..features import Features
from ..page import Page
from ..parse import to_tree
from ..segment import segment
from .blockwise import group_folds
from .boilerpipe_tables import CONTEXT
from .classes import AS_IN_THE_PAPER, Counts, area_under_curve, classes_in_blocks, confusion_figures, task_confusion
from .example import Example

_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "div")
_LEAF_SHARE = 1000 / 72_662
_FOLDS = 10

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The blocks of all pages: inputs, words of each class, and the number of the page."""

    matrix: Matrix
    counts: Counts
    pages: NDArray[np.int64]


def tree_figures(examples: Sequence[Example], *, folds: int = _FOLDS) -> dict[str, Any] | None:
    """Figures of a tree for each task, or None if there are no two annotated pages to learn from one for the other."""
    annotated = [example for example in examples if example.word_classes]
    blocks = _read(annotated) if annotated else None
    pages = len(np.unique(blocks.pages)) if blocks else 0  # those without a block left out
    if blocks is None or pages < 2:
        return None
    fold_of = group_folds(blocks.pages, min(folds, pages))
    four = task_counts(blocks.counts)
    two = np.stack((four[:, 0], four[:, 1:].sum(1)), axis=1)
    return {
        "folds": int(fold_of.max()) + 1,
        "two_classes": _figures(blocks, two, fold_of),
        "four_classes": _figures(blocks, four, fold_of),
    }


def task_counts(counts: Counts) -> Counts:
    """The words of each block by the classes of the four-class task."""
    return task_confusion(counts.T, AS_IN_THE_PAPER).T


def _read(examples: Sequence[Example]) -> _Blocks:
    matrices, counts, pages = [], [], []
    for number, example in enumerate(examples):
        page = segment(to_tree(example.read()))
        matrices.append(np.hstack((Features(page).matrix(CONTEXT), _tag_columns(page))))
        counts.append(classes_in_blocks(page.texts, example.word_classes or ()))
        pages.append(np.full(len(page.texts), number))
    return _Blocks(np.concatenate(matrices), np.concatenate(counts), np.concatenate(pages))


def _tag_columns(page: Page) -> Matrix:
    """For each tag whether it is the block's, the last block's, the next one's."""
    tags = np.array([[page.tags[node] == tag for tag in _TAGS] for node in page.block_nodes], np.float32)
    tags = tags.reshape(len(page.texts), len(_TAGS))
    outside = np.zeros((1, len(_TAGS)), np.float32)
    around = np.vstack((outside, tags, outside))
    return np.hstack((around[:-2], tags, around[2:]))


def _figures(blocks: _Blocks, counts: Counts, fold_of: NDArray[np.int64]) -> dict[str, Any]:
    """Each word is of its own class, whatever the block that it stands in was taken for."""
    tree = require("sklearn.tree")
    words = counts.sum(1)
    targets = counts.argmax(1)
    beliefs = np.zeros(counts.shape)
    for fold in range(int(fold_of.max()) + 1):
        test = fold_of == fold
        classifier = tree.DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=max(round(_LEAF_SHARE * int((~test).sum())), 1), random_state=0
        )
        # A block without a word still has to be put somewhere: it counts next to nothing.
        classifier.fit(blocks.matrix[~test], targets[~test], sample_weight=np.maximum(words[~test], 1e-3))
        if test.any():
            beliefs[np.ix_(test, classifier.classes_)] = classifier.predict_proba(blocks.matrix[test])
    guesses = beliefs.argmax(1)
    confusion = np.stack([counts[guesses == guess].sum(0) for guess in range(counts.shape[1])], axis=1)
    return confusion_figures(confusion) | {"auc": _mean_area(beliefs, counts), "confusion": confusion.tolist()}


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
