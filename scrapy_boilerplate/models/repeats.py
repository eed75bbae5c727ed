"""Texts that a page holds twice: for wide and for narrow screens, in a tab, in a quotation of an earlier post."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..features.elements import Numbers
from ..features.surroundings import Surroundings

LONG = 8  # words; shorter texts, such as the cells of a table, are repeated for good reasons
_SAME_SCORE = 2  # decimal places

Edges = tuple[Numbers, Numbers]  # of an element around each block: its first block, and the one after its last


def said_once(scores: NDArray[np.float64], surroundings: Surroundings) -> NDArray[np.float64]:
    """The scores with 0 for blocks that repeat the text of another block with a higher score.

    Of blocks with the same score, the one among clearly more content stays, as a full text stands among more content
    than an excerpt of it; or else the first one. It gets the highest score of them all, so that no threshold drops the
    text altogether. A repetition within the same larger element may be meant, and stays, unless a neighbour of the
    block is repeated there, too, in a smaller element of its own. Lines of a listing stay with their listing.
    """
    texts, sizes, listings = surroundings.texts, surroundings.sizes, surroundings.listings
    near, wider = ((surroundings.firsts[level], surroundings.lasts[level]) for level in (0, 1))
    blocks, best, again = _copies(scores, texts, sizes, near, wider)
    again &= (listings[blocks] == 0) & ((listings[best] == 0) | (scores[best] >= scores[blocks]))
    blocks, best = blocks[again], best[again]
    result = scores.copy()
    np.maximum.at(result, best, scores[blocks])
    result[blocks] = 0
    return result


def _copies(
    scores: NDArray[np.floating], texts: Numbers, sizes: NDArray[np.floating], near: Edges, wider: Edges
) -> tuple[Numbers, Numbers, NDArray[np.bool_]]:
    """The blocks whose text is repeated, for each the best block with its text, and whether to drop it for that one."""
    long = np.flatnonzero(sizes >= LONG)
    blocks = long[np.bincount(texts[long], minlength=1)[texts[long]] > 1]
    if not len(blocks):
        return blocks, blocks, np.zeros(0, np.bool_)
    content = np.concatenate(([0.0], np.cumsum(scores * sizes)))
    around = np.log2(1 + content[wider[1][blocks]] - content[wider[0][blocks]]).round()
    # The best one of each text, once for each block that has this text.
    blocks = blocks[np.lexsort((blocks, -around, -scores[blocks].round(_SAME_SCORE), texts[blocks]))]
    starts = np.flatnonzero(np.diff(texts[blocks], prepend=-1))
    best = np.repeat(blocks[starts], np.diff(starts, append=len(blocks)))
    elsewhere = ~_inside(blocks, best, wider)
    whole = _neighbours_repeat(blocks, best, texts) & ~_inside(blocks, best, near)
    return blocks, best, (blocks != best) & (elsewhere | whole)


def _inside(blocks: Numbers, others: Numbers, element: Edges) -> NDArray[np.bool_]:
    """Whether each block is in the element around the other one."""
    first, last = element
    result: NDArray[np.bool_] = (first[others] <= blocks) & (blocks < last[others])
    return result


def _neighbours_repeat(blocks: Numbers, others: Numbers, texts: Numbers) -> NDArray[np.bool_]:
    """Whether one of the two neighbours of each block has the same text as that neighbour of the other block."""
    padded = np.concatenate(([-1], texts, [-1]))
    result = np.zeros(len(blocks), np.bool_)
    for side in (0, 2):
        neighbours = padded[blocks + side]
        result |= (neighbours == padded[others + side]) & (neighbours >= 0)
    return result
