"""The command: reads the pages, runs the benchmarks, prints a table for each."""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

from . import crawl, extract, growth, spark, warc
from .pages import load_pages
from .report import Table, progress, versions


def main() -> None:
    options = parse_arguments()
    pages = load_pages(options.data, options.pages)
    logging.disable(logging.CRITICAL)  # some extractors complain about pages in the log
    tables = []
    for name in [options.only] if options.only else ["extract", "crawl", "growth", "warc"]:
        table = run(name, pages, options.repeats)
        progress("")
        print(table, end="\n\n", flush=True)
        tables.append(table)
    if options.json:
        results = {"versions": versions(), **{table.name: table.rows for table in tables}}
        options.json.write_text(json.dumps(results, indent=2) + "\n")


def run(name: str, pages: list[bytes], repeats: int) -> Table:
    if name == "extract":
        return extract.benchmark(pages, repeats)
    if name == "crawl":
        return crawl.benchmark(pages)
    if name == "warc":
        return warc.benchmark(pages, repeats)
    if name == "spark":
        return spark.benchmark(pages, repeats)
    return growth.benchmark(repeats)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="What cleaning a page costs.")
    parser.add_argument("--data", type=Path, metavar="DIR", help="a folder with html/*.html.gz; else the example site")
    parser.add_argument("--pages", type=positive, default=100, metavar="N", help="how many of its pages (100)")
    parser.add_argument("--repeats", type=positive, default=3, metavar="N", help="how often each page is timed (3)")
    parser.add_argument(
        "--only", choices=["extract", "crawl", "growth", "warc", "spark"], help="one, instead of all but spark"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers there too")
    return parser.parse_args()


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


if __name__ == "__main__":
    main()
