"""Where the elements of a page stand, as XPath expressions that find them again."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from .blocks import Page

# Below this depth a path is longer than the page: the element's ancestor at this depth stands for it.
DEEPEST_PATH = 256


def xpaths(root: etree._Element, page: Page, nodes: Iterable[int]) -> dict[int, str]:
    """The XPath of each of these elements from the document's root, in time that grows with the page alone.

    The same expressions as lxml's `getpath()`, which counts an element's siblings anew for each path.
    """
    namespaced = str(root.tag).startswith("{")
    seen: dict[tuple[int, str], int] = {}
    positions: list[int] = []
    for key in zip(page.parents, page.tags, strict=True):
        seen[key] = position = seen.get(key, 0) + 1
        positions.append(position)

    paths = {0: root.getroottree().getpath(root)}
    depths = {0: 0}
    for node in nodes:
        way = []
        while node not in paths:
            way.append(node)
            node = page.parents[node]
        for step in reversed(way):
            depths[step] = depths[node] + 1
            if depths[step] > DEEPEST_PATH:
                paths[step] = paths[node]
            else:
                tag = page.tags[step]
                name = f"*[local-name()='{tag}']" if namespaced else f"*[name()='{tag}']" if ":" in tag else tag
                only = seen[page.parents[step], tag] == 1
                paths[step] = f"{paths[node]}/{name}" if only else f"{paths[node]}/{name}[{positions[step]}]"
            node = step
    return paths
