"""Kinds of blocks: heading, list item, paragraph and the like, captions, comments, and continuations of a block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ..page import Page
from .captions import caption_blocks
from .comments import comment_blocks
from .inline import Inline
from .tags import BLOCK, CODE_TAGS, PREFORMATTED, PREFORMATTED_TAGS, effect_of

HEADING, LIST_ITEM, PARAGRAPH, TABLE_CELL, QUOTE, CODE, CAPTION, COMMENT, CONTINUATION = KINDS = (
    "heading",
    "list item",
    "paragraph",
    "table cell",
    "quote",
    "code",
    "caption",
    "comment",
    "continuation",
)

_HEADING_TAGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_LIST_ITEM_TAGS = frozenset({"li", "dt", "dd"})
_CELL_TAGS = frozenset({"td", "th"})

# The kind that an element gives to the text in it; the innermost one counts. Headings have a rule of their own.
_KINDS_OF_TAGS = {
    **dict.fromkeys(_LIST_ITEM_TAGS, LIST_ITEM),
    **dict.fromkeys(_CELL_TAGS, TABLE_CELL),
    **dict.fromkeys(PREFORMATTED_TAGS, CODE),
    "blockquote": QUOTE,
    # The title of a table, a figure or a form is a paragraph of its own, in whatever it stands.
    **dict.fromkeys(("caption", "figcaption", "legend"), PARAGRAPH),
}


def block_kinds(
    page: Page, weights: NDArray[np.floating], labels: Sequence[str] | None = None, address: str = ""
) -> list[str]:
    """Return the kind of each block, from the markup around it and from the labels of models that have them.

    Everything in a caption is a caption and everything in a reader comment a comment, headings and list items too;
    only continuations stay what they are. `weights` are the words of content that each block is expected to have, and
    `address` is that of the page.
    """
    kinds = _kinds_of_text(page, labels)
    for kind, blocks in ((CAPTION, caption_blocks(page, weights)), (COMMENT, comment_blocks(page, weights, address))):
        for number in np.flatnonzero(blocks).tolist():
            kinds[number] = CONTINUATION if kinds[number] == CONTINUATION else kind
    return kinds


def of_kinds(kinds: Sequence[str], wanted: Collection[str]) -> NDArray[np.bool_]:
    """Return a mask of the blocks of some kinds, and of those that continue one."""
    found: list[bool] = []
    for kind in kinds:
        found.append(bool(found) and found[-1] if kind == CONTINUATION else kind in wanted)
    return np.array(found, bool)


def _kinds_of_text(page: Page, labels: Sequence[str] | None) -> list[str]:
    """Return the kind of each block without regard to captions and comments.

    A label wins over the markup, with three exceptions: "other" says nothing; a paragraph may also be a quote, code or
    a table cell; and no label can end a paragraph within a word.
    """
    kinds = _markup_kinds(page)
    if labels is None:
        return kinds
    glue = page.glue or [None] * len(kinds)
    return [
        kind if label == "other" or (label == PARAGRAPH and kind in (QUOTE, CODE, TABLE_CELL)) or space == "" else label
        for kind, label, space in zip(kinds, labels, glue, strict=True)
    ]


def _markup_kinds(page: Page) -> list[str]:
    containers = _containers(page)
    kinds_around = _kinds_around(page, containers.values())
    items = page.nearest(_LIST_ITEM_TAGS)
    is_heading = _heading_test(page)
    code = _code_only(page, containers)
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
    """Map each block that begins a paragraph to the block-level element around it."""
    if not page.glue:
        nodes, lines = page.block_nodes, page.pre_lines
        return {
            number: node
            for number, node in enumerate(nodes)
            # All lines of a <pre> are one text.
            if not (lines[number] > 1 and number and node == nodes[number - 1] and lines[number] > lines[number - 1])
        }
    block_level = {tag for tag in set(page.tags) if effect_of(tag, set())[0] in (BLOCK, PREFORMATTED)}
    nearest = page.nearest(block_level)
    return {
        number: max(nearest[node], 0)
        for number, (node, space) in enumerate(zip(page.block_nodes, page.glue, strict=True))
        if space is None
    }


def _kinds_around(page: Page, containers: Iterable[int]) -> list[str]:
    """Return the kind that each element gives to text in it, apart from headings.

    A cell counts if it has one text; a cell with several is for layout.
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
    """Return a test for elements that are headings, or children of one without a kind of their own.

    Deeper descendants don't count: an unclosed heading holds half the page.
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


def _code_only(page: Page, containers: Mapping[int, int]) -> set[int]:
    """Return the elements with a single text that consists of code elements which are their children."""
    if CODE_TAGS.isdisjoint(page.tags):
        return set()
    holders = {parent for tag, parent in zip(page.tags, page.parents, strict=True) if tag in CODE_TAGS}
    with_others = {*page.images, *page.controls} | {
        parent
        for tag, parent in zip(page.tags, page.parents, strict=True)
        if tag not in CODE_TAGS and tag != "br"  # line breaks are elements in pages that are split at every tag
    }
    texts = Counter(containers.values())
    inline = Inline(page)
    loose = set(page.block_nodes) if page.glue else set()  # with a text right in them
    return {
        node
        for block, node in containers.items()
        if node in holders
        and node not in with_others
        and node not in loose
        and texts[node] == 1
        and (page.glue or _is_code(page, inline, block, node))
    }


def _is_code(page: Page, inline: Inline, block: int, node: int) -> bool:
    """Tell whether nothing is left of a text without the children of this element."""
    text = page.texts[block]
    end = 0
    for span in inline.spans(block):
        if page.parents[span.element] == node:
            if text[end : span.start].strip():
                return False
            end = span.end
    return not text[end:].strip()
