"""Milliseconds per page: the steps of `extract()`, all of it, and other extractors, compared to the bare parse."""

from __future__ import annotations

from math import ceil
from statistics import mean
from typing import Any

from lxml import etree, html

import scrapy_boilerplate
from scrapy_boilerplate.features import SHALLOW_NAMES, Features
from scrapy_boilerplate.models import DEFAULT_MODEL, MODELS
from scrapy_boilerplate.page import Page
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment
from scrapy_boilerplate.train.rivals import RIVALS, installed
from scrapy_boilerplate.train.timing import Task, fastest_runs

from .report import Table, limited, progress

PARSE = "bare parse (lxml.html.fromstring)"
TIMES = ("ms/page", "p95", "slowest 1%")
LIMITS = {"segmentation + shallow features": 1.5, "extract() victor": 3.0, "extract() boilernet": 10.0}


def benchmark(pages: list[bytes], repeats: int) -> Table:
    found, missing = installed()
    tasks = our_steps() + our_extractors() + [Task(name, RIVALS[name]()) for name in found]
    runs = repeats * len(pages)
    times = fastest_runs(tasks, pages, repeats, lambda done: progress(f"extract: {done} of {runs} pages"))
    parse = mean(times[PARSE])
    kilobytes = mean(map(len, pages)) / 1000
    return Table(
        name="extract",
        heading=f"{len(pages)} pages of {kilobytes:.0f} kB on average, processor time, fastest of {repeats} runs",
        columns={
            "name": "",
            "ms/page": ".3f",
            "p95": ".3f",
            "slowest 1%": ".3f",
            "ratio": ".2f",
            "limit": ".1f",
            "within": "",
        },
        rows=[row(task.name, times[task.name], parse) for task in tasks],
        notes=(f"not installed: {', '.join(missing)}",) if missing else (),
    )


def our_steps() -> list[Task]:
    """Return the steps of `extract()`, each with its input prepared."""
    return [
        Task(PARSE, html.fromstring),
        Task("our parse (any encoding, no comments)", to_tree),
        Task("plain walk (tag, text, tail)", walk, prepare=to_tree),
        Task("segmentation", segment, prepare=to_tree),
        Task("shallow features", lambda segmented: shallow_features(segmented[1]), prepare=tree_and_blocks),
        Task("segmentation + shallow features", lambda root: shallow_features(segment(root)), prepare=to_tree),
    ]


def our_extractors() -> list[Task]:
    """Return `extract()` with each model, from bytes to text."""

    def with_model(name: str) -> Task:
        return Task(f"extract() {name}", lambda page: scrapy_boilerplate.extract(page, model=name).main_text)

    return [*map(with_model, MODELS), Task(f"extract() {DEFAULT_MODEL}, blocks too", text_and_blocks)]


def walk(root: etree._Element | None) -> None:
    """Read a whole tree from Python: the lower bound for any such code."""
    if root is not None:
        for element in root.iter():
            _ = element.tag, element.text, element.tail


def tree_and_blocks(page: bytes) -> tuple[etree._Element | None, Page]:
    """Return the tree, too, as a document keeps it: freeing it here would make the measured code allocate again."""
    root = to_tree(page)
    return root, segment(root)


def shallow_features(page: Page) -> object:
    return Features(page).matrix(SHALLOW_NAMES)


def text_and_blocks(page: bytes) -> object:
    document = scrapy_boilerplate.extract(page)
    return document.main_text, document.blocks


def row(name: str, times: list[float], parse: float) -> dict[str, Any]:
    slowest = [seconds * 1000 for seconds in sorted(times, reverse=True)]
    milliseconds = (mean(slowest), slowest[len(times) // 20], mean(slowest[: ceil(len(times) / 100)]))
    ratio = mean(times) / parse
    limit = limited(ratio, LIMITS[name]) if name in LIMITS else {"ratio": ratio}
    return {"name": name, **dict(zip(TIMES, milliseconds, strict=True)), **limit}
