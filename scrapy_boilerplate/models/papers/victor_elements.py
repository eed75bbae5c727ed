"""Victor's markup and group features, which depend on the elements around each block."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, repeat

import numpy as np
from numpy.typing import NDArray

from ...features.family import share
from ...segment.tags import HEADING_LEVELS, INLINE_TAGS

Numbers = NDArray[np.int64]

# container.*: a bit for each tag, or class of tags, that a block may be in.
_CONTAINERS = (
    ("p",),
    ("a",),
    ("u", "ins"),
    ("img",),
    tuple(HEADING_LEVELS),
    ("b", "strong"),
    ("i", "em"),
    ("ul", "ol", "dl", "li", "dt", "dd", "menu"),
    ("form", "fieldset", "legend", "label"),
)
_CONTAINER_BITS = {tag: 1 << bit for bit, tags in enumerate(_CONTAINERS) for tag in tags}
_GROUP_BITS = {"div": 1 << len(_CONTAINERS), "td": 2 << len(_CONTAINERS)}

# split.*: the number of the class. Only the first three classes have end tags.
_PARAGRAPH, _INLINE, _BLOCK, _BREAK, _RULE = range(5)
_SPLIT_CLASSES = {**dict.fromkeys((*INLINE_TAGS, "a", "img"), _INLINE), "p": _PARAGRAPH, "br": _BREAK, "hr": _RULE}
_SPLIT_SHIFT = len(_CONTAINERS) + len(_GROUP_BITS)

# All bits in one number, so that each tag is looked up once.
_CODES = {
    tag: _CONTAINER_BITS.get(tag, 0) | _GROUP_BITS.get(tag, 0) | _SPLIT_CLASSES.get(tag, _BLOCK) << _SPLIT_SHIFT
    for tag in {*_CONTAINER_BITS, *_GROUP_BITS, *_SPLIT_CLASSES}
}
_OTHER = _BLOCK << _SPLIT_SHIFT

# Three counts of nested elements are packed into one number, each with this number of bits.
_FIELD = 21
_SHIFTS = _FIELD * np.arange(_BLOCK + 1)[:, None]
_FIELDS = np.array([*(1 << _SHIFTS[:, 0]), 0, 0])


class VictorElements:
    """Facts about the elements around each block.

    Arrays have an empty entry after the last element, at index -1, which is the parent of the root.
    """

    def __init__(self, tags: list[str], parents: list[int], nodes: list[int], ends: list[int]) -> None:
        self._codes = _array(chain(map(_CODES.get, tags, repeat(_OTHER)), (0,)), len(tags) + 1)
        self._nodes, self._ends = _array(nodes, len(nodes)), _array(ends, len(ends))
        above = _array(chain(parents, (-1,)), len(parents) + 1)
        self._ancestors = []  # for each element, those 1, 2, 4, 8, ... levels up
        while above.max() >= 0:
            self._ancestors.append(above)
            above = above.take(above)
        self._containers = self._handed_down(np.bitwise_or, self._codes)

    def _handed_down(self, join: np.ufunc, values: Numbers) -> Numbers:
        """For each block, the joined values of all elements around it.

        All elements climb the tree at once: after k rounds, each has the values of 2^k levels from itself on.
        """
        for ancestors in self._ancestors:
            values = join(values, values.take(ancestors))
        return values.take(self._nodes)

    @property
    def containers(self) -> Numbers:
        """container.*, in the paper's order."""
        return np.asarray(self._containers >> np.arange(len(_CONTAINERS))[:, None] & 1)

    @property
    def linked(self) -> NDArray[np.bool_]:
        """Whether each block is in a link."""
        return (self._containers & _CONTAINER_BITS["a"]).astype(np.bool_)

    def group_shares(self, tag: str, words: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each block, the share of the page's words in the same nearest element with this tag; 0 without one."""
        wanted = self._codes & _GROUP_BITS[tag] != 0
        if not wanted.any():
            return np.zeros(len(words))
        # The nearest one has the highest number; 0 stands for none.
        group = self._handed_down(np.maximum, np.where(wanted, np.arange(1, len(wanted) + 1), 0))
        sums = np.bincount(group, words)
        sums[0] = 0
        return share(sums, float(words.sum()))[group]

    @property
    def splits(self) -> Numbers:
        """split.*, in the paper's order: how many tags of each class opened or closed since the block before.

        An element has closed if it was open then or has opened since, and is not open now.
        """
        classes = self._codes[:-1] >> _SPLIT_SHIFT
        sums = np.zeros((_RULE + 1, len(self._codes)), np.int64)
        np.cumsum(np.arange(_RULE + 1)[:, None] == classes, axis=1, out=sums[:, 1:])
        opened = _steps(sums.take(self._ends, axis=1))
        nested = self._handed_down(np.add, np.append(_FIELDS[classes], 0))
        still_open = nested >> _SHIFTS & (1 << _FIELD) - 1
        # It is only negative for blocks that are no text nodes.
        opened[: _BLOCK + 1] += np.maximum(opened[: _BLOCK + 1] - _steps(still_open), 0)
        return opened[[_PARAGRAPH, _BREAK, _RULE, _INLINE, _BLOCK]]


def _array(values: Iterable[int | None], count: int) -> Numbers:
    return np.fromiter(values, np.int64, count)  # faster than np.array() on a list


def _steps(values: Numbers) -> Numbers:
    """The differences between each value and the one before, which is 0 for the first one."""
    steps = values.copy()
    steps[..., 1:] -= values[..., :-1]
    return steps
