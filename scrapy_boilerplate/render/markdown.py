"""Kept blocks to Markdown: CommonMark with tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..page import Page
from .escapes import Escapes, escape_end, fence_of
from .outline import Node, outline
from .runs import plain

_BULLETS = "-*"  # two lists in a row with the same mark would be one
_ENDS = ".)"
_BULLET_LISTS = frozenset({"ul", "dl"})
_LISTS = frozenset({"ul", "ol"})
_LARGEST_NUMBER = 999_999_999


def to_markdown(
    page: Page,
    numbers: Sequence[int],
    *,
    headline: str | None = None,
    links: bool = True,
    images: bool = False,
    formulas: bool = True,
    base_url: str | None = None,
) -> str:
    """Return these blocks as Markdown.

    The `headline` stands on top. Links are absolute if `base_url` is the address of the page; `images` adds images with
    their alternative texts; without `formulas` they are the text that the page shows for them.
    """
    options = {"links": links, "images": images, "formulas": formulas}
    body = outline(page, numbers, headline=headline, base_url=base_url, **options)
    return "\n".join(_Writer(formulas and bool(page.formulas)).blocks(body.children))


class _Writer:
    """Writes nodes as lines."""

    def __init__(self, formulas: bool) -> None:
        self._escapes = Escapes(formulas=formulas)

    def blocks(self, nodes: Iterable[Node], is_tight: bool = False) -> list[str]:
        """Return blocks with an empty line between each two, unless they are those of a tight list."""
        found: list[str] = []
        list_above = ""
        marks = 0
        for node in nodes:
            kind = "ul" if node.tag in _BULLET_LISTS else node.tag
            marks = 1 - marks if kind == list_above else 0
            lines = self._block(node, marks)
            if lines:
                if found and not is_tight:
                    found.append("")
                found += lines
                list_above = kind if kind in _LISTS else ""
        return found

    def _block(self, node: Node, marks: int) -> list[str]:
        tag = node.tag
        if tag == "p":
            return self._escapes.lines(node.runs)
        if tag == "pre":
            return self._code(node)
        if tag in _LISTS:
            return self._list(node, marks)
        if tag == "dl":
            return self._definitions(node, _BULLETS[marks])
        if tag == "table":
            return self._table(node)
        if tag == "blockquote":
            return [f"> {line}" if line else ">" for line in self.blocks(node.children)]
        if node.children:  # figure, figcaption
            return self.blocks(node.children)
        text = self._escapes.line(node.runs)
        return ["#" * int(tag[1]) + " " + escape_end(text)]

    def _code(self, node: Node) -> list[str]:
        code = plain(node.runs)
        fence = fence_of(code)
        return [fence + node.language.split("`")[0].strip(), *code.split("\n"), fence]

    def _list(self, node: Node, marks: int) -> list[str]:
        is_tight = _is_tight(node)
        found: list[str] = []
        for item in node.children:
            lines = self.blocks(item.children, is_tight)
            number = min(item.number, _LARGEST_NUMBER)
            mark = f"{number}{_ENDS[marks]}" if node.tag == "ol" else _BULLETS[marks]
            if found and not is_tight:
                found.append("")
            found += _indented(lines, mark)
        return found

    def _definitions(self, node: Node, bullet: str) -> list[str]:
        """Return an item for each term, with its definitions as further paragraphs."""
        items: list[list[Node]] = []
        for child in node.children:
            if child.tag == "dt" or not items:
                items.append([])
            items[-1] += child.children
        lines = [["", *_indented(self.blocks(item), bullet)] for item in items]
        return [line for item in lines for line in item][1:]

    def _table(self, node: Node) -> list[str]:
        """Return a row a line, below a head that is empty if the table has none."""
        rows = [[self._escapes.cell(cell.runs) for cell in row.children] for row in node.children]
        width = max(map(len, rows))
        head = rows.pop(0) if node.children[0].is_head else []
        head += [""] * (width - len(head))
        return [_row(head), _row(["---"] * width), *map(_row, rows)]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _indented(lines: Sequence[str], mark: str) -> list[str]:
    indent = " " * (len(mark) + 1)
    first, *others = lines
    return [f"{mark} {first}", *(indent + line if line else line for line in others)]


def _is_tight(node: Node) -> bool:
    """Tell whether each item of a list is one paragraph, perhaps with such lists below it."""
    return all(
        item.children[0].tag == "p" and all(_is_tight_below(child) for child in item.children[1:])
        for item in node.children
    )


def _is_tight_below(node: Node) -> bool:
    """Tell whether a list may follow a paragraph without an empty line: numbered ones only if they begin with 1."""
    if node.tag == "ol" and node.children[0].number != 1:
        return False
    return node.tag in _LISTS and _is_tight(node)
