"""Tree to Page: one pass over the page, which reads and never writes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lxml import etree

from ..page import Page
from .tags import DROPPED, KINDS

try:
    from ._walk import walk
except (ImportError, TypeError, ValueError):  # not compiled here, or for another lxml
    from .walk import walk


def segment(root: etree._Element | None, *, image_alt: bool = False) -> Page:
    """Split a page into blocks: runs of text between block-level tags, two line breaks, or line ends in `<pre>`.

    `image_alt` reads the alternative texts of images as if they stood in the page. Of a page with more than
    `limits.MOST_BLOCKS` or `limits.MOST_ELEMENTS` the beginning is read.
    """
    if root is None:
        return Page()
    docinfo: Any = root.getroottree().docinfo  # whose type stubs are incomplete
    page = Page(doctype=docinfo.doctype)
    truncated = KINDS.get(root.tag) != DROPPED and walk(root, page, image_alt)
    return replace(page, truncated=True) if truncated else page
