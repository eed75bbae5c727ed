"""The compiled core: main_text from a str, from a tree, of a page of one block; growth, and memory of a long page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from statistics import mean
from typing import Any

import scrapy_boilerplate
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.train.rivals import RIVALS, installed
from scrapy_boilerplate.train.timing import Task, fastest_runs

from .extract import PARSE
from .growth import SENTENCE
from .report import Table, progress

TREE = "extract(element).main_text"
SIZES = (10, 100, 1000, 10_000, 100_000)  # blocks
SMALL = f"<p>{SENTENCE}"
_AT_ONCE = 100  # small pages, so that the clock is fine enough
_GROWTH = """
import resource
from scrapy_boilerplate import extract
from scrapy_boilerplate.parse import to_tree
extract("<p>A page")
root = to_tree("<p>" + "</p><p>".join(f"{number} SENTENCE" for number in range(BLOCKS)))
def megabytes():
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize() / 1e6
before = megabytes()
document = extract(root)
document.main_text
print(round(megabytes() - before))
"""


def benchmark(pages: list[bytes], repeats: int) -> Table:
    from lxml import html

    tasks = [
        Task(PARSE, html.fromstring),
        Task("extract(str).main_text", _text, prepare=_decoded),
        Task("extract(bytes).main_text", _text),
        Task(TREE, _text, prepare=to_tree),
    ]
    if "resiliparse" in installed()[0]:
        tasks.append(Task("resiliparse", RIVALS["resiliparse"]()))
    readable = [page for page in pages if to_tree(page) is not None]
    runs = repeats * len(readable)
    times = fastest_runs(tasks, readable, repeats, lambda done: progress(f"core: {done} of {runs} pages"))
    parse = mean(times[PARSE])
    rows: list[dict[str, Any]] = [
        {"name": task.name, "ms": mean(times[task.name]) * 1000, "ratio": mean(times[task.name]) / parse}
        for task in tasks
    ]
    return Table(
        name="core",
        heading=f"{len(readable)} pages of {mean(map(len, readable)) / 1000:.0f} kB, fastest of {repeats} runs",
        columns={"name": "", "ms": ".3f", "ratio": ".2f", "MB": "d"},
        rows=[*rows, *_small(repeats), *_growing(repeats)],
    )


def _small(repeats: int) -> list[dict[str, Any]]:
    task = Task("a page of one block", lambda page: [_text(page) for _ in range(_AT_ONCE)])
    [seconds] = fastest_runs([task], [SMALL], 10 * repeats)[task.name]
    return [{"name": task.name, "ms": seconds / _AT_ONCE * 1000}]


def _growing(repeats: int) -> list[dict[str, Any]]:
    """Pages of ten times the blocks, from their trees; the ratio is that to the page before."""
    rows: list[dict[str, Any]] = []
    for blocks in SIZES:
        page = "".join(f"<p>{number} {SENTENCE}</p>" for number in range(blocks))
        [seconds] = fastest_runs([Task("growth", _text, prepare=to_tree)], [page], repeats)["growth"]
        row = {"name": f"{blocks} blocks, from the tree", "ms": seconds * 1000}
        rows.append(row | ({"ratio": row["ms"] / rows[-1]["ms"]} if rows else {}))
    if not Path("/proc/self/statm").exists():  # memory is measured on Linux only
        return rows
    code = _GROWTH.replace("BLOCKS", str(SIZES[-1])).replace("SENTENCE", SENTENCE)
    memory = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    rows[-1]["MB"] = int(memory)
    return rows


def _text(page: Any) -> str:
    return scrapy_boilerplate.extract(page).main_text


def _decoded(page: bytes) -> str:
    return page.decode("utf-8", "replace")
