"""Markdown of pages with gold, ours beside that of others, element by element.

`python -m tests.benchmarks.markdown --data DIR`, where DIR has html/*.html.gz and ground-truth/*.json. Both sides are
read by markdown-it, so that nothing depends on how something is written. A kind of element counts on the pages whose
gold has some: the F1 of the two multisets, the mean over these pages.
"""

from __future__ import annotations

import argparse
import difflib
import gzip
import hashlib
import json
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import mean
from time import thread_time
from typing import Any
from urllib.parse import unquote, urljoin

import tldextract
from lxml import html
from markdown_it import MarkdownIt
from markdown_it.token import Token

from scrapy_boilerplate import extract

PACKAGES = ("lxml", "markdown-it-py", "trafilatura", "rs-trafilatura", "html-to-markdown", "turbohtml")
KINDS = ("headings", "links", "items", "rows", "code", "strong")
ROUNDS = 5
PARSER = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table")
SUFFIXES = tldextract.TLDExtract(suffix_list_urls=())  # the list that comes with the package: no download

Writer = Callable[[bytes, str], str]


@dataclass(frozen=True, slots=True)
class Example:
    name: str
    page: bytes
    url: str
    markdown: str


@dataclass(slots=True)
class Elements:
    """What a parser finds in Markdown: for each kind the elements, and all words."""

    found: dict[str, Counter[object]] = field(default_factory=lambda: {kind: Counter() for kind in KINDS})
    words: list[str] = field(default_factory=list)


def elements_of(markdown: str, url: str) -> Elements:
    """Read Markdown; addresses are relative to that of the page."""
    elements = Elements()
    items: list[list[str]] = []  # the texts of the open ones
    row: list[str] = []
    heading = False
    for token in PARSER.parse(markdown):
        kind = token.type
        if kind == "list_item_open":
            items.append([])
        elif kind == "list_item_close":
            add(elements, "items", " ".join(items.pop()))
        elif kind == "tr_open":
            row = []
        elif kind == "tr_close":
            if any(row):
                elements.found["rows"][tuple(row)] += 1
        elif kind == "heading_open":
            heading = True
        elif kind in ("fence", "code_block"):
            add(elements, "code", token.content)
            elements.words += words_of(token.content)
        elif kind == "inline":
            text = read_inline(token, url, elements)
            elements.words += words_of(text)
            if heading:
                add(elements, "headings", text)
                heading = False
            if items:
                items[-1].append(text)
            row.append(normal(text))
    return elements


def read_inline(token: Token, url: str, elements: Elements) -> str:
    """Return the text of a paragraph; links and strong emphasis in it are added to the elements."""
    pieces: list[str] = []
    open_links: list[tuple[int, str]] = []
    open_strong: list[int] = []
    for child in token.children or ():
        if child.type == "link_open":
            open_links.append((len(pieces), str(child.attrs.get("href", ""))))
        elif child.type == "link_close":
            start, address = open_links.pop()
            text = normal("".join(pieces[start:]))
            if text:
                elements.found["links"][text, absolute(address, url)] += 1
        elif child.type == "strong_open":
            open_strong.append(len(pieces))
        elif child.type == "strong_close":
            add(elements, "strong", "".join(pieces[open_strong.pop() :]))
        elif child.type in ("softbreak", "hardbreak"):
            pieces.append(" ")
        elif child.type == "html_inline":
            pieces.append(" " if child.content.lower().startswith("<br") else "")
        elif child.type != "image":
            pieces.append(child.content)
    return "".join(pieces)


def add(elements: Elements, kind: str, text: str) -> None:
    text = normal(text)
    if text:
        elements.found[kind][text] += 1


def normal(text: str) -> str:
    """The words of a text and their order: neither punctuation nor white space."""
    return " ".join(words_of(text)) or "".join(text.split())


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def absolute(address: str, url: str) -> str:
    try:
        return unquote(urljoin(url, address)).rstrip("/")
    except ValueError:
        return address


def f1(found: Counter[Any], wanted: Counter[Any]) -> float:
    total = found.total() + wanted.total()
    return 2 * (found & wanted).total() / total if total else 1.0


def order_f1(found: list[str], wanted: list[str]) -> float:
    """The share of words that both have in the same order."""
    matcher = difflib.SequenceMatcher(None, found, wanted, autojunk=False)
    common = sum(block.size for block in matcher.get_matching_blocks())
    return 2 * common / (len(found) + len(wanted)) if found or wanted else 1.0


def scores(found: Elements, gold: Elements) -> dict[str, float]:
    """The F1 of each kind of element that the gold has, of words, and of words in order."""
    result = {kind: f1(found.found[kind], gold.found[kind]) for kind in KINDS if gold.found[kind]}
    result["words"] = f1(Counter(found.words), Counter(gold.words))
    result["order"] = order_f1(found.words, gold.words)
    return result


def ours(page: bytes, url: str) -> str:
    return extract(page).to_markdown(base_url=url)


def trafilatura() -> Writer:
    from trafilatura import extract

    options = {"include_links": True, "include_formatting": True, "include_tables": True}
    return lambda page, url: extract(page, url=url, output_format="markdown", **options) or ""


