"""A model's card as a page in Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_CONFIDENCE = """\
The share of good pages (F1 of 0.9 or more) by `document.score`. Neither the models nor the maps from expected F1 to
this score were made with pages of the same sites."""


def card_page(name: str, model: Any) -> str:
    """The command, the training data and the accuracy of a model, in Markdown."""
    card = model.card
    parts = [f"# {name}", f"{len(model.feature_names)} features. Made by\n\n    {card.get('command', '(unknown)')}"]
    if card.get("data"):
        parts.append("\n".join(["Trained on", "", *map(_source, card["data"])]))
    parts += [f"Credit: {credit}" for credit in card.get("credit", ())]
    if "fine_tuned" in card:
        parts.append(f"Fine-tuned from {card['fine_tuned']['from']}: {card['fine_tuned']['verdict']}.")
    if "accuracy" in card:
        parts += _page_types(card["accuracy"])
    if "cross_validation" in card:
        parts += _cross_validation(card["cross_validation"])
    if "rows" in card:
        parts += _rows(card["rows"])
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
    columns = "Precision, recall and F1 of words, means over pages; the share of right snippets."
    sure = "Last, the share of content in the words of blocks with scores of 0.8 to 0.9."
    parts = [
        f"## Accuracy\n\n{judged}\n{columns}\n{sure}",
        _table(
            ("", "pages", "precision", "recall", "F1", *types, "snippets", "0.8 to 0.9"),
            [
                (
                    *(name.rstrip("/").rpartition("/")[2], folder["pages"]),
                    *(folder["precision"], folder["recall"], folder["f1"]),
                    *(folder["f1_by_type"].get(kind) for kind in types),
                    folder["snippets"],
                    folder.get("sure"),
                )
                for name, folder in folders.items()
            ],
        ),
        *_aged(figures.get("aged")),
        "## Thresholds\n\nWithout a threshold the model chooses one for each page. With a fixed one:",
        _table(
            ("threshold", "precision", "recall", "F1"),
            [(f"{row['threshold']:.1f}", row["precision"], row["recall"], row["f1"]) for row in figures["thresholds"]],
        ),
    ]
    if figures.get("reliability"):
        parts += [f"## Confidence\n\n{_CONFIDENCE}", _table(("score", "good", "pages"), figures["reliability"])]
    return parts


def _page_types(figures: Mapping[str, Any]) -> list[str]:
    types = figures["types"]
    judged = (
        f"{figures['folds']} folds by site, judged on the {figures['pages']} pages of {figures['folder']}: "
        f"{figures['right']:.3f} of them are right. A row for each type of page, a column for each type that was found."
    )
    rows = [(name, *row) for name, row in zip(types, figures["table"], strict=True)]
    return [f"## Accuracy\n\n{judged}", _table(("", *types), rows)]


def _aged(figures: Mapping[str, Any] | None) -> list[str]:
    if figures is None:
        return []
    means = f"{figures['aged']:.3f}; these pages as they are have {figures['unchanged']:.3f}"
    return [f"In the markup of 2005, {figures['pages']} of these pages have a mean F1 of {means}."]


def _table(header: tuple[str, ...], rows: Any) -> str:
    lines = [header, tuple("---" for _ in header), *(tuple(map(_cell, row)) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)
