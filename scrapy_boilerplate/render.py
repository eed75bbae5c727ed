"""Kept blocks to text that reads like text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .blocks import PREFORMATTED_TAGS, Page

_CELL_TAGS = frozenset({"td", "th"})
_LIST_ITEM_TAGS = frozenset({"li", "dt", "dd"})


def to_text(page: Page, numbers: Sequence[int]) -> str:
    """The text of these blocks: paragraphs apart by an empty line, table cells by a tab.

    List items, table rows and the lines of a `<pre>` each have a line of their own.
    """
    if not numbers:
        return ""
    tags = [page.tags[page.block_nodes[number]] for number in numbers]
    # What is asked of whole tables and <pre>s is asked of all elements at once, and only if there are any.
    rows = page.nearest({"tr"}) if not _CELL_TAGS.isdisjoint(tags) else []
    tables = page.nearest({"table"}) if rows else []
    preformatted = page.nearest(PREFORMATTED_TAGS) if any(page.pre_lines[number] for number in numbers) else []

    def separator(above: int, below: int, tag_above: str, tag_below: str) -> str:
        node_above, node_below = page.block_nodes[above], page.block_nodes[below]
        if page.pre_lines[above] and preformatted[node_above] == preformatted[node_below]:
            return "\n" * min(page.pre_lines[below] - page.pre_lines[above], 2)
        if node_above == node_below:
            return "\n\n"
        if tag_above in _CELL_TAGS and tag_below in _CELL_TAGS:
            if rows[node_above] == rows[node_below]:
                return "\t"
            if tables[node_above] == tables[node_below]:
                return "\n"
        if tag_above in _LIST_ITEM_TAGS and tag_below in _LIST_ITEM_TAGS:
            return "\n"
        return "\n\n"

    pieces = [page.texts[numbers[0]]]
    for neighbours, neighbour_tags in zip(pairwise(numbers), pairwise(tags), strict=True):
        pieces += separator(*neighbours, *neighbour_tags), page.texts[neighbours[1]]
    return "".join(pieces)
