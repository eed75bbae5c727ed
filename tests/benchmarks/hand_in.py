"""What the scorers of public benchmarks read: our texts of their pages.

`python -m tests.benchmarks.hand_in BENCHMARK SOURCE OUTPUT --model mlp`, with the source that the adapter names; the
output is then scored by the benchmark's own program. docs/how-to/public-benchmarks.md has the commands for each.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrapy_boilerplate import Document, __version__, extract

from .report import progress

# WebMainBench's annotators have left these in its pages: which elements were chosen, and marks around bare texts.
_CHOSEN = re.compile(r"""\s(?:cc-select|data-anno-uid)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?""", re.IGNORECASE)
_MARKS = re.compile(r"</?marked-(?:text|tail|inline)\b[^>]*>", re.IGNORECASE)
_ANNOTATED_CLASS = re.compile(r"\b(?:mark-selected|cc-unloaded)\b")

Writer = Callable[[Path, "dict[str, Any]"], None]


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a benchmark, by the name that its scorer knows."""

    name: str
    html: str | bytes
    url: str | None = None
    record: dict[str, Any] | None = None  # what the benchmark has about it, if the scorer wants that back


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark: its pages, what it wants of each, and the file that its scorer reads."""

    source: str
    read: Callable[[Path], Iterator[Page]]
    answer: Callable[[Document, Page], Any]
    write: Writer


def zipped_pages(folder: Path) -> Iterator[Page]:
    for path in sorted(folder.glob("html/*.html.gz")):
        yield Page(path.name.removesuffix(".html.gz"), gzip.decompress(path.read_bytes()))


def wcxb_pages(folder: Path) -> Iterator[Page]:
    for page in zipped_pages(folder):
        record = json.loads((folder / "ground-truth" / f"{page.name}.json").read_text("utf-8"))
        yield Page(page.name, page.html, record.get("url") or None)


def web_main_bench_pages(path: Path) -> Iterator[Page]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield Page(record["track_id"], without_annotations(record["html"]), record.get("url") or None, record)


def without_annotations(page: str) -> str:
    """The page as it was before people marked its main content: nobody may see their marks."""
    return _ANNOTATED_CLASS.sub("", _MARKS.sub("", _CHOSEN.sub("", page)))


def write_json(path: Path, answers: dict[str, Any]) -> None:
    path.write_text(json.dumps(answers, ensure_ascii=False), "utf-8")


def write_with_version(path: Path, answers: dict[str, Any]) -> None:
    write_json(path, {"version": __version__, "output": answers})


def write_lines(path: Path, answers: dict[str, Any]) -> None:
    path.write_text("".join(json.dumps(answer, ensure_ascii=False) + "\n" for answer in answers.values()), "utf-8")


BENCHMARKS = {
    "article-extraction": Benchmark(
        "a checkout of scrapinghub/article-extraction-benchmark",
        zipped_pages,
        lambda document, _: {"articleBody": document.main_text},
        write_with_version,
    ),
    "wcxb": Benchmark(
        "the folder dev or test of Murrough-Foley/web-content-extraction-benchmark",
        wcxb_pages,
        lambda document, _: document.main_text,
        write_json,
    ),
    "webmainbench": Benchmark(
        "a data set of opendatalab/WebMainBench, such as WebMainBench_545.jsonl",
        web_main_bench_pages,
        # Its extractor `test-model` takes the text of a page from this key.
        lambda document, page: {**(page.record or {}), "llm_webkit_md": document.markdown},
        write_lines,
    ),
}


def answers_of(benchmark: Benchmark, source: Path, **options: Any) -> dict[str, Any]:
    """The answer for each page; ValueError if there is no page."""
    answers = {}
    for page in benchmark.read(source):
        answers[page.name] = benchmark.answer(extract(page.html, page.url, **options), page)
        progress(f"{len(answers)} pages")
    progress("")
    if not answers:
        raise ValueError(f"{source} has no pages; give {benchmark.source}")
    return answers


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.hand_in", description="Write what the scorers of public benchmarks read."
    )
    parser.add_argument("benchmark", choices=BENCHMARKS)
    parser.add_argument("source", type=Path, help="; ".join(f"{name}: {it.source}" for name, it in BENCHMARKS.items()))
    parser.add_argument("output", type=Path)
    parser.add_argument("--model", default="mlp", help="a model, by name or path (default: mlp)")
    parser.add_argument("--no-comments", action="store_false", dest="comments", help="without reader comments")
    arguments = parser.parse_args()
    benchmark = BENCHMARKS[arguments.benchmark]
    try:
        answers = answers_of(benchmark, arguments.source, model=arguments.model, comments=arguments.comments)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    benchmark.write(arguments.output, answers)
    print(f"{len(answers)} pages in {arguments.output}")


if __name__ == "__main__":
    main()
