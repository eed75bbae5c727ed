"""Adds the main text to DataFrames of pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zlib import crc32

from ...extras import require
from ...not_cleaned import NotCleaned
from ...site.texts import host_of
from ..cleaning import DEFAULT_FIELDS, PageCleaner, page_cleaner
from ..columns import arrow_schema, spark_schema
from ..counting import PageCounter, with_memory
from ..pages import StoredPage
from .sites import COUNTED, counted, memories, memory_of

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame

_HOST, _MEMORY = "boilerplate_host", "boilerplate_memory"  # columns that come and go
_MOST_ROWS = 100  # in a batch of ours; batches that come in may have any size


def add_main_text(
    pages: DataFrame,
    *,
    html: str = "html",
    encoding: str | None = None,
    fields: Sequence[str] = DEFAULT_FIELDS,
    blocks: bool = False,
    url: str | None = None,
    site_memory: bool = False,
    **options: Any,
) -> DataFrame:
    """Return `pages` with these fields as columns, and with `error`.

    `html` names the column with the pages, as bytes or text; `encoding` may name a column with the encodings that the
    server gave, and `url` one with the addresses of the pages. `blocks=True` adds the field `blocks`. With
    `site_memory`, which needs `url`, the pages are read twice: first to count the texts of each host, then to clean.
    The options are those of a page, such as `model` (a name, or a path that all machines know) and `threshold`. No row
    is lost: a page that can't be cleaned has the reason in `error`, and None in its fields.
    """
    types = require("pyspark.sql.types", "spark")
    cleaner = page_cleaner(fields, blocks, options)
    names = [*cleaner.fields, "error"]
    if site_memory and url is None:
        raise ValueError("site_memory needs the name of a column with the addresses of the pages, `url`")
    needed = [html, *(name for name in (encoding, url) if name is not None)]
    _check_columns(pages.columns, needed=needed, ours=[*names, *([_HOST, _MEMORY] if site_memory else [])])
    new = types.StructType.fromDDL(spark_schema(names, site_memory))
    schema = types.StructType([*pages.schema.fields, *new.fields])
    batches = BatchCleaner(cleaner, html, encoding, url, site_memory)
    return (_with_memories(pages, batches) if site_memory else pages).mapInArrow(batches.clean, schema)


def _with_memories(pages: DataFrame, batches: BatchCleaner) -> DataFrame:
    """The pages, each with the memory of its host."""
    types = require("pyspark.sql.types", "spark")
    known = memories(pages.mapInArrow(batches.count, COUNTED)).withColumnsRenamed({"host": _HOST, "memory": _MEMORY})
    with_host = types.StructType([*pages.schema.fields, types.StructField(_HOST, types.StringType())])
    return pages.mapInArrow(batches.with_host, with_host).join(known.drop("source"), _HOST, "left")


def _check_columns(columns: list[str], needed: list[str], ours: list[str]) -> None:
    missing = [name for name in needed if name not in columns]
    if missing:
        raise ValueError(f"there is no column {missing[0]!r}; there are: {', '.join(columns)}")
    taken = [name for name in ours if name in columns]
    if taken:
        raise ValueError(f"there is a column {taken[0]!r} already: rename or drop it")


def _small(batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
    for batch in batches:
        for start in range(0, batch.num_rows, _MOST_ROWS):
            yield batch.slice(start, _MOST_ROWS)


@dataclass(frozen=True)
class BatchCleaner:
    """The function that runs on the cluster: batches in, the same batches with our columns out."""

    cleaner: PageCleaner
    html: str
    encoding: str | None
    url: str | None = None
    site_memory: bool = False

    def clean(self, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        for batch in _small(batches):
            yield self._with_columns(batch)

    def count(self, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        """The texts of the pages, for the memories of their hosts."""
        counter = PageCounter(self.cleaner.options)
        for batch in _small(batches):
            pages = self._pages(batch)
            places = [f"{page.url} {crc32(page.body)}" for page in pages]
            yield counted(zip([""] * len(pages), places, counter(pages), strict=True))

    def with_host(self, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        """The batches with a column more, the host of each page."""
        arrow = require("pyarrow", "spark")
        for batch in batches:
            hosts = [host_of(url or "") or None for url in batch.column(self.url).to_pylist()]
            column = arrow.array(hosts, arrow.string())
            yield arrow.RecordBatch.from_arrays(
                [*batch.columns, column], schema=batch.schema.append(arrow.field(_HOST, arrow.string()))
            )

    def _with_columns(self, batch: RecordBatch) -> RecordBatch:
        arrow = require("pyarrow", "spark")
        names = [*self.cleaner.fields, "error"]
        pages = self._pages(batch)
        if _MEMORY in batch.schema.names:
            known = batch.column(_MEMORY).to_pylist()
            pages = [with_memory(page, memory_of([one])) for page, one in zip(pages, known, strict=True)]
            batch = batch.select([name for name in batch.schema.names if name not in (_HOST, _MEMORY)])
        rows = [{name: row[name] for name in names} for row in self.cleaner(pages)]
        new = arrow.RecordBatch.from_pylist(rows, arrow_schema(names, self.site_memory))
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
        urls = batch.column(self.url).to_pylist() if self.url else [""] * batch.num_rows
        return [
            self._page(value.as_buffer(), name, url or "")
            for value, name, url in zip(column, encodings, urls, strict=True)
        ]

    def _page(self, body: Any, encoding: str | None, url: str) -> StoredPage:
        if body is None:
            return StoredPage(url)
        if body.size > self.cleaner.options.most_bytes:
            return StoredPage(url, not_cleaned=NotCleaned("too_large", f"it has {body.size} bytes"))
        return StoredPage(url, None, {"content-type": f"text/html; charset={encoding or ''}"}, body.to_pybytes())
