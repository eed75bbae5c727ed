"""Adds the main text to DataFrames of pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...extras import require
from ..cleaning import DEFAULT_FIELDS, page_cleaner
from ..columns import spark_schema
from ..tables import BatchCleaner

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def add_main_text(
    pages: DataFrame,
    *,
    html: str = "html",
    url: str | None = None,
    encoding: str | None = None,
    fields: Sequence[str] = DEFAULT_FIELDS,
    blocks: bool = False,
    **options: Any,
) -> DataFrame:
    """Return `pages` with these fields as columns, and with `error`.

    `html` names the column with the pages, as bytes or text; `url` and `encoding` may name columns with their addresses
    and with the encodings that the server gave. `blocks=True` adds the field `blocks`. The options are those of a page,
    such as `model` (a name, or a path that all machines know) and `threshold`. No row is lost: a page that can't be
    cleaned has the reason in `error`, and None in its fields.
    """
    types = require("pyspark.sql.types", "spark")
    cleaner = BatchCleaner(page_cleaner(fields, blocks, options), html, url, encoding)
    cleaner.check(pages.columns)
    new = types.StructType.fromDDL(spark_schema(cleaner.new))
    schema = types.StructType([*pages.schema.fields, *new.fields])
    return pages.mapInArrow(cleaner.clean, schema)
