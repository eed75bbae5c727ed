"""The rule: which kept blocks are boilerplate because other pages of the host hold them, too."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..page import Page
from .host import STRONG, Evidence

PAGES_A_HOLDER = 12  # the more pages are known, the more of them have to hold a text

Mask = NDArray[np.bool_]


def repeated(page: Page, kept: Mask, sizes: NDArray[np.floating], evidence: Evidence) -> Mask:
    """The kept blocks to drop: their text stands on STRONG other pages, or on fewer ones that hold another article.

    With fewer pages than that, a block between two kept ones that no other page holds is a heading or the like, and
    stays. Lines of code stay. A page is never emptied.
    """
    strong = kept & (evidence.others >= STRONG)
    weak = kept & (evidence.distinct > evidence.pages // PAGES_A_HOLDER) & ~strong
    for number in np.flatnonzero(strong | weak).tolist():
        if _is_part(page, number):
            strong[number] = weak[number] = False
    alone = (kept & ~strong & ~weak).astype(np.int8)
    weak[1:-1] &= alone[:-2] + alone[2:] < 2
    if not (strong.any() or weak.any()):
        return strong
    for drop in (strong | weak, strong):
        if (sizes[kept & ~drop] > 0).any():
            return drop
    return np.zeros_like(kept)


def _is_part(page: Page, number: int) -> bool:
    """Whether a block is a line of a `<pre>`, or one of several pieces of a paragraph."""
    return page.pre_lines[number] > 0 or any(glue is not None for glue in page.glue[number : number + 2])
