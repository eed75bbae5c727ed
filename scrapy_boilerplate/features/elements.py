"""The elements of a page as arrays: who holds which blocks, and how much text that is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from itertools import count

import numpy as np
from numpy.typing import NDArray

from ..page import Page

Numbers = NDArray[np.int64]

_MIXER = np.int64(0x9E3779B97F4A7C1)  # odd, so that products of different numbers differ
_PATH_LENGTH = 4  # elements above a block's own that count for its path


class Numbered:
    """A number for each value of a list, shared by equal ones, so that each value is looked at only once."""

    def __init__(self, values: list[str]) -> None:
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self.numbers: Numbers = np.fromiter(map(numbers.__getitem__, values), np.int64, len(values))
        self.values = list(numbers)  # by their numbers

    def look_up(self, meaning: Callable[[str], int]) -> Numbers:
        """What each value means."""
        meanings: Numbers = np.array([meaning(value) for value in self.values], np.int64)[self.numbers]
        return meanings


class Elements:
    """A page's elements. Each holds an unbroken run of blocks, so that sums over elements are differences of sums."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.parents: Numbers = np.maximum(np.array(page.parents, np.int64), 0)
        self.nodes: Numbers = np.array(page.block_nodes, np.int64)  # the element of each block
        self.ends = self._ends()  # just behind each element's last descendant
        self.first_blocks = self._first_blocks()
        self.last_blocks: Numbers = self.first_blocks + self.count(self.nodes)  # just behind the last one

    def _ends(self) -> Numbers:
        """From each element to its last child, and on to that one's."""
        last = np.arange(len(self.parents))
        last[self.parents[1:]] = last[1:]  # of the children of one parent the last one is written last
        return _followed(last) + 1

    def _first_blocks(self) -> Numbers:
        """The number of the first block in each element; of an empty one, that of the first behind it.

        Blocks of elements that begin behind an element stand behind all that are in it.
        """
        count = len(self.nodes)
        first = np.full(len(self.parents), count)
        first[self.nodes[::-1]] = np.arange(count)[::-1]
        earliest: Numbers = np.minimum.accumulate(first[::-1])[::-1]
        return earliest

    @cached_property
    def depths(self) -> Numbers:
        """How many elements are around each element: those that have begun before it and not yet ended."""
        begun = np.arange(len(self.parents))
        ended = np.cumsum(np.bincount(self.ends, minlength=len(begun) + 1))[:-1]
        return begun - ended

    def count(self, nodes: list[int] | Numbers) -> Numbers:
        """How many of these elements each element holds, itself included."""
        sums = np.zeros(len(self.parents) + 1, np.int64)
        np.cumsum(np.bincount(np.asarray(nodes, np.int64), minlength=len(self.parents)), out=sums[1:])
        return sums[self.ends] - sums[:-1]

    def sum(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each row of numbers, one a block, their sum within each element."""
        sums = np.zeros((len(rows), rows.shape[1] + 1))
        np.cumsum(rows, axis=1, out=sums[:, 1:])
        result: NDArray[np.float64] = sums[:, self.last_blocks] - sums[:, self.first_blocks]
        return result

    @cached_property
    def outer(self) -> Numbers:
        """For each element the nearest one around it that holds more blocks: wrappers are passed over."""
        held = self.last_blocks - self.first_blocks
        outermost = _followed(np.where(held[self.parents] == held, self.parents, np.arange(len(held))))
        outer: Numbers = self.parents[outermost]
        return outer

    def innermost(self, wanted: NDArray[np.bool_]) -> Numbers:
        """For each block the innermost wanted element around it, -1 where there is none."""
        found = _followed(np.where(wanted, np.arange(len(wanted)), self.parents))[self.nodes]
        return np.where(wanted[found], found, -1)

    def inherited(self, bits: Numbers) -> Numbers:
        """Bits of elements to those that each one has or that an element around it has."""
        above = self.parents
        while above.any():  # of ever more elements up to the root, whose number is 0
            bits = bits | bits[above]
            above = above[above]
        return bits | bits[:1]

    @cached_property
    def tags(self) -> Numbered:
        return Numbered(self._page.tags)

    @cached_property
    def classes(self) -> Numbered:
        return Numbered(self._page.classes)

    @cached_property
    def kinds(self) -> Numbers:
        """A number for each element that those of the same tag and classes share."""
        return self.classes.numbers * len(self.tags.values) + self.tags.numbers

    @cached_property
    def siblings(self) -> tuple[Numbers, Numbers]:
        """For each element the number of its series, which are the equal children of one parent; how long each is."""
        keys = self.mix(self.kinds, self.parents)
        _, series, lengths = np.unique(keys, return_inverse=True, return_counts=True)
        return series, lengths

    @cached_property
    def equal_siblings(self) -> Numbers:
        """How many children of the same parent are of the same kind, the element itself included."""
        series, lengths = self.siblings
        equal: Numbers = lengths[series]
        return equal

    @cached_property
    def groups(self) -> tuple[Numbers, Numbers]:
        """Two numbers for each block: those with equal elements and parents share one, with equal paths the other.

        A path is the block's element and the four around it.
        """
        node = self.nodes
        path = self.kinds[node]
        keys = []
        for _ in range(_PATH_LENGTH):
            node = self.parents[node]
            path = self.mix(path, self.kinds[node])
            keys.append(path)
        return _numbered(keys[0]), _numbered(keys[-1])

    @staticmethod
    def mix(first: Numbers, second: Numbers) -> Numbers:
        """One number for each pair of numbers; different pairs have different ones, but for accidents of hashing."""
        mixed: Numbers = first * _MIXER ^ (second + (first >> 29))
        return mixed


def _followed(steps: Numbers) -> Numbers:
    """Where each element ends up that goes on to the one that `steps` has for it, until it stays where it is.

    All go at once, with twice as long a stride each time.
    """
    while not ((further := steps[steps]) == steps).all():
        steps = further
    return steps


def _numbered(keys: Numbers) -> Numbers:
    """The same grouping with the numbers 0, 1, 2, ..."""
    numbers: Numbers = np.unique(keys, return_inverse=True)[1]
    return numbers
