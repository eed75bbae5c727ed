"""Where the elements of a page stand, as XPath expressions that find them again."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from lxml import etree

from ..page import Page
from .tags import kind_of

# Below this depth a path is longer than the page: the element's ancestor at this depth stands for it.
DEEPEST_PATH = 256
LONGEST_PATH = 4000  # characters, for the same reason: names of tags may be long

_PLAIN_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
_PLAIN_PATH = re.compile(rf"(?:/(?:{_PLAIN_NAME.pattern}|\*)(?:\[\d+\])?)+", re.ASCII)


def xpaths(root: etree._Element, page: Page, nodes: Iterable[int]) -> dict[int, str]:
    """The XPath of each of these elements from the document's root, in time that grows with the page alone.

    For trees of the HTML parser the same expressions as lxml's `getpath()`, which counts an element's siblings anew for
    each path.
    """
    seen: dict[tuple[int, str], int] = {}
    positions: list[int] = []
    for key in zip(page.parents, page.tags, strict=True):
        seen[key] = position = seen.get(key, 0) + 1
        positions.append(position)
    steps = {tag: _step(tag, bool(page.namespaces)) for tag in set(page.tags)}

    places = _places(root, page, positions) if any(map(_is_unwritable, steps)) else {}
    paths = {0: _root_path(root)}
    depths = {0: 0}
    for node in nodes:
        way = []
        while node not in paths:
            way.append(node)
            node = page.parents[node]
        for child in reversed(way):
            depths[child] = depths[node] + 1
            tag = page.tags[child]
            only = seen[page.parents[child], tag] == 1
            step = f"/{steps[tag]}" + ("" if only else f"[{positions[child]}]")
            if depths[child] > DEEPEST_PATH or len(paths[node]) + len(step) > LONGEST_PATH:
                depths[child] = DEEPEST_PATH  # and so are all that it holds
                paths[child] = paths[node]
            elif child in places:
                paths[child] = f"{paths[node]}/*[{places[child]}]"
            else:
                paths[child] = paths[node] + step
            node = child
    return paths


def _step(tag: str, namespaced: bool) -> str:
    """The step of a path that finds elements of this name, whatever characters and namespaces it has."""
    if namespaced:
        return f"*[local-name()={_literal(tag)}]"
    return tag if _PLAIN_NAME.fullmatch(tag) else f"*[name()={_literal(tag)}]"


def _literal(text: str) -> str:
    if "'" not in text:
        return f"'{text}'"
    return "concat('" + """', "'", '""".join(text.split("'")) + "')"


def _is_unwritable(tag: str) -> bool:
    """Whether no expression can hold the element's name, in which `kind_of()` has put U+FFFD."""
    return "\ufffd" in tag


def _places(root: etree._Element, page: Page, positions: list[int]) -> dict[int, int]:
    """For each element with a name that can't be written its number among all elements beside it."""
    elements = {0: root}
    children: dict[int, dict[str, list[tuple[int, etree._Element]]]] = {}  # by name, each with its number
    places: dict[int, int] = {}
    for wanted in (node for node, tag in enumerate(page.tags) if node and _is_unwritable(tag)):
        way = []
        node = wanted
        while node not in elements:
            way.append(node)
            node = page.parents[node]
        for child in reversed(way):
            if node not in children:
                children[node] = defaultdict(list)
                for numbered in enumerate(elements[node].iterchildren("*"), 1):
                    children[node][kind_of(numbered[1].tag, set())[1]].append(numbered)
            number, elements[child] = children[node][page.tags[child]][positions[child] - 1]
            if _is_unwritable(page.tags[child]):
                places[child] = number
            node = child
    return places


def _root_path(root: etree._Element) -> str:
    path = root.getroottree().getpath(root)
    if _PLAIN_PATH.fullmatch(path):
        return path
    # A name with a prefix means nothing to an XPath evaluator that isn't told of it, nor do some other names: count.
    steps = [
        f"/*[{1 + sum(1 for _ in element.itersiblings('*', preceding=True))}]"
        for element in (root, *root.iterancestors())
    ]
    return "".join(reversed(steps))
