"""Tables for people, and the versions that they hold for."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from scrapy_boilerplate.features.text import tally
from scrapy_boilerplate.segment import walk_tree

PACKAGES = "scrapy-boilerplate lxml numpy scrapy trafilatura boilerpy3 justext readability-lxml resiliparse".split()


@dataclass(frozen=True, slots=True)
class Table:
    """The results of one benchmark: a row is a dict with the columns as keys, which may be missing or None."""

    name: str
    heading: str
    columns: dict[str, str]  # how each column's numbers are written
    rows: list[dict[str, Any]]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        cells = [list(self.columns), *([self._cell(row, column) for column in self.columns] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip() for line in cells
        ]
        lines.insert(1, "  ".join("-" * width for width in widths))
        return "\n".join([f"{self.name}: {self.heading}", "", *lines, *self.notes])

    def _cell(self, row: dict[str, Any], column: str) -> str:
        value = row.get(column)
        return "" if value is None else format(value, self.columns[column])


def limited(ratio: float, limit: float) -> dict[str, Any]:
    """The columns of a ratio that has a limit, and whether it is kept."""
    return {"ratio": ratio, "limit": limit, "within": "yes" if ratio <= limit else "NO"}


def progress(message: str) -> None:
    """Show what is going on, in one line that the next message replaces, if anybody is looking."""
    if sys.stderr.isatty():
        print(f"\r\033[K{message}", end="", file=sys.stderr, flush=True)


def versions() -> dict[str, str]:
    """Python, the packages that are installed, and whether ours is compiled."""
    packages = {name: found for name in PACKAGES if (found := _version(name))}
    return {"python": platform.python_version(), **packages, "compiled": "yes" if is_compiled() else "no"}


def is_compiled() -> bool:
    """Whether what can be is done in C."""
    return walk_tree.__module__.endswith("._walk") and tally is not None


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
