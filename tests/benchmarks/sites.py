"""What a site memory brings: word F1 with and without it, all pages at once and one after the other.

    python -m tests.benchmarks.sites --data DIR [DIR ...]

Pages are grouped by host. All at once, every page is judged by all others of its host; online, by those before it, in
a random order.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from statistics import fmean, median
from time import thread_time

from lxml import html

from scrapy_boilerplate import Document, SiteMemory, extract
from scrapy_boilerplate.site.texts import host_of
from scrapy_boilerplate.train.data import Example, read_examples
from scrapy_boilerplate.train.figures import word_quality

from .report import progress

BY_PAGES_SEEN = (0, 1, 2, 3, 5, 8, 16, 32)
MANY = 5  # pages of a host
LOSS = 0.01  # of a host's mean F1, from which on it is named
_NONE = SiteMemory(learns=False)


@dataclass(frozen=True, slots=True)
class Figures:
    """The word F1 of a page: alone, with all other pages of its host, and with those before it."""

    host: str
    pages: int  # of the host
    seen: int  # pages before it
    alone: float
    together: float
    online: float


def measure(examples: Sequence[Example], model: str, seed: int = 0) -> list[Figures]:
    """The figures of all pages with a gold text and an address; of each host in a random order."""
    hosts: dict[str, list[Example]] = defaultdict(list)
    for example in examples:
        if example.gold is not None and (host := host_of(example.url or "")):
            hosts[host].append(example)
    figures: list[Figures] = []
    for host, pages in sorted(hosts.items()):
        random.Random(seed).shuffle(pages)
        figures += _of_host(host, pages, model)
        progress(f"{len(figures)} pages")
    return figures


def _of_host(host: str, examples: Sequence[Example], model: str) -> Iterable[Figures]:
    memory, all_pages = SiteMemory(), SiteMemory(learns=False)
    online: list[Document] = []
    for example in examples:
        online.append(extract(example.read(), example.url, model=model, site=memory))
        all_pages.learn(online[-1].page_texts)
    for seen, (example, document) in enumerate(zip(examples, online, strict=True)):
        page = example.read()
        texts = [
            extract(page, example.url, model=model, site=_NONE).main_text,
            extract(page, example.url, model=model, site=all_pages).main_text,
            document.main_text,
        ]
        yield Figures(host, len(examples), seen, *(word_quality(text, example.gold or "").f1 for text in texts))


def table(name: str, figures: Sequence[Figures]) -> str:
    """The figures as text: means, hosts that gain and lose, and the gain by pages seen."""
    hosts: dict[str, list[Figures]] = defaultdict(list)
    for page in figures:
        hosts[page.host].append(page)
    gains = {host: fmean(page.online - page.alone for page in pages) for host, pages in hosts.items()}
    shared = [gain for host, gain in gains.items() if len(hosts[host]) > 1]
    lines = [
        f"{name}: {len(figures)} pages of {len(hosts)} hosts, {len(shared)} of them with several pages",
        f"  {'':34} {'pages':>6} {'alone':>7} {'together':>9} {'online':>8}",
        *(
            _row(label, [page for page in figures if first <= page.pages <= last])
            for label, first, last in (
                ("all", 1, 10**9),
                ("hosts with one page", 1, 1),
                ("hosts with several pages", 2, 10**9),
                (f"hosts with {MANY} pages or more", MANY, 10**9),
            )
        ),
        "  online, by pages seen before",
    ]
    for first, end in zip(BY_PAGES_SEEN, (*BY_PAGES_SEEN[1:], 10**9), strict=True):
        label = (
            f"    {first}" if end == first + 1 else f"    {first} to {end - 1}" if end < 10**9 else f"    {first} on"
        )
        lines.append(_row(label, [page for page in figures if page.pages > 1 and first <= page.seen < end]))
    losers = sorted((gain, host) for host, gain in gains.items() if gain < -LOSS)
    if shared:
        lines.append(
            f"  hosts: median {median(shared):+.4f}, best {max(shared):+.4f}; {len(losers)} lose more than {LOSS}"
        )
    lines += [f"    {gain:+.4f} {host} ({len(hosts[host])} pages)" for gain, host in losers]
    return "\n".join(line for line in lines if line)


def _row(label: str, pages: Sequence[Figures]) -> str:
    if not pages:
        return ""
    alone, together, online = (fmean(getattr(page, name) for page in pages) for name in ("alone", "together", "online"))
    return f"  {label:34} {len(pages):6} {alone:7.4f} {together - alone:+9.4f} {online - alone:+8.4f}"


def cost(examples: Sequence[Example], model: str, repeats: int) -> str:
    """The time that a memory takes, in bare parses, on the hosts with several pages: fastest of several runs."""
    hosts = Counter(host_of(example.url or "") for example in examples)
    del hosts[""]
    pages = [(example.read(), example.url) for example in examples if hosts[host_of(example.url or "")] > 1]
    fastest = {name: [inf] * len(pages) for name in ("parse", "without", "with")}
    for run in range(repeats):
        memory = SiteMemory()
        for number, (page, url) in enumerate(pages):
            tasks = {
                "parse": partial(html.fromstring, page),
                "without": partial(extract, page, url, model=model),
                "with": partial(extract, page, url, model=model, site=memory),
            }
            for name, task in tasks.items():
                start = thread_time()
                task()
                fastest[name][number] = min(fastest[name][number], thread_time() - start)
        progress(f"{run + 1} of {repeats} runs")
    parse, without, with_memory = (1000 * fmean(fastest[name]) for name in ("parse", "without", "with"))
    kilobytes = memory.nbytes / 1000 / max(len(memory), 1)
    return (
        f"{len(pages)} pages, ms: bare parse {parse:.2f}, extract() {without:.2f}, with a memory {with_memory:.2f}; "
        f"the memory takes {(with_memory - without) / parse:.3f} of a bare parse and {kilobytes:.1f} kB a host"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.sites", description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", required=True, metavar="DIR", help="folders of labelled pages")
    parser.add_argument("--model", default="mlp", metavar="NAME", help="a model's name or file (default: mlp)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the random order (default: 0)")
    parser.add_argument("--cost", type=int, metavar="RUNS", help="measure the time instead, fastest of so many runs")
    options = parser.parse_args()
    for folder in options.data:
        if options.cost:
            print(folder.name, cost(read_examples(folder), options.model, options.cost), flush=True)
            continue
        figures = measure(read_examples(folder), options.model, options.seed)
        progress("")
        print(table(folder.name, figures), flush=True)


if __name__ == "__main__":
    main()
