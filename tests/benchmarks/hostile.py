"""Time and memory for hostile pages of 5 MB, beyond those of a bare parse; and the peak memory of a crawl."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from typing import Any

from lxml import etree

import scrapy_boilerplate
from scrapy_boilerplate.models import MODELS

from .crawl import COUNT, LABELS
from .report import Table, progress
from .server import serving

SIZE = 5_000_000
MOST_MEGABYTES, MOST_SECONDS = 300, 3.0
FILTERS = ("ancestor", "largest", "main")

# The beginning of a page, and the text that is repeated up to the size.
SHAPES = {
    "paragraphs": ("", "<p>x"),
    "empty paragraphs": ("", "<p></p>"),
    "lines of a <pre>": ("<pre>", "a\n"),
    "empty lines of a <pre>": ("<pre>x", "\n"),
    "line breaks": ("<p>", "a<br><br>"),
    "inline elements": ("<p>", "<b>x</b> "),
    "links": ("<ul>", "<li><a href=/>The old bridge</a>"),
    "table cells": ("<table><tr>", "<td>1"),
    "buttons": ("<p>", "x<button>y</button>"),
    "short words": ("<p>", "1 "),
    "one word": ("<p>", "x"),
    "class names": ("<p>x", "<p class=b>x"),
    "a long title": ("<title>", "word "),
    "code in a deep element": ("<div>" * 1000, "<p><code>x</code>"),
    "different attributes": ("<p ", "a{number}='' "),
    "different attributes with a >": ("<p ", "a{number}='>' "),
}


def benchmark(pages: list[bytes]) -> Table:
    rows = []
    for shape in SHAPES:
        for model in MODELS:
            progress(f"hostile: {shape}, {model}")
            rows.append(row(shape, model))
    with serving(pages) as address:
        for kind in ("without", "plugin"):
            progress(f"hostile: crawl {LABELS[kind]}")
            rows.append({"name": f"crawl of {COUNT} pages, {LABELS[kind]}", "MB": crawl_memory(kind, address)})
    return Table(
        name="hostile",
        heading=f"pages of {SIZE / 1e6:.0f} MB: seconds and peak memory beyond the bare parse, for text, score "
        "and blocks, with the slowest filter",
        columns={
            "name": "",
            "model": "",
            "parse s": ".2f",
            "parse MB": ".0f",
            "s": ".2f",
            "MB": ".0f",
            "blocks": "d",
            "truncated": "",
            "within": "",
        },
        rows=rows,
        notes=(f"limits: {MOST_SECONDS:g} s and {MOST_MEGABYTES} MB beyond the bare parse",),
    )


def row(shape: str, model: str) -> dict[str, Any]:
    found = measure_in_processes(shape, model)
    within = found["s"] <= MOST_SECONDS and found["MB"] <= MOST_MEGABYTES
    return {"name": shape, "model": model, **found, "within": "yes" if within else "NO"}


def measure_in_processes(shape: str, model: str) -> dict[str, Any]:
    """Measure the parse and `extract()` in a process each, because the peak of a process never decreases."""
    parse, ours = (
        json.loads(
            subprocess.run(
                [sys.executable, "-m", __spec__.name, shape, model, what], check=True, capture_output=True, text=True
            ).stdout
        )
        for what in ("parse", "extract")
    )
    above = {"s": ours["s"] - parse["s"], "MB": ours["MB"] - parse["MB"]}
    return {"parse s": parse["s"], "parse MB": parse["MB"], **ours, **above}


def page_of(shape: str) -> bytes:
    before, repeated = SHAPES[shape]
    if "{number}" in repeated:
        return (before + "".join(repeated.format(number=number) for number in range(10**9 // 2500))).encode()[:SIZE]
    return (before + repeated * (SIZE // len(repeated))).encode()[:SIZE]


def measure(shape: str, model: str, what: str) -> dict[str, Any]:
    """Return the seconds and megabytes for one page, after a small page as warm-up."""
    page = page_of(shape)
    read_all("<title>T</title><p>warm up <b>now</b>", model, None)
    memory = peak()
    times: list[float] = []
    result: dict[str, Any] = {}
    if what == "parse":
        if shape.startswith("different attributes"):  # it would take minutes
            return {"s": 0.0, "MB": 0.0}
        start = time.perf_counter()
        etree.fromstring(page, etree.HTMLParser(huge_tree=True, remove_comments=True, collect_ids=False))
        times.append(time.perf_counter() - start)
    else:
        for name in FILTERS:
            start = time.perf_counter()
            document = read_all(page, model, name)
            times.append(time.perf_counter() - start)
            result = {"blocks": len(document.blocks), "truncated": "yes" if document.truncated else ""}
            del document
    return {**result, "s": max(times), "MB": peak() - memory}


def read_all(page: str | bytes, model: str, filter: str | None) -> scrapy_boilerplate.Document:
    document = scrapy_boilerplate.extract(page, model=model, filter=filter)
    _ = document.main_text, document.score, document.blocks, document.title
    return document


def crawl_memory(kind: str, address: str) -> float:
    """Run a crawl in a process of its own, which prints its peak memory; return the megabytes."""
    code = (
        "import resource, runpy, sys; runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    code = "import sys; sys.argv = sys.argv[1:];" + code
    command = [sys.executable, "-c", code, f"{__package__}.spider", kind, address, str(COUNT), "/dev/null"]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(result.stderr.split()[-1]) * unit() / 1e6


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit() / 1e6


def unit() -> int:
    return 1 if sys.platform == "darwin" else 1024


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
