"""Crawls with worker processes: the processor time of the crawl's own process, and pages per second."""

from __future__ import annotations

from importlib.util import find_spec
from statistics import mean
from typing import Any

from .crawl import WITHOUT, crawl
from .report import Table, progress
from .server import serving

COUNT = 500
MEAN_SIZE = 100_000
ROUNDS = 5

# By kind of spider.py: the label, and the number of worker processes.
KINDS = {
    WITHOUT: ("without", 0),
    "plugin, main_text only": ("main_text, in the crawl's process", 0),
    "plugin, main_text only, 1 worker": ("main_text, 1 worker", 1),
    "plugin, main_text only, 2 workers": ("main_text, 2 workers", 2),
    "plugin": ("main_text and blocks, in the crawl's process", 0),
    "plugin, 1 worker": ("main_text and blocks, 1 worker", 1),
    "plugin, 2 workers": ("main_text and blocks, 2 workers", 2),
    "eager": ("extract() in the callback, main_text", 0),
    "trafilatura": ("trafilatura in a pipeline", 0),
}


def benchmark(pages: list[bytes]) -> Table:
    pages = of_mean_size(pages)
    kinds = [kind for kind in KINDS if kind != "trafilatura" or find_spec("trafilatura")]
    runs: dict[str, list[dict[str, Any]]] = {kind: [] for kind in kinds}
    with serving(pages) as address:
        for number in range(ROUNDS):
            for kind in kinds:
                progress(f"workers: {KINDS[kind][0]}, round {number + 1} of {ROUNDS}")
                runs[kind].append(crawl_without_start_up(kind, address))
    rows = [row(kind, best(runs[kind])) for kind in kinds]
    for column, ratio in RATIOS.items():
        for measured in rows:
            measured[ratio] = measured[column] / rows[0][column]
    return Table(
        name="workers",
        heading=f"{COUNT} pages of {mean(map(len, pages)) / 1000:.0f} kB over HTTP, one item each, "
        f"best of {ROUNDS} rounds",
        columns={"name": "", "crawl ms": ".2f", "workers ms": ".2f"}
        | {name: form for column, ratio in RATIOS.items() for name, form in ((column, ".0f"), (ratio, ".2f"))},
        rows=rows,
        notes=(
            "ms: processor time per page of the crawl's process, and of all workers together without their start-up.",
            "many cores: pages per second that these times allow with a core for each process; on 2: with two cores",
            "for all processes; both without the server. here: measured pages per second, server included.",
            "Each ratio compares to the first row.",
        ),
    )


RATIOS = {"many cores": "ratio", "on 2": "ratio on 2", "here": "ratio here"}


def crawl_without_start_up(kind: str, address: str) -> dict[str, Any]:
    measured = crawl(kind, address, COUNT)
    if KINDS[kind][1]:
        measured["workers"] -= crawl(kind, address, KINDS[kind][1])[
            "workers"
        ]  # a crawl of one page per worker, whose time is negligible
    return measured


def best(runs: list[dict[str, Any]]) -> dict[str, Any]:
    return {key: min(run[key] for run in runs) for key in runs[0]}


def row(kind: str, measured: dict[str, Any]) -> dict[str, Any]:
    name, workers = KINDS[kind]
    crawl_ms, workers_ms = measured["cpu"] * 1000 / COUNT, measured["workers"] * 1000 / COUNT
    # The bottleneck: the crawl's own process, the workers, or the cores that they share.
    slowest = max(crawl_ms, workers_ms / max(workers, 1))
    return {
        "name": name,
        "crawl ms": crawl_ms,
        "workers ms": workers_ms,
        "many cores": 1000 / slowest,
        "on 2": 1000 / max(slowest, (crawl_ms + workers_ms) / 2),
        "here": COUNT / measured["wall"],
    }


def of_mean_size(pages: list[bytes]) -> list[bytes]:
    """Return pages with the mean size of real ones: leave out the largest, or lengthen each if all are small."""
    while len(pages) > 1 and mean(map(len, pages)) > MEAN_SIZE:
        pages = sorted(pages, key=len)[:-1]
    times = round(MEAN_SIZE / mean(map(len, pages)))
    return [lengthened(page, times) for page in pages]


def lengthened(page: bytes, times: int) -> bytes:
    """Return the page with the content of its body repeated."""
    before, body_tag, rest = page.partition(b"<body")
    body, end_tag, after = rest.rpartition(b"</body>")
    attributes, bracket, content = body.partition(b">")
    return before + body_tag + attributes + bracket + content * max(times, 1) + end_tag + after
