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

from .item_values import item_values
from .review.summary import PageSummary
from .settings import Options
from .threads import in_own_thread
from .tree import parse_bytes

_PAGES_A_THREAD = 16
_HAS_TIMER = hasattr(signal, "setitimer")


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
    """Score one page after the other; one that takes longer than the timeout ends the process."""
    # Ctrl-C is for the crawl, which still has pages on their way; it has blocked the signal where that can be done.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if _HAS_TIMER:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # whatever the crawl does with it
    with suppress(BrokenPipeError), _own_output() as results:  # nobody reads when the crawl was killed
        while in_own_thread(_score_some, sys.stdin.buffer, results, timeout):
            pass


def _score_some(jobs: BinaryIO, results: BinaryIO, timeout: float) -> bool:
    """Whether there may be more."""
    for _ in range(_PAGES_A_THREAD):
        job = _next_job(jobs)
        if job is None:
            return False
        _end_after(timeout)
        result = score(job)
        _end_after(0)
        pickle.dump(result, results)
        results.flush()
    return True


def score(job: Job) -> Scored | None:
    """What comes of a page; None if nothing does, and the crawl had better find out why itself."""
    try:
        root = parse_bytes(job.body, job.encoding)
        if root is None:
            return None
        document = job.options.clean(root)
        values = pickle.dumps(item_values(document, job.options.blocks, job.options.fields))
        return Scored(values, PageSummary.of(document) if job.options.report else None, document.truncated)
    except Exception:
        return None


def _next_job(jobs: BinaryIO) -> Job | None:
    try:
        return pickle.load(jobs)  # type: ignore[no-any-return]
    except (EOFError, pickle.UnpicklingError):  # the second when the crawl was killed in the middle of a page
        return None


def _end_after(seconds: float) -> None:
    """Have the process ended after so many seconds, also if it is stuck inside libxml2; 0 calls it off."""
    if _HAS_TIMER:
        signal.setitimer(signal.ITIMER_REAL, seconds)  # at whose end the system does it
    elif seconds:
        faulthandler.dump_traceback_later(seconds, exit=True)  # a thread for each page, so only where there is no timer
    else:
        faulthandler.cancel_dump_traceback_later()


def _own_output() -> BinaryIO:
    """The way to the crawl, out of reach for whoever prints something."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output
