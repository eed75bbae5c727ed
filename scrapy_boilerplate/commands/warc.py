"""`scrapy boilerplate warc`: clean the pages of stored crawls into one file."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path

from scrapy.exceptions import UsageError

from ..extras import require
from ..fields import FIELDS
from ..options import DECLARATIONS, PAGE_OPTIONS, Options, add_flags, with_flags
from ..stored.cleaning import DEFAULT_FIELDS, PageCleaner
from ..stored.output import FORMATS
from ..stored.run import StoredCrawls
from .mistakes import reason_of, usage
from .progress import progress

SYNTAX = "warc FILES... -o OUT [options]"

_MEGABYTE = 1_000_000
_OPTIONS = [name for name in PAGE_OPTIONS if name != "blocks"]  # it has a flag of its own


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="OUT", help="output: a .jsonl file or a .parquet folder")
    parser.add_argument("--blocks", action="store_true", help="add the blocks of each page, with their scores")
    parser.add_argument(
        "--fields", metavar="NAMES", default=",".join(DEFAULT_FIELDS), help=f"columns: any of {', '.join(FIELDS)}"
    )
    add_flags(parser, _OPTIONS)
    parser.add_argument(
        "--site-memory",
        action="store_true",
        help="drop what other pages of a site hold, too: reads everything twice, first to count",
    )
    parser.add_argument("--jobs", type=int, metavar="N", help="number of processes (default: number of processors)")
    parser.add_argument("--restart", action="store_true", help="discard what is in OUT, and start again")


def run(args: list[str], opts: Namespace) -> int:
    """Clean the pages, and print errors on stderr. Return 1 if something could not be read."""
    try:
        crawls = _stored_crawls(args, opts)
        jobs = opts.jobs if opts.jobs is not None else os.cpu_count() or 1
        if jobs < 1:
            raise ValueError(f"--jobs must be at least 1, not {jobs}")
        if opts.restart:
            crawls.restart()
        with progress(crawls.work // _MEGABYTE, "MB") as advance:
            counts = crawls.run(jobs, lambda done: advance(done // _MEGABYTE), _warn)
    except (ValueError, ImportError) as error:
        raise UsageError(str(error), print_help=False) from None
    except OSError as error:
        _warn(f"{opts.output}: {reason_of(error)}; run the same command again to continue")
        return 1
    except KeyboardInterrupt:
        _warn("stopped; run the same command again to continue")
        return 130
    _warn(_summary(counts, opts.output))
    return 1 if counts["unreadable"] else 0


def _stored_crawls(args: list[str], opts: Namespace) -> StoredCrawls:
    if not args:
        raise usage(SYNTAX, "no file or folder is named")
    if not opts.output:
        raise usage(SYNTAX, "-o is missing")
    output, sources = Path(opts.output), [Path(name) for name in args]
    if output.suffix not in FORMATS:
        raise ValueError(f"{output}: the name must end with {' or '.join(FORMATS)}")
    if output.suffix == ".parquet":
        require("pyarrow", "warc")
    for source in sources:
        if not source.exists():
            raise ValueError(f"there is no file or folder {source}")
        if source.is_file():
            require("fastwarc", "warc")
    options = with_flags(Options.from_settings(opts.settings), opts, _OPTIONS)
    names = DECLARATIONS["fields"].check(f"{opts.fields},blocks" if opts.blocks else opts.fields)
    crawls = StoredCrawls(sources, output, PageCleaner(options, tuple(names)), site_memory=opts.site_memory)
    for source, size in zip(sources, crawls.sizes, strict=True):
        if source.is_dir() and not size:
            raise ValueError(f"{source} is not a folder of an HTTP cache; name WARC files one by one")
    return crawls


def _summary(counts: Counter[str], output: str) -> str:
    others = [f"{name} {number}" for name, number in sorted(counts.items()) if name != "pages" and number]
    return f"{counts['pages']} pages in {output}" + (f" ({', '.join(others)})" if others else "")


def _warn(message: str) -> None:
    print(message, file=sys.stderr)
