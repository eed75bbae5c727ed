"""Captions: which blocks of a page describe an image or a table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..page import Page
from .tags import HEADING_LEVELS

_TAGS = frozenset({"caption", "figcaption"})
# Design systems name a small typeface "text-caption".
_NAME = re.compile(
    r"(?<!text-)(?<!typography-)captions?(?:[-_]?(?:text|content|body|\d+))?(?!\S)|(?<!\S)(?:bildunterschrift|cutline)"
)
_NAME_PARTS = ("caption", "bildunterschrift", "cutline")  # one of them is in every name that the expression finds
_LONGEST_NAMES = 300  # characters that are read of the class names and the id of an element
# An image and its caption stand in one element, at most so many levels above them.
_LEVELS_TO_IMAGE, _LEVELS_TO_CAPTION = 4, 2
_LEVELS_TO_HEADING = 4
_LARGEST_SHARE = 1 / 3  # of a page's words of content; with more than that, captions are what the page is about


def caption_blocks(page: Page, weights: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Return a mask of the blocks in captions.

    `weights` are the words of content that each block is expected to have. The text of a card, with a heading of its
    own, is no caption, and a gallery that consists of them has none.
    """
    captions = _caption_elements(page)
    inside = np.array([node in captions for node in page.block_nodes], bool)
    is_gallery = weights[inside].sum() > _LARGEST_SHARE * weights.sum()
    return np.zeros(len(inside), bool) if is_gallery else inside


def _caption_elements(page: Page) -> set[int]:
    """Return the elements that are captions, and those in them."""
    found = _tagged_or_named(page)
    if found:
        for node, parent in enumerate(page.parents):
            if parent in found:
                found.add(node)
    return found


def _tagged_or_named(page: Page) -> set[int]:
    """Return the elements that are captions by their tags or, beside an image, by their classes or item properties."""
    tagged = {node for node, tag in enumerate(page.tags) if tag in _TAGS}
    named: set[int] = set()
    if page.may_name(_NAME_PARTS):
        named |= {node for node, names in enumerate(page.classes) if names and _says_caption(names[:_LONGEST_NAMES])}
    named |= {node for node, name, value in page.attributes if name == "itemprop" and value.lower() == "caption"}
    if named:
        near_image = _around(page, page.images, _LEVELS_TO_IMAGE)
        named = {node for node in named if not near_image.isdisjoint(_upwards(page, node, _LEVELS_TO_CAPTION))}
    found = tagged | named
    headings = (node for node, tag in enumerate(page.tags) if found and tag in HEADING_LEVELS)
    return found - _around(page, headings, _LEVELS_TO_HEADING)


@lru_cache(4096)  # the pages of a site share their class names
def _says_caption(names: str) -> bool:
    return _NAME.search(names.lower()) is not None


def _around(page: Page, nodes: Iterable[int], levels: int) -> set[int]:
    return {outer for node in set(nodes) for outer in _upwards(page, node, levels)}


def _upwards(page: Page, node: int, levels: int) -> list[int]:
    """Return an element and so many of those around it."""
    nodes = [node]
    while len(nodes) <= levels and (node := page.parents[node]) >= 0:
        nodes.append(node)
    return nodes
