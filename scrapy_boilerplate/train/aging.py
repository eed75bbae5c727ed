"""Augmentation with pages in the markup of 2005.

Old pages, and some of today's, have tables for the layout, line breaks for paragraphs, fonts for headings, and no
class names: a network sees only their texts and where these stand. Collections have hardly any such pages.
"""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np
from lxml import etree

from ..features import Features
from ..page import Head, Page
from ..segment.tags import HEADING_LEVELS

_CONTAINERS = frozenset(
    """
    address article aside dd details div dl dt fieldset figcaption figure footer form header li main nav ol section
    summary ul
    """.split()
)
_LISTS = frozenset({"li", "ol", "ul"})
_TABLE = ("table", "tr", "td")  # nested containers become these in turn
_SHARE_WITH_LISTS, _SHARE_WITH_HEADINGS, _SHARE_WITH_PARAGRAPHS = 0.5, 0.4, 0.5  # of the aged pages
_SHARE = 0.4  # of all pages: more would only make the training longer


def is_to_be_aged(name: str) -> bool:
    """Whether an aged copy is made of the page with this name."""
    return zlib.crc32(f"aged {name}".encode()) < _SHARE * 2**32


def aged(page: Page, name: str) -> Page:
    """A page with the same blocks, in the markup of 2005.

    Which tags are replaced depends on the page's name alone, so that a training can be repeated.
    """
    cells, inline = _replaced_tags(name)
    tags: list[str] = []
    depths: list[int] = []  # the number of tables, rows and cells around the contents of each element
    around: list[int] = []  # the element that a text directly in each element belongs to
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


def age_tree(root: etree._Element, name: str) -> None:
    """Give a tree the markup of 2005, with the same texts: for models that split a page at every tag.

    An element that becomes a font ends with two line breaks, so that its text is still a paragraph of its own.
    """
    cells, inline = _replaced_tags(name)
    depths: dict[etree._Element | None, int] = {}
    for element in list(root.iter(etree.Element)):
        tag = element.tag
        depth = depths.get(element.getparent(), 0)
        depths[element] = depth + (tag in cells)
        if tag in cells:
            element.tag = _TABLE[depth % len(_TABLE)]
        elif tag in inline:
            element.tag = "font"
            etree.SubElement(element, "br")
            etree.SubElement(element, "br")


def _replaced_tags(name: str) -> tuple[frozenset[str], frozenset[str]]:
    """The tags that become parts of tables on the page of this name, and those that become fonts."""
    chances = np.random.default_rng(zlib.crc32(name.encode())).random(3)
    lists, headings, paragraphs = chances < (_SHARE_WITH_LISTS, _SHARE_WITH_HEADINGS, _SHARE_WITH_PARAGRAPHS)
    cells = _CONTAINERS if not lists else _CONTAINERS - _LISTS
    inline = (frozenset() if headings else frozenset(HEADING_LEVELS)) | (frozenset() if paragraphs else {"p"})
    return cells, inline


def aged_features(page: Page, name: str, title: str) -> Features:
    """The features of the aged page; nothing but the title is kept of its head."""
    features = Features(aged(page, name))
    features.head = Head(title=title)
    return features
