"""Pages with a label for each block, from a folder of pages and gold texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..page import Page
from ..parse import to_tree
from ..segment import segment
from .align import Labels, label_blocks
from .data import Example, read_examples


def labelled_pages(folder: Path | str) -> Iterator[tuple[Example, Page, Labels]]:
    """Every page with a gold text, its blocks, and the content share of each block."""
    for example in read_examples(folder):
        if example.gold is not None:
            page = segment(to_tree(example.read()))
            yield example, page, label_blocks(page.texts, example.gold)
