"""`scrapy boilerplate URL-or-file`: what the crawl would make of one page."""

from __future__ import annotations

import json
import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

from scrapy import Request, Spider
from scrapy.commands import ScrapyCommand
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError
from scrapy.http import HtmlResponse, Response
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.spider import DefaultSpider, spidercls_for_request
from w3lib.url import is_url

from ..document import Document, extract
from ..filters import FILTER_NAMES
from ..models import MODELS
from ..review.sheets import sheets_beside
from ..settings import Options
from . import compare, evaluate, label, train, warc
from .show import fetch_sheets, show

# Modules with SYNTAX, add_options() and run(); what else stands after `scrapy boilerplate` is a page.
_SUBCOMMANDS: dict[str, ModuleType] = {
    "compare": compare,
    "evaluate": evaluate,
    "label": label,
    "train": train,
    "warc": warc,
}


class Command(ScrapyCommand):
    """Fetch a page as the project's crawls do, or read it from a file, and print its main text; or a subcommand."""

    requires_project = False

    def syntax(self) -> str:
        return " | ".join(["[options] <url-or-file>", *(module.SYNTAX for module in _SUBCOMMANDS.values())])

    def short_desc(self) -> str:
        return "Print the main text of a page"

    def long_desc(self) -> str:
        return (
            "Fetch a URL with Scrapy's downloader and the project's settings, or read a file, and print the main text"
            " of the page. What the options leave open is taken from the BOILERPLATE_* settings."
        )

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parse = parser.parse_known_args

        def add_options_and_parse(args: list[str]) -> tuple[Namespace, list[str]]:
            # Which options there are depends on the first word, and Scrapy shows it to nobody before this.
            subcommand = _SUBCOMMANDS.get(args[0]) if args else None
            if subcommand:
                subcommand.add_options(parser)
            else:
                _add_page_options(parser)
            return parse(args)

        parser.parse_known_args = add_options_and_parse  # type: ignore[method-assign,assignment]

    def process_options(self, args: list[str], opts: Namespace) -> None:
        super().process_options(args, opts)
        assert self.settings is not None
        # Beside the text only what went wrong is shown, whatever the project logs, unless the user asks for more.
        if (self.settings.getpriority("LOG_LEVEL") or 0) < SETTINGS_PRIORITIES["cmdline"]:
            self.settings.set("LOG_LEVEL", "WARNING", priority="cmdline")

    def run(self, args: list[str], opts: Namespace) -> None:
        if args and args[0] == "label":  # the one that needs a crawl
            options = _options(self._crawler_for(opts), opts)
            self.exitcode = label.run(args[1:], opts, options, lambda urls: self._fetch_all(urls, opts))
            return
        if args and args[0] in _SUBCOMMANDS:
            opts.settings = self.settings
            self.exitcode = _SUBCOMMANDS[args[0]].run(args[1:], opts) or 0
            return
        if len(args) != 1:
            raise UsageError
        [page] = args
        file = Path(page)
        if file.is_file():
            crawler = self._crawler_for(opts)
            body = file.read_bytes()
            sheets = sheets_beside(body, file) if opts.view or opts.output else {}
            self.exitcode = _print(page, body, _options(crawler, opts), opts, sheets)
        elif is_url(page):
            self._fetch(page, opts)
        else:
            raise UsageError(f"neither a URL nor a file: {page}", print_help=False)

    def _crawler_for(self, opts: Namespace, *requests: Request) -> Crawler:
        """A crawler for these requests, with the settings of the spider that would make the first one."""
        assert self.crawler_process is not None
        loader = self.crawler_process.spider_loader
        spider_class: type[Spider] = DefaultSpider
        if opts.spider:
            spider_class = loader.load(opts.spider)
        elif requests:
            spider_class = spidercls_for_request(loader, requests[0], DefaultSpider) or DefaultSpider

        async def start(_: Spider) -> AsyncIterator[Any]:
            for request in requests:
                yield request

        return self.crawler_process.create_crawler(type(spider_class.__name__, (spider_class,), {"start": start}))

    def _fetch(self, url: str, opts: Namespace) -> None:
        assert self.crawler_process is not None
        request = Request(url, callback=self._fetched, errback=self._failed, dont_filter=True)
        # An error page is a page too: whoever asks for it wants to see what is made of it.
        request.meta["handle_httpstatus_list"] = list(range(400, 600))
        crawler = self._crawler_for(opts, request)
        request.cb_kwargs.update(crawler=crawler, options=_options(crawler, opts), opts=opts)
        self.exitcode = 1  # until there is something to show
        self.crawler_process.crawl(crawler)
        self.crawler_process.start()

    def _fetch_all(self, urls: Sequence[str], opts: Namespace) -> list[label.Fetched]:
        """The pages at these addresses, with their style sheets; in place of one that can't be had, why."""
        assert self.crawler_process is not None
        results: dict[str, label.Fetched] = {}

        async def fetched(response: Response, url: str) -> None:
            if isinstance(response, HtmlResponse):
                results[url] = response, await fetch_sheets(crawler, response)
            else:
                results[url] = _not_html(response)

        def failed(failure: Any) -> None:
            response = getattr(failure.value, "response", None)
            reason = f"it answered {response.status}" if response is not None else failure.getErrorMessage()
            results[failure.request.cb_kwargs["url"]] = f"could not be fetched: {reason or failure.type.__name__}"

        requests = [
            Request(url, fetched, errback=failed, cb_kwargs={"url": url}, dont_filter=True) for url in set(urls)
        ]
        crawler = self._crawler_for(opts, *requests)
        self.crawler_process.crawl(crawler)
        self.crawler_process.start()
        return [results.get(url, "could not be fetched; the log says why") for url in urls]

    async def _fetched(self, response: Response, crawler: Crawler, options: Options, opts: Namespace) -> None:
        if not isinstance(response, HtmlResponse):
            print(f"{response.url} {_not_html(response)}", file=sys.stderr)
            return
        if response.status >= 400:
            print(f"{response.url} answered {response.status}; this is its error page:", file=sys.stderr)
        sheets = await fetch_sheets(crawler, response) if opts.view or opts.output else {}
        self.exitcode = _print(response.url, response, options, opts, sheets)

    def _failed(self, failure: Any) -> None:
        print(f"could not fetch the page: {failure.getErrorMessage() or failure.type.__name__}", file=sys.stderr)


