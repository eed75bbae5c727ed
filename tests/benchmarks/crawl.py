"""Whole crawls over HTTP: the same spider without and with the plugin, and with trafilatura in a pipeline."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .report import Table, progress
from .server import serving

COUNT = 500
WITHOUT = "without"

# Keys are the kinds of spider.py, which only the crawls import.
LABELS = {
    WITHOUT: "without",
    "plugin": "with the plugin (main_text and blocks)",
    "plugin, and extract()": "with the plugin, and extract() in the callback",
    "plugin, main_text only": "with the plugin (main_text only)",
    "plugin, main_text only, shared tree": "with the plugin (main_text only, BOILERPLATE_SHARE_TREE)",
    "trafilatura": "with trafilatura in a pipeline",
}
# One round is enough for trafilatura: it takes longer than all others together, and is far from them.
ROUNDS = {kind: 1 if kind == "trafilatura" else 3 for kind in LABELS}


def benchmark(pages: list[bytes]) -> Table:
    missing = [] if find_spec("trafilatura") else ["trafilatura"]
    kinds = [kind for kind in LABELS if kind not in missing]
    runs: dict[str, list[dict[str, Any]]] = {kind: [] for kind in kinds}
    with serving(pages) as address:
        for number in range(max(ROUNDS.values())):
            for kind in kinds:
                if number < ROUNDS[kind]:
                    progress(f"crawl {LABELS[kind]}: round {number + 1} of {ROUNDS[kind]}")
                    runs[kind].append(crawl(kind, address, COUNT))
    best = {kind: {key: min(run[key] for run in runs[kind]) for key in runs[kind][0]} for kind in kinds}
    return Table(
        name="crawl",
        heading=f"{COUNT} pages over HTTP, best of {ROUNDS[WITHOUT]} rounds; other columns exclude the start-up",
        columns={
            "name": "",
            "start-up CPU s": ".2f",
            "CPU s": ".2f",
            "CPU ms/page": ".2f",
            "wall s": ".2f",
            "pages/s": ".0f",
            "CPU ratio": ".2f",
            "wall ratio": ".2f",
            "with text": "d",
        },
        rows=[row(kind, best[kind], best[WITHOUT]) for kind in kinds],
        notes=("not installed: trafilatura",) if missing else ("trafilatura: one round",),
    )


def crawl(kind: str, address: str, count: int) -> dict[str, Any]:
    """Run a crawl in a process of its own, and check its items."""
    with TemporaryDirectory() as folder:
        feed = Path(folder) / "items.jsonl"
        command = [sys.executable, "-m", f"{__package__}.spider", kind, address, str(count), str(feed)]
        finished = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        items = [json.loads(line) for line in feed.read_text(encoding="utf-8").splitlines()]
    if len(items) != count:
        raise RuntimeError(f"the crawl {kind!r} gave {len(items)} items instead of {count}")
    texts = [item.get("main_text") for item in items]
    if kind.startswith("plugin") and (None in texts or not any(texts)):  # "" is a page without content
        raise RuntimeError(f"the crawl {kind!r} did not fill every item's main_text")
    return {**json.loads(finished.stdout), "with_text": sum(map(bool, texts))}


def row(kind: str, best: dict[str, Any], without: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": LABELS[kind],
        "start-up CPU s": best["start_up"],
        "CPU s": best["cpu"],
        "CPU ms/page": best["cpu"] * 1000 / COUNT,
        "wall s": best["wall"],
        "pages/s": COUNT / best["wall"],
        "CPU ratio": best["cpu"] / without["cpu"],
        "wall ratio": best["wall"] / without["wall"],
        "with text": best["with_text"],
    }
