"""Blocks to numbers: a column for each feature, a row for each block."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from ..page import Head, Page
from .containers import Containers
from .family import Family
from .markup import Markup
from .place import Place
from .shallow import Column, ShallowFeatures
from .surroundings import Surroundings
from .texrex import Texrex
from .text import Texts
from .text_links import without_text_links
from .tree import Tree
from .victor import Victor
from .whole import Whole
from .wording import Wording

__all__ = ["FEATURE_NAMES", "SHALLOW_NAMES", "Features", "check_feature_names", "families"]

_NEIGHBOURS = {"previous_": 1, "next_": -1}
_FAMILIES: dict[str, type[Family]] = {
    "surroundings": Surroundings,
    "wording": Wording,
    "markup": Markup,
    "containers": Containers,
    "place": Place,
    "whole": Whole,
    "texrex": Texrex,
    "victor": Victor,
}
_FAMILY_ROWS = {name: (family, row) for family, kind in _FAMILIES.items() for row, name in enumerate(kind.names)}
_HEADING_LEVELS = {f"h{level}": level for level in range(1, 7)}

SHALLOW_NAMES = (
    *ShallowFeatures.names,
    *(prefix + name for prefix in _NEIGHBOURS for name in ShallowFeatures.names),
)
FEATURE_NAMES = (*SHALLOW_NAMES, *_FAMILY_ROWS)


def families(*wanted: str) -> tuple[str, ...]:
    """The names of all features of these families."""
    return tuple(name for family in wanted for name in _FAMILIES[family].names)


def check_feature_names(names: Sequence[str]) -> None:
    """Raise ValueError for a feature that this version can't compute."""
    unknown = sorted(set(names) - set(FEATURE_NAMES))
    if unknown:
        raise ValueError(f"unknown features: {', '.join(unknown)}")


class Features:
    """The features of a page, each computed once and only if somebody asks for it."""

    def __init__(self, page: Page) -> None:
        self.page = without_text_links(page)
        self.shallow = ShallowFeatures(self.page)
        self.texts = self.shallow.texts

    @property
    def link_texts(self) -> Texts:
        return self.shallow.link_texts

    @cached_property
    def tree(self) -> Tree:
        return Tree(self.page)

    @cached_property
    def head(self) -> Head:
        return self.page.head

    @cached_property
    def surroundings(self) -> Surroundings:
        return Surroundings(self)

    @cached_property
    def wording(self) -> Wording:
        return Wording(self)

    @cached_property
    def markup(self) -> Markup:
        return Markup(self)

    @cached_property
    def containers(self) -> Containers:
        return Containers(self)

    @cached_property
    def place(self) -> Place:
        return Place(self)

    @cached_property
    def whole(self) -> Whole:
        return Whole(self)

    @cached_property
    def texrex(self) -> Texrex:
        return Texrex(self)

    @cached_property
    def victor(self) -> Victor:
        return Victor(self)

    @cached_property
    def heading_levels(self) -> NDArray[np.int64]:
        """1 to 6 for the blocks in a heading or right in an element in one, else 0."""
        tree = self.tree
        levels = tree.tags.look_up(lambda tag: _HEADING_LEVELS.get(tag, 0))
        own = levels[tree.nodes]
        return np.where(own > 0, own, levels[tree.parents[tree.nodes]])

    @property
    def is_heading(self) -> NDArray[np.bool_]:
        return self.heading_levels > 0

    def column(self, name: str) -> Column:
        """A feature of every block; that of a neighbour is 0 where there is no neighbour."""
        for prefix, shift in _NEIGHBOURS.items():
            if name.startswith(prefix):
                return _shifted(self.column(name.removeprefix(prefix)), shift)
        if name in _FAMILY_ROWS:
            family, row = _FAMILY_ROWS[name]
            column: Column = getattr(self, family).rows[row].astype(np.float64)
            return column
        shallow: Column = getattr(self.shallow, name)
        return shallow

    def matrix(self, names: Sequence[str]) -> NDArray[np.float32]:
        """The named features as columns, in this order."""
        columns = np.empty((len(names), len(self.page.texts)), np.float32)
        for start, stop, family, row in _runs(tuple(names)):
            if family is None:
                columns[start] = self.column(names[start])
            else:
                columns[start:stop] = getattr(self, family).rows[row : row + stop - start]
        matrix: NDArray[np.float32] = columns.T
        return matrix


@lru_cache(maxsize=16)
def _runs(names: tuple[str, ...]) -> list[tuple[int, int, str | None, int]]:
    """Names that stand side by side in a family are copied in one go: from, to, the family, and the row in it."""
    runs: list[tuple[int, int, str | None, int]] = []
    for number, name in enumerate(names):
        family, row = _FAMILY_ROWS.get(name, (None, 0))
        if runs and family is not None:
            start, stop, last_family, first_row = runs[-1]
            if family == last_family and row == first_row + stop - start:
                runs[-1] = (start, number + 1, family, first_row)
                continue
        runs.append((number, number + 1, family, row))
    return runs


def _shifted(column: Column, shift: int) -> Column:
    shifted = np.zeros_like(column)
    if shift > 0:
        shifted[1:] = column[:-1]
    else:
        shifted[:-1] = column[1:]
    return shifted
