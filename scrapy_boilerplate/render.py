"""Kept blocks to text that reads like text."""

from __future__ import annotations

from collections.abc import Sequence

from .blocks import PREFORMATTED_TAGS, Page

_CELL_TAGS = frozenset({"td", "th"})
_LIST_ITEM_TAGS = frozenset({"li", "dt", "dd", "summary"})


def to_text(page: Page, numbers: Sequence[int]) -> str:
    """The text of these blocks: paragraphs apart by an empty line, table cells by a tab.

    List items, table rows and the lines of a `<pre>` each have a line of their own.
    """
    rows = page.nearest({"tr"}) if "tr" in page.tags else None
    tables = page.nearest({"table"}) if rows else None
    lists = page.nearest({"ul", "ol", "dl", "menu"})
    preformatted = page.nearest(PREFORMATTED_TAGS)

    def separator(above: int, below: int) -> str:
        node, last_node = page.block_nodes[below], page.block_nodes[above]
        if page.pre_lines[above] and preformatted[node] == preformatted[last_node]:
            return "\n" * min(page.pre_lines[below] - page.pre_lines[above], 2)
        tag, last_tag = page.tags[node], page.tags[last_node]
        if node == last_node:
            return "\n\n"
        if tag in _CELL_TAGS and last_tag in _CELL_TAGS and rows and tables:
            if rows[node] == rows[last_node]:
                return "\t"
            if tables[node] == tables[last_node]:
                return "\n"
        if tag in _LIST_ITEM_TAGS and last_tag in _LIST_ITEM_TAGS and lists[node] >= 0 and lists[last_node] >= 0:
            return "\n"
        return "\n\n"

    pieces: list[str] = []
    for place, number in enumerate(numbers):
        if place:
            pieces.append(separator(numbers[place - 1], number))
        pieces.append(page.texts[number])
    return "".join(pieces)
