"""`scrapy boilerplate PAGES`: print the main text of pages, as a crawl would extract it."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scrapy.exceptions import UsageError
from scrapy.http import Response

from ..clean import clean
from ..not_cleaned import NotCleaned
from ..options import Options, add_flags
from .formats import FORMATS, PageWriter, format_of, is_view
from .mistakes import reason_of, tell
from .progress import progress
from .project import PAGE_FLAGS, Project
from .sources import Source, sources_of
from .urls import is_url

SYNTAX = "[options] <url, file, folder or -> ..."


@dataclass(frozen=True, slots=True)
class _Page:
    """A page that was fetched or read, with the style sheets that are at hand if it is to be shown."""

    name: str
    content: bytes | Response
    url: str | None
    sheets: Mapping[str, str]


def add_options(parser: ArgumentParser) -> None:
    add_flags(parser, PAGE_FLAGS)
    parser.add_argument("--spider", metavar="NAME", help="use the settings of this spider")
    parser.add_argument("--url", metavar="URL", help="the address of a page from a file or -, for its links and dates")
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        "--format",
        choices=FORMATS,
        help="text: the main text, the default; markdown, html: the same with its structure; blocks: all blocks with"
        " their scores; json: everything; jsonl: everything, a line for each page; cleaneval: the main text with"
        " CleanEval's <h>, <p> and <l>",
    )
    for name in ("markdown", "html", "blocks", "json", "jsonl"):
        output.add_argument(f"--{name}", action="store_const", dest="format", const=name, help=f"--format {name}")
    output.add_argument("--view", action="store_true", help="show the page in the browser, with its blocks marked")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write to this file; .md, .json, .jsonl and .txt choose the format, .html gets the view",
    )
    parser.add_argument("--fail", action="store_true", help="exit with 1 if a page has no main text")


def run(args: list[str], opts: Namespace) -> int:
    """Get the pages, and print them or show one in the browser. Return the exit code."""
    if not args:
        raise UsageError("name a URL or a file; see -h for more", print_help=False)
    sources = sources_of(args)
    _check(sources, opts)
    project: Project = opts.project
    urls = [source.url for source in sources if source.url]
    options = project.options(*urls[:1])
    fetched = dict(zip(urls, project.fetch(urls, with_sheets=is_view(opts)), strict=True))
    pages = (_page(source, fetched.get(source.url or ""), opts) for source in sources)
    return _show(next(pages), options, opts) if is_view(opts) else _print(pages, len(sources), options, opts)


def _check(sources: Sequence[Source], opts: Namespace) -> None:
    if is_view(opts) and len(sources) > 1:
        raise UsageError(f"a view shows one page, not {len(sources)}; --html prints several", print_help=False)
    if opts.url and (len(sources) > 1 or sources[0].url):
        raise UsageError("--url is for one page from a file or from standard input", print_help=False)
    if opts.url and not is_url(opts.url):
        raise UsageError(f"--url {opts.url}: must begin with http:// or https://", print_help=False)


def _page(source: Source, fetched: object, opts: Namespace) -> _Page | None:
    """Return the page of a source. If it can't be had, say why and return None."""
    if isinstance(fetched, tuple):
        page, sheets = fetched
        if page.status >= 400:  # possible if Scrapy's settings let error pages through
            tell(f"{source.name} answered {page.status}; this is its error page")
        return _Page(page.url, page, page.url, sheets)
    if fetched is not None:
        tell(f"{source.name} {fetched}")
        return None
    try:
        body = source.read()
    except OSError as error:
        tell(reason_of(error))
        return None
    return _Page(source.name, body, opts.url, _sheets_beside(source.file, body) if is_view(opts) else {})


def _sheets_beside(file: Path | None, body: bytes) -> dict[str, str]:
    from ..review.sheets import sheets_beside

    return sheets_beside(body, file) if file else {}


def _show(page: _Page | None, options: Options, opts: Namespace) -> int:
    from .show import show

    return 1 if page is None else show(page.name, page.content, options, opts.output, page.sheets, page.url)


def _print(pages: Iterator[_Page | None], count: int, options: Options, opts: Namespace) -> int:
    """Print the pages in the chosen format. Return 1 if one is missing, or has no text and `--fail` is given."""
    is_complete = True
    shown = progress(0 if sys.stdout.isatty() and not opts.output else count, "pages")
    with PageWriter(format_of(opts), opts.output, several=count > 1) as writer, shown as advance:
        for number, page in enumerate(pages, start=1):
            is_complete &= page is not None and _print_page(page, options, opts, writer)
            advance(number)
    return 0 if is_complete else 1


def _print_page(page: _Page, options: Options, opts: Namespace, writer: PageWriter) -> bool:
    try:
        document = clean(page.content, options, url=page.url)
    except NotCleaned as reason:
        tell(f"{page.name} is not cleaned: {reason.message}")
        return False
    writer.add(page.name, document)
    if document.main_text:
        return True
    print(f"{page.name}: no main text found in {len(document.blocks)} blocks", file=sys.stderr)
    return not opts.fail
