"""Where the elements of a page stand, as XPath expressions that find them again."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lxml import etree

from .blocks import Page

# Below this depth a path is longer than the page: the element's ancestor at this depth stands for it.
DEEPEST_PATH = 256
LONGEST_PATH = 4000  # characters, for the same reason: names of tags may be long

_PLAIN_NAME = re.compile(r"[A-Za-z_][\w.-]*")


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


def _root_path(root: etree._Element) -> str:
    path = root.getroottree().getpath(root)
    if ":" not in path:
        return path
    # A name with a prefix means nothing to an XPath evaluator that isn't told of it: count instead.
    steps = [
        f"/*[{1 + sum(1 for _ in element.itersiblings('*', preceding=True))}]"
        for element in (root, *root.iterancestors())
    ]
    return "".join(reversed(steps))
