"""The values of a page, kept for its items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ..fields import JsonList


@dataclass(frozen=True, slots=True)
class PageValues:
    """The values of a page's fields, in tuples: the garbage collector need not look into them.

    The items of a page share its texts. Each has lists and dicts of its own, so that it can be changed.
    """

    values: tuple[tuple[str, Any], ...]

    @classmethod
    def of(cls, values: dict[str, Any]) -> PageValues:
        return cls(tuple((name, _frozen(value)) for name, value in values.items()))

    def for_an_item(self) -> dict[str, Any]:
        return {name: _thawed(value) for name, value in self.values}


class _Rows(NamedTuple):
    """Dicts of the same keys, which are quick to send between processes like this."""

    names: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def _frozen(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    if value and isinstance(value[0], dict):
        return _Rows(tuple(value[0]), tuple(tuple(row.values()) for row in value))
    return tuple(value)


def _thawed(value: Any) -> Any:
    if isinstance(value, _Rows):
        names = value.names
        return JsonList([dict(zip(names, row)) for row in value.rows])  # noqa: B905  `strict` doubles the time
    return JsonList(value) if isinstance(value, tuple) else value
