"""The elements of a page as arrays: their parents, and the blocks in each."""

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
    """Values of a list as numbers, the same number for equal values, so that each value is looked up only once."""

    def __init__(self, values: list[str]) -> None:
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        self.numbers: Numbers = np.fromiter(map(numbers.__getitem__, values), np.int64, len(values))
        self.values = list(numbers)  # by their numbers

    def look_up(self, meaning: Callable[[str], int]) -> Numbers:
        """The meaning of each value of the list."""
        meanings: Numbers = np.array([meaning(value) for value in self.values], np.int64)[self.numbers]
        return meanings


class Elements:
    """The elements of a page. Each holds a range of blocks, so sums over elements are differences of running sums."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.parents: Numbers = np.maximum(np.array(page.parents, np.int64), 0)
        self.nodes: Numbers = np.array(page.block_nodes, np.int64)  # the element of each block
        self.ends = self._ends()  # the element after each element's last descendant
        self.first_blocks = self._first_blocks()
        self.last_blocks: Numbers = self.first_blocks + self.count(
            self.nodes
        )  # the block after each element's last one

    def _ends(self) -> Numbers:
        """Follow last children: from each element to its last child, and from that to its own."""
        last = np.arange(len(self.parents))
        last[self.parents[1:]] = last[1:]  # the last child of a parent is written last
        return _followed(last) + 1

    def _first_blocks(self) -> Numbers:
        """The number of the first block in each element; of an empty element, that of the first block after it.

        Blocks of elements that begin after an element come after all blocks in it.
        """
        count = len(self.nodes)
        first = np.full(len(self.parents), count)
        first[self.nodes[::-1]] = np.arange(count)[::-1]
        earliest: Numbers = np.minimum.accumulate(first[::-1])[::-1]
        return earliest

    @cached_property
    def depths(self) -> Numbers:
        """The number of elements around each element: those that have begun before it and not yet ended."""
        begun = np.arange(len(self.parents))
        ended = np.cumsum(np.bincount(self.ends, minlength=len(begun) + 1))[:-1]
        return begun - ended

    def count(self, nodes: list[int] | Numbers) -> Numbers:
        """For each element, how many of `nodes` it holds, itself included."""
        sums = np.zeros(len(self.parents) + 1, np.int64)
        np.cumsum(np.bincount(np.asarray(nodes, np.int64), minlength=len(self.parents)), out=sums[1:])
        return sums[self.ends] - sums[:-1]

    def sum(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each row of numbers, one for each block, their sums within each element."""
        sums = np.zeros((len(rows), rows.shape[1] + 1))
        np.cumsum(rows, axis=1, out=sums[:, 1:])
        result: NDArray[np.float64] = sums[:, self.last_blocks] - sums[:, self.first_blocks]
        return result

    @cached_property
    def outer(self) -> Numbers:
        """For each element the nearest element around it that holds more blocks; wrappers are skipped."""
        held = self.last_blocks - self.first_blocks
        outermost = _followed(np.where(held[self.parents] == held, self.parents, np.arange(len(held))))
        outer: Numbers = self.parents[outermost]
        return outer

    def innermost(self, wanted: NDArray[np.bool_]) -> Numbers:
        """For each block the innermost wanted element around it, -1 where there is none."""
        found = _followed(np.where(wanted, np.arange(len(wanted)), self.parents))[self.nodes]
        return np.where(wanted[found], found, -1)

    def inherited(self, bits: Numbers) -> Numbers:
        """The bits of each element, joined with those of all elements around it."""
        above = self.parents
        while above.any():  # twice as many levels each time, up to the root, whose number is 0
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
        """A number for each element, the same for equal tags and classes."""
        return self.classes.numbers * len(self.tags.values) + self.tags.numbers

    @cached_property
    def siblings(self) -> tuple[Numbers, Numbers]:
        """For each element the number of its series, which are equal children of one parent; and their lengths."""
        keys = self.mix(self.kinds, self.parents)
        _, series, lengths = np.unique(keys, return_inverse=True, return_counts=True)
        return series, lengths

    @cached_property
    def equal_siblings(self) -> Numbers:
        """For each element, how many children of its parent have the same tag and classes, itself included."""
        series, lengths = self.siblings
        equal: Numbers = lengths[series]
        return equal

    @cached_property
    def groups(self) -> tuple[Numbers, Numbers]:
        """Two numbers for each block: its group, of blocks with equal elements and parents; and the same for paths.

        A path is the block's element and the four elements around it; elements are equal in their tags and classes.
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
        """A hash of each pair of numbers; different pairs nearly always have different hashes."""
        mixed: Numbers = first * _MIXER ^ (second + (first >> 29))
        return mixed


def _followed(steps: Numbers) -> Numbers:
    """The end of the path that each element follows by `steps`, up to the element whose step leads to itself.

    All paths are followed at once, with strides that double each time.
    """
    while not ((further := steps[steps]) == steps).all():
        steps = further
    return steps


def _numbered(keys: Numbers) -> Numbers:
    """The same groups, numbered 0, 1, 2, ..."""
    numbers: Numbers = np.unique(keys, return_inverse=True)[1]
    return numbers
