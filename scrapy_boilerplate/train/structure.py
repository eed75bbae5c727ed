"""Victor's labels: header, list, paragraph, continuation, and other for boilerplate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..page import Page
from ..segment.tags import HEADING_LEVELS
from ..sequences import aligned
from .align import tokenize
from .cleaneval import segments

OTHER, PARAGRAPH = "other", "paragraph"

_CONTINUATION = "continuation"
_LIST_ITEMS = frozenset({"li", "dt", "dd"})
_OF_MARKS = {"h": "header", "l": "list", "p": PARAGRAPH, "": PARAGRAPH}


def structure_labels(page: Page, is_content: NDArray[np.bool_]) -> tuple[str, ...]:
    """The label of each text node: `other` if it is boilerplate, else what its markup says."""
    nearest = page.nearest(_LIST_ITEMS | HEADING_LEVELS.keys())

    def label(node: int, glue: str | None) -> str:
        if glue is not None:
            return _CONTINUATION
        around = page.tags[nearest[node]] if nearest[node] >= 0 else ""
        return "header" if around in HEADING_LEVELS else "list" if around in _LIST_ITEMS else PARAGRAPH

    return tuple(
        label(node, glue) if kept else OTHER
        for node, glue, kept in zip(page.block_nodes, page.glue, is_content.tolist(), strict=True)
    )


def marked_labels(texts: Sequence[str], labels: Sequence[str], gold: str) -> tuple[str, ...]:
    """The labels of content by the marks of CleanEval's gold text, instead of those by the markup.

    A text node that begins a segment has the label of its mark, and the next ones of the segment are continuations.
    Text nodes that are not found in the gold text keep their labels.
    """
    marked = segments(gold)
    owners = [number for number, (_, text) in enumerate(marked) for _ in tokenize(text)]
    content = [number for number, label in enumerate(labels) if label != OTHER]
    nodes = [number for number in content for _ in tokenize(texts[number])]
    pairs = aligned(
        [token for number in content for token in tokenize(texts[number])],
        [token for _, text in marked for token in tokenize(text)],
    )
    found: dict[int, tuple[int, int]] = {}  # for each text node the segments of its first and of its last token
    for place, gold_place in pairs:
        first, _ = found.get(nodes[place], (owners[gold_place], 0))
        found[nodes[place]] = first, owners[gold_place]
    result, current = list(labels), -1
    for number, (first, last) in found.items():
        result[number] = _CONTINUATION if first == current else _OF_MARKS[marked[first][0]]
        current = last
    return tuple(result)
