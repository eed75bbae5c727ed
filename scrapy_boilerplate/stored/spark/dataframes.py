"""Adds the main text to DataFrames of pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...extras import require
from ...not_cleaned import NotCleaned
from ..cleaning import DEFAULT_FIELDS, PageCleaner, page_cleaner
from ..columns import arrow_schema, spark_schema
from ..pages import StoredPage

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame

_MOST_ROWS = 100  # in a batch of ours; batches that come in may have any size


def add_main_text(
    pages: DataFrame,
    *,
    html: str = "html",
    encoding: str | None = None,
    fields: Sequence[str] = DEFAULT_FIELDS,
    blocks: bool = False,
    **options: Any,
) -> DataFrame:
    """Return `pages` with these fields as columns, and with `error`.

    `html` names the column with the pages, as bytes or text; `encoding` may name a column with the encodings that the
    server gave. `blocks=True` adds the field `blocks`. The options are those of a page, such as `model` (a name, or a
    path that all machines know) and `threshold`. No row is lost: a page that can't be cleaned has the reason in
    `error`, and None in its fields.
    """
    types = require("pyspark.sql.types", "spark")
    cleaner = page_cleaner(fields, blocks, options)
    names = [*cleaner.fields, "error"]
    _check_columns(pages.columns, needed=[html, *([encoding] if encoding else [])], ours=names)
    new = types.StructType.fromDDL(spark_schema(names))
    schema = types.StructType([*pages.schema.fields, *new.fields])
    return pages.mapInArrow(BatchCleaner(cleaner, html, encoding).clean, schema)


def _check_columns(columns: list[str], needed: list[str], ours: list[str]) -> None:
    missing = [name for name in needed if name not in columns]
    if missing:
        raise ValueError(f"there is no column {missing[0]!r}; there are: {', '.join(columns)}")
    taken = [name for name in ours if name in columns]
    if taken:
        raise ValueError(f"there is a column {taken[0]!r} already: rename or drop it")


@dataclass(frozen=True)
class BatchCleaner:
    """The function that runs on the cluster: batches in, the same batches with our columns out."""

    cleaner: PageCleaner
    html: str
    encoding: str | None

    def clean(self, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        for batch in batches:
            for start in range(0, batch.num_rows, _MOST_ROWS):
                yield self._with_columns(batch.slice(start, _MOST_ROWS))

    def _with_columns(self, batch: RecordBatch) -> RecordBatch:
        arrow = require("pyarrow", "spark")
        names = [*self.cleaner.fields, "error"]
        rows = [{name: row[name] for name in names} for row in self.cleaner(self._pages(batch))]
        new = arrow.RecordBatch.from_pylist(rows, arrow_schema(names))
        return arrow.RecordBatch.from_arrays(
            [*batch.columns, *new.columns], schema=arrow.schema([*batch.schema, *new.schema])
        )

    def _pages(self, batch: RecordBatch) -> list[StoredPage]:
        column = batch.column(self.html)
        arrow = require("pyarrow", "spark")
        if arrow.types.is_binary(column.type) or arrow.types.is_large_binary(column.type):
            encodings = batch.column(self.encoding).to_pylist() if self.encoding else [None] * batch.num_rows
        else:
            encodings = ["utf-8"] * batch.num_rows  # Arrow's strings are UTF-8
        return [self._page(value.as_buffer(), name) for value, name in zip(column, encodings, strict=True)]

    def _page(self, body: Any, encoding: str | None) -> StoredPage:
        if body is None:
            return StoredPage("")
        if body.size > self.cleaner.options.most_bytes:
            return StoredPage("", not_cleaned=NotCleaned("too_large", f"it has {body.size} bytes"))
        return StoredPage("", None, {"content-type": f"text/html; charset={encoding or ''}"}, body.to_pybytes())
