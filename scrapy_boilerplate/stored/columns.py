"""Schemas of rows for Arrow and Spark, made from the table of fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..extras import require
from ..fields import FIELDS, Type, block_fields

_SPARK = {Type.TEXT: "string", Type.NUMBER: "double", Type.TRUTH: "boolean"}
_ARROW = {Type.TEXT: "string", Type.NUMBER: "float64", Type.TRUTH: "bool_"}  # names of pyarrow's functions


def spark_schema(names: Iterable[str], site_memory: bool = False) -> str:
    """The schema for Spark; columns that are no field of a page are strings."""
    return ", ".join(f"{name} {_spark_type(_type_of(name), site_memory)}" for name in names)


def arrow_schema(names: Iterable[str], site_memory: bool = False) -> Any:
    """The schema for Arrow."""
    arrow = require("pyarrow", "warc")
    return arrow.schema([(name, _arrow_type(arrow, _type_of(name), site_memory)) for name in names])


def _type_of(name: str) -> Type:
    return FIELDS[name].type if name in FIELDS else Type.TEXT


def _spark_type(type: Type, site_memory: bool) -> str:
    if type is Type.TEXTS:
        return f"array<{_SPARK[Type.TEXT]}>"
    if type is Type.BLOCKS:
        members = [f"{name}: {_SPARK[field.type]}" for name, field in block_fields(site_memory).items()]
        return f"array<struct<{', '.join(members)}>>"
    return _SPARK[type]


def _arrow_type(arrow: Any, type: Type, site_memory: bool) -> Any:
    if type is Type.TEXTS:
        return arrow.list_(_arrow_type(arrow, Type.TEXT, site_memory))
    if type is Type.BLOCKS:
        members = [
            (name, _arrow_type(arrow, field.type, site_memory)) for name, field in block_fields(site_memory).items()
        ]
        return arrow.list_(arrow.struct(members))
    return getattr(arrow, _ARROW[type])()
