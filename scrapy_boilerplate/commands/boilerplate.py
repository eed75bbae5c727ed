"""`scrapy boilerplate URL-or-file`: print the main text of one page, as a crawl would extract it."""

from __future__ import annotations

import logging
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path

from scrapy import Request
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.http import Response
from scrapy.settings import SETTINGS_PRIORITIES

from .. import __version__
from ..clean import clean
from ..compiled import running
from ..not_cleaned import NotCleaned
from ..options import PAGE_OPTIONS, Options, add_flags, with_flags
from ..parse.files import read_bytes
from . import SUBCOMMANDS, module_of
from .fetch import Fetched, crawler_for, fetch_all
from .formats import FORMATS
from .help import HelpFormatter
from .mistakes import discard_output, reason_of, refuse, tell
from .urls import is_url

_OPTIONS = [name for name in PAGE_OPTIONS if name not in ("blocks", "max_bytes")]

_NO_VALUE = re.compile("(?:--[^=]+=|-[^-]=?)--")


class Command(ScrapyCommand):
    """Print the main text of a page, fetched as in the project's crawls or read from a file; or run a subcommand."""

    requires_project = False
    _tells_all = True  # whether to print the whole log: the user has chosen its level

    def syntax(self) -> str:
        return f"[options] <url-or-file> | {' | '.join(SUBCOMMANDS)} ..."

    def short_desc(self) -> str:
        return "Print the main text of a page"

    def long_desc(self) -> str:
        subcommands = "; ".join(f"{name} ({line})" for name, line in SUBCOMMANDS.items())
        return (
            "Fetch a URL with Scrapy's downloader and the project's settings, or read a file, and print the main text"
            " of the page. Defaults of the options are the BOILERPLATE_* settings."
            f" Sub-commands, each with options of its own (-h lists them): {subcommands}."
        )

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.error = refuse  # type: ignore[method-assign]
        parser.formatter_class = HelpFormatter
        parse = parser.parse_known_args

        def add_options_and_parse(args: list[str]) -> tuple[Namespace, list[str]]:
            _check_values(args)
            # The options depend on the first word, and this is the first place to which Scrapy passes the words.
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
        """Return the first word after Scrapy's own options if it is a subcommand, otherwise None."""
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
        # Next to the text, print only warnings and errors, whatever the project logs, unless the user asks for more.
        if (self.settings.getpriority("LOG_LEVEL") or 0) < SETTINGS_PRIORITIES["cmdline"]:
            self.settings.set("LOG_LEVEL", "WARNING", priority="cmdline")
            self._tells_all = False

    def run(self, args: list[str], opts: Namespace) -> None:
        if isinstance(sys.stdout, TextIOWrapper):  # as Python does on stderr
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            self.exitcode = self._run(args, opts)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader has closed the pipe, as `head` does
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
        """Run the sub-command, or clean the page. Return the exit code."""
        if opts.subcommand == "label":  # the only one that needs a crawl
            options = self._options(opts)
            exitcode = module_of("label").run(args[1:], opts, options, lambda urls: self._fetch_all(urls, opts))
            return int(exitcode)
        if opts.subcommand:
            opts.settings = self.settings
            return module_of(opts.subcommand).run(args[1:], opts) or 0
        if not args:
            raise UsageError("name a URL or a file; see -h for more", print_help=False)
        if args[0] in SUBCOMMANDS:
            raise UsageError(f"write the options of {args[0]} after the word {args[0]}", print_help=False)
        if len(args) > 1:
            raise UsageError(f"one page at a time, not {' and '.join(args)}", print_help=False)
        return self._show(args[0], opts)

    def _show(self, name: str, opts: Namespace) -> int:
        """Get a page from its URL or file, and print it or show it in the browser. Return the exit code."""
        file = Path(name)
        if is_url(name):
            options = self._options(opts, Request(name))
            [fetched] = self._fetch_all([name], opts)
            if isinstance(fetched, str):
                tell(f"{name} {fetched}")
                return 1
            page, sheets = fetched
            if page.status >= 400:  # possible if Scrapy's settings let error pages through
                tell(f"{name} answered {page.status}; this is its error page")
            return _print(page.url, page, options, opts, sheets)
        if file.is_dir():
            raise UsageError(f"{name} is a folder; name one of its files", print_help=False)
        if not file.is_file():
            raise UsageError(f"neither a URL nor a file: {name}", print_help=False)
        body = read_bytes(file)
        options = self._options(opts)
        return _print(name, body, options, opts, _sheets_beside(file, body) if _wants_view(opts) else {})

    def _options(self, opts: Namespace, *requests: Request) -> Options:
        """Return the settings of the crawl that would send these requests, overridden by the flags."""
        assert self.crawler_process is not None
        crawler = crawler_for(self.crawler_process, opts.spider, *requests)
        try:
            return with_flags(Options.from_settings(crawler.settings), opts, _OPTIONS)
        except ValueError as error:
            raise UsageError(str(error), print_help=False) from None

    def _fetch_all(self, urls: Sequence[str], opts: Namespace) -> list[Fetched]:
        assert self.crawler_process is not None
        with_sheets = opts.subcommand == "label" or _wants_view(opts)
        # Unless the user wants the log, one line of our own tells why a page could not be fetched.
        quiet = not self._tells_all
        return fetch_all(self.crawler_process, urls, opts.spider, with_sheets=with_sheets, quiet=quiet)


