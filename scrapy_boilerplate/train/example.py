"""Labelled pages, from whatever collection."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..label.files import PageLabels
from ..parse.files import read_bytes


@dataclass(frozen=True, slots=True)
class Example:
    """A page and its gold text or labels."""

    name: str
    path: Path
    url: str | None = None
    gold: str | None = None  # None if only snippets are known
    page_type: str | None = None
    required: tuple[str, ...] = ()  # snippets of the main text
    forbidden: tuple[str, ...] = ()  # snippets of everything else
    labels: PageLabels | None = None  # of its blocks
    cleaneval: str | None = None  # the gold text with CleanEval's marks
    word_classes: tuple[tuple[str, int], ...] | None = None  # each word of the page and its class, see annotations.py
    edit: Callable[[bytes], bytes] | None = None  # turns the file into the page, if they differ

    def read(self) -> bytes:
        """The bytes of the page."""
        page = read_bytes(self.path)
        return page if self.edit is None else self.edit(page)


def stem(page: Path) -> str:
    """A page's file name without its endings."""
    name = page.name[:-3] if page.name.lower().endswith(".gz") else page.name
    return name.rpartition(".")[0]


def read_text(path: Path) -> str:
    """The text of a file in UTF-16 with a byte order mark, in UTF-8, or else in Windows-1252."""
    data = read_bytes(path)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
