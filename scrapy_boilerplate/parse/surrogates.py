"""Trees with lone surrogates, whose texts can't be read."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import partial

from lxml import etree


def without_surrogates(root: etree._Element) -> etree._Element:
    """Return this root in a copy of its tree without lone surrogates.

    lxml's recovering XML parser makes them of `&#xD800;`, and can't decode them."""
    tree = root.getroottree()
    copied_tree = copy.deepcopy(tree)
    copied_root = copied_tree.getroot()
    for element, copied in zip(_all_of(tree), _all_of(copied_tree), strict=True):
        if element is root:
            copied_root = copied
        copied.tail = _readable(partial(getattr, element, "tail"))
        if not isinstance(element.tag, str):
            continue
        copied.text = _readable(partial(getattr, element, "text"))
        for name in element.attrib:
            copied.set(name, _readable(partial(element.get, name)) or "")
    return copied_root


def _all_of(tree: etree._ElementTree) -> Iterator[etree._Element]:
    """All elements, comments and processing instructions in document order.

    `iter()` would take quadratic time in deep trees: it doesn't hold the ancestors, so that lxml climbs to the root
    whenever an element is freed.
    """
    return (element for _, element in etree.iterwalk(tree, ("start", "comment", "pi")))


def _readable(read: Callable[[], str | None]) -> str | None:
    try:
        return read()
    except UnicodeDecodeError as error:
        return bytes(error.object).decode("utf-8", "ignore")
