"""A Page whose lists are made from the core's arrays when somebody asks for them."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from ..page import Formula, Head, Page
from ..segment.head import FACT_NAMES, head_of

if TYPE_CHECKING:
    from .shim import Walked


class CompiledPage(Page):
    """A page that the core has read. What nobody asks for never becomes a Python object."""

    __slots__ = ("_walked",)

    _walked: Walked | None  # None for a copy in which something was replaced

    def __init__(self, walked: Walked | None = None, **known: Any) -> None:
        object.__setattr__(self, "_walked", walked)
        for name, value in known.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[type[Page], tuple[Any, ...]]:
        """A pickled page is a plain one: the core's arrays stay in their process."""
        return Page, tuple(getattr(self, entry.name) for entry in fields(Page))

    @property
    def walked(self) -> Walked | None:
        return self._walked

    def __getattr__(self, name: str) -> Any:
        """Make a list that is asked for the first time; it is kept."""
        if name.startswith("_") or self._walked is None:
            raise AttributeError(name)
        value = _read(self._walked, name)
        object.__setattr__(self, name, value)
        return value


def _read(walked: Walked, name: str) -> Any:
    if name == "head":
        return _head(walked)
    if name == "formulas":
        return [Formula(*formula) for formula in walked.formulas()]
    if name == "truncated":
        return walked.full
    if name == "glue":
        return []
    if name == "places":
        return {}
    if name == "source":
        return b""
    value = getattr(walked, name)
    return value() if callable(value) else value


def _head(walked: Walked) -> Head:
    title, facts, wrapper_url, linked_data = walked.facts()
    found = {name: fact for name, fact in zip(FACT_NAMES, facts, strict=True) if fact}
    return head_of(title, found, linked_data, wrapper_url)
