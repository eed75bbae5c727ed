"""The same pages cleaned by a plain loop and in a local Spark session, to measure Spark's own cost."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from scrapy_boilerplate.options import Options
from scrapy_boilerplate.stored.cleaning import PageCleaner
from scrapy_boilerplate.stored.spark import add_main_text, clean_archives
from scrapy_boilerplate.stored.tables import BatchCleaner

from ..archives import answer, record, write_archive
from .report import Table, progress

COUNT = 500  # pages in a run
FILES = 4  # with these pages, each file a partition


def benchmark(pages: list[bytes], repeats: int) -> Table:
    with TemporaryDirectory() as folder:
        write_pages(Path(folder), pages)
        rows = [best_of(repeats, "plain loop", partial(plain_loop, Path(folder)))]
        for cores in (1, 2):
            with session(cores) as spark:
                for name, run in {"DataFrame": clean_dataframe, "WARC archives": clean_warc}.items():
                    run(spark, Path(folder))  # warm-up of workers and compiler
                    rows.append(best_of(repeats, f"{name}, local[{cores}]", partial(run, spark, Path(folder))))
    return Table(
        name="spark",
        heading=f"{COUNT} pages in {FILES} files, best of {repeats}, without the start of the session",
        columns={"name": "", "pages/s": ".1f", "ms CPU a page": ".2f", "ratio": ".2f"},
        rows=[{**values, "ratio": values["ms CPU a page"] / rows[0]["ms CPU a page"]} for values in rows],
    )


def best_of(repeats: int, name: str, run: Callable[[], None]) -> dict[str, Any]:
    """Return the speed and processor time per page: the best wall time, and the best processor time."""
    figures = []
    for repeat in range(repeats):
        progress(f"spark, {name}: repeat {repeat + 1} of {repeats}")
        wall, cpu = perf_counter(), cpu_seconds()
        run()
        figures.append((perf_counter() - wall, cpu_seconds() - cpu))
    walls, cpus = zip(*figures, strict=True)
    return {"name": name, "pages/s": COUNT / min(walls), "ms CPU a page": 1000 * min(cpus) / COUNT}


def write_pages(folder: Path, pages: list[bytes]) -> None:
    import pyarrow
    from pyarrow import parquet

    pages = list(islice(cycle(pages), COUNT))
    for number in range(FILES):
        some = pages[number::FILES]
        parquet.write_table(pyarrow.table({"html": some}), folder / f"{number}.parquet")
        records = [record("http://example.com/", answer(page, content_type="text/html")) for page in some]
        write_archive(folder / f"{number}.warc.gz", records)


def plain_loop(folder: Path) -> None:
    from pyarrow import parquet

    cleaner = BatchCleaner(PageCleaner(Options()), "html")
    for path in sorted(folder.glob("*.parquet")):
        with parquet.ParquetFile(path) as file:
            for _ in cleaner.clean(file.iter_batches(100)):
                pass


@contextmanager
def session(cores: int) -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{cores}]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "100")
    # One task per file: without this, Spark would combine small files.
    builder = builder.config("spark.sql.files.openCostInBytes", str(1 << 30))
    with builder.getOrCreate() as spark:
        yield spark


def clean_dataframe(spark: Any, folder: Path) -> None:
    compute(add_main_text(spark.read.parquet(*map(str, folder.glob("*.parquet")))))


def clean_warc(spark: Any, folder: Path) -> None:
    compute(clean_archives(spark, [str(path) for path in folder.glob("*.warc.gz")]))


def compute(frame: Any) -> None:
    """Compute all columns of all rows, and discard them."""
    frame.write.format("noop").mode("overwrite").save()


def cpu_seconds() -> float:
    """Return the processor time of this process and its descendants, running or ended, from /proc."""
    parents, ticks = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # the process has just ended
            continue
        parents[int(stat.parent.name)] = int(fields[1])
        ticks[int(stat.parent.name)] = sum(map(int, fields[11:15]))
    ours = {os.getpid()}
    while more := {process for process, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(ticks[process] for process in ours) / os.sysconf("SC_CLK_TCK")
