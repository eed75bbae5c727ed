"""A process that scores pages beside a crawl: jobs come through its standard input, results leave through its output.

It imports no Scrapy, keeps nothing between two pages but the models, and ends with its input: when the crawl has closed
it, or is gone, however that came about.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO

from ..document import Document
from ..fields import item_values
from ..options import Options
from ..parse import parse_bytes
from ..review.summary import PageSummary
from ..threads import in_own_thread

READY = b"!"  # comes first from a worker, before any result
LENGTH_BYTES = 8  # before each result
_PAGES_A_THREAD = 16


@dataclass(frozen=True, slots=True)
class Job:
    """A page as it came from the network, and how to clean it."""

    body: bytes
    encoding: str | None
    options: Options


@dataclass(frozen=True, slots=True)
class Scored:
    """What comes of a page: the values for its items, pickled, and, if there is a report, what it has to know."""

    values: bytes
    summary: PageSummary | None
    truncated: bool  # whether only the beginning of the page was read


def main(timeout: float) -> None:
    """Score one page after the other."""
    # Ctrl-C is for the crawl, which still has pages on their way; it has blocked the signal where that can be done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(BrokenPipeError), _own_output() as results:  # nobody reads when the crawl was killed
        results.write(READY)
        results.flush()
        while in_own_thread(_score_some, sys.stdin.buffer, results, timeout):
            pass


def _score_some(jobs: BinaryIO, results: BinaryIO, timeout: float) -> bool:
    """Whether there may be more."""
    for _ in range(_PAGES_A_THREAD):
        job = _next_job(jobs)
        if job is None:
            return False
        _end_after(timeout)
        result = pickle.dumps(score(job))
        _end_after(0)
        results.write(len(result).to_bytes(LENGTH_BYTES, "big"))
        results.write(result)
        results.flush()
    return True


def score(job: Job) -> Scored | None:
    """What comes of a page; None if nothing does, and the crawl had better find out why itself.

    A page for which the memory doesn't suffice ends the process: the crawl must not try it itself.
    """
    try:
        root = parse_bytes(job.body, job.encoding)
        return None if root is None else scored(job.options.clean(root), job.options)
    except MemoryError:
        raise
    except Exception:
        return None


def scored(document: Document, options: Options) -> Scored:
    """The finished values of a page, which keep neither its document nor its tree alive."""
    values = pickle.dumps(item_values(document, options.blocks, options.fields))
    return Scored(values, PageSummary.of(document) if options.report else None, document.truncated)


def _next_job(jobs: BinaryIO) -> Job | None:
    try:
        return pickle.load(jobs)  # type: ignore[no-any-return]
    except (EOFError, pickle.UnpicklingError):  # the second when the crawl was killed in the middle of a page
        return None


def _end_after(seconds: float) -> None:
    """Have the process end itself after so many seconds where the crawl can't do it; 0 calls it off."""
    if sys.platform != "win32":
        return
    if seconds:
        faulthandler.dump_traceback_later(seconds, exit=True)
    else:
        faulthandler.cancel_dump_traceback_later()


def _own_output() -> BinaryIO:
    """The way to the crawl, out of reach for whoever prints something."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output
