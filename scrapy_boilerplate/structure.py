"""What kind of text a block is: heading, list item, paragraph, table cell, quote, code, or a continuation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from lxml import etree

from .blocks import BLOCK, BREAK, PREFORMATTED, PREFORMATTED_TAGS, Page, kind_of

HEADING, LIST_ITEM, PARAGRAPH, TABLE_CELL, QUOTE, CODE, CONTINUATION = KINDS = (
    "heading",
    "list item",
    "paragraph",
    "table cell",
    "quote",
    "code",
    "continuation",
)

# What the elements around a text make of it; the innermost one counts.
_KINDS_OF_TAGS = {
    **dict.fromkeys("h1 h2 h3 h4 h5 h6".split(), HEADING),
    **dict.fromkeys(("li", "dt", "dd"), LIST_ITEM),
    **dict.fromkeys(("td", "th"), TABLE_CELL),
    **dict.fromkeys(PREFORMATTED_TAGS, CODE),
    "blockquote": QUOTE,
    # The title of a table, a figure or a form is a paragraph of its own, in whatever it stands.
    **dict.fromkeys(("caption", "figcaption", "legend"), PARAGRAPH),
}
_CODE_TAGS = frozenset({"code", "kbd", "samp"})
_CODE_PATTERNS = tuple(f"{{*}}{tag}" for tag in sorted(_CODE_TAGS))  # in whatever namespace


def block_kinds(page: Page, root: etree._Element | None, labels: Sequence[str] | None = None) -> list[str]:
    """The kind of each block, by the markup around it and, where a model has them, by its labels.

    A label wins over the markup, but for three cases: "other" says nothing; a paragraph may well be a quote, code or
    a table cell; and no label can end a paragraph within a word.
    """
    kinds = _Markup(page, root).kinds()
    if labels is None:
        return kinds
    glue = page.glue or [None] * len(kinds)
    return [
        kind if label == "other" or (label == PARAGRAPH and kind in (QUOTE, CODE, TABLE_CELL)) or space == "" else label
        for kind, label, space in zip(kinds, labels, glue, strict=True)
    ]


class _Markup:
    def __init__(self, page: Page, root: etree._Element | None) -> None:
        self.page = page
        self.root = root
        kinds = dict.fromkeys(page.tags, "") | _KINDS_OF_TAGS
        self.kinds_of_elements = [kinds[tag] for tag in page.tags]
        for node, name, value in page.attributes:
            if name == "role" and value == "heading":
                self.kinds_of_elements[node] = HEADING
        is_block = {tag: kind_of(tag, set())[0] in (BLOCK, PREFORMATTED) for tag in set(page.tags)}
        self.containers = self._nearest([is_block[tag] for tag in page.tags])
        self.structures = self._nearest([bool(kind) for kind in self.kinds_of_elements])

    def _nearest(self, is_wanted: list[bool]) -> list[int]:
        """For each element the nearest wanted one, itself included; -1 where there is none."""
        found: list[int] = []
        for node, parent in enumerate(self.page.parents):
            found.append(node if is_wanted[node] else found[parent] if parent >= 0 else -1)
        return found

    def kinds(self) -> list[str]:
        page = self.page
        containers = {
            number: max(self.containers[node], 0)
            for number, node in enumerate(page.block_nodes)
            if not self._continues(number)
        }
        cells = page.nearest({"td", "th"}) if "tr" in page.tags else []
        texts_in_cell = Counter(cells[node] for node in containers.values()) if cells else Counter()
        code = self._code_only(containers.values())
        begun: set[int] = set()  # list items of which a text was read
        kinds = [CONTINUATION] * len(page.texts)
        for number, container in containers.items():
            kind = self._kind(container, texts_in_cell, begun)
            kinds[number] = CODE if kind == PARAGRAPH and container in code else kind
        return kinds

    def _continues(self, number: int) -> bool:
        """Whether a block is of the same paragraph as the one before, or a further line of the same `<pre>`."""
        page = self.page
        if page.glue:
            return page.glue[number] is not None
        same_element = number > 0 and page.block_nodes[number] == page.block_nodes[number - 1]
        return same_element and 0 < page.pre_lines[number - 1] < page.pre_lines[number]

    def _kind(self, container: int, texts_in_cell: Counter[int], begun: set[int]) -> str:
        """What the innermost element that says something makes of a text; those further out are asked in its turn."""
        near = (container, self.page.parents[container])
        node = self.structures[container]
        while node >= 0:
            kind = self.kinds_of_elements[node]
            if kind == LIST_ITEM:
                is_first = node not in begun
                begun.add(node)
                return LIST_ITEM if is_first else PARAGRAPH
            # An unclosed heading holds half the page, and a cell with several texts is there for the layout.
            if not (kind == HEADING and node not in near) and not (kind == TABLE_CELL and texts_in_cell[node] != 1):
                self._begin_list_item(node, begun)
                return kind
            parent = self.page.parents[node]
            node = self.structures[parent] if parent >= 0 else -1
        return PARAGRAPH

    def _begin_list_item(self, node: int, begun: set[int]) -> None:
        """A heading, quote or table in a list item is its first text: what follows on it is a paragraph."""
        while node >= 0 and self.kinds_of_elements[node] != LIST_ITEM:
            parent = self.page.parents[node]
            node = self.structures[parent] if parent >= 0 else -1
        if node >= 0:
            begun.add(node)

    def _code_only(self, containers: Iterable[int]) -> set[int]:
        """The elements with one text, all of which is in elements for code."""
        page = self.page
        nodes = [node for node, tag in enumerate(page.tags) if tag in _CODE_TAGS]
        if self.root is None or not nodes:
            return set()
        candidates = {node for node, texts in Counter(containers).items() if texts == 1}
        elements = [element for element in self.root.iter(*_CODE_PATTERNS) if not _is_passed_over(element)]
        if len(elements) != len(nodes):  # somebody has changed the tree
            return set()
        holders = {page.parents[node]: element.getparent() for node, element in zip(nodes, elements, strict=True)}
        return {node for node, element in holders.items() if node in candidates and _holds_only_code(element)}


def _is_passed_over(element: etree._Element) -> bool:
    """Whether an element stands in one that is not read."""
    return any(kind_of(ancestor.tag, set())[0] >= BREAK for ancestor in element.iterancestors())


def _holds_only_code(element: etree._Element | None) -> bool:
    if element is None:
        return False
    texts = [element.text, *(child.tail for child in element)]
    tags = {kind_of(child.tag, set())[1] for child in element if isinstance(child.tag, str)}
    return not any(text and text.strip() for text in texts) and tags <= {*_CODE_TAGS, "br"}
