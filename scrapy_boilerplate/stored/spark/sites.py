"""Site memories on Spark: an aggregation of the pages' texts by host, whose result no partitioning changes."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...extras import require
from ...site import PageTexts, SiteMemory

if TYPE_CHECKING:
    from pyarrow import RecordBatch, Table
    from pyspark.sql import DataFrame

MOST_PAGES = 2_000  # of a host that are learned: those whose place comes first
COUNTED = "host string, place string, source string, page binary"  # the schema of `counted()`
_REMEMBERED = "source string, host string, memory binary"


def counted(pages: Iterable[tuple[str, str, PageTexts | None]]) -> RecordBatch:
    """The texts of pages as rows, from the source of each page and its place, by which the pages are ordered."""
    arrow = require("pyarrow", "spark")
    rows = [
        {"host": texts.host, "place": place, "source": source, "page": pickle.dumps(texts)}
        for source, place, texts in pages
        if texts is not None
    ]
    kinds = {"host": arrow.string(), "place": arrow.string(), "source": arrow.string(), "page": arrow.binary()}
    return arrow.RecordBatch.from_pylist(rows, arrow.schema(list(kinds.items())))


def memories(counted_pages: DataFrame) -> DataFrame:
    """A row with the memory of each host for each source that has pages of it; none for hosts with one page."""
    functions, window = require("pyspark.sql.functions", "spark"), require("pyspark.sql", "spark").Window
    number = functions.row_number()
    in_host = number.over(window.partitionBy("host").orderBy("place"))
    in_source = number.over(window.partitionBy("host", "source").orderBy("place"))
    ranked = counted_pages.withColumn("rank", in_host).withColumn("first", in_source)
    some = ranked.where((functions.col("rank") <= MOST_PAGES) | (functions.col("first") == 1))
    return some.groupBy("host").applyInArrow(_remember, _REMEMBERED)


def memory_of(memories: Iterable[bytes | None]) -> SiteMemory:
    """One memory of these."""
    whole = SiteMemory(learns=False, most_hosts=1_000_000, most_bytes=1_000_000_000)
    for memory in memories:
        if memory is not None:
            whole.merge(pickle.loads(memory))
    return whole


def _remember(pages: Table) -> Table:
    arrow = require("pyarrow", "spark")
    memory = SiteMemory()
    rows: list[dict[str, Any]] = sorted(pages.to_pylist(), key=lambda row: row["rank"])
    for row in rows:
        if row["rank"] <= MOST_PAGES:
            memory.learn(pickle.loads(row["page"]))
    host = rows[0]["host"]
    sources = sorted({row["source"] for row in rows}) if memory.pages_of(host) > 1 else []
    packed = pickle.dumps(memory)
    kinds = [("source", arrow.string()), ("host", arrow.string()), ("memory", arrow.binary())]
    return arrow.Table.from_pylist(
        [{"source": source, "host": host, "memory": packed} for source in sources], arrow.schema(kinds)
    )
