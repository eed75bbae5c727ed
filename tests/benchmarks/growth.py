"""Pages ten times as long, in shapes that would show quadratic time: it should grow tenfold at most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lxml import etree

import scrapy_boilerplate
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.train.timing import Task, fastest_runs

from .report import Table, limited, progress

FACTOR, LIMIT = 10, 12.0
SENTENCE = "The council voted on Tuesday, by nine to four, to keep the old harbour bridge open until the autumn."


@dataclass(frozen=True, slots=True)
class Shape:
    """A page of many equal blocks, without closing tags at its end."""

    name: str
    block: str
    before: str = ""
    blocks: int = 2000

    def tree(self, factor: int) -> etree._Element | None:
        return to_tree(f"<title>Bridge</title><body>{self.before}{self.block * self.blocks * factor}")


SHAPES = (
    Shape("paragraphs", f"<p>{SENTENCE}</p>"),
    Shape("list of links", "<li><a href=/>The old harbour bridge</a></li>", before="<ul>"),
    Shape("table", f"<tr><td>{SENTENCE}</td></tr>", before="<table>"),
    Shape("line breaks", f"{SENTENCE}<br><br>"),
    Shape("lines of a <pre>", f"{SENTENCE}\n", before="<pre>"),
    Shape("all in one block", f"{SENTENCE} <b>It said.</b><br>", before="<p>"),
    Shape("one inside the other", f"<div>{SENTENCE}", blocks=200),  # libxml2 goes down to level 2048
)


def benchmark(repeats: int) -> Table:
    # Ten short pages in a row are compared to a long one: equal times get equal shares of the machine's noise.
    tasks = [
        Task("short", extract_all, prepare=lambda shape: [shape.tree(1) for _ in range(FACTOR)]),
        Task("long", extract_all, prepare=lambda shape: [shape.tree(FACTOR)]),
    ]
    runs = repeats * len(SHAPES)
    times = fastest_runs(tasks, SHAPES, repeats, lambda done: progress(f"growth: {done} of {runs} shapes"))
    formats = {"blocks": "d", "ms": ".1f", f"ms x{FACTOR}": ".1f", "ratio": ".1f", "limit": ".0f", "within": ""}
    return Table(
        name="growth",
        heading=f"extract() with blocks and filter, from the tree of a page and of one {FACTOR} times as long",
        columns={"name": "", **formats},
        rows=[row(*measured) for measured in zip(SHAPES, times["short"], times["long"], strict=True)],
    )


def row(shape: Shape, ten_short: float, long: float) -> dict[str, Any]:
    short = ten_short / FACTOR
    milliseconds = {"ms": short * 1000, f"ms x{FACTOR}": long * 1000}
    return {"name": shape.name, "blocks": shape.blocks, **milliseconds, **limited(long / short, LIMIT)}


def extract_all(roots: list[etree._Element]) -> None:
    for root in roots:
        document = scrapy_boilerplate.extract(root, filter="main")
        _ = document.main_text, document.blocks, document.score