def rs_trafilatura() -> Writer:
    from rs_trafilatura import extract_bytes

    return lambda page, _: extract_bytes(page, output_markdown=True).content_markdown or ""


def html_to_markdown() -> Writer:
    from html_to_markdown import convert

    def write(page: bytes, url: str) -> str:
        found = convert(page.decode("utf-8", "replace"))
        return found if isinstance(found, str) else found.content or ""

    return write


def turbohtml() -> Writer:
    import turbohtml

    return lambda page, _: turbohtml.parse(page).main_content().to_markdown()


def writers() -> dict[str, Writer]:
    """All that are installed."""
    others = {
        "trafilatura": trafilatura,
        "rs-trafilatura": rs_trafilatura,
        "html-to-markdown": html_to_markdown,
        "turbohtml": turbohtml,
    }
    found = {name: write for name, load in others.items() if (write := installed(load)) is not None}
    return {"ours": ours, **found}


def installed(load: Callable[[], Writer]) -> Writer | None:
    try:
        return load()
    except ImportError:
        return None


def written(write: Writer, example: Example) -> str:
    try:
        return write(example.page, example.url)
    except Exception:  # others may fail on strange pages
        return ""


def report(name: str, results: Iterable[dict[str, float]]) -> str:
    results = list(results)
    columns = (*KINDS, "words", "order")
    means = (mean(found[kind] for found in results if kind in found) for kind in columns)
    return f"{name:18}" + "".join(f"{value:>10.3f}" for value in means)


def worst(examples: list[Example], results: list[dict[str, float]], kind: str, count: int) -> Iterator[str]:
    pairs = sorted(
        (found[kind], example.name) for found, example in zip(results, examples, strict=True) if kind in found
    )
    for score, name in pairs[:count]:
        yield f"{kind} {score:.2f} {name}"


def cost(examples: list[Example]) -> str:
    """Our processor time beside that of a bare parse, the fastest of several rounds for each page."""
    parsing = writing = 0.0
    for example in examples:
        best = [float("inf")] * 2
        for _ in range(ROUNDS):
            document = extract(example.page)
            best[0] = min(best[0], seconds(lambda page=example.page: html.fromstring(page)))
            best[1] = min(best[1], seconds(lambda one=document, url=example.url: one.to_markdown(base_url=url)))
        parsing += best[0]
        writing += best[1]
    pages = len(examples)
    return (
        f"cost on {pages} pages: bare parse {1000 * parsing / pages:.2f} ms, "
        f"Markdown {1000 * writing / pages:.2f} ms a page: ratio {writing / parsing:.2f}"
    )


def seconds(task: Callable[[], object]) -> float:
    start = thread_time()
    task()
    return thread_time() - start


def read_examples(folder: Path, every: int) -> list[Example]:
    examples = []
    for path in sorted(folder.glob("ground-truth/*.json"))[::every]:
        record = json.loads(path.read_text())
        markdown = record["ground_truth"].get("main_content_markdown")
        if markdown:
            page = gzip.decompress((folder / "html" / f"{path.stem}.html.gz").read_bytes())
            examples.append(Example(path.stem, page, record.get("url") or "", markdown))
    return examples


def half_of(example: Example) -> int:
    """The half of the sites that a page belongs to; all pages of a registered domain are in the same one."""
    site = SUFFIXES(example.url).top_domain_under_public_suffix or example.url
    return hashlib.sha256(site.encode()).digest()[0] % 2 + 1


def version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def main() -> None:
    options = parse_arguments()
    logging.disable(logging.CRITICAL)  # some complain about pages in the log
    examples = [one for one in read_examples(options.data, options.every) if options.half in (None, half_of(one))]
    golds = [elements_of(example.markdown, example.url) for example in examples]
    print(f"{len(examples)} pages; " + ", ".join(f"{package} {version_of(package)}" for package in PACKAGES) + "\n")
    print(f"{'':18}" + "".join(f"{name:>10}" for name in (*KINDS, "words", "order")))
    counts = (sum(bool(gold.found[kind]) for gold in golds) for kind in KINDS)
    print(f"{'pages':18}" + "".join(f"{count:>10}" for count in counts))
    for name, write in writers().items():
        if options.only in (None, name):
            pairs = zip(examples, golds, strict=True)
            results = [scores(elements_of(written(write, one), one.url), gold) for one, gold in pairs]
            print(report(name, results), flush=True)
            for kind in KINDS if options.worst else ():
                print("\n".join(worst(examples, results, kind, options.worst)))
    print("\n" + cost(examples[:: options.cost_of]))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.markdown", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="pages and gold")
    parser.add_argument("--every", type=int, default=5, metavar="N", help="read every Nth page (5)")
    parser.add_argument("--half", type=int, choices=(1, 2), help="the sites that are read: of one half only")
    parser.add_argument("--only", metavar="NAME", help="this writer only")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="name the N worst pages of each kind")
    parser.add_argument("--cost-of", type=int, default=4, metavar="N", help="the cost is that of every Nth of them (4)")
    return parser.parse_args()


if __name__ == "__main__":
    main()
