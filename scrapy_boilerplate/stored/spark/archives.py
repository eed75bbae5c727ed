"""Cleans WARC archives on Spark, one archive per task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ...extras import require
from ...not_cleaned import NotCleaned
from ...site import SiteMemory
from ..cleaning import DEFAULT_FIELDS, PageCleaner, Row, page_cleaner
from ..columns import arrow_schema, spark_schema
from ..counting import PageCounter, with_memory
from ..pages import Damage, StoredPage
from ..warc import read_warc
from .sites import COUNTED, counted, memories, memory_of

if TYPE_CHECKING:
    from pyarrow import RecordBatch
    from pyspark.sql import DataFrame, SparkSession

_ROWS = 16  # in a batch, whose pages are in memory at the same time


def clean_archives(
    session: SparkSession,
    archives: Sequence[str],
    *,
    fields: Sequence[str] = DEFAULT_FIELDS,
    blocks: bool = False,
    site_memory: bool = False,
    **options: Any,
) -> DataFrame:
    """Return a DataFrame with a row for each page of these archives.

    Columns are `archive`, `url`, `date`, the fields and `error`. An archive is a path that all machines know, or a URI
    such as `s3://bucket/name`. Pages that can't be cleaned have the reason in `error`. So have damaged parts of an
    archive, without a `url`, and archives that don't exist. With `site_memory` the archives are read twice: first to
    count the texts of each host, then to clean. The options are those of `add_main_text()`.
    """
    cleaner = page_cleaner(fields, blocks, options)
    schema = spark_schema(_names(cleaner), site_memory)
    one_a_task = session.sparkContext.parallelize([(archive,) for archive in archives], max(len(archives), 1))
    frame = one_a_task.toDF("archive string")
    if site_memory:
        frame = _with_memories(frame, cleaner, max(len(archives), 1))
    return frame.mapInArrow(ArchiveCleaner(cleaner, site_memory).clean, schema)


def _with_memories(archives: DataFrame, cleaner: PageCleaner, tasks: int) -> DataFrame:
    """The archives, each with the memories of its hosts; still one a task."""
    functions = require("pyspark.sql.functions", "spark")
    known = memories(archives.mapInArrow(ArchiveCleaner(cleaner).count, COUNTED))
    by_archive = known.groupBy("source").agg(functions.collect_list("memory").alias("memories"))
    joined = archives.join(by_archive, archives["archive"] == by_archive["source"], "left")
    return joined.select("archive", "memories").repartition(tasks)


def _names(cleaner: PageCleaner) -> list[str]:
    return ["archive", *cleaner.columns]


@dataclass(frozen=True)
class ArchiveCleaner:
    """The function that runs on the cluster: archive names in, rows out."""

    cleaner: PageCleaner
    site_memory: bool = False

    def clean(self, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        arrow = require("pyarrow", "spark")
        schema = arrow_schema(_names(self.cleaner), self.site_memory)
        for batch in batches:
            for row in batch.to_pylist():
                site = memory_of(row.get("memories") or ())
                for rows in self._rows(row["archive"], site):
                    yield arrow.RecordBatch.from_pylist(rows, schema)

    def count(self, batches: Iterator[RecordBatch]) -> Iterator[RecordBatch]:
        """The texts of the pages in these archives, for the memories of their hosts."""
        counter = PageCounter(self.cleaner.options)
        for batch in batches:
            for archive in batch.column("archive").to_pylist():
                with suppress(FileNotFoundError), _local(archive) as path:
                    pages = enumerate(self._pages(path))
                    while some := list(islice(pages, _ROWS)):
                        places = [f"{archive} {number:012}" for number, _ in some]
                        texts = counter([page for _, page in some])
                        yield counted(zip([archive] * len(some), places, texts, strict=True))

    def _rows(self, archive: str, site: SiteMemory) -> Iterator[list[Row]]:
        try:
            with _local(archive) as path:
                pages = (with_memory(page, site) if len(site) else page for page in self._pages(path))
                while some := list(islice(pages, _ROWS)):
                    yield [{"archive": archive, **row, "url": row["url"] or None} for row in self.cleaner(some)]
        except FileNotFoundError:  # other errors may be temporary: Spark retries the task
            yield [{"archive": archive, "error": str(NotCleaned("missing"))}]

    def _pages(self, path: Path) -> Iterator[StoredPage]:
        for record, _ in read_warc(path, self.cleaner.options.most_bytes):
            if isinstance(record, StoredPage):
                yield record
            elif isinstance(record, Damage):
                yield StoredPage("", not_cleaned=NotCleaned("damaged", record.message))


@contextmanager
def _local(archive: str) -> Iterator[Path]:
    """Provide the archive as a local file; a remote one is copied for as long as it is read."""
    if "://" not in archive:
        yield Path(archive)
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "archive"
        filesystem, path = require("pyarrow.fs", "spark").FileSystem.from_uri(archive)
        with filesystem.open_input_stream(path, compression=None) as source, copy.open("wb") as target:
            while block := source.read(1 << 20):
                target.write(block)
        yield copy
