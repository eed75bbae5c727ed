"""A model's card as a page that people read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_CONFIDENCE = """\
Of the pages whose `document.score` is about this, how many were good (F1 of 0.9 or more). Neither the models nor the
maps from expected F1 to this score had seen their sites."""

_SIZES = """\
Networks of several sizes, judged on the first fold, with the cut chosen for each page, and trained on the others, a
tenth of whose sites chose the epoch. `parses` is what `extract()` costs on these pages in bare parses
(`lxml.html.fromstring`), `minutes` the training on one processor core."""


def card_page(name: str, model: Any) -> str:
    """What the weights of a model are, how they were made and how good they are, in Markdown."""
    card = model.card
    parts = [f"# {name}", f"{len(model.feature_names)} features. Made by\n\n    {card.get('command', '(not told)')}"]
    if card.get("data"):
        parts.append("\n".join(["Trained on", "", *map(_source, card["data"])]))
    parts += [f"Credit: {credit}" for credit in card.get("credit", ())]
    if "fine_tuned" in card:
        parts.append(f"Trained further from {card['fine_tuned']['from']}: {card['fine_tuned']['verdict']}.")
    if card.get("note"):
        parts.append(card["note"])
    if "cross_validation" in card:
        parts += _cross_validation(card["cross_validation"])
    if "rows" in card:
        parts += _rows(card["rows"])
    if "sizes" in card:
        parts += _sizes(card["sizes"])
    return "\n\n".join(parts) + "\n"


def _source(data: Mapping[str, Any]) -> str:
    if "file" in data:
        return f"- {data['file']}"
    return f"- {data['folder']}: {data['pages']} pages, weight {data['weight']:g}"


def _rows(figures: Mapping[str, Any]) -> list[str]:
    header = ("kept together", "threshold", "right", "precision", "recall", "F1", "F1 of content")
    rows = [
        (
            *(together, f"{where}, {metrics['threshold']:.2f}" if "threshold" in metrics else where),
            *(metrics[name] for name in ("accuracy", "precision", "recall", "f1", "content_f1")),
        )
        for together, by_threshold in figures["kept_together"].items()
        for where, metrics in by_threshold.items()
    ]
    how = f"{figures['folds']} folds; precision, recall and F1 of boilerplate, which is above the threshold."
    return [f"## Accuracy\n\n{how}", _table(header, rows)]


def _cross_validation(figures: Mapping[str, Any]) -> list[str]:
    folders = figures["folders"]
    types = sorted({name for folder in folders.values() for name in folder["f1_by_type"]})
    judged = f"{figures['folds']} folds by site: each page is judged by a model that saw no page of its site."
    parts = [
        f"## Accuracy\n\n{judged}\nPrecision, recall and F1 of words, means over pages; the share of right snippets.",
        _table(
            ("", "pages", "precision", "recall", "F1", *types, "snippets"),
            [
                (
                    *(name.rstrip("/").rpartition("/")[2], folder["pages"]),
                    *(folder["precision"], folder["recall"], folder["f1"]),
                    *(folder["f1_by_type"].get(kind) for kind in types),
                    folder["snippets"],
                )
                for name, folder in folders.items()
            ],
        ),
        "## Thresholds\n\nWithout a threshold the model chooses the cut for each page. With one:",
        _table(
            ("threshold", "precision", "recall", "F1"),
            [(f"{row['threshold']:.1f}", row["precision"], row["recall"], row["f1"]) for row in figures["thresholds"]],
        ),
    ]
    if figures.get("reliability"):
        parts += [f"## Confidence\n\n{_CONFIDENCE}", _table(("score", "good", "pages"), figures["reliability"])]
    return parts


def _sizes(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    columns = ("units", "precision", "recall", "f1", "parses", "kilobytes", "epochs", "best_epoch", "minutes")
    header = ("units", "precision", "recall", "F1", "parses", "kB", "epochs", "best epoch", "minutes")
    return [
        f"## Size\n\n{_SIZES}",
        _table(header, [tuple(row[column] for column in columns) for row in rows]),
    ]


def _table(header: tuple[str, ...], rows: Any) -> str:
    lines = [header, tuple("---" for _ in header), *(tuple(map(_cell, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)
