"""Holes: blocks that a model drops in the middle of a list or a table that it keeps."""

from __future__ import annotations

import numpy as np

from .keep import Kept
from .page import Page

WHOLE_SHARE = 0.8  # of the blocks of a list, a table or a listing; if so many are kept, all are
HEADED_SHARE = 0.5  # of the blocks of a table below its header row; if so many are kept, the row is too

_WHOLE_TAGS = frozenset({"ul", "ol", "menu", "table", "pre"})
_CELL_TAGS = frozenset({"td", "th"})
_ITEM_TAGS = frozenset({"li"})


def without_holes(page: Page, kept: Kept) -> Kept:
    """The kept blocks, and those that would leave a hole among them.

    A list, a table or a `<pre>` that is nearly all kept is kept as a whole; a table that is kept for the most part
    keeps its header row; a list item with one block, between two kept ones, stays.
    """
    if page.walked is not None:
        return np.frombuffer(page.walked.without_holes(kept.tobytes()), np.bool_)
    if not kept.any() or kept.all() or _WHOLE_TAGS.isdisjoint(page.tags):
        return kept
    nearest = page.nearest(_WHOLE_TAGS)
    groups = np.array([nearest[node] for node in page.block_nodes]) + 1  # 0 for none
    totals = np.bincount(groups)
    shares = np.bincount(groups, kept) / np.maximum(totals, 1)
    shares[0] = 0
    holes = (shares >= WHOLE_SHARE)[groups]
    if "th" in page.tags:
        for group in np.flatnonzero((shares > 0) & (shares < WHOLE_SHARE)).tolist():
            if page.tags[group - 1] == "table":
                holes[_header(page, np.flatnonzero(groups == group).tolist(), kept)] = True
    between = ~kept[1:-1] & kept[:-2] & kept[2:] & (groups[1:-1] > 0)
    holes[[number for number in (np.flatnonzero(between) + 1).tolist() if _is_one_item(page, number)]] = True
    filled: Kept = kept | holes
    return filled


def _header(page: Page, blocks: list[int], kept: Kept) -> list[int]:
    """The blocks of a table's header row, if most of the others are kept."""
    cells = [_around(page, page.block_nodes[number], _CELL_TAGS) for number in blocks]
    rows = [page.parents[cell] if cell >= 0 else -1 for cell in cells]
    header = [number for number, row in zip(blocks, rows, strict=True) if row == rows[0] >= 0]
    others = blocks[len(header) :]
    is_header = all(page.tags[cell] == "th" for cell in cells[: len(header)])
    return header if header and is_header and others and kept[others].mean() >= HEADED_SHARE else []


def _is_one_item(page: Page, number: int) -> bool:
    """Tell whether a block and both beside it stand in items of one list, each in its own."""
    items = [_around(page, page.block_nodes[near], _ITEM_TAGS) for near in (number - 1, number, number + 1)]
    return min(items) >= 0 and len({page.parents[item] for item in items}) == 1 and len(set(items)) == len(items)


def _around(page: Page, node: int, tags: frozenset[str]) -> int:
    """The nearest element with one of these tags, -1 if there is none."""
    while node >= 0 and page.tags[node] not in tags:
        node = page.parents[node]
    return node
