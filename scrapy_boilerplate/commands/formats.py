"""Formats in which the command prints a page."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict

from ..document import Document
from ..fields import FIELDS, values_of
from .urls import is_url


def _as_json(name: str, document: Document) -> str:
    values = values_of(document, FIELDS) | {"blocks": [asdict(block) for block in document.blocks]}
    content = {"page": name, "threshold": document.threshold, **values}
    return json.dumps(content, ensure_ascii=False, indent=2)


def _as_table(_: str, document: Document) -> str:
    """Score, whether the block is kept, its tag, its kind and how its text begins, as wide as the terminal."""
    tag_width = max((len(block.tag) for block in document.blocks), default=3)
    kind_width = max((len(block.kind) for block in document.blocks), default=4)
    text_width = max(shutil.get_terminal_size().columns - tag_width - kind_width - 18, 20)
    lines = [f"score   kept  {'tag':{tag_width}}  {'kind':{kind_width}}  text"]
    for block in document.blocks:
        text = " ".join(block.text.split())
        if len(text) > text_width:
            text = text[: text_width - 1] + "…"
        kept = "keep" if block.is_content else "-"
        lines.append(f"{block.score:.4f}  {kept:4}  {block.tag:{tag_width}}  {block.kind:{kind_width}}  {text}")
    return "\n".join(lines)


def _as_cleaneval(name: str, document: Document) -> str:
    return document.to_cleaneval(name if is_url(name) else None).removesuffix("\n")


FORMATS: dict[str, Callable[[str, Document], str]] = {
    "text": lambda _, document: document.main_text,
    "markdown": lambda _, document: document.markdown,
    "html": lambda _, document: document.html,
    "blocks": _as_table,
    "json": _as_json,
    "cleaneval": _as_cleaneval,
}
