"""`scrapy boilerplate URL-or-file`: what the crawl would make of one page."""

from __future__ import annotations

import json
import logging
import re
import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import asdict
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.commands import ScrapyCommand
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError
from scrapy.http import HtmlResponse, Response
from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.spiderloader import SpiderLoaderProtocol
from scrapy.utils.spider import DefaultSpider, spidercls_for_request

from ..clean import clean
from ..document import Document
from ..fields import FIELDS, values_of
from ..not_cleaned import NotCleaned
from ..options import PAGE_OPTIONS, Options, add_flags, with_flags
from ..parse.files import read_bytes
from . import SUBCOMMANDS, module_of
from .mistakes import discard_output, reason_of, refuse, tell
from .urls import is_url

if TYPE_CHECKING:
    from .label import Fetched

_OPTIONS = [name for name in PAGE_OPTIONS if name not in ("blocks", "max_bytes")]

_NO_VALUE = re.compile("(?:--[^=]+=|-[^-]=?)--")


class Command(ScrapyCommand):
    """Fetch a page as the project's crawls do, or read it from a file, and print its main text; or a subcommand."""

    requires_project = False
    _tells_all = True  # the log, because the user has chosen its level

    def syntax(self) -> str:
        return f"[options] <url-or-file> | {' | '.join(SUBCOMMANDS)} ..."

    def short_desc(self) -> str:
        return "Print the main text of a page"

    def long_desc(self) -> str:
        subcommands = "; ".join(f"{name} ({line})" for name, line in SUBCOMMANDS.items())
        return (
            "Fetch a URL with Scrapy's downloader and the project's settings, or read a file, and print the main text"
            " of the page. What the options leave open is taken from the BOILERPLATE_* settings."
            f" Sub-commands, each with options of its own (-h lists them): {subcommands}."
        )

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.error = refuse  # type: ignore[method-assign]
        parse = parser.parse_known_args

        def add_options_and_parse(args: list[str]) -> tuple[Namespace, list[str]]:
            _check_values(args)
            # Which options there are depends on the first word, and Scrapy shows it to nobody before this.
            name = self._subcommand_of(args)
            if name is None:
                _add_page_options(parser)
            else:
                module = module_of(name)
                parser.usage = f"scrapy boilerplate {module.SYNTAX}"
                parser.description = SUBCOMMANDS[name]
                module.add_options(parser)
            opts, words = parse(args)
            opts.subcommand = name
            return opts, _without_options(words)

        parser.parse_known_args = add_options_and_parse  # type: ignore[method-assign,assignment]

    def _subcommand_of(self, args: list[str]) -> str | None:
        """The first word after Scrapy's own options, if it is one of ours."""
        scrapys = ArgumentParser(add_help=False)
        scrapys.error = refuse  # type: ignore[method-assign]
        super().add_options(scrapys)
        words = scrapys.parse_known_args(args)[1]
        return words[0] if words and words[0] in SUBCOMMANDS else None

    def process_options(self, args: list[str], opts: Namespace) -> None:
        try:
            super().process_options(args, opts)
        except OSError as error:  # of --pidfile
            refuse(reason_of(error))
        assert self.settings is not None
        if opts.loglevel and not isinstance(logging.getLevelName(opts.loglevel), int):
            refuse(f"--loglevel {opts.loglevel}: there is no such level")
        # Beside the text only what went wrong is shown, whatever the project logs, unless the user asks for more.
        if (self.settings.getpriority("LOG_LEVEL") or 0) < SETTINGS_PRIORITIES["cmdline"]:
            self.settings.set("LOG_LEVEL", "WARNING", priority="cmdline")
            self._tells_all = False

    def run(self, args: list[str], opts: Namespace) -> None:
        if isinstance(sys.stdout, TextIOWrapper):  # on stderr this is so already
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            self.exitcode = self._run(args, opts)
            sys.stdout.flush()
        except BrokenPipeError:  # who reads it has read enough, as `head` does
            discard_output()
            self.exitcode = 128 + 13  # as if SIGPIPE had ended it
        except OSError as error:
            tell(reason_of(error))
            discard_output()
            self.exitcode = 1
        except KeyboardInterrupt:
            tell("stopped")
            self.exitcode = 128 + 2

    def _run(self, args: list[str], opts: Namespace) -> int:
        """Do what was asked for; the exit code."""
        if opts.subcommand == "label":  # the one that needs a crawl
            options = _options(self._crawler_for(opts), opts)
            exitcode = module_of("label").run(args[1:], opts, options, lambda urls: self._fetch_all(urls, opts))
            return int(exitcode)
        if opts.subcommand:
            opts.settings = self.settings
            return module_of(opts.subcommand).run(args[1:], opts) or 0
        if not args:
            raise UsageError("name a URL or a file; -h shows what else there is", print_help=False)
        if args[0] in SUBCOMMANDS:
            raise UsageError(f"the options of {args[0]} are written after the word", print_help=False)
        if len(args) > 1:
            raise UsageError(f"one page at a time, not {' and '.join(args)}", print_help=False)
        return self._show(args[0], opts)

    def _show(self, name: str, opts: Namespace) -> int:
        """Print a page, or show it in the browser; the exit code."""
        file = Path(name)
        if is_url(name):
            crawler = self._crawler_for(opts, Request(name))
            options = _options(crawler, opts)
            [fetched] = self._fetch_all([name], opts)
            if isinstance(fetched, str):
                tell(f"{name} {fetched}")
                return 1
            page, sheets = fetched
            if page.status >= 400:  # for who asks for error pages by Scrapy's settings
                tell(f"{name} answered {page.status}; this is its error page")
            return _print(page.url, page, options, opts, sheets)
        if file.is_dir():
            raise UsageError(f"{name} is a folder; name one of its files", print_help=False)
        if not file.is_file():
            raise UsageError(f"neither a URL nor a file: {name}", print_help=False)
        body = read_bytes(file)
        options = _options(self._crawler_for(opts), opts)
        return _print(name, body, options, opts, _sheets_beside(file, body) if _wants_view(opts) else {})

    def _crawler_for(self, opts: Namespace, *requests: Request) -> Crawler:
        """A crawler for these requests, with the settings of the spider that would make the first one."""
        assert self.crawler_process is not None
        loader = self.crawler_process.spider_loader
        spider_class: type[Spider] = DefaultSpider
        if opts.spider:
            spider_class = _spider_of(loader, opts.spider)
        elif requests:
            spider_class = spidercls_for_request(loader, requests[0], DefaultSpider) or DefaultSpider

        async def start(_: Spider) -> AsyncIterator[Any]:
            for request in requests:
                yield request

        return self.crawler_process.create_crawler(type(spider_class.__name__, (spider_class,), {"start": start}))

    def _fetch_all(self, urls: Sequence[str], opts: Namespace) -> list[Fetched]:
        """The pages at these addresses, with their style sheets; in place of one that can't be had, why."""
        assert self.crawler_process is not None
        results: dict[str, Fetched] = {}
        with_sheets = opts.subcommand == "label" or _wants_view(opts)

        async def fetched(response: Response, url: str) -> None:
            if isinstance(response, HtmlResponse):
                results[url] = response, await _sheets_of(response, crawler) if with_sheets else {}
            else:
                results[url] = _not_html(response)

        def failed(failure: Any) -> None:
            response = getattr(failure.value, "response", None)
            reason = failure.getErrorMessage() or failure.type.__name__
            results[failure.request.cb_kwargs["url"]] = (
                f"could not be fetched: {reason}" if response is None else f"answered {response.status}"
            )

        requests = [
            Request(url, fetched, errback=failed, cb_kwargs={"url": url}, dont_filter=True) for url in set(urls)
        ]
        if not self._tells_all:  # in one line of our own why a page could not be fetched
            logging.getLogger("scrapy.downloadermiddlewares").setLevel(logging.CRITICAL)
        crawler = self._crawler_for(opts, *requests)
        self.crawler_process.crawl(crawler)
        self.crawler_process.start()
        return [results.get(url, "could not be fetched; the log says why") for url in urls]


