"""A page and what is known about it, whatever collection it is from."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..label.files import PageLabels
from ..parse.files import read_bytes


@dataclass(frozen=True, slots=True)
class Example:
    """A page and what is known about its main text."""

    name: str
    path: Path
    url: str | None = None
    gold: str | None = None  # None: only the snippets are known
    page_type: str | None = None
    required: tuple[str, ...] = ()  # snippets of the main text
    forbidden: tuple[str, ...] = ()  # snippets of everything else
    labels: PageLabels | None = None  # what somebody has said of its blocks
    cleaneval: str | None = None  # the gold text with CleanEval's marks
    word_classes: tuple[tuple[str, int], ...] | None = None  # each word of the page and its class, see annotations.py
    edit: Callable[[bytes], bytes] | None = None  # makes the page from the file, where that isn't the page itself

    def read(self) -> bytes:
        """The page as it was sent."""
        page = read_bytes(self.path)
        return page if self.edit is None else self.edit(page)


def stem(page: Path) -> str:
    """A page's file name without its endings."""
    name = page.name[:-3] if page.name.lower().endswith(".gz") else page.name
    return name.rpartition(".")[0]


def read_text(path: Path) -> str:
    """A text file in UTF-8, UTF-16 if it has a mark of that, or else Windows-1252."""
    data = read_bytes(path)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
