"""The crawl of the soak, run as `python -m tests.benchmarks.soak_spider WORKERS ADDRESS COUNT FOLDER`.

WORKERS is a number, or "without" for a crawl without the plugin. Items go to FOLDER/items.jsonl. At regular numbers of
pages, FOLDER/samples.csv gets a line with pages, seconds, megabytes and open files. Prints the stats as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerProcess, Crawler
from scrapy.http import Response

SAMPLES = 200

SETTINGS: dict[str, Any] = {
    "CONCURRENT_REQUESTS": 32,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 32,
    "DOWNLOAD_DELAY": 0,
    "DOWNLOAD_TIMEOUT": 20,
    "LOG_LEVEL": "CRITICAL",
    "REDIRECT_MAX_TIMES": 5,
    "RETRY_TIMES": 1,
    "TELNETCONSOLE_ENABLED": False,
}


class Sampler:
    """Records the memory and open files of the process after every N responses."""

    def __init__(self, path: Path, every: int) -> None:
        self._file = path.open("w", buffering=1)
        self._every = every
        self._pages = 0
        self._start = perf_counter()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Sampler:
        sampler = cls(crawler.settings["SAMPLES_FILE"], crawler.settings["SAMPLES_EVERY"])
        crawler.signals.connect(sampler._count, signals.response_received)
        crawler.signals.connect(sampler._close, signals.spider_closed)
        return sampler

    def _count(self) -> None:
        self._pages += 1
        if self._pages % self._every == 0:
            files = len(list(Path("/proc/self/fd").iterdir()))
            print(self._pages, f"{perf_counter() - self._start:.2f}", megabytes(), files, sep=",", file=self._file)

    def _close(self) -> None:
        self._file.close()


def megabytes() -> float:
    """Return the memory of this process and its children."""
    pids = ["self"]
    for children in Path("/proc/self/task").glob("*/children"):
        pids += children.read_text().split()
    pages = sum(int((Path("/proc") / pid / "statm").read_text().split()[1]) for pid in pids)
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


class SoakSpider(Spider):
    name = "soak"

    def __init__(self, address: str, count: int) -> None:
        super().__init__()
        self.urls = (f"{address}/{number}" for number in range(count))

    async def start(self) -> AsyncIterator[Any]:
        for url in self.urls:
            yield Request(url, cb_kwargs={"path": url.rpartition("/")[2]})

    def parse(self, response: Response, path: str) -> Iterator[dict[str, Any]]:
        for part in range(2):
            yield {"path": path, "part": part, "kind": type(response).__name__, "size": len(response.body)}


def main(workers: str, address: str, count: str, folder: str) -> None:
    settings = SETTINGS | {
        "EXTENSIONS": {Sampler: 0},
        "FEEDS": {Path(folder) / "items.jsonl": {"format": "jsonlines"}},
        "SAMPLES_FILE": Path(folder) / "samples.csv",
        "SAMPLES_EVERY": max(int(count) // SAMPLES, 1),
    }
    if workers != "without":
        settings["ADDONS"] = {"scrapy_boilerplate.Addon": 100}
        settings["BOILERPLATE_WORKERS"] = int(workers)
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(SoakSpider)
    process.crawl(crawler, address, int(count))
    start_up, start = process_time(), perf_counter()
    process.start()
    assert crawler.stats is not None
    stats = {"cpu": process_time() - start_up, "wall": perf_counter() - start, **crawler.stats.get_stats()}
    print(json.dumps(stats, default=str))


if __name__ == "__main__":
    main(*sys.argv[1:])
