"""Trees of XHTML in the form of trees of HTML."""

from __future__ import annotations

from copy import deepcopy

from lxml import etree


def without_namespaces(root: etree._Element) -> etree._Element:
    """The tree itself, or for XHTML a copy with plain tag names."""
    if not str(root.tag).startswith("{"):
        return root
    copied = deepcopy(root)
    for element in copied.iter("*"):
        element.tag = str(element.tag).rpartition("}")[2]
    return copied
