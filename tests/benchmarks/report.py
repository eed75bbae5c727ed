"""Tables of results, and the versions of the measured packages."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from scrapy_boilerplate.compiled import compiled

PACKAGES = (
    "scrapy-boilerplate-removal lxml numpy scrapy trafilatura boilerpy3 justext readability-lxml resiliparse".split()
)


@dataclass(frozen=True, slots=True)
class Table:
    """The results of one benchmark: a row is a dict by column, in which values may be missing or None."""

    name: str
    heading: str
    columns: dict[str, str]  # the format of each column's numbers
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
    """Return the columns of a ratio with its limit, and whether it is within."""
    return {"ratio": ratio, "limit": limit, "within": "yes" if ratio <= limit else "NO"}


def progress(message: str) -> None:
    """Print the progress on a terminal, in one line that the next message replaces."""
    if sys.stderr.isatty():
        print(f"\r\033[K{message}", end="", file=sys.stderr, flush=True)


def versions() -> dict[str, str]:
    """Return the versions of Python and installed packages, and whether ours is compiled."""
    packages = {name: found for name in PACKAGES if (found := _version(name))}
    return {"python": platform.python_version(), **packages, "compiled": "yes" if is_compiled() else "no"}


def is_compiled() -> bool:
    """Whether the compiled modules are in use."""
    return all(compiled().values())


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
