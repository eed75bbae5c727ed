"""Tree to Page: one pass over the page, which reads and never writes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

from lxml import etree

from .. import _core
from ..page import Page
from .head import read_head
from .tags import DROPPED, effect_of
from .walk import walk as walk_tree
from .xpaths import places_of_unwritable, root_path


def segment(root: etree._Element | None, *, image_alt: bool = False, skip: Collection[etree._Element] = ()) -> Page:
    """Split a page into blocks: runs of text between block-level tags, two line breaks, or line ends in `<pre>`.

    `image_alt` reads the alternative texts of images as if they stood in the page. Elements to `skip` are read as if
    they were empty. Of a page with more than `limits.MOST_BLOCKS` or `limits.MOST_ELEMENTS` the beginning is read.
    """
    if root is not None and root not in skip and _core.is_ready():
        return _read_compiled(root, image_alt, skip)
    return read_page(root, walk_tree, image_alt, skip)


def _read_compiled(root: etree._Element, image_alt: bool, skip: Collection[etree._Element]) -> Page:
    docinfo: Any = root.getroottree().docinfo
    page = _core.read_page(root, image_alt, skip, doctype=docinfo.doctype, root_path=root_path(root))
    if page.unwritable:
        page.places.update(places_of_unwritable(root, page))
    return page


def read_page(
    root: etree._Element | None,
    walk: Callable[[etree._Element, Page, bool, Collection[etree._Element]], bool],
    image_alt: bool,
    skip: Collection[etree._Element] = (),
) -> Page:
    """Read blocks and elements with this walk, and what the page says about itself."""
    if root is None:
        return Page()
    docinfo: Any = root.getroottree().docinfo  # whose type stubs are incomplete
    page = Page(doctype=docinfo.doctype, head=read_head(root), root_path=root_path(root))
    truncated = effect_of(root.tag, set())[0] != DROPPED and root not in skip and walk(root, page, image_alt, skip)
    if page.unwritable:
        page.places.update(places_of_unwritable(root, page))
    return replace(page, truncated=True) if truncated else page
