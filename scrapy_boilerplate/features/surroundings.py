"""Who belongs together: block numbers rather than measurements, for models that look at the blocks around a block."""

from __future__ import annotations

import numpy as np

from ..segment.tags import PREFORMATTED_TAGS
from .family import Family, Rows

LEVELS = (1, 2, 3)  # which of the ever larger elements around a block

SURROUNDINGS = (
    *(f"outer{level}_{edge}" for level in LEVELS for edge in ("first", "last")),
    "group_number",
    "path_number",
    "listing_number",
    "text_number",
    "weight",
)


class Surroundings(Family):
    """The first block of an element around the block and the one behind its last; the numbers of the groups of blocks
    that are marked alike, of the `<pre>` that it is a line of, or 0, and of the blocks with the same text; and the root
    of its size, by which it counts in means.

    Float32 holds whole numbers up to 16 million: no page has so many blocks.
    """

    names = SURROUNDINGS

    def _rows(self) -> Rows:
        features = self._features
        tree, levels = features.tree, features.containers.levels
        rows = [edge[levels[level]] for level in LEVELS for edge in (tree.first_blocks, tree.last_blocks)]
        listings = tree.innermost(tree.tags.look_up(lambda tag: tag in PREFORMATTED_TAGS) > 0) + 1
        weight = np.sqrt(features.wording.size + 1)
        return np.array((*rows, *tree.groups, listings, features.texts.first_equals, weight), np.float32)
