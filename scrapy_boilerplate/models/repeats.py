"""Texts that a page holds twice: for wide screens and for narrow ones, in a tab, in a quotation of an earlier post."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

LONG = 8  # words; shorter texts, as the lines of a table, are repeated for good reasons
_SAME_SCORE = 2  # decimal places

Numbers = NDArray[np.int64]
Edges = tuple[Numbers, Numbers]  # of an element around each block: its first block, and the one behind its last


def repeats(
    scores: NDArray[np.floating], texts: Numbers, sizes: NDArray[np.floating], near: Edges, wider: Edges
) -> Numbers:
    """The blocks that say again what a block with a higher score says, or an earlier one with the same score.

    `texts` has the same number for the same text; `near` and `wider` are an element around each block and a larger one.
    What is said twice within the wider element may be meant, unless the next block or the one before is repeated there
    too, in an element of its own.
    """
    long = np.flatnonzero(sizes >= LONG)
    blocks = long[np.bincount(texts[long], minlength=1)[texts[long]] > 1]
    if not len(blocks):
        return blocks
    # The best one of each text, once for each block that has this text.
    blocks = blocks[np.lexsort((blocks, -scores[blocks].round(_SAME_SCORE), texts[blocks]))]
    starts = np.flatnonzero(np.diff(texts[blocks], prepend=-1))
    best = np.repeat(blocks[starts], np.diff(starts, append=len(blocks)))
    elsewhere = ~_inside(blocks, best, wider)
    whole = _neighbours_repeat(blocks, best, texts) & ~_inside(blocks, best, near)
    again: Numbers = blocks[(blocks != best) & (elsewhere | whole)]
    return again


def _inside(blocks: Numbers, others: Numbers, element: Edges) -> NDArray[np.bool_]:
    """Whether each block is in the element around the other one."""
    first, last = element
    result: NDArray[np.bool_] = (first[others] <= blocks) & (blocks < last[others])
    return result


def _neighbours_repeat(blocks: Numbers, others: Numbers, texts: Numbers) -> NDArray[np.bool_]:
    """Whether one of the two neighbours of each block says the same as that of the other one."""
    padded = np.concatenate(([-1], texts, [-1]))
    result = np.zeros(len(blocks), np.bool_)
    for side in (0, 2):
        neighbours = padded[blocks + side]
        result |= (neighbours == padded[others + side]) & (neighbours >= 0)
    return result
