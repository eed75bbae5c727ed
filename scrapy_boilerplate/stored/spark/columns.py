"""The columns that we make, as Spark and as Arrow know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...options import Options
from ...train._imports import require
from ..cleaning import PageCleaner

_BLOCK = {
    "text": "string",
    "score": "double",
    "is_content": "boolean",
    "tag": "string",
    "xpath": "string",
    "kind": "string",
}


def page_cleaner(with_blocks: bool, options: dict[str, Any]) -> PageCleaner:
    """What makes a row of a page; ValueError for an option that makes no sense, here and not on the cluster."""
    return PageCleaner(Options().for_page(options), with_blocks)


def column_names(with_blocks: bool) -> list[str]:
    return ["title", "main_text", "score", *(["blocks"] if with_blocks else []), "error"]


def spark_schema(names: Sequence[str]) -> str:
    """For Spark: the columns of these names, each a text unless it is one of ours that is something else."""
    block = ", ".join(f"{name}: {kind}" for name, kind in _BLOCK.items())
    kinds = {"score": "double", "blocks": f"array<struct<{block}>>"}
    return ", ".join(f"{name} {kinds.get(name, 'string')}" for name in names)


def arrow_schema(names: Sequence[str]) -> Any:
    """The same for Arrow."""
    arrow = require("pyarrow", "spark")
    plain = {"string": arrow.string(), "double": arrow.float64(), "boolean": arrow.bool_()}
    block = arrow.struct([(name, plain[kind]) for name, kind in _BLOCK.items()])
    kinds = {"score": plain["double"], "blocks": arrow.list_(block)}
    return arrow.schema([(name, kinds.get(name, plain["string"])) for name in names])