def _not_html(response: Response) -> str:
    kind = (response.headers.get("Content-Type") or b"unknown").decode("latin-1")
    return f"is not an HTML page (Content-Type: {kind})"


def _add_page_options(parser: ArgumentParser) -> None:
    parser.add_argument("--model", metavar="NAME", help=f"one of: {', '.join(MODELS)}")
    parser.add_argument("--threshold", metavar="SCORE", help="lowest score to keep, 0 to 1")
    parser.add_argument("--filter", metavar="NAME", help=f"one of: {', '.join(FILTER_NAMES)}, None")
    parser.add_argument("--spider", metavar="NAME", help="take the settings of this spider")
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        "--format",
        choices=_FORMATS,
        default="text",
        help="text: the main text; blocks: all blocks with their scores; json: title, score, main text and blocks;"
        " cleaneval: the main text with CleanEval's <h>, <p> and <l>",
    )
    for name in ("blocks", "json"):
        output.add_argument(f"--{name}", action="store_const", dest="format", const=name, help=f"--format {name}")
    output.add_argument("--view", action="store_true", help="show the page in the browser, with its blocks marked")
    parser.add_argument("--output", metavar="FILE", help="with --view: write it to this HTML file instead")


def _options(crawler: Crawler, opts: Namespace) -> Options:
    """The crawl's settings with what the command line says."""
    given = {name: getattr(opts, name, None) for name in ("model", "threshold", "filter")}
    try:
        return Options.from_settings(crawler.settings).for_page(
            {name: value for name, value in given.items() if value is not None}
        )
    except ValueError as error:
        raise UsageError(str(error), print_help=False) from None


def _print(name: str, page: bytes | Response, options: Options, opts: Namespace, sheets: Mapping[str, str]) -> int:
    """Print what was asked for, or show it; the exit code."""
    if opts.view or opts.output:
        return show(name, page, options, opts.output, sheets)
    document = extract(
        page,
        model=options.model,
        threshold=options.threshold,
        filter=options.filter,
        ancestor_depth=options.ancestor_depth,
        image_alt=options.image_alt,
    )
    print(_FORMATS[opts.format](name, document))
    if not document.main_text:
        print(f"{name}: no main text found in {len(document.blocks)} blocks", file=sys.stderr)
    return 0


def _as_json(name: str, document: Document) -> str:
    content = {
        "page": name,
        "title": document.title,
        "score": round(document.score, 4),
        "threshold": document.threshold,
        "main_text": document.main_text,
        "blocks": [asdict(block) for block in document.blocks],
    }
    return json.dumps(content, ensure_ascii=False, indent=2)


def _as_table(_: str, document: Document) -> str:
    """Score, whether the block is kept, its tag, its kind and how its text begins, as wide as the terminal."""
    tag_width = max((len(block.tag) for block in document.blocks), default=3)
    kind_width = max((len(block.kind) for block in document.blocks), default=4)
    text_width = max(shutil.get_terminal_size().columns - tag_width - kind_width - 18, 20)
    lines = [f"score   kept  {'tag':{tag_width}}  {'kind':{kind_width}}  text"]
    for block in document.blocks:
        text = " ".join(block.text.split())
        if len(text) > text_width:
            text = text[: text_width - 1] + "…"
        kept = "keep" if block.is_content else "-"
        lines.append(f"{block.score:.4f}  {kept:4}  {block.tag:{tag_width}}  {block.kind:{kind_width}}  {text}")
    return "\n".join(lines)


def _as_cleaneval(name: str, document: Document) -> str:
    return document.to_cleaneval(name if is_url(name) else None).removesuffix("\n")


_FORMATS: dict[str, Callable[[str, Document], str]] = {
    "text": lambda _, document: document.main_text,
    "blocks": _as_table,
    "json": _as_json,
    "cleaneval": _as_cleaneval,
}
