"""A long crawl of a faulty server: no item may be lost, and memory and open files must not grow."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

from .faults import FaultyHandler
from .report import Table, progress
from .server import serving

WARM_UP = 1000  # pages; meanwhile caches and pools fill
KINDS = {"without": "without", "0": "with the plugin", "2": "with the plugin, 2 workers"}
BARS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class Soak:
    """The results of one crawl."""

    items: Counter[str]  # the fields from the spider itself
    with_text: int
    stats: dict[str, Any]
    samples: list[list[float]]  # pages, seconds, megabytes, open files

    def after_warm_up(self, column: int) -> list[float]:
        return [sample[column] for sample in self.samples if sample[0] > WARM_UP] or [
            sample[column] for sample in self.samples
        ]


def benchmark(pages: list[bytes], count: int, plot: Path | None) -> Table:
    soaks = {}
    with serving(pages, FaultyHandler) as address:
        for kind, label in KINDS.items():
            progress(f"soak: {label}, {count} pages")
            soaks[kind] = soak(kind, address, count)
    if plot:
        draw(soaks, plot)
    notes = [
        f"{KINDS[kind]}: {name} {sparkline(column, run)}" for kind, run in soaks.items() for name, column in SAMPLED
    ]
    return Table(
        name="soak",
        heading=f"{count} pages of {mean(map(len, pages)) / 1000:.0f} kB from a server with faults, two items each",
        columns={
            "name": "",
            "items": "d",
            "lost": "d",
            "with text": "d",
            "errors": "d",
            "CPU ms/page": ".2f",
            "pages/s": ".0f",
            "ratio": ".2f",
            "MB then": ".1f",
            "MB at end": ".1f",
            "files then": ".0f",
            "files at end": ".0f",
        },
        rows=[row(kind, run, soaks["without"], count) for kind, run in soaks.items()],
        notes=(
            "lost: items that only the crawl without the plugin has; ratio: pages per second, to the first row.",
            f"then: the mean of the first tenth of the samples after {WARM_UP} pages; at end: of the last tenth.",
            *notes,
        ),
    )


SAMPLED = (("MB", 2), ("open files", 3))


def soak(kind: str, address: str, count: int) -> Soak:
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", f"{__package__}.soak_spider", kind, address, str(count), folder]
        finished = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        items: Counter[str] = Counter()
        with_text = 0
        with (Path(folder) / "items.jsonl").open(encoding="utf-8") as lines:
            for line in lines:
                item = json.loads(line)
                with_text += bool(item.pop("main_text", None))
                item.pop("blocks", None)
                items[json.dumps(item)] += 1
        with (Path(folder) / "samples.csv").open() as samples:
            return Soak(
                items, with_text, json.loads(finished.stdout), [[*map(float, line)] for line in csv.reader(samples)]
            )


def row(kind: str, run: Soak, without: Soak, count: int) -> dict[str, Any]:
    def ends(column: int) -> tuple[float, float]:
        values = run.after_warm_up(column)
        tenth = max(len(values) // 10, 1)
        return mean(values[:tenth]), mean(values[-tenth:])

    (megabytes, megabytes_at_end), (files, files_at_end) = ends(2), ends(3)
    return {
        "name": KINDS[kind],
        "items": run.items.total(),
        "lost": (without.items - run.items).total(),
        "with text": run.with_text,
        "errors": sum(value for name, value in run.stats.items() if name.startswith("boilerplate/errors")),
        "CPU ms/page": run.stats["cpu"] * 1000 / count,
        "pages/s": count / run.stats["wall"],
        "ratio": without.stats["wall"] / run.stats["wall"],
        "MB then": megabytes,
        "MB at end": megabytes_at_end,
        "files then": files,
        "files at end": files_at_end,
    }


def sparkline(column: int, run: Soak, width: int = 60) -> str:
    """Return the values over the pages as a row of bars, which start at zero, and their range."""
    values = [sample[column] for sample in run.samples]
    step = max(len(values) / width, 1)
    bars = [values[int(number * step)] for number in range(min(width, len(values)))]
    heights = "".join(BARS[round(value / max(values) * (len(BARS) - 1))] for value in bars)
    return f"{heights} {min(values):g} to {max(values):g}"


def draw(soaks: dict[str, Soak], path: Path) -> None:
    """Plot memory and open files over the pages; needs matplotlib."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 6), layout="constrained")
    for axes, (name, column) in zip(figure.subplots(2, 1, sharex=True), SAMPLED, strict=True):
        for kind, run in soaks.items():
            axes.plot(
                [sample[0] for sample in run.samples], [sample[column] for sample in run.samples], label=KINDS[kind]
            )
        axes.set_ylabel(name)
        axes.set_ylim(bottom=0)
    axes.set_xlabel("pages")
    axes.legend()
    figure.savefig(path)
