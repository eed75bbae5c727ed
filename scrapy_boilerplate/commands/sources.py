"""Where the pages of the command come from: URLs, files, folders and standard input."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scrapy.exceptions import UsageError

from ..parse.files import PAGE_SUFFIXES, pages_in, read_bytes, unpacked
from . import SUBCOMMANDS
from .mistakes import closest
from .urls import url_of

_STDIN = "-"


@dataclass(frozen=True, slots=True)
class Source:
    """A page that has a URL or a file, or else comes from standard input."""

    name: str
    url: str | None = None
    file: Path | None = None

    def read(self) -> bytes:
        """Return the bytes of a page that has no URL. Raises OSError if that is impossible."""
        if self.file is None:
            return unpacked(sys.stdin.buffer.read(), self.name)
        return read_bytes(self.file)


def sources_of(arguments: Sequence[str]) -> list[Source]:
    """Return the pages that the arguments name, in their order. Raises UsageError for an argument that is nothing."""
    if arguments.count(_STDIN) > 1:
        raise UsageError("- stands for one page on standard input: name it once", print_help=False)
    return [source for argument in arguments for source in _named(argument)]


def _named(argument: str) -> list[Source]:
    if argument == _STDIN:
        return [Source("standard input")]
    url = url_of(argument)
    if url is not None:
        return [Source(url, url=url)]
    path = Path(argument)
    try:
        if path.is_dir():
            return _in_folder(path)
        if path.exists():  # or a pipe, as the shell makes one for `<(command)`
            return [Source(argument, file=path)]
    except (OSError, ValueError):  # too long for a file's name
        pass
    meant = closest(argument, SUBCOMMANDS)
    advice = f"; did you mean {meant}?" if meant else ""
    raise UsageError(f"neither a URL nor a file: {argument}{advice}", print_help=False)


def _in_folder(folder: Path) -> list[Source]:
    pages = [Source(str(path), file=path) for path in pages_in(folder)]
    if not pages:
        raise UsageError(f"{folder} is a folder without pages ({', '.join(PAGE_SUFFIXES)})", print_help=False)
    return pages
