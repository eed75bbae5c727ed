"""Adds the main text to DataFrames of pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zlib import crc32

from ...extras import require
from ...site.texts import host_of
from ..cleaning import DEFAULT_FIELDS, Row, page_cleaner
from ..columns import spark_schema
from ..counting import PageCounter, with_memory
from ..pages import StoredPage
from ..tables import BatchCleaner, small
from .sites import COUNTED, counted, memories, memory_of

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame

_HOST, _MEMORY = "boilerplate_host", "boilerplate_memory"  # columns that come and go


def add_main_text(
    pages: DataFrame,
    *,
    html: str = "html",
    url: str | None = None,
    encoding: str | None = None,
    fields: Sequence[str] = DEFAULT_FIELDS,
    blocks: bool = False,
    site_memory: bool = False,
    **options: Any,
) -> DataFrame:
    """Return `pages` with these fields as columns, and with `error`.

    `html` names the column with the pages, as bytes or text; `url` and `encoding` may name columns with their addresses
    and with the encodings that the server gave. `blocks=True` adds the field `blocks`. With `site_memory`, which needs
    `url`, the pages are read twice: first to count the texts of each host, then to clean. The options are those of a
    page, such as `model` (a name, or a path that all machines know) and `threshold`. No row is lost: a page that can't
    be cleaned has the reason in `error`, and None in its fields.
    """
    types = require("pyspark.sql.types", "spark")
    if site_memory and url is None:
        raise ValueError("site_memory needs the name of a column with the addresses of the pages, `url`")
    make = SiteBatchCleaner if site_memory else BatchCleaner
    cleaner = make(page_cleaner(fields, blocks, options), html, url, encoding)
    cleaner.check(pages.columns)
    new = types.StructType.fromDDL(spark_schema(cleaner.new, site_memory))
    schema = types.StructType([*pages.schema.fields, *new.fields])
    known = _with_memories(pages, cleaner) if isinstance(cleaner, SiteBatchCleaner) else pages
    return known.mapInArrow(cleaner.clean, schema)


def _with_memories(pages: DataFrame, cleaner: SiteBatchCleaner) -> DataFrame:
    """The pages, each with the memory of its host."""
    types = require("pyspark.sql.types", "spark")
    known = memories(pages.mapInArrow(cleaner.count, COUNTED)).withColumnsRenamed({"host": _HOST, "memory": _MEMORY})
    with_host = types.StructType([*pages.schema.fields, types.StructField(_HOST, types.StringType())])
    return pages.mapInArrow(cleaner.with_host, with_host).join(known.drop("source"), _HOST, "left")


@dataclass(frozen=True, slots=True)
class SiteBatchCleaner(BatchCleaner):
    """Counts the texts of each host in a first pass, and cleans pages that come with the memories of their hosts."""

    site_memory: bool = True

    def check(self, columns: Sequence[str], others: Sequence[str] = (_HOST, _MEMORY)) -> None:
        BatchCleaner.check(self, columns, others)

    def count(self, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        """The texts of the pages, for the memories of their hosts."""
        counter = PageCounter(self.cleaner.options)
        for batch in small(batches):
            pages = BatchCleaner.pages(self, batch)
            places = [f"{page.url} {crc32(page.body)}" for page in pages]
            yield counted(zip([""] * len(pages), places, counter(pages), strict=True))

    def with_host(self, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        """The batches with a column more, the host of each page."""
        arrow = require("pyarrow", "spark")
        for batch in batches:
            hosts = [host_of(str(url or "")) or None for url in batch.column(self.url).to_pylist()]
            column = arrow.array(hosts, arrow.string())
            yield arrow.RecordBatch.from_arrays(
                [*batch.columns, column], schema=batch.schema.append(arrow.field(_HOST, arrow.string()))
            )

    def pages(self, batch: RecordBatch) -> list[StoredPage]:
        pages, known = BatchCleaner.pages(self, batch), batch.column(_MEMORY).to_pylist()
        return [with_memory(page, memory_of([memory])) for page, memory in zip(pages, known, strict=True)]

    def joined(self, batch: RecordBatch, rows: Sequence[Row]) -> RecordBatch:
        own = batch.select([name for name in batch.schema.names if name not in (_HOST, _MEMORY)])
        return BatchCleaner.joined(self, own, rows)
