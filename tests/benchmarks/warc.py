"""A stored crawl cleaned by one and by two processes, and the same loop with other extractors."""

from __future__ import annotations

import gzip
import os
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from scrapy_boilerplate.models import DEFAULT_MODEL
from scrapy_boilerplate.options import Options
from scrapy_boilerplate.stored.cleaning import PageCleaner, Row
from scrapy_boilerplate.stored.pages import StoredPage, unpacked
from scrapy_boilerplate.stored.run import StoredCrawls
from scrapy_boilerplate.train.rivals import RIVALS, installed

from ..archives import answer, record
from .report import Table, progress

OURS = f"scrapy boilerplate warc ({DEFAULT_MODEL})"
# Number of pages: many, so that the start of a process counts little; fewer for an extractor that is far slower.
COUNTS = {OURS: 5000, "resiliparse": 5000, "trafilatura": 100}


class RivalCleaner(PageCleaner):
    """Cleans pages with another extractor, named by `options.model`."""

    def _values(self, page: StoredPage) -> Row:
        return {"main_text": _rival(self.options.model)(unpacked(page, self.options.most_bytes))}


_loaded: dict[str, Any] = {}


def _rival(name: str) -> Any:
    if name not in _loaded:
        _loaded[name] = RIVALS[name]()
    return _loaded[name]


def benchmark(pages: list[bytes], repeats: int) -> Table:
    found, _ = installed()
    names = [name for name in COUNTS if name == OURS or name in found]
    with TemporaryDirectory() as folder:
        archives = {count: write_archive(Path(folder), pages, count) for count in set(COUNTS.values())}
        best: dict[tuple[str, int], tuple[float, float]] = {}
        for repeat in range(repeats):
            for name in names:
                for jobs in (1, 2):
                    progress(f"warc, {name}, {jobs} processes: repeat {repeat + 1} of {repeats}")
                    times = run(name, archives[COUNTS[name]], jobs)
                    best[name, jobs] = min(best.get((name, jobs), times), times)
    return Table(
        name="warc",
        heading=f"gzip archive that repeats {len(pages)} pages, wall time with start-up, best of {repeats}",
        columns={
            "name": "",
            "pages": "d",
            "pages/s, 1": ".1f",
            "pages/s, 2": ".1f",
            "speed-up": ".2f",
            "CPU ms/page, 1": ".1f",
            "CPU ms/page, 2": ".1f",
        },
        rows=[row(name, best[name, 1], best[name, 2]) for name in names],
        notes=tuple(f"not installed: {name}" for name in COUNTS if name not in names),
    )


def write_archive(folder: Path, pages: list[bytes], count: int) -> Path:
    path = folder / f"{count}.warc.gz"
    packed = [gzip.compress(record("http://example.com/", answer(page, content_type="text/html"))) for page in pages]
    with path.open("wb") as file:
        file.writelines(islice(cycle(packed), count))
    return path


def run(name: str, archive: Path, jobs: int) -> tuple[float, float]:
    """Return wall time, and processor time of all processes, in seconds."""
    cleaner = PageCleaner(Options()) if name == OURS else RivalCleaner(Options(model=name))
    with TemporaryDirectory() as folder:
        start, cpu_start = perf_counter(), cpu_seconds()
        counts = StoredCrawls([archive], Path(folder) / "out.jsonl", cleaner).run(jobs, lambda _: None, print)
        seconds, cpu = perf_counter() - start, cpu_seconds() - cpu_start
    if counts["pages"] != COUNTS[name]:
        raise RuntimeError(f"{name}: {dict(counts)} instead of {COUNTS[name]} pages")
    return seconds, cpu


def cpu_seconds() -> float:
    """Return the processor time of this process and of its children that have ended."""
    return sum(os.times()[:4])


def row(name: str, one: tuple[float, float], two: tuple[float, float]) -> dict[str, Any]:
    count = COUNTS[name]
    return {
        "name": name,
        "pages": count,
        "pages/s, 1": count / one[0],
        "pages/s, 2": count / two[0],
        "speed-up": one[0] / two[0],
        "CPU ms/page, 1": 1000 * one[1] / count,
        "CPU ms/page, 2": 1000 * two[1] / count,
    }
