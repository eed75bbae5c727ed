"""Formats in which the command prints pages."""

from __future__ import annotations

import json
import shutil
from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from ..document import Document
from ..fields import FIELDS, values_of
from .urls import is_url


def _content(name: str, document: Document) -> dict[str, Any]:
    values = values_of(document, FIELDS) | {"blocks": [asdict(block) for block in document.blocks]}
    return {"page": name, "threshold": document.threshold, **values}


def _as_json(name: str, document: Document) -> str:
    return json.dumps(_content(name, document), ensure_ascii=False, indent=2)


def _as_json_line(name: str, document: Document) -> str:
    return json.dumps(_content(name, document), ensure_ascii=False)


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
    "jsonl": _as_json_line,
    "cleaneval": _as_cleaneval,
}
_BY_ENDING = {".md": "markdown", ".markdown": "markdown", ".json": "json", ".jsonl": "jsonl"}
_VIEWS = (".html", ".htm")
_COMMENTED = ("markdown", "html")  # formats whose pages get their names in a comment


def is_view(opts: Namespace) -> bool:
    """Whether the flags ask for the page as it looks, rather than for its text."""
    return bool(getattr(opts, "view", False) or (not opts.format and _ending(opts.output) in _VIEWS))


def format_of(opts: Namespace) -> str:
    """Return the format that the flags ask for, or else the ending of the output."""
    return opts.format or _BY_ENDING.get(_ending(opts.output), "text")


def _ending(output: str | None) -> str:
    return Path(output or "").suffix.lower()


class PageWriter:
    """Prints pages, or writes them to a file, which is made with the first one.

    Of several pages each has its name above it, as `head` does it; in JSON they are a list.
    """

    def __init__(self, format: str, path: str | None, *, several: bool) -> None:
        self._format, self._path = format, path
        self._has_names = several and format not in ("json", "jsonl")
        self._is_list = several and format == "json"
        self._file: TextIO | None = None
        self._count = 0

    def add(self, name: str, document: Document) -> None:
        """Write a page."""
        text = FORMATS[self._format](name, document)
        if self._has_names:
            text = f"{self._heading(name)}\n{text}\n"
        elif self._is_list:
            text = f"{',' if self._count else '['}\n{text}"
        self._count += 1
        self._print(text)

    def _heading(self, name: str) -> str:
        return f"<!-- {name.replace('--', '- -')} -->\n" if self._format in _COMMENTED else f"==> {name} <=="

    def _print(self, text: str) -> None:
        if self._path and self._file is None:
            self._file = Path(self._path).open("w", encoding="utf-8", errors="backslashreplace")  # noqa: SIM115
        print(text, file=self._file)

    def __enter__(self) -> PageWriter:
        return self

    def __exit__(self, *error: object) -> None:
        if self._is_list and error[0] is None:
            self._print("]" if self._count else "[]")
        if self._file is not None:
            self._file.close()
            print(self._path)
