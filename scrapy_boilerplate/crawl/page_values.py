"""The values of a page, kept for its items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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


class _Entries(tuple[tuple[str, Any], ...]):
    """The entries of a dict."""

    __slots__ = ()


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return _Entries(value.items())
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _thawed(value: Any) -> Any:
    if isinstance(value, _Entries):
        return dict(value)
    return JsonList(map(_thawed, value)) if isinstance(value, tuple) else value
