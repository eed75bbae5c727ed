"""The report of a crawl: its pages by confidence, least sure first, with highlighted views."""

from __future__ import annotations

import heapq
import logging
import shlex
import zlib
from bisect import bisect
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..options import Options
from .summary import TENTHS, PageSummary
from .view import file_text, fill, highlighted, script_hash

logger = logging.getLogger(__name__)

# A crawl may have more pages than fit into memory: all of them are counted, the least sure ones are listed, and the
# least sure of the listed ones are stored, for their views.
MOST_LISTED = 1000
MOST_VIEWS = 100
MOST_BYTES = 50_000_000  # of the stored pages, compressed

MOST_LABELLED = 10
_LABEL = ("scrapy", "boilerplate", "label")
_WORDS = [1, 20, 50, 100, 200, 500, 1000, 2000, 5000]


@dataclass(frozen=True, slots=True)
class _Listed:
    """A page in the report's list."""

    number: int
    url: str
    title: str | None
    score: float
    words: int
    kept: int
    blocks: int
    page_type: str | None
    repeated: int  # blocks that other pages of the site hold, too


@dataclass(frozen=True, slots=True)
class _Stored:
    """The source of a page, with the attributes of a response that `extract()` reads."""

    compressed: bytes
    encoding: str | None
    options: Options
    other_pages: tuple[tuple[int, int], ...]

    @property
    def body(self) -> bytes:
        return zlib.decompress(self.compressed)


