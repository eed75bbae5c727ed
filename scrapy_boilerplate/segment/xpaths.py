"""XPath expressions that find the elements of a page again."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from lxml import etree

from ..page import Page
from .tags import effect_of

# Below this depth a path is longer than the page: the element's ancestor at this depth stands for it.
DEEPEST_PATH = 256
LONGEST_PATH = 4000  # characters, for the same reason: names of tags may be long

_PLAIN_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_PLAIN_PATH = re.compile(rf"(?:/(?:{_PLAIN_NAME.pattern}|\*)(?:\[\d+\])?)+", re.ASCII)


def xpaths(page: Page, nodes: Iterable[int]) -> dict[int, str]:
    """Return the XPath of each of these elements from the document's root, in time linear in the size of the page.

    For trees of the HTML parser they equal those of lxml's `getpath()`, which counts siblings anew for each path.
    """
    positions, siblings = _positions(page)
    steps = {tag: _step(tag, bool(page.namespaces)) for tag in set(page.tags)}
    paths = {0: page.root_path}
    depths = {0: 0}
    for node in nodes:
        way = []
        while node not in paths:
            way.append(node)
            node = page.parents[node]
        for child in reversed(way):
            depths[child] = depths[node] + 1
            tag = page.tags[child]
            only = siblings[page.parents[child], tag] == 1
            step = f"/{steps[tag]}" + ("" if only else f"[{positions[child]}]")
            if depths[child] > DEEPEST_PATH or len(paths[node]) + len(step) > LONGEST_PATH:
                depths[child] = DEEPEST_PATH  # and so are all that it holds
                paths[child] = paths[node]
            elif child in page.places:
                paths[child] = f"{paths[node]}/*[{page.places[child]}]"
            else:
                paths[child] = paths[node] + step
            node = child
    return paths


def _positions(page: Page) -> tuple[list[int], dict[tuple[int, str], int]]:
    """Number each element among its siblings of the same name, and count these by parent and name."""
    siblings: dict[tuple[int, str], int] = {}
    positions: list[int] = []
    for key in zip(page.parents, page.tags, strict=True):
        siblings[key] = position = siblings.get(key, 0) + 1
        positions.append(position)
    return positions, siblings


def _step(tag: str, namespaced: bool) -> str:
    """Return the step of a path that finds elements of this name, whatever characters it contains."""
    if namespaced:
        return f"*[local-name()={_literal(tag)}]"
    return tag if _PLAIN_NAME.fullmatch(tag) else f"*[name()={_literal(tag)}]"


def _literal(text: str) -> str:
    if "'" not in text:
        return f"'{text}'"
    return "concat('" + """', "'", '""".join(text.split("'")) + "')"


def places_of_unwritable(root: etree._Element, page: Page) -> dict[int, int]:
    """Number each element whose name no XPath can hold among all children of its parent."""
    positions, _ = _positions(page)
    elements = {0: root}
    children: dict[int, dict[str, list[tuple[int, etree._Element]]]] = {}  # by name, each with its number
    places: dict[int, int] = {}
    for wanted in (node for node, tag in enumerate(page.tags) if node and tag in page.unwritable):
        way = []
        node = wanted
        while node not in elements:
            way.append(node)
            node = page.parents[node]
        for child in reversed(way):
            if node not in children:
                children[node] = defaultdict(list)
                for numbered in enumerate(elements[node].iterchildren("*"), 1):
                    children[node][effect_of(numbered[1].tag, set())[1]].append(numbered)
            number, elements[child] = children[node][page.tags[child]][positions[child] - 1]
            if page.tags[child] in page.unwritable:
                places[child] = number
            node = child
    return places


def numbers_of(root: etree._Element, page: Page, elements: Iterable[etree._Element]) -> set[int]:
    """The numbers in the page of these elements of its tree, as far as they were read."""
    positions, _ = _positions(page)
    numbers = {key: node for node, key in enumerate(zip(page.parents, page.tags, positions, strict=True))}
    found: dict[etree._Element, int | None] = {root: 0 if page.tags else None}
    for element in elements:
        way: list[etree._Element] = []
        around: etree._Element | None = element
        while around is not None and around not in found:
            way.append(around)
            around = around.getparent()
        for child in reversed(way if around is not None else ()):  # others stand outside of the root
            parent = child.getparent()
            if child not in found and parent is not None:
                number = found[parent]
                siblings: Counter[str] = Counter()
                for sibling in parent.iterchildren("*"):
                    tag = effect_of(sibling.tag, set())[1]
                    siblings[tag] += 1
                    found[sibling] = None if number is None else numbers.get((number, tag, siblings[tag]))
    return {number for element in elements if (number := found.get(element)) is not None}


def root_path(root: etree._Element) -> str:
    """Return the XPath of a page's root, which may be any element of a document."""
    path = root.getroottree().getpath(root)
    if _PLAIN_PATH.fullmatch(path):
        return path
    # A name with a prefix means nothing to an XPath evaluator that isn't told of it, nor do some other names: count.
    steps = [
        f"/*[{1 + sum(1 for _ in element.itersiblings('*', preceding=True))}]"
        for element in (root, *root.iterancestors())
    ]
    return "".join(reversed(steps))
