"""Blocks to numbers: a column for each feature, a row for each block."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..page import Head, Page
from ..segment.tags import HEADING_LEVELS
from . import compiled
from .containers import Containers
from .elements import Elements
from .family import Family
from .markup import Markup
from .place import Place
from .shallow import Column, ShallowFeatures
from .surroundings import Surroundings
from .text import Texts
from .text_links import without_text_links
from .whole import Whole
from .wording import Wording

if TYPE_CHECKING:
    from .._core.shim import Walked

__all__ = ["FEATURE_NAMES", "SHALLOW_NAMES", "Features", "check_feature_names", "is_feature"]

AnyFamily = TypeVar("AnyFamily", bound=Family)

_NEIGHBOURS = {"previous_": 1, "next_": -1}
_FAMILIES: tuple[type[Family], ...] = (Wording, Markup, Containers, Place, Whole)

SHALLOW_NAMES = (
    *ShallowFeatures.names,
    *(prefix + name for prefix in _NEIGHBOURS for name in ShallowFeatures.names),
)
# All features that are not those of a single model.
FEATURE_NAMES = (*SHALLOW_NAMES, *(name for family in _FAMILIES for name in family.names))


def is_feature(name: str) -> bool:
    """Whether there is a feature of this name: one of FEATURE_NAMES, or one that a model has brought along."""
    return name in SHALLOW_NAMES or name in Family.rows_of_all


def check_feature_names(names: Sequence[str]) -> None:
    """Raise ValueError for a feature that this version can't compute."""
    unknown = sorted({name for name in names if not is_feature(name)})
    if unknown:
        raise ValueError(f"unknown features: {', '.join(unknown)}")


class Features:
    """The features of a page, each computed once, when it is first asked for."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._families: dict[type[Family], Family] = {}

    @cached_property
    def page(self) -> Page:
        """The page as the features see it."""
        return without_text_links(self._page)

    @cached_property
    def shallow(self) -> ShallowFeatures:
        return ShallowFeatures(self.page)

    @property
    def texts(self) -> Texts:
        return self.shallow.texts

    @property
    def walked(self) -> Walked | None:
        """The page in the core, None if that has not read it."""
        return self._page.walked

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """The size of each block in words; a score from the core brings them along."""
        return self.wording.size

    @property
    def link_texts(self) -> Texts:
        return self.shallow.link_texts

    @cached_property
    def elements(self) -> Elements:
        return Elements(self.page)

    @cached_property
    def head(self) -> Head:
        return self._page.head

    @cached_property
    def surroundings(self) -> Surroundings:
        return Surroundings.of(self)

    def family(self, family: type[AnyFamily]) -> AnyFamily:
        """The features of a family on this page."""
        found = self._families.get(family)
        if found is None:
            found = self._families[family] = family(self)
        assert isinstance(found, family)
        return found

    @property
    def wording(self) -> Wording:
        return self.family(Wording)

    @property
    def markup(self) -> Markup:
        return self.family(Markup)

    @property
    def containers(self) -> Containers:
        return self.family(Containers)

    @cached_property
    def heading_levels(self) -> NDArray[np.int64]:
        """1 to 6 for the blocks in a heading or right in an element in one, else 0."""
        elements = self.elements
        levels = elements.tags.look_up(lambda tag: HEADING_LEVELS.get(tag, 0))
        own = levels[elements.nodes]
        return np.where(own > 0, own, levels[elements.parents[elements.nodes]])

    @property
    def is_heading(self) -> NDArray[np.bool_]:
        return self.heading_levels > 0

    def column(self, name: str) -> Column:
        """A feature of every block; a neighbour's feature is 0 where there is no neighbour."""
        for prefix, shift in _NEIGHBOURS.items():
            if name.startswith(prefix):
                return _shifted(self.column(name.removeprefix(prefix)), shift)
        if name in Family.rows_of_all:
            family, row = Family.rows_of_all[name]
            column: Column = self.family(family).rows[row].astype(np.float64)
            return column
        shallow: Column = getattr(self.shallow, name)
        return shallow

    def matrix(self, names: Sequence[str]) -> NDArray[np.float32]:
        """The named features as columns, in this order."""
        if self.walked is not None and len(self.walked) and all(name in compiled.column_numbers() for name in names):
            return compiled.matrix(self.walked, self.head, names)
        columns = np.empty((len(names), len(self.page.texts)), np.float32)
        for start, stop, family, row in _runs(tuple(names)):
            if family is None:
                columns[start] = self.column(names[start])
            else:
                columns[start:stop] = self.family(family).rows[row : row + stop - start]
        matrix: NDArray[np.float32] = columns.T
        return matrix


@lru_cache(maxsize=16)
def _runs(names: tuple[str, ...]) -> list[tuple[int, int, type[Family] | None, int]]:
    """Runs of names that stand side by side in a family, to be copied at once: from, to, the family, its first row."""
    runs: list[tuple[int, int, type[Family] | None, int]] = []
    for number, name in enumerate(names):
        family, row = Family.rows_of_all.get(name, (None, 0))
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
