"""Pages in Arrow tables and other collections, cleaned to tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from .. import checks
from ..extras import require
from ..not_cleaned import NotCleaned
from .cleaning import DEFAULT_FIELDS, PageCleaner, Row, clean_in_order, page_cleaner
from .columns import arrow_schema
from .pages import StoredPage

if TYPE_CHECKING:
    from pyarrow import RecordBatch, Schema, Table

_CHUNK = 16  # pages that are cleaned together, in one process
_UTF8 = {"content-type": "text/html; charset=utf-8"}


def extract_many(
    pages: Any,
    *,
    html: str = "html",
    url: str | None = None,
    encoding: str | None = None,
    fields: Sequence[str] = DEFAULT_FIELDS,
    blocks: bool = False,
    processes: int = 1,
    **options: Any,
) -> Table:
    """Clean many pages; return an Arrow table with these fields as columns, and with `error`.

    `pages` may be an iterable of pages, each a str or bytes, or a table: of Arrow, pandas, Polars or DuckDB, or a dict
    of columns. Of a table `html` names the column with the pages; `url` and `encoding` may name those with their
    addresses and with the encodings that the server gave. Its columns are part of the result.

    `blocks=True` adds the field `blocks`. The options are those of a page, such as `model` and `threshold`. With
    `processes`, so many processes share the work. Wrong arguments raise ValueError or TypeError. Each page has a row,
    in order: one that can't be cleaned has the reason in `error`, and None in its fields.
    """
    arrow = require("pyarrow", "arrow")
    _check_processes(processes)
    cleaner = BatchCleaner(page_cleaner(fields, blocks, options), html, url, encoding)
    if not _is_table(pages):
        return _from_pages(arrow, pages, cleaner.cleaner, processes)
    table = arrow.table(pages)
    cleaner.check(table.column_names)
    table = _with_plain_pages(arrow, table, html)
    cleaned = clean_in_order(table.to_batches(max_chunksize=_CHUNK), cleaner.pages, cleaner.cleaner, processes)
    return arrow.Table.from_batches([cleaner.joined(*found) for found in cleaned], cleaner.schema(table.schema))


@dataclass(frozen=True, slots=True)
class BatchCleaner:
    """Cleans the pages of record batches: the same batches with our columns come out."""

    cleaner: PageCleaner
    html: str
    url: str | None = None
    encoding: str | None = None
    site_memory: bool = False

    @property
    def new(self) -> list[str]:
        return [*self.cleaner.fields, "error"]

    def clean(self, batches: Iterable[RecordBatch]) -> Iterator[RecordBatch]:
        """Clean batches of any size; Spark calls this on its machines."""
        for part in small(batches):
            yield self.joined(part, self.cleaner(self.pages(part)))

    def check(self, columns: Sequence[str], others: Sequence[str] = ()) -> None:
        """Raise ValueError if a column is missing, or has the name of one of ours, or of these others."""
        for needed in filter(None, (self.html, self.url, self.encoding)):
            if needed not in columns:
                raise ValueError(f"there is no column {needed!r}; there are: {', '.join(columns)}")
        for name in (*self.new, *others):
            if name in columns:
                raise ValueError(f"there is a column {name!r} already: rename or drop it")

    def schema(self, schema: Schema) -> Schema:
        """The schema with our columns; its metadata is kept, in which pandas has its index."""
        arrow = require("pyarrow", "arrow")
        return arrow.schema([*schema, *arrow_schema(self.new, self.site_memory)], schema.metadata)

    def pages(self, batch: RecordBatch) -> list[StoredPage]:
        column = batch.column(self.html)
        addresses = self._values(batch, self.url)
        encodings = self._values(batch, self.encoding) if _holds_bytes(column.type) else ["utf-8"] * len(batch)
        return [
            self._page(value.as_buffer(), str(address or ""), encoding or "")
            for value, address, encoding in zip(column, addresses, encodings, strict=True)
        ]

    def joined(self, batch: RecordBatch, rows: Sequence[Row]) -> RecordBatch:
        """The batch with the values of these rows as new columns."""
        arrow = require("pyarrow", "arrow")
        new = _batch(arrow, rows, self.new, self.site_memory)
        return arrow.RecordBatch.from_arrays([*batch.columns, *new.columns], schema=self.schema(batch.schema))

    def _values(self, batch: RecordBatch, name: str | None) -> list[Any]:
        return [None] * len(batch) if name is None else batch.column(name).to_pylist()

    def _page(self, body: Any, url: str, encoding: str) -> StoredPage:
        if body is None:
            return StoredPage(url)
        if body.size > self.cleaner.options.most_bytes:  # not copied
            return StoredPage(url, not_cleaned=NotCleaned("too_large", f"it has {body.size} bytes"))
        return StoredPage(url, None, {"content-type": f"text/html; charset={encoding}"}, body.to_pybytes())


def small(batches: Iterable[RecordBatch]) -> Iterator[RecordBatch]:
    """Batches of a few pages each, from batches of any size."""
    for batch in batches:
        for start in range(0, batch.num_rows, _CHUNK):
            yield batch.slice(start, _CHUNK)


def _holds_bytes(type: Any) -> bool:
    """Whether values have this type of bytes; Arrow's strings are UTF-8."""
    types = require("pyarrow", "arrow").types
    return bool(types.is_binary(type) or types.is_large_binary(type) or types.is_binary_view(type))


