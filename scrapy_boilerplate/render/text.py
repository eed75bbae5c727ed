"""Kept blocks as readable text, with paragraphs, lists and tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..page import Page
from ..segment.inline import Inline
from ..segment.tags import PREFORMATTED_TAGS

_CELL_TAGS = frozenset({"td", "th"})
_LIST_ITEM_TAGS = frozenset({"li", "dt", "dd"})
# A cell with several blocks and more words than this is a column of a layout, and the blocks are its paragraphs.
_MOST_WORDS_IN_CELL = 100


def to_text(page: Page, numbers: Sequence[int]) -> str:
    """Return the text of these blocks, with an empty line between paragraphs and a tab between table cells.

    List items, table rows, the lines of a `<pre>` and the text after a `<br>` each begin a new line.
    """
    if not numbers:
        return ""
    if page.walked is not None:
        kept = np.zeros(len(page.walked), np.bool_)
        kept[numbers] = True
        return page.walked.to_text(kept.tobytes())
    nodes, inline = page.block_nodes, Inline(page)
    # Tables and <pre>s are looked up for all elements at once, and only if the page has any.
    cells = page.nearest(_CELL_TAGS) if "tr" in page.tags else []
    preformatted = page.nearest(PREFORMATTED_TAGS) if not PREFORMATTED_TAGS.isdisjoint(page.tags) else []
    data_cells = _data_cells(page, numbers, cells, preformatted) if cells else set()
    rows = page.nearest({"tr"}) if data_cells else []
    tables = page.nearest({"table"}) if data_cells else []

    def is_in_data_cell(node: int) -> bool:
        return bool(data_cells) and cells[node] in data_cells

    def text_of(number: int) -> str:
        text = page.texts[number]
        offsets = inline.line_breaks(number) if number in page.runs else []
        if not offsets or is_in_data_cell(nodes[number]):
            return text
        starts = [0, *(offset + 1 for offset in offsets)]
        return "\n".join(text[start:end] for start, end in zip(starts, [*offsets, len(text)], strict=True))

    def separator(above: int, below: int) -> str:
        node_above, node_below = nodes[above], nodes[below]
        both_in_cells = is_in_data_cell(node_above) and is_in_data_cell(node_below)
        between = page.glue[above + 1 : below + 1]
        if between and None not in between:  # parts of one paragraph; a blank replaces a part that is left out
            space = (between[0] or "") if len(between) == 1 else "\n" if "\n" in between else " "
            return " " if both_in_cells and space == "\n" else space
        if both_in_cells and cells[node_above] == cells[node_below]:
            return " "
        if page.pre_lines[above] and preformatted[node_above] == preformatted[node_below]:
            return "\n" * min(page.pre_lines[below] - page.pre_lines[above], 2)
        if both_in_cells and tables[node_above] == tables[node_below]:
            return "\t" if rows[node_above] == rows[node_below] else "\n"
        if (
            node_above != node_below
            and page.tags[node_above] in _LIST_ITEM_TAGS
            and page.tags[node_below] in _LIST_ITEM_TAGS
        ):
            return "\n"
        return "\n\n"

    pieces = [text_of(numbers[0])]
    for above, below in pairwise(numbers):
        pieces += separator(above, below), text_of(below)
    return "".join(pieces)


def _data_cells(page: Page, numbers: Sequence[int], cells: Sequence[int], preformatted: Sequence[int]) -> set[int]:
    """Return the cells that hold data: those with one block, and short ones next to other cells in their row.

    Other cells are for layout: they have long texts or lines of a `<pre>`, or are alone in their row.
    """
    nodes = page.block_nodes
    texts: defaultdict[int, list[int]] = defaultdict(list)
    for number in numbers:
        texts[cells[nodes[number]]].append(number)
    texts.pop(-1, None)
    data_cells = {cell for cell, own in texts.items() if len(own) == 1}
    if len(data_cells) < len(texts):
        rows = page.nearest({"tr"})
        cells_in_row = Counter(rows[cell] for cell in texts)
        for cell, own in texts.items():
            has_lines = bool(preformatted) and any(preformatted[nodes[number]] >= 0 for number in own)
            if cells_in_row[rows[cell]] > 1 and not has_lines:
                words = sum(len(page.texts[number].split()) for number in own)
                if words <= _MOST_WORDS_IN_CELL:
                    data_cells.add(cell)
    return data_cells
