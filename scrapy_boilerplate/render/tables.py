"""Tables of data: which tables are ones, where their cells stand, and which rows head them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..page import Page
from ..segment.tags import PREFORMATTED_TAGS

CELL_TAGS = frozenset({"td", "th"})
_TABLE_TAGS = frozenset({"table"})
_HEADING_TAGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_MOST_WORDS = 100  # of a cell with several texts; more are a column of a layout
_MOST_COLUMNS = 1000  # that a cell may span, as in browsers


@dataclass(slots=True)
class Tables:
    """The tables of data among these blocks: cells, rows and tables are elements of the page."""

    cells: list[int] = field(default_factory=list)  # for each element the nearest cell
    table_of: dict[int, int] = field(default_factory=dict)  # for each cell of a data table
    row_of: dict[int, int] = field(default_factory=dict)
    column_of: dict[int, int] = field(default_factory=dict)
    head_rows: set[int] = field(default_factory=set)

    def cell(self, node: int) -> int:
        """Return the cell of a data table in which an element stands, -1 if there is none."""
        cell = self.cells[node] if self.cells else -1
        return cell if cell in self.table_of else -1


def find_tables(page: Page, numbers: Iterable[int]) -> Tables:
    """Find the tables of data in which kept blocks stand."""
    if "tr" not in page.tags:
        return Tables()
    cells = page.nearest(CELL_TAGS)
    blocks: defaultdict[int, list[int]] = defaultdict(list)  # the kept ones of each cell
    for number in numbers:
        if (cell := cells[page.block_nodes[number]]) >= 0:
            blocks[cell].append(number)
    found = Tables(cells=cells)
    if blocks:
        _Finder(page, cells, blocks, found).find()
    return found


class _Finder:
    def __init__(self, page: Page, cells: Sequence[int], blocks: dict[int, list[int]], found: Tables) -> None:
        self._page = page
        self._cells = cells
        self._blocks = blocks
        self._found = found
        self._tables = page.nearest(_TABLE_TAGS)
        self._rows = page.nearest({"tr"})

    def find(self) -> None:
        page, tables = self._page, self._tables
        used = {tables[cell] for cell in self._blocks} - {-1}
        holders = self._holders(used)
        used -= holders | {node for node, name, value in page.attributes if name == "role" and _is_layout(value)}
        in_tables: defaultdict[int, list[int]] = defaultdict(list)  # all cells of each table, in order
        for node, tag in enumerate(page.tags):
            if tag in CELL_TAGS and tables[node] in used:
                in_tables[tables[node]].append(node)
        for table, cells in in_tables.items():
            rows: defaultdict[int, list[int]] = defaultdict(list)
            for cell in cells:
                rows[self._rows[cell]].append(cell)
            if self._is_data(rows):
                for cell in cells:
                    self._found.table_of[cell] = table
                    self._found.row_of[cell] = self._rows[cell]
                self._found.head_rows.update(row for row, own in rows.items() if self._is_head(row, own))
                self._found.column_of.update(columns(page, rows))

    def _holders(self, used: set[int]) -> set[int]:
        """Return the tables that hold other used ones."""
        holders: set[int] = set()
        for table in used:
            while (parent := self._page.parents[table]) >= 0 and (table := self._tables[parent]) >= 0:
                if table in holders:
                    break
                holders.add(table)
        return holders

    def _is_data(self, rows: dict[int, list[int]]) -> bool:
        """Tell whether a table has short texts side by side, in more than one row or below or beside headings."""
        has_heads = any(self._page.tags[cell] == "th" for cells in rows.values() for cell in cells)
        kept = [[cell for cell in cells if cell in self._blocks] for cells in rows.values()]
        side_by_side = max(map(len, kept)) > 1
        if -1 in rows or not side_by_side or (len(rows) == 1 and not self._is_small(kept)):
            return False
        return all(self._is_short(self._blocks[cell], has_heads) for cells in kept for cell in cells)

    def _is_small(self, kept: list[list[int]]) -> bool:
        return all(len(self._blocks[cell]) == 1 for cells in kept for cell in cells)

    def _is_short(self, blocks: list[int], has_heads: bool) -> bool:
        page = self._page
        if len(blocks) == 1:
            return True
        nodes = [page.block_nodes[number] for number in blocks]
        if any(_has_pre(page, node) for node in nodes):
            return False
        words = sum(page.texts[number].count(" ") + 1 for number in blocks)
        return words <= _MOST_WORDS * (3 if has_heads else 1)

    def _is_head(self, row: int, cells: list[int]) -> bool:
        tags, parents = self._page.tags, self._page.parents
        return tags[parents[row]] == "thead" or all(tags[cell] == "th" for cell in cells)


def columns(page: Page, rows: dict[int, list[int]]) -> dict[int, int]:
    """Return the column in which each cell begins, where others may span several rows and columns."""
    found: dict[int, int] = {}
    taken: dict[int, int] = {}  # how many more rows a cell from above takes of a column
    room = 1000 + 10 * sum(map(len, rows.values()))  # so that no table gets far larger than it is
    for cells in rows.values():
        column = 0
        below: dict[int, int] = {}
        for cell in cells:
            while taken.get(column):
                column += 1
                room -= 1
            found[cell] = column
            width = min(_span(page, cell, "colspan"), _MOST_COLUMNS, max(room, 1))
            height = _span(page, cell, "rowspan")
            if height > 1 and room > 0:
                below.update(dict.fromkeys(range(column, column + width), height))
            column += width
            room -= width - 1
        if room <= 0:
            taken, below = {}, {}
        taken = {at: left - 1 for at, left in taken.items() if left > 1}
        taken |= {at: left - 1 for at, left in below.items()}
    return found


def _span(page: Page, cell: int, name: str) -> int:
    value = page.layout.get(cell, {}).get(name, "") if cell in page.layout else ""
    return max(int(value), 1) if value.isdecimal() and len(value) < 6 else 1


def _has_pre(page: Page, node: int) -> bool:
    while node >= 0 and page.tags[node] not in CELL_TAGS:
        if page.tags[node] in PREFORMATTED_TAGS:
            return True
        node = page.parents[node]
    return False


def _is_layout(role: str) -> bool:
    return role.strip().lower() in ("presentation", "none")
