"""Selectors: what a user keeps or drops by hand, as CSS or XPath, for all hosts or for some."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from .page import Page
from .segment.xpaths import numbers_of
from .site.texts import host_of

ALL_HOSTS = "*"
Selectors = Mapping[str, Sequence[str]]  # by host

_XPATH = "xpath:"
_NAMESPACES = {"re": "http://exslt.org/regular-expressions"}
_PAGE = etree.fromstring("<html><body><p>A page</p></body></html>")
_CACHED = 1000

Select = Callable[[etree._Element], Any]


@lru_cache(_CACHED)
def compiled(selector: str) -> Select:
    """The function that finds the elements of a selector. Raises ValueError for one that is wrong."""
    try:
        select = _xpath(selector.removeprefix(_XPATH)) if selector.startswith(_XPATH) else _css(selector)
        found = select(_PAGE)
    except (etree.XPathError, ValueError) as error:
        raise ValueError(f"{selector!r} is no selector: {error}") from None
    if not isinstance(found, list):
        raise ValueError(f"{selector!r} selects no elements, it gives a {type(found).__name__}")
    return select


def _xpath(expression: str) -> Select:
    return etree.XPath(expression, namespaces=_NAMESPACES, smart_strings=False)


def _css(selector: str) -> Select:
    from cssselect import SelectorError
    from lxml.cssselect import CSSSelector  # its package comes with Scrapy, and is only needed for this

    try:
        return CSSSelector(selector, translator="html")
    except SelectorError as error:
        raise ValueError(str(error)) from None


def selectors_for(selectors: Selectors | None, host: str) -> Iterator[str]:
    """The selectors for the pages of a host: those for all hosts, for this one, and for the domains it belongs to."""
    for name, some in (selectors or {}).items():
        if name == ALL_HOSTS or host == name or host.endswith(f".{name}"):
            yield from some


@dataclass(frozen=True, slots=True)
class ByHand:
    """The elements of a page that its selectors keep and drop, and the selectors that found any."""

    kept: Collection[etree._Element]
    dropped: Collection[etree._Element]
    matched: frozenset[str]

    @classmethod
    def of(cls, root: etree._Element | None, keep: Selectors | None, drop: Selectors | None, url: str | None) -> ByHand:
        if not keep and not drop:
            return _NOTHING
        host = host_of(url or "")
        kept, dropped = elements_of(keep, host, root), elements_of(drop, host, root)
        matched = frozenset(selector for found in (kept, dropped) for selector, elements in found.items() if elements)
        return cls(list(chain(*kept.values())), frozenset(chain(*dropped.values())), matched)


_NOTHING = ByHand((), (), frozenset())


def elements_of(selectors: Selectors | None, host: str, root: etree._Element | None) -> dict[str, list[etree._Element]]:
    """The elements that each selector for this host finds in a page."""
    if not selectors or root is None:
        return {}
    return {
        selector: [found for found in compiled(selector)(root) if isinstance(found, etree._Element)]
        for selector in selectors_for(selectors, host)
    }


def blocks_within(page: Page, root: etree._Element, elements: Collection[etree._Element]) -> NDArray[np.bool_]:
    """A mask of the blocks that begin within one of these elements of a page."""
    nodes = numbers_of(root, page, elements)
    inside = [False] * len(page.tags)
    for node, parent in enumerate(page.parents):
        inside[node] = node in nodes or (parent >= 0 and inside[parent])
    return np.array([inside[node] for node in page.block_starts], np.bool_)
