"""Kept blocks to text that reads like text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from .blocks import Page
from .tags import PREFORMATTED_TAGS

_CELL_TAGS = frozenset({"td", "th"})
_LIST_ITEM_TAGS = frozenset({"li", "dt", "dd"})


def to_text(page: Page, numbers: Sequence[int]) -> str:
    """The text of these blocks: paragraphs apart by an empty line, table cells by a tab.

    List items, table rows and the lines of a `<pre>` each have a line of their own.
    """
    if not numbers:
        return ""
    nodes = page.block_nodes
    # What is asked of tables and <pre>s is asked of all elements at once, and only if there are any.
    cells = page.nearest(_CELL_TAGS) if "tr" in page.tags else []
    texts_in_cell = (
        Counter(cells[nodes[number]] for number in numbers if cells[nodes[number]] >= 0) if cells else Counter()
    )
    rows = page.nearest({"tr"}) if texts_in_cell else []
    tables = page.nearest({"table"}) if texts_in_cell else []
    preformatted = page.nearest(PREFORMATTED_TAGS) if any(page.pre_lines) else []

    def is_cell(node: int) -> bool:
        """Whether this is all that a table cell holds; cells with several paragraphs are for layout."""
        return bool(texts_in_cell) and texts_in_cell[cells[node]] == 1

    def separator(above: int, below: int) -> str:
        between = page.glue[above + 1 : below + 1]
        if between and None not in between:  # parts of one paragraph; where one is left out a blank stands for it
            return (between[0] or "") if len(between) == 1 else " "
        node_above, node_below = nodes[above], nodes[below]
        if page.pre_lines[above] and preformatted[node_above] == preformatted[node_below]:
            return "\n" * min(page.pre_lines[below] - page.pre_lines[above], 2)
        if is_cell(node_above) and is_cell(node_below) and tables[node_above] == tables[node_below]:
            return "\t" if rows[node_above] == rows[node_below] else "\n"
        if (
            node_above != node_below
            and page.tags[node_above] in _LIST_ITEM_TAGS
            and page.tags[node_below] in _LIST_ITEM_TAGS
        ):
            return "\n"
        return "\n\n"

    pieces = [page.texts[numbers[0]]]
    for above, below in pairwise(numbers):
        pieces += separator(above, below), page.texts[below]
    return "".join(pieces)
