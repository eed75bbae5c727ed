"""Pages in the markup of 2005, to learn from.

Tables for the layout, line breaks for paragraphs, fonts for headings, and no word of what anything is for: old pages,
and some of today's, leave a network nothing but their texts and how they lie. Collections have hardly any of them.
"""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np

from ..features import Features
from ..page import Head, Page

_CONTAINERS = frozenset(
    """
    address article aside dd details div dl dt fieldset figcaption figure footer form header li main nav ol section
    summary ul
    """.split()
)
_LISTS = frozenset({"li", "ol", "ul"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_TABLE = ("table", "tr", "td")  # what containers within containers become, over and over
_SHARE_WITH_LISTS, _SHARE_WITH_HEADINGS, _SHARE_WITH_PARAGRAPHS = 0.5, 0.4, 0.5  # of these pages
_SHARE = 0.4  # of all pages, so that a training takes only so much longer


def is_to_be_aged(name: str) -> bool:
    """Whether there is to be an aged copy of the page with this name."""
    return zlib.crc32(f"aged {name}".encode()) < _SHARE * 2**32


def aged(page: Page, name: str) -> Page:
    """The page with the same blocks as somebody might have written it in 2005.

    Which habits its author has depends on the page's name alone, so that a training can be repeated.
    """
    chances = np.random.default_rng(zlib.crc32(name.encode())).random(3)
    lists, headings, paragraphs = chances < (_SHARE_WITH_LISTS, _SHARE_WITH_HEADINGS, _SHARE_WITH_PARAGRAPHS)
    cells = _CONTAINERS if not lists else _CONTAINERS - _LISTS
    inline = (frozenset() if headings else _HEADINGS) | (frozenset() if paragraphs else {"p"})
    tags: list[str] = []
    depths: list[int] = []  # how many tables, rows and cells are around what is in each element
    around: list[int] = []  # the element to which a text right in each element belongs
    for node, (tag, parent) in enumerate(zip(page.tags, page.parents, strict=True)):
        depth = depths[parent] if parent >= 0 else 0
        tags.append(_TABLE[depth % len(_TABLE)] if tag in cells else "font" if tag in inline else tag)
        depths.append(depth + (tag in cells))
        around.append(around[parent] if tag in inline and parent >= 0 else node)
    return replace(
        page,
        tags=tags,
        classes=[""] * len(tags),
        attributes=[attribute for attribute in page.attributes if attribute[1] == "style"],
        block_nodes=[around[node] for node in page.block_nodes],
    )


def aged_features(page: Page, name: str, title: str) -> Features:
    """The features of the aged page, whose head says no more than its title."""
    features = Features(aged(page, name))
    features.head = Head(title=title)
    return features