class CrawlReport:
    """Collects the pages of a crawl in bounded memory, and writes the report at its end."""

    def __init__(
        self, path: str, *, listed: int = MOST_LISTED, views: int = MOST_VIEWS, most_bytes: int = MOST_BYTES
    ) -> None:
        self._path = Path(path)
        self._most_listed, self._most_views, self._most_bytes = listed, views, most_bytes
        self._pages = 0
        self._bytes = 0
        self._repeated = 0
        # Heaps with the surest page on top, which is dropped first.
        self._listed: list[tuple[float, int, _Listed]] = []
        self._stored: list[tuple[float, int, _Stored]] = []
        self._confidences: Counter[int] = Counter()
        self._words: Counter[int] = Counter()
        self._scores: Counter[int] = Counter()

    def add(self, url: str, body: bytes, encoding: str | None, summary: PageSummary, options: Options) -> None:
        """Add a page that was cleaned."""
        self._pages += 1
        self._confidences[bisect(TENTHS, summary.score)] += 1
        self._words[bisect(_WORDS, summary.words)] += 1
        self._scores.update(summary.scores)
        page = _Listed(
            *(self._pages, url, summary.title, summary.score, summary.words),
            kept=summary.kept,
            blocks=len(summary.scores),
            page_type=summary.page_type,
            repeated=len(summary.other_pages),
        )
        heapq.heappush(self._listed, (-summary.score, -self._pages, page))
        if len(self._listed) > self._most_listed:
            heapq.heappop(self._listed)
        self._repeated += len(summary.other_pages)
        self._store(summary, body, encoding, options)

    def _store(self, summary: PageSummary, body: bytes, encoding: str | None, options: Options) -> None:
        score = summary.score
        if len(self._stored) == self._most_views and -score <= self._stored[0][0]:
            return  # it would be dropped at once
        page = _Stored(zlib.compress(body, 1), encoding, options, summary.other_pages)
        heapq.heappush(self._stored, (-score, -self._pages, page))
        self._bytes += len(page.compressed)
        while len(self._stored) > self._most_views or self._bytes > self._most_bytes:
            self._bytes -= len(heapq.heappop(self._stored)[2].compressed)

    def write(self, crawl: str, stats: Mapping[str, Any]) -> None:
        """Write the report, and the views into a folder next to it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        listed = [page for _, _, page in sorted(self._listed, reverse=True)]
        views = self._write_views({page.number: page for page in listed})
        script = file_text("copy.js") + file_text("report.js")
        has_types = any(page.page_type for page in listed)
        parts = {
            "title": escape(f"Crawl report: {crawl}"),
            "policy": escape(f"default-src 'none'; style-src 'unsafe-inline'; script-src {script_hash(script)}"),
            "style": file_text("report.css"),
            "script": script,
            "summary": escape(self._summary(len(listed), len(views))),
            "charts": self._charts(),
            "type_head": '<th scope="col">Type</th>' if has_types else "",
            "pages": "".join(_row(page, views.get(page.number), has_types) for page in listed),
            "label": _label_section(listed),
            "stats": "".join(
                f"<tr><th scope=row>{escape(name)}</th><td>{escape(str(value))}</td></tr>"
                for name, value in sorted(stats.items())
            ),
        }
        self._path.write_text(fill("report.html", parts), encoding="utf-8")

    def _write_views(self, listed: Mapping[int, _Listed]) -> dict[int, str]:
        """Write a view of each stored page. Return their addresses, relative to the report, by page number."""
        folder = self._path.with_name(self._path.stem + "_files")
        views: dict[int, str] = {}
        for _, negative, stored in sorted(self._stored, key=lambda entry: entry[:2], reverse=True):
            page = listed.get(-negative)
            if page is None:
                continue
            try:
                view = self._view(page.url, stored)
            except ValueError as error:  # the page has no text
                logger.info("No view of %s: %s", page.url, error)
                continue
            folder.mkdir(exist_ok=True)
            file = folder / f"{len(views) + 1:04}.html"
            file.write_text(view, encoding="utf-8")
            views[page.number] = quote(f"{folder.name}/{file.name}")
        return views

    def _view(self, url: str, page: _Stored) -> str:
        other_pages, back = dict(page.other_pages), f"../{quote(self._path.name)}"
        return highlighted(page, url, page.options, url=url, others=False, other_pages=other_pages, back=back)

    def _summary(self, listed: int, views: int) -> str:
        pages = f"{self._pages:,} page{'s' if self._pages != 1 else ''} cleaned"
        if self._pages > listed:
            pages += f"; the {listed:,} least sure are listed"
        if self._repeated:
            pages += f"; {self._repeated:,} blocks dropped that other pages of their site hold, too"
        return f"{pages}; {views:,} with a view."

    def _charts(self) -> str:
        tenths = [f"0.{number}" for number in range(10)]
        words = ["0", *(f"{low:,}" for low in _WORDS)]
        return "".join(
            (
                chart("Pages by confidence", "from 0.0 (not sure at all) to 1.0 (sure)", tenths, self._confidences),
                chart("Pages by words kept", "each bar counts from its number up to the next one", words, self._words),
                chart("Blocks by score", "from 0.0 (boilerplate) to 1.0 (content)", tenths, self._scores),
            )
        )


def chart(title: str, explanation: str, labels: Sequence[str], counts: Mapping[int, int]) -> str:
    """Return a bar chart as SVG, with its numbers."""
    width, height, top, bottom = 40, 110, 18, 18
    largest = max(counts.values(), default=0) or 1
    bars = []
    for number, label in enumerate(labels):
        count = counts.get(number, 0)
        bar = round(height * count / largest)
        left, middle = number * width + 4, number * width + width // 2
        bars.append(
            f'<rect x="{left}" y="{top + height - bar}" width="{width - 8}" height="{bar}" rx="2"/>'
            f'<text class="count" x="{middle}" y="{top + height - bar - 4}">{_short(count) if count else ""}</text>'
            f'<text x="{middle}" y="{top + height + bottom - 4}">{label}</text>'
        )
    told = "; ".join(f"{label}: {counts.get(number, 0):,}" for number, label in enumerate(labels))
    box = f"0 0 {len(labels) * width} {top + height + bottom}"
    return (
        f"<figure><figcaption>{title} <span>{explanation}</span></figcaption>"
        f'<svg viewBox="{box}" role="img" aria-label="{escape(told)}">'
        f'<path d="M0 {top + height}.5H{len(labels) * width}"/>{"".join(bars)}</svg></figure>'
    )


def _short(count: int) -> str:
    return str(count) if count < 10_000 else f"{count // 1000}k"


def _row(page: _Listed, view: str | None, has_types: bool) -> str:
    title = escape(page.title or "(without a title)")
    name = f'<a href="{escape(view)}">{title}</a>' if view else title
    repeated = f", {page.repeated:,} also on other pages" if page.repeated else ""
    page_type = f'<td data-type="{escape(page.page_type or "")}">{escape(page.page_type or "–")}</td>'
    return (
        f'<tr data-url="{escape(page.url)}">'
        f'<td data-value="{page.score}"><i><b style="width:{page.score:.0%}"></b></i>{page.score:.2f}</td>'
        f"<td>{name}<span>{escape(page.url)}</span></td>{page_type if has_types else ''}"
        f'<td data-unit="words" data-value="{page.words}">{page.words:,}</td>'
        f'<td data-unit="blocks" data-value="{page.kept}">{page.kept:,} of {page.blocks:,}{repeated}</td></tr>'
    )


def _label_section(pages: Sequence[_Listed]) -> str:
    """Return the command that opens the first pages for labelling, "" if none of them can be fetched again."""
    urls = [page.url for page in pages if is_fetchable(page.url)][:MOST_LABELLED]
    return fill("label_command.html", {"command": escape(shlex.join([*_LABEL, *urls]))}) if urls else ""


def is_fetchable(url: str) -> bool:
    """Whether the command can fetch a page again, and a shell takes its address for one word without any effects."""
    return url.startswith(("http://", "https://")) and url.isprintable() and " " not in url
