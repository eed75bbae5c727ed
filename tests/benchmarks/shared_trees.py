"""What BOILERPLATE_SHARE_TREE saves and costs: spiders with and without selectors, with and without items.

    python -m tests.benchmarks.shared_trees --data DIR

Processor time of everything that happens to a page once it is downloaded, without Scrapy: the components of the plugin
are called as a crawl calls them.
"""

from __future__ import annotations

import argparse
import gc
from contextlib import suppress
from itertools import product
from pathlib import Path
from statistics import fmean
from time import thread_time

from lxml import html
from scrapy import Request
from scrapy.http import HtmlResponse
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from scrapy_boilerplate.crawl.cleaner import Cleaner
from scrapy_boilerplate.crawl.links import ItemLinks
from scrapy_boilerplate.options import Options

from .pages import load_pages

TURNS = 6
SPIDERS = {  # whether they use a selector, and whether they yield an item
    "selector and item": (True, True),
    "selector, no item": (True, False),
    "item, no selector": (False, True),
    "neither": (False, False),
}
FIELDS = (["main_text"], ["main_text", "blocks"])


def seconds(cleaner: Cleaner, page: bytes, uses_selector: bool, yields: bool) -> float:
    """The processor time from the beginning of the callback until its end, the items of the page included."""
    request = Request("https://example.com/")
    response = HtmlResponse("https://example.com/", body=page, request=request)
    began = thread_time()
    cleaner.callback_begins(response)
    if uses_selector:
        response.css("title::text").get()
    assert cleaner.links is not None
    item = {"url": response.url}
    if yields:
        cleaner.links.link(item, response)
        arrived = cleaner.links.arrived(item)
        assert arrived is not None
        with suppress(StopIteration):  # it never waits: there are no workers
            cleaner.values_of(arrived).send(None)
    cleaner.callback_ended(response)
    return thread_time() - began


def cleaner_for(fields: list[str], share: bool) -> Cleaner:
    options = Options.from_settings({"BOILERPLATE_FIELDS": fields, "BOILERPLATE_SHARE_TREE": share})
    cleaner = Cleaner(options, MemoryStatsCollector(get_crawler()))
    cleaner.links, cleaner.has_pipeline = ItemLinks(), True
    return cleaner


def parse_seconds(page: bytes) -> float:
    began = thread_time()
    html.fromstring(page)
    return thread_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.shared_trees", description=__doc__)
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder with html/*.html.gz (the example site)")
    parser.add_argument("--pages", type=int, default=100, metavar="N", help="number of pages (100)")
    options = parser.parse_args()
    pages = load_pages(options.data, options.pages)
    kinds = list(product(SPIDERS, range(len(FIELDS)), (False, True)))
    cleaners = {(number, share): cleaner_for(FIELDS[number], share) for _, number, share in kinds}
    best: dict[object, list[float]] = {kind: [] for kind in [*kinds, "parse"]}
    gc.freeze()  # makes the collections between the turns quick
    gc.disable()
    for page in pages:
        times: dict[object, list[float]] = {kind: [] for kind in best}
        for _ in range(TURNS):
            for kind in kinds:
                times[kind].append(seconds(cleaners[kind[1:]], page, *SPIDERS[kind[0]]))
            times["parse"].append(parse_seconds(page))
            gc.collect()  # a response and its selector are a cycle
        for kind in best:
            best[kind].append(min(times[kind]))
    parse = fmean(best["parse"])
    print(f"{len(pages)} pages, a bare parse takes {parse * 1000:.2f} ms; in parses:\n")
    print(f"{'':20}{'fields':20}{'own parse':>12}{'shared':>12}")
    for name, number in product(SPIDERS, range(len(FIELDS))):
        own, shared = (fmean(best[name, number, share]) / parse for share in (False, True))
        print(f"{name:20}{', '.join(FIELDS[number]):20}{own:12.2f}{shared:12.2f}")


if __name__ == "__main__":
    main()
