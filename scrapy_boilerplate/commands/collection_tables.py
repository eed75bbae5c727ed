"""Tables of `scrapy boilerplate evaluate` for CleanEval and for pages whose words have classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..train.classes import TASK_NAMES
from .tables import table

_FIGURES = ("precision", "recall", "f1")
_CLASS_FIGURES = ("accuracy", *_FIGURES, "fp_rate", "auc")
_MARKED = {
    "words and marks": "labelled",
    "marks alone": "labelled_marks",
    "any mark": "unlabelled",
    "any mark alone": "unlabelled_marks",
}


def cleaneval_tables(summaries: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The scores of the text alone, and those with the marks of CleanEval's format."""
    judged = {name: summary["cleaneval"] for name, summary in summaries.items() if summary["cleaneval"]}
    if not judged:
        return []
    text_only = [(name, *(scores["text"][figure] for figure in _FIGURES)) for name, scores in judged.items()]
    tables = [table(("CleanEval, text only", *_FIGURES), text_only)]
    marked = [
        (f"{name}: {title}", *(scores[field][figure] for figure in _FIGURES))
        for name, scores in judged.items()
        for title, field in _MARKED.items()
        if scores[field]
    ]
    if marked:
        tables.append(table(("CleanEval, with <h>, <p>, <l>", *_FIGURES), marked))
        victors = [(name, *victor_row(summaries[name])) for name, scores in judged.items() if scores["labelled_marks"]]
        tables.append(table(("CleanEval, as in Victor's paper", *VICTOR_COLUMNS), victors))
    return tables


VICTOR_COLUMNS = ("labels", "content-noise", "markup", "text", "total")


def victor_row(summary: Mapping[str, Any]) -> tuple[float, ...]:
    """The share of right labels and of right blocks, F1 of the marks alone and of the text, and the mean of these."""
    markup, text = (summary["cleaneval"][field]["f1"] for field in ("labelled_marks", "text"))
    return summary["labels"], summary["blocks"], markup, text, (markup + text) / 2


def class_tables(summaries: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Both tasks for all models, then the classes and the confusion matrix of each."""
    judged = {name: summary["classes"] for name, summary in summaries.items() if summary["classes"]}
    if not judged:
        return []
    tables = []
    for task, title in (("two_classes", "two classes, by words"), ("four_classes", "four classes, by words")):
        rows = [
            (f"{name}, {reading}", figures)
            for name, classes in judged.items()
            for reading, figures in classes[task].items()
        ]
        tables.append(
            table((title, *_CLASS_FIGURES), [(name, *map(figures.get, _CLASS_FIGURES)) for name, figures in rows])
        )
    by_class = {name: next(iter(classes["four_classes"].values())) for name, classes in judged.items()}
    tables.append(
        table(
            ("four classes, as in the paper", "words", *_FIGURES),
            [
                (f"{name}: {kind}", figures["words"], *(figures[figure] for figure in _FIGURES))
                for name, classes in by_class.items()
                for kind, figures in classes["classes"].items()
            ],
        )
    )
    for name, classes in judged.items():
        rows = [(kind, *counts) for kind, counts in classes["confusion"].items()]
        tables.append(table((f"words, classified by {name} as", *TASK_NAMES), rows))
    return tables
