"""Shapes of values in items of zyte-common-items, which hold authors and images as objects."""

from __future__ import annotations

from typing import Any


def in_shape(item: Any, name: str, value: Any) -> Any:
    """Return the value as this field of the item holds it."""
    if value and any(cls.__module__.startswith("zyte_common_items") for cls in type(item).__mro__):
        from zyte_common_items import Author, Image  # the item's own package

        if name == "authors":
            return [Author(name=author) for author in value]
        if name == "mainImage":
            return Image(url=value)
    return value