def _end_of_options(words: list[str]) -> int:
    return words.index("--") if "--" in words else len(words)


def _check_values(words: list[str]) -> None:
    """Refuse `--` as the value of an option: older versions of argparse make an empty list of it."""
    for word in words[: _end_of_options(words)]:
        if _NO_VALUE.fullmatch(word):
            refuse(f"{word}: the option needs a value")


def _without_options(words: list[str]) -> list[str]:
    """The words that are no options; what looks like one, and stands before any `--`, is unknown."""
    end = _end_of_options(words)
    for word in words[:end]:
        if word.startswith("-") and word != "-":
            refuse(f"unknown option {word}; -h shows those that there are")
    return words[:end] + words[end + 1 :]


def _spider_of(loader: SpiderLoaderProtocol, name: str) -> type[Spider]:
    try:
        return loader.load(name)
    except KeyError:
        names = ", ".join(sorted(loader.list())) or "none, or this is no project's folder"
        raise UsageError(f"--spider {name}: there is no such spider; there are: {names}", print_help=False) from None


def _not_html(response: Response) -> str:
    kind = (response.headers.get("Content-Type") or b"unknown").decode("latin-1")
    return f"is not an HTML page (Content-Type: {kind})"


def _add_page_options(parser: ArgumentParser) -> None:
    add_flags(parser, _OPTIONS)
    parser.add_argument("--spider", metavar="NAME", help="take the settings of this spider")
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        "--format",
        choices=_FORMATS,
        help="text: the main text, the default; blocks: all blocks with their scores; json: title, score, main text"
        " and blocks; cleaneval: the main text with CleanEval's <h>, <p> and <l>",
    )
    for name in ("blocks", "json"):
        output.add_argument(f"--{name}", action="store_const", dest="format", const=name, help=f"--format {name}")
    output.add_argument("--view", action="store_true", help="show the page in the browser, with its blocks marked")
    parser.add_argument("--output", metavar="FILE", help="write to this file instead; the view if it ends with .html")