def _end_of_options(words: list[str]) -> int:
    return words.index("--") if "--" in words else len(words)


def _check_values(words: list[str]) -> None:
    """Refuse `--` as the value of an option: older versions of argparse turn it into an empty list."""
    for word in words[: _end_of_options(words)]:
        if _NO_VALUE.fullmatch(word):
            refuse(f"{word}: the option needs a value")


def _without_options(words: list[str]) -> list[str]:
    """Return the words without options. A word that looks like an option, before any `--`, is refused as unknown."""
    end = _end_of_options(words)
    for word in words[:end]:
        if word.startswith("-") and word != "-":
            refuse(f"unknown option {word}; -h lists the options")
    return words[:end] + words[end + 1 :]


def _add_page_options(parser: ArgumentParser) -> None:
    add_flags(parser, _OPTIONS)
    parser.add_argument("--spider", metavar="NAME", help="use the settings of this spider")
    parser.add_argument(
        "--version",
        action="version",
        version=f"scrapy-boilerplate {__version__}, {running()}",
        help="print the version",
    )
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        "--format",
        choices=FORMATS,
        help="text: the main text, the default; markdown, html: the same with its structure; blocks: all blocks with"
        " their scores; json: everything; cleaneval: the main text with CleanEval's <h>, <p> and <l>",
    )
    for name in ("markdown", "html", "blocks", "json"):
        output.add_argument(f"--{name}", action="store_const", dest="format", const=name, help=f"--format {name}")
    output.add_argument("--view", action="store_true", help="show the page in the browser, with its blocks marked")
    parser.add_argument("--output", metavar="FILE", help="write to this file; a name with .html gets the view")


def _wants_view(opts: Namespace) -> bool:
    named_so = not opts.format and Path(opts.output or "").suffix.lower() in (".html", ".htm")
    return bool(opts.view or named_so)


def _sheets_beside(file: Path, body: bytes) -> dict[str, str]:
    from ..review.sheets import sheets_beside

    return sheets_beside(body, file)


def _print(name: str, page: bytes | Response, options: Options, opts: Namespace, sheets: Mapping[str, str]) -> int:
    """Print a page in the chosen format, or show it in the browser. Return the exit code."""
    if _wants_view(opts):
        from .show import show

        return show(name, page, options, opts.output, sheets)
    try:
        document = clean(page, options)
    except NotCleaned as reason:
        tell(f"{name} is not cleaned: {reason.message}")
        return 1
    text = FORMATS[opts.format or "text"](name, document)
    if opts.output:
        Path(opts.output).write_text(text + "\n", encoding="utf-8", errors="backslashreplace")
        print(opts.output)
    else:
        print(text)
    if not document.main_text:
        print(f"{name}: no main text found in {len(document.blocks)} blocks", file=sys.stderr)
    return 0
