"""`scrapy boilerplate`: print the main text of pages, as a crawl would extract it, or run a sub-command."""

from __future__ import annotations

import logging
import re
import sys
from argparse import ArgumentParser, Namespace
from io import TextIOWrapper

from scrapy.commands import ScrapyCommand
from scrapy.settings import SETTINGS_PRIORITIES

from . import PAGES, SUBCOMMANDS, module_of
from .help import HelpFormatter, VersionAction, overview
from .mistakes import closest, discard_output, program, reason_of, refuse, tell

_NO_VALUE = re.compile("(?:--[^=]+=|-[^-]=?)--")


class Command(ScrapyCommand):
    """Print the main text of pages, fetched as in the project's crawls or read from files; or run a sub-command."""

    requires_project = False
    _tells_all = True  # whether to print the whole log: the user has chosen its level

    def syntax(self) -> str:
        return "[options] <url, file, folder or -> ..."

    def short_desc(self) -> str:
        return "Print the main text of pages"

    def long_desc(self) -> str:
        return overview(program())

    def add_options(self, parser: ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--version", action=VersionAction, nargs=0, help="print all versions, and what is compiled")
        parser.error = refuse  # type: ignore[method-assign]
        parser.formatter_class = HelpFormatter
        parse = parser.parse_known_args

        def add_options_and_parse(args: list[str]) -> tuple[Namespace, list[str]]:
            _check_values(args)
            # The options depend on the sub-command, and this is the first place to which Scrapy passes the words.
            name = self._subcommand_of(args)
            module = module_of(name or PAGES)
            parser.usage = f"{program()} {module.SYNTAX}"
            if name:
                parser.description = f"{SUBCOMMANDS[name].capitalize()}."
            module.add_options(parser)
            opts, words = parse(args)
            opts.subcommand = name
            return opts, _without_options(words, parser)

        parser.parse_known_args = add_options_and_parse  # type: ignore[method-assign,assignment]

    def _subcommand_of(self, args: list[str]) -> str | None:
        """Return the first word that is neither an option nor the value of one, if it is a sub-command."""
        before_end = args[: _end_of_options(args)]
        for name in dict.fromkeys(word for word in before_end if word in SUBCOMMANDS):
            known = ArgumentParser(add_help=False, conflict_handler="resolve")
            known.error = refuse  # type: ignore[method-assign]
            super().add_options(known)
            module_of(name).add_options(known)
            words = known.parse_known_args(before_end)[1]
            if next((word for word in words if not word.startswith("-")), None) == name:
                return name
        return None

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
        """Run the sub-command, or clean pages. Return the exit code."""
        from .project import Project  # what follows is not needed for a help text

        assert self.crawler_process is not None
        opts.settings = self.settings
        # Unless the user wants the log, one line of our own tells why a page could not be fetched.
        opts.project = Project(self.crawler_process, opts, quiet=not self._tells_all)
        words = args[1:] if opts.subcommand else args
        return module_of(opts.subcommand or PAGES).run(words, opts) or 0


def _end_of_options(words: list[str]) -> int:
    return words.index("--") if "--" in words else len(words)


def _check_values(words: list[str]) -> None:
    """Refuse `--` as the value of an option: older versions of argparse turn it into an empty list."""
    for word in words[: _end_of_options(words)]:
        if _NO_VALUE.fullmatch(word):
            refuse(f"{word}: the option needs a value")


def _without_options(words: list[str], parser: ArgumentParser) -> list[str]:
    """Return the words without options. A word that looks like an option, before any `--`, is refused as unknown."""
    end = _end_of_options(words)
    for word in words[:end]:
        if word.startswith("-") and word != "-":
            known = closest(word.partition("=")[0], parser._option_string_actions)
            refuse(f"unknown option {word}; {f'did you mean {known}?' if known else '-h lists the options'}")
    return words[:end] + words[end + 1 :]
