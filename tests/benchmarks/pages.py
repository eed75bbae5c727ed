"""The pages for the benchmarks: the same arguments always give the same pages."""

from __future__ import annotations

import gzip
from pathlib import Path

from scrapy_boilerplate.train.timing import spread

EXAMPLE_SITE = Path(__file__).parents[2] / "example_project" / "newsroom" / "site"


def load_pages(data: Path | None, count: int) -> list[bytes]:
    """Return at most `count` pages, evenly spread over DIR/html/*.html.gz, or by default over the example site."""
    paths = sorted(data.glob("html/*.html.gz") if data else EXAMPLE_SITE.rglob("*.html"))
    if not paths:
        raise SystemExit(f"no pages: {data / 'html/*.html.gz' if data else EXAMPLE_SITE / '**/*.html'}")
    return [_read(path) for path in spread(paths, count)]


def _read(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
