"""The elements and groups that each block belongs to, as numbers of blocks and groups.

They tell a model which blocks to look at beside a block; they are no features, and don't stand in a feature matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..segment.tags import PREFORMATTED_TAGS
from .elements import Numbers

if TYPE_CHECKING:
    from . import Features

LEVELS = (1, 2, 3)  # which of the ever larger elements around a block


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The surroundings of all blocks of a page: a number for each block, in the order of the blocks.

    Blocks with the same number are in the same group. The elements around a block are half-open ranges of blocks.
    """

    firsts: Numbers  # a row for each of the LEVELS: the element's first block
    lasts: Numbers  # and the block after its last one
    groups: Numbers  # blocks whose element and its parent have the same tags and classes
    paths: Numbers  # blocks whose element and the four elements around it have
    listings: Numbers  # lines of the same <pre>; 0 for blocks outside of one
    texts: Numbers  # blocks with the same text
    weights: NDArray[np.float32]  # by which a block counts in a mean: the root of its size + 1

    @classmethod
    def of(cls, features: Features) -> Surroundings:
        """The surroundings of the blocks of a page."""
        elements, levels = features.elements, features.containers.levels[list(LEVELS)]
        groups, paths = elements.groups
        return cls(
            firsts=elements.first_blocks[levels],
            lasts=elements.last_blocks[levels],
            groups=groups,
            paths=paths,
            listings=elements.innermost(elements.tags.look_up(lambda tag: tag in PREFORMATTED_TAGS) > 0) + 1,
            texts=features.texts.first_equals,
            weights=np.sqrt(features.wording.size + 1).astype(np.float32),
        )

    @property
    def sizes(self) -> NDArray[np.float32]:
        """The size of each block, in words."""
        return self.weights**2 - 1