def _wants_view(opts: Namespace) -> bool:
    named_so = not opts.format and Path(opts.output or "").suffix.lower() in (".html", ".htm")
    return bool(opts.view or named_so)


# The view is imported when it is asked for.


def _sheets_beside(file: Path, body: bytes) -> dict[str, str]:
    from ..review.sheets import sheets_beside

    return sheets_beside(body, file)


async def _sheets_of(response: Response, crawler: Crawler) -> dict[str, str]:
    from .show import fetch_sheets

    return await fetch_sheets(crawler, response)


def _options(crawler: Crawler, opts: Namespace) -> Options:
    """The crawl's settings with what the command line says."""
    try:
        return with_flags(Options.from_settings(crawler.settings), opts, _OPTIONS)
    except ValueError as error:
        raise UsageError(str(error), print_help=False) from None


def _print(name: str, page: bytes | Response, options: Options, opts: Namespace, sheets: Mapping[str, str]) -> int:
    """Print what was asked for, or show it; the exit code."""
    if _wants_view(opts):
        from .show import show

        return show(name, page, options, opts.output, sheets)
    try:
        document = clean(page, options)
    except NotCleaned as reason:
        tell(f"{name} is not cleaned: {reason.message}")
        return 1
    text = _FORMATS[opts.format or "text"](name, document)
    if opts.output:
        Path(opts.output).write_text(text + "\n", encoding="utf-8", errors="backslashreplace")
        print(opts.output)
    else:
        print(text)
    if not document.main_text:
        print(f"{name}: no main text found in {len(document.blocks)} blocks", file=sys.stderr)
    return 0


def _as_json(name: str, document: Document) -> str:
    values = values_of(document, FIELDS) | {"blocks": [asdict(block) for block in document.blocks]}
    content = {"page": name, "threshold": document.threshold, **values}
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
