"""The two tasks of Kohlschütter et al. (2010) on news pages whose words have classes.

The first task has two classes, content and boilerplate, the second four: headline, full text, supplemental and
boilerplate. All words have the same weight; in the paper a block's weight is its number of words. Comments are full
text. So is related content, which the paper leaves open: its table 1 counts it as content, and its baselines (63.8 and
59.2 % in table 2) fit no other reading. The figures with related content as boilerplate are given as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..document import Block, Document
from ..segment.kinds import CONTINUATION, HEADING, TABLE_CELL
from ..sequences import aligned
from .annotations import CLASS_NAMES, is_word

BOILERPLATE, HEADLINE, FULL_TEXT, SUPPLEMENTAL = range(4)
TASK_NAMES = ("boilerplate", "headline", "full text", "supplemental")

# The task's class of each annotated class.
AS_IN_THE_PAPER = (BOILERPLATE, HEADLINE, FULL_TEXT, SUPPLEMENTAL, FULL_TEXT, FULL_TEXT)
RELATED_IS_BOILERPLATE = (BOILERPLATE, HEADLINE, FULL_TEXT, SUPPLEMENTAL, BOILERPLATE, FULL_TEXT)
READINGS = {"as in the paper": AS_IN_THE_PAPER, "related as boilerplate": RELATED_IS_BOILERPLATE}

_LONG_PARAGRAPH = 15  # words
_SUPPLEMENTAL_ELEMENTS = frozenset({"figure", "figcaption", "caption", "aside"})

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ClassifiedWords:
    """Words of one block that are of one class."""

    words: int
    truth: int  # of CLASS_NAMES
    guess: int  # of TASK_NAMES
    score: float  # of the block


def classes_in_blocks(texts: Sequence[str], word_classes: Sequence[tuple[str, int]]) -> Counts:
    """The number of words by block and class: a row for each block, a column for each of CLASS_NAMES.

    The words of the page are aligned with the annotated ones. Where the annotated copy differs, a word has the class of
    its neighbours if they agree.
    """
    words = [[token for token in text.split() if is_word(token)] for text in texts]
    owners = [number for number, tokens in enumerate(words) for _ in tokens]
    classes = np.full(len(owners), -1)
    for place, other in aligned([token for tokens in words for token in tokens], [word for word, _ in word_classes]):
        classes[place] = word_classes[other][1]
    counts = np.zeros((len(texts), len(CLASS_NAMES)), np.int64)
    np.add.at(counts, (np.array(owners, np.int64), _filled(classes)), 1)
    return counts


def _filled(classes: Counts) -> Counts:
    """The classes with each -1 replaced by the class of both neighbours, or 0 if they disagree."""
    if not len(classes):
        return classes.astype(np.int64)
    places = np.arange(len(classes))
    before = np.maximum.accumulate(np.where(classes >= 0, places, -1))
    after = np.minimum.accumulate(np.where(classes >= 0, places, len(classes))[::-1])[::-1]
    known = (before >= 0) & (after < len(classes))
    agree = known & (classes[np.maximum(before, 0)] == classes[np.minimum(after, len(classes) - 1)])
    return np.where(agree, classes[np.maximum(before, 0)], 0)


def guessed_classes(document: Document) -> list[int]:
    """A class for each block, by simple rules for the kept blocks.

    Headlines are texts that are part of the page's title, and headings above the first long paragraph; captions, asides
    and cells of tables are supplemental; everything else is full text.
    """
    title = (document.title or "").casefold()
    guesses: list[int] = []
    has_begun = False
    for block in document.blocks:
        if not block.is_content:
            guess = BOILERPLATE
        elif block.kind == CONTINUATION and guesses and guesses[-1] != BOILERPLATE:
            guess = guesses[-1]
        else:
            guess = _guess(block, title, has_begun)
        has_begun |= guess == FULL_TEXT and block.words >= _LONG_PARAGRAPH
        guesses.append(guess)
    return guesses


def _guess(block: Block, title: str, has_begun: bool) -> int:
    if block.words > 2 and block.text.casefold() in title:
        return HEADLINE
    if block.kind == HEADING and not has_begun:
        return HEADLINE
    elements = {step.partition("[")[0] for step in block.xpath.split("/")}
    is_supplemental = block.kind == TABLE_CELL or not elements.isdisjoint(_SUPPLEMENTAL_ELEMENTS)
    return SUPPLEMENTAL if is_supplemental else FULL_TEXT


def classified_words(document: Document, word_classes: Sequence[tuple[str, int]]) -> tuple[ClassifiedWords, ...]:
    """The words of a document, by the true and the guessed class."""
    counts = classes_in_blocks([block.text for block in document.blocks], word_classes)
    return tuple(
        ClassifiedWords(words, truth, guess, block.score)
        for block, guess, row in zip(document.blocks, guessed_classes(document), counts.tolist(), strict=True)
        for truth, words in enumerate(row)
        if words
    )


def class_figures(cells: Iterable[ClassifiedWords]) -> dict[str, Any]:
    """Figures of both tasks. The confusion matrix has a row for each annotated class, a column for each guess."""
    cells = list(cells)
    confusion = np.zeros((len(CLASS_NAMES), len(TASK_NAMES)), np.int64)
    for cell in cells:
        confusion[cell.truth, cell.guess] += cell.words
    scores, words = np.array([cell.score for cell in cells]), np.array([cell.words for cell in cells])
    two_classes = {}
    for name, reading in READINGS.items():
        is_content = np.array([reading[cell.truth] != BOILERPLATE for cell in cells], np.bool_)
        area = area_under_curve(scores, is_content, words)
        two_classes[name] = confusion_figures(two_class(task_confusion(confusion, reading))) | {"auc": area}
    return {
        "words": int(confusion.sum()),
        "two_classes": two_classes,
        "four_classes": {
            name: confusion_figures(task_confusion(confusion, reading)) for name, reading in READINGS.items()
        },
        "confusion": dict(zip(CLASS_NAMES, confusion.tolist(), strict=True)),
    }


def task_confusion(confusion: Counts, reading: Sequence[int]) -> Counts:
    """The confusion matrix with the annotated classes joined to those of the task."""
    rows = np.zeros((len(TASK_NAMES), confusion.shape[1]), np.int64)
    np.add.at(rows, list(reading), confusion)
    return rows


def two_class(confusion: Counts) -> Counts:
    """The confusion matrix of boilerplate and content, from that of four classes."""
    groups = [slice(0, 1), slice(1, None)]
    return np.array([[confusion[row, column].sum() for column in groups] for row in groups])


def confusion_figures(confusion: Counts) -> dict[str, Any]:
    """Accuracy, and precision, recall, F1 and false positive rate of each class and as a mean.

    The mean is weighted by the sizes of the classes, as in the paper's tables.
    """
    right, truths, guesses = np.diag(confusion), confusion.sum(1), confusion.sum(0)
    total = int(confusion.sum())
    precision, recall = _ratio(right, guesses), _ratio(right, truths)
    columns = {
        "precision": precision,
        "recall": recall,
        "f1": _ratio(2 * right, truths + guesses),
        "fp_rate": _ratio(guesses - right, total - truths),
    }
    shares = _ratio(truths, np.full(len(truths), total))
    names = TASK_NAMES if len(confusion) == len(TASK_NAMES) else ("boilerplate", "content")
    return {
        "accuracy": float(right.sum() / total) if total else 0.0,
        **{name: float(column @ shares) for name, column in columns.items()},
        "classes": {
            name: {"words": int(truths[row])} | {key: float(column[row]) for key, column in columns.items()}
            for row, name in enumerate(names)
        },
    }


def _ratio(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.float64]:
    ratio = np.zeros(len(part))
    np.divide(part, whole, out=ratio, where=whole != 0)
    return ratio


def area_under_curve(scores: NDArray[np.floating], truths: NDArray[np.bool_], weights: NDArray[Any]) -> float | None:
    """The area under the ROC curve; None if one class has no words."""
    values, places = np.unique(scores, return_inverse=True)
    true = np.bincount(places[truths], weights[truths], len(values))
    false = np.bincount(places[~truths], weights[~truths], len(values))
    pairs = true.sum() * false.sum()
    if not pairs:
        return None
    return float((true * (np.cumsum(false) - false / 2)).sum() / pairs)
