"""Shapes of values in items of zyte-common-items, which hold authors and images as objects."""

from __future__ import annotations

from typing import Any


def in_shape(item: Any, name: str, value: Any) -> Any:
    """Return the value as this field of the item holds it."""
    is_zyte = any(cls.__module__.startswith("zyte_common_items") for cls in type(item).__mro__)
    return in_zyte_shape(name, value) if is_zyte else value


def in_zyte_shape(name: str, value: Any) -> Any:
    """Return the value as this field of an item of zyte-common-items holds it."""
    if value and name in ("authors", "mainImage"):
        from zyte_common_items import Author, Image  # the item's own package

        return [Author(name=author) for author in value] if name == "authors" else Image(url=value)
    return value
