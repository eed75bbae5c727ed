"""Kept blocks as a small tree of known elements, from which Markdown and HTML are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..page import Page
from ..segment.tags import HEADING_LEVELS, PREFORMATTED_TAGS
from .addresses import Addresses
from .phrases import Phrases
from .runs import Element, Run
from .tables import Tables, find_tables

LISTS = {"ul": "ul", "menu": "ul", "dir": "ul", "ol": "ol"}
_DEFINITION_TAGS = frozenset({"dt", "dd"})
_ITEMS = {"li": {"li"}, "dt": _DEFINITION_TAGS, "dd": _DEFINITION_TAGS}
_HOLDERS = frozenset({"blockquote", "figure", "figcaption", "dl"})
_STRUCTURE = frozenset({*LISTS, "li", *_DEFINITION_TAGS, *_HOLDERS})
_HEADINGS = frozenset(HEADING_LEVELS)
_LEVEL_BY_ROLE = "h2"  # of other elements whose role is that of a heading, as ARIA has it
# What is nested deeper becomes part of what it stands in; usual parsers of Markdown read no more levels either.
_MOST_LEVELS = 16
_MOST_TEXTS_IN_HEADING = 4  # an unclosed heading holds half the page

Step = tuple[str, int]  # the tag of a node, and the element that it stands for
Path = tuple[Step, ...]


@dataclass(slots=True)
class Node:
    """A block-level element: one with children, or a leaf with a text.

    Leaves are p, h1 to h6, pre, td and th; the others are body, ul, ol, li, dl, dt, dd, blockquote, figure, figcaption,
    table and tr. Cells are at their place in the row: empty ones stand before them.
    """

    tag: str
    children: list[Node] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)  # of a leaf
    blocks: list[int | Element] = field(default_factory=list)  # what the runs are made of: blocks and images
    number: int = 0  # of an item in a numbered list
    is_head: bool = False  # of a row
    language: str = ""  # of code


def outline(
    page: Page,
    numbers: Sequence[int],
    *,
    headline: str | None,
    base_url: str | None,
    links: bool,
    images: bool,
    formulas: bool,
) -> Node:
    """Return the tree of these blocks, in their order, below the headline if there is one."""
    addresses = Addresses(page.head.base, base_url)
    phrases = Phrases(page, addresses, links=links, images=images, formulas=formulas)
    places = _Places(page, numbers)
    builder = _Builder(page, places)
    above = -2
    for number in numbers:
        for node, image in phrases.images_before(number) if images else ():
            if above == number - 1 or places.share_figure(node, page.block_nodes[number]):
                is_within = bool(page.glue) and page.glue[number] is not None  # a paragraph
                builder.add(image, *(places.of_block(number) if is_within else places.of_image(node)))
        builder.add(number, *places.of_block(number))
        above = number
    for leaf in builder.leaves:
        if leaf.tag == "pre":
            first = next(block for block in leaf.blocks if isinstance(block, int))
            leaf.language = phrases.language(first)
            leaf.runs = [((), _code(page, leaf.blocks))]
        else:
            leaf.runs = phrases.read(leaf.blocks)
    if headline:
        builder.body.children.insert(0, Node("h1", runs=[((), headline)]))
    return builder.body


class _Places:
    """Tells where in the tree a text stands: in which nodes, and in which leaf."""

    def __init__(self, page: Page, numbers: Sequence[int]) -> None:
        self._page = page
        self.tables: Tables = find_tables(page, numbers)
        tags = set(page.tags)
        self._roles = {node for node, name, value in page.attributes if name == "role" and value == "heading"}
        self._pre = page.nearest(PREFORMATTED_TAGS) if not PREFORMATTED_TAGS.isdisjoint(tags) else []
        self._figures = page.nearest({"figure"}) if "figure" in tags else []
        self._paths: dict[int, Path] = {-1: ()}
        self._heading_of: dict[int, int] = {-1: -1}
        self._beginnings = self._beginnings_of_paragraphs()
        paragraphs = {self._beginnings[number] for number in numbers} if page.glue else numbers
        self._texts_in = Counter(self._heading(page.block_nodes[number]) for number in paragraphs)

    def of_block(self, number: int) -> tuple[Path, Step]:
        """Return the nodes around a block, from the outermost one, and its leaf."""
        node = self._page.block_nodes[number]
        beginning = self._beginnings[number] if self._beginnings else number
        return self._of(node) or (self._path(node), ("p", beginning))

    def of_image(self, node: int) -> tuple[Path, Step]:
        """Return the nodes around an image between two blocks, and its leaf, which may be a paragraph of its own."""
        found = self._of(node)
        if found is None or found[1][0] == "pre":
            return self._path(node), ("p", -1)
        return found

    def share_figure(self, node: int, other: int) -> bool:
        """Tell whether two elements stand in the same figure."""
        return bool(self._figures) and self._figures[node] == self._figures[other] >= 0

    def _of(self, node: int) -> tuple[Path, Step] | None:
        """The place of what stands in a cell, in code or in a heading."""
        tables, tags = self.tables, self._page.tags
        cell = tables.cell(node)
        if cell >= 0:
            table, row = tables.table_of[cell], tables.row_of[cell]
            return (*self._path(table), ("table", table), ("tr", row)), (tags[cell], cell)
        if self._pre and self._pre[node] >= 0:
            return self._path(self._pre[node]), ("pre", self._pre[node])
        heading = self._heading(node)
        if heading >= 0 and self._texts_in[heading] <= _MOST_TEXTS_IN_HEADING:
            tag = tags[heading]
            return self._path(heading), (tag if tag in _HEADINGS else _LEVEL_BY_ROLE, heading)
        return None

    def _heading(self, node: int) -> int:
        """The heading around an element, -1 if there is none."""
        known, page, missing = self._heading_of, self._page, []
        while node not in known:
            missing.append(node)
            node = page.parents[node]
        found = known[node]
        for below in reversed(missing):
            if page.tags[below] in _HEADINGS or below in self._roles:
                found = below
            known[below] = found
        return found

    def _path(self, node: int) -> Path:
        """The nodes around an element, itself included."""
        known, page, missing = self._paths, self._page, []
        while node not in known:
            missing.append(node)
            node = page.parents[node]
        path = known[node]
        for below in reversed(missing):
            if page.tags[below] in _STRUCTURE and len(path) < _MOST_LEVELS:
                path = self._below(path, below)
            known[below] = path
        return path

    def _below(self, path: Path, node: int) -> Path:
        tag = self._page.tags[node]
        if path and path[-1][0] in _ITEMS.get(tag, ()):  # an unclosed item, whose list this one belongs to
            return (*path[:-1], (tag, node))
        around = path[-1][0] if path else ""
        if tag in LISTS:
            return (*path, (LISTS[tag], node))
        # What belongs in a list and stands in none gets one, together with those beside it.
        if tag == "li" and around not in LISTS:
            path = (*path, ("ul", ~self._page.parents[node]))
        elif tag in _DEFINITION_TAGS and around != "dl":
            path = (*path, ("dl", ~self._page.parents[node]))
        return (*path, (tag, node))

    def _beginnings_of_paragraphs(self) -> list[int]:
        """For each part of a paragraph its first one, on pages that are split at every tag."""
        beginnings: list[int] = []
        for number, space in enumerate(self._page.glue):
            beginnings.append(number if space is None else beginnings[-1])
        return beginnings


class _Builder:
    """Builds the tree: what stands in the same nodes as what was added before goes into the same ones."""

    def __init__(self, page: Page, places: _Places) -> None:
        self.body = Node("body")
        self.leaves: list[Node] = []
        self._page = page
        self._tables = places.tables
        self._numbers = _item_numbers(page) if "ol" in page.tags else {}
        self._open: list[tuple[Step, Node]] = []

    def add(self, block: int | Element, path: Path, leaf: Step) -> None:
        """Add a block or an image to a leaf, which is the last one or a new one."""
        depth = 0
        for (step, _), wanted in zip(self._open, (*path, leaf), strict=False):
            if step != wanted:
                break
            depth += 1
        if depth <= len(path):
            del self._open[depth:]
            for step in path[depth:]:
                self._push(step)
            self.leaves.append(self._push(leaf))
        self._open[-1][1].blocks.append(block)

    def _push(self, step: Step) -> Node:
        tag, element = step
        parent = self._parent_of(tag)
        node = Node(tag)
        if tag == "li":
            node.number = self._numbers.get(element, 0)
        elif tag == "tr":
            node.is_head = element in self._tables.head_rows
        elif parent.tag == "tr":
            missing = self._tables.column_of[element] - len(parent.children)
            parent.children += (Node("td") for _ in range(missing))
        parent.children.append(node)
        self._open.append((step, node))
        return node

    def _parent_of(self, tag: str) -> Node:
        """The node to add one with this tag to: not a list itself, but its last item."""
        node = self._open[-1][1] if self._open else self.body
        if node.tag in LISTS and tag != "li":
            return _last_child(node, "li")
        if node.tag == "dl" and tag not in _DEFINITION_TAGS:
            return _last_child(node, "dd")
        return node


def _last_child(node: Node, tag: str) -> Node:
    if not node.children:
        node.children.append(Node(tag))
    return node.children[-1]


def _item_numbers(page: Page) -> dict[int, int]:
    """Return the numbers of the items of all numbered lists, counting those that are not kept."""
    next_numbers: dict[int, int] = {}
    numbers: dict[int, int] = {}
    for node, (tag, parent) in enumerate(zip(page.tags, page.parents, strict=True)):
        if tag == "ol":
            next_numbers[node] = _integer(page, node, "start", 1)
        elif tag == "li" and parent in next_numbers:
            numbers[node] = _integer(page, node, "value", next_numbers[parent])
            next_numbers[parent] = numbers[node] + 1
    return numbers


def _integer(page: Page, node: int, name: str, default: int) -> int:
    value = page.layout[node].get(name, "") if node in page.layout else ""
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else default


def _code(page: Page, blocks: Sequence[int | Element]) -> str:
    """Return the lines of a `<pre>`, with an empty one where others are left out."""
    pieces: list[str] = []
    above = -1
    for block in blocks:
        if isinstance(block, int):
            if above >= 0:
                pieces.append(_between(page, above, block))
            pieces.append(page.texts[block])
            above = block
    return "".join(pieces)


def _between(page: Page, above: int, below: int) -> str:
    if page.glue:
        space = page.glue[below] if below == above + 1 else None
        return "\n\n" if space is None else space
    lines = page.pre_lines[below] - page.pre_lines[above]
    return "\n" * (lines if below == above + 1 else min(lines, 2))