def _with_plain_pages(arrow: Any, table: Table, html: str) -> Table:
    """The table with text or bytes in the column of pages: without their dictionary, or of a column with nothing."""
    place, column = table.column_names.index(html), table.column(html)
    if arrow.types.is_null(column.type):
        return table.set_column(place, html, column.cast(arrow.string()))
    if arrow.types.is_dictionary(column.type):
        return table.set_column(place, html, column.cast(column.type.value_type))
    if not hasattr(arrow.scalar(None, column.type), "as_buffer"):
        raise ValueError(f"the column {html!r} must hold text or bytes, not {column.type}")
    return table


def _is_table(pages: Any) -> bool:
    if isinstance(pages, (str, bytes)) or not (isinstance(pages, Iterable) or hasattr(pages, "columns")):
        raise TypeError(f"pages must be a table or an iterable of pages, not {type(pages).__name__}; see extract()")
    return isinstance(pages, Mapping) or hasattr(pages, "columns")


def _check_processes(processes: int) -> None:
    try:
        checks.whole(1)(processes)
    except ValueError as error:
        raise ValueError(f"processes = {processes!r}: {error}") from None


def _from_pages(arrow: Any, pages: Iterable[Any], cleaner: PageCleaner, processes: int) -> Table:
    names = [*cleaner.fields, "error"]
    stored = map(_stored, pages)
    chunks = iter(lambda: list(islice(stored, _CHUNK)), [])
    cleaned = clean_in_order(chunks, lambda chunk: chunk, cleaner, processes)
    return arrow.Table.from_batches([_batch(arrow, rows, names) for _, rows in cleaned], arrow_schema(names))


def _batch(arrow: Any, rows: Sequence[Row], names: Sequence[str], site_memory: bool = False) -> RecordBatch:
    values = [{name: row[name] for name in names} for row in rows]
    return arrow.RecordBatch.from_pylist(values, arrow_schema(names, site_memory))


def _stored(given: Any) -> StoredPage:
    page = given.as_py() if hasattr(given, "as_py") else given  # of an Arrow array
    if isinstance(page, str):
        return StoredPage("", None, _UTF8, page.encode("utf-8", "replace"))
    if page is None or isinstance(page, bytes):
        return StoredPage("", body=page or b"")
    # pandas has numbers for missing pages
    return StoredPage("", not_cleaned=NotCleaned("error", f"it is no str or bytes, but {type(page).__name__}"))
