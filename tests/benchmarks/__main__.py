"""The command: read the pages, run the benchmarks, print a table for each."""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

from . import core, crawl, extract, growth, hostile, soak, spark, warc, workers
from .pages import load_pages
from .report import Table, is_compiled, progress, versions

BENCHMARKS = ("extract", "crawl", "growth", "core", "workers", "soak", "warc", "spark", "hostile")


def main() -> None:
    options = parse_arguments()
    pages = load_pages(options.data, 100 if options.only == "soak" else options.pages or 100)
    logging.disable(logging.CRITICAL)  # some extractors complain about pages in the log
    tables = []
    for name in [options.only] if options.only else BENCHMARKS[:3]:
        table = run(name, pages, options)
        progress("")
        print(table, end="\n\n", flush=True)
        tables.append(table)
    if not is_compiled():
        print("measured in plain Python: scrapy-boilerplate-removal was installed without compiled modules")
    if options.json:
        results = {"versions": versions(), **{table.name: table.rows for table in tables}}
        options.json.write_text(json.dumps(results, indent=2) + "\n")


def run(name: str, pages: list[bytes], options: argparse.Namespace) -> Table:
    if name == "extract":
        return extract.benchmark(pages, options.repeats)
    if name == "core":
        return core.benchmark(pages, options.repeats)
    if name == "crawl":
        return crawl.benchmark(pages)
    if name == "warc":
        return warc.benchmark(pages, options.repeats)
    if name == "spark":
        return spark.benchmark(pages, options.repeats)
    if name == "workers":
        return workers.benchmark(pages)
    if name == "hostile":
        return hostile.benchmark(pages)
    if name == "soak":
        return soak.benchmark(pages, options.pages or 50_000, options.plot)
    return growth.benchmark(options.repeats)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks", description="Measure the time and memory of cleaning pages."
    )
    parser.add_argument(
        "--data", type=Path, metavar="DIR", help="folder with html/*.html.gz (default: the example site)"
    )
    parser.add_argument("--pages", type=positive, metavar="N", help="number of pages (default: 100; soak: 50000)")
    parser.add_argument("--repeats", type=positive, default=3, metavar="N", help="runs of each page (default: 3)")
    parser.add_argument("--only", choices=BENCHMARKS, help="run this one instead of the first three")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="plot the soak's memory and open files")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers as JSON")
    return parser.parse_args()


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


if __name__ == "__main__":
    main()
