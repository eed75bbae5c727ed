"""What kind of text a block is: heading, list item, paragraph, table cell, quote, code, or a continuation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from lxml import etree

from ..page import Page
from .tags import BLOCK, BREAK, PREFORMATTED, PREFORMATTED_TAGS, kind_of

HEADING, LIST_ITEM, PARAGRAPH, TABLE_CELL, QUOTE, CODE, CONTINUATION = KINDS = (
    "heading",
    "list item",
    "paragraph",
    "table cell",
    "quote",
    "code",
    "continuation",
)

_HEADING_TAGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_LIST_ITEM_TAGS = frozenset({"li", "dt", "dd"})
_CELL_TAGS = frozenset({"td", "th"})
_CODE_TAGS = frozenset({"code", "kbd", "samp"})
_CODE_PATTERNS = tuple(f"{{*}}{tag}" for tag in sorted(_CODE_TAGS))  # in whatever namespace

# What an element makes of the text in it; the innermost one counts. Headings have a rule of their own.
_KINDS_OF_TAGS = {
    **dict.fromkeys(_LIST_ITEM_TAGS, LIST_ITEM),
    **dict.fromkeys(_CELL_TAGS, TABLE_CELL),
    **dict.fromkeys(PREFORMATTED_TAGS, CODE),
    "blockquote": QUOTE,
    # The title of a table, a figure or a form is a paragraph of its own, in whatever it stands.
    **dict.fromkeys(("caption", "figcaption", "legend"), PARAGRAPH),
}


def block_kinds(page: Page, root: etree._Element | None, labels: Sequence[str] | None = None) -> list[str]:
    """The kind of each block, by the markup around it and, where a model has them, by its labels.

    A label wins over the markup, but for three cases: "other" says nothing; a paragraph may well be a quote, code or
    a table cell; and no label can end a paragraph within a word.
    """
    kinds = _markup_kinds(page, root)
    if labels is None:
        return kinds
    glue = page.glue or [None] * len(kinds)
    return [
        kind if label == "other" or (label == PARAGRAPH and kind in (QUOTE, CODE, TABLE_CELL)) or space == "" else label
        for kind, label, space in zip(kinds, labels, glue, strict=True)
    ]


def _markup_kinds(page: Page, root: etree._Element | None) -> list[str]:
    containers = _containers(page)
    kinds_around = _kinds_around(page, containers.values())
    items = page.nearest(_LIST_ITEM_TAGS)
    is_heading = _heading_test(page)
    code = _code_only(page, root, containers.values())
    begun: set[int] = set()  # list items of which a text was read
    kinds = [CONTINUATION] * len(page.texts)
    for number, container in containers.items():
        kind = HEADING if is_heading(container) else kinds_around[container]
        item = items[container]
        if kind == LIST_ITEM and item in begun:
            kind = PARAGRAPH
        if item >= 0:
            begun.add(item)
        kinds[number] = CODE if kind == PARAGRAPH and container in code else kind
    return kinds


def _containers(page: Page) -> dict[int, int]:
    """For each block that begins a paragraph the block-level element around it."""
    if not page.glue:
        nodes, lines = page.block_nodes, page.pre_lines
        return {
            number: node
            for number, node in enumerate(nodes)
            # All lines of a <pre> are one text.
            if not (lines[number] > 1 and number and node == nodes[number - 1] and lines[number] > lines[number - 1])
        }
    block_level = {tag for tag in set(page.tags) if kind_of(tag, set())[0] in (BLOCK, PREFORMATTED)}
    nearest = page.nearest(block_level)
    return {
        number: max(nearest[node], 0)
        for number, (node, space) in enumerate(zip(page.block_nodes, page.glue, strict=True))
        if space is None
    }


def _kinds_around(page: Page, containers: Iterable[int]) -> list[str]:
    """For each element what it makes of a text in it, headings aside.

    A cell counts if there is one text in it: cells with several are for layout.
    """
    cells = page.nearest(_CELL_TAGS) if "tr" in page.tags else []
    texts_in_cell = Counter(cells[node] for node in containers) if cells else Counter()
    kinds: list[str] = []
    for node, (tag, parent) in enumerate(zip(page.tags, page.parents, strict=True)):
        kind = _KINDS_OF_TAGS.get(tag)
        if kind is None or (kind == TABLE_CELL and texts_in_cell[node] != 1):
            kind = kinds[parent] if parent >= 0 else PARAGRAPH
        kinds.append(kind)
    return kinds


def _heading_test(page: Page) -> Callable[[int], bool]:
    """Whether an element is a heading, or stands right in one and says nothing else.

    Not deeper: an unclosed heading holds half the page.
    """
    by_role = {node for node, name, value in page.attributes if name == "role" and value == "heading"}

    def is_heading(node: int) -> bool:
        if node in by_role or page.tags[node] in _HEADING_TAGS:
            return True
        parent = page.parents[node]
        if parent < 0 or page.tags[node] in _KINDS_OF_TAGS:
            return False
        return parent in by_role or page.tags[parent] in _HEADING_TAGS

    return is_heading


def _code_only(page: Page, root: etree._Element | None, containers: Iterable[int]) -> set[int]:
    """The elements with one text, all of which is in elements for code."""
    if root is None or _CODE_TAGS.isdisjoint(page.tags):
        return set()
    nodes = [node for node, tag in enumerate(page.tags) if tag in _CODE_TAGS]
    passed_over: dict[etree._Element, bool] = {}
    found = (element for element in root.iter(*_CODE_PATTERNS) if not _is_passed_over(element, passed_over))
    # Of a page that is too long the first ones were read.
    elements = list(islice(found, len(nodes)) if page.truncated else found)
    if len(elements) != len(nodes):  # somebody has changed the tree
        return set()
    holders = {page.parents[node]: element.getparent() for node, element in zip(nodes, elements, strict=True)}
    with_one_text = {node for node, texts in Counter(containers).items() if texts == 1}
    return {node for node, element in holders.items() if node in with_one_text and _holds_only_code(element)}


def _is_passed_over(element: etree._Element, known: dict[etree._Element, bool]) -> bool:
    """Whether an element stands in one that is not read; `known` has the answer for those that hold others."""
    way = []
    parent = element.getparent()
    while parent is not None and parent not in known:
        way.append(parent)
        parent = parent.getparent()
    result = parent is not None and known[parent]
    for ancestor in reversed(way):
        known[ancestor] = result = result or kind_of(ancestor.tag, set())[0] >= BREAK
    return result


def _holds_only_code(element: etree._Element | None) -> bool:
    if element is None:
        return False
    texts = [element.text, *(child.tail for child in element)]
    tags = {kind_of(child.tag, set())[1] for child in element if isinstance(child.tag, str)}
    return not any(text and text.strip() for text in texts) and tags <= {*_CODE_TAGS, "br"}
