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
from typing import TYPE_CHECKING, Any, BinaryIO

from ..clean import clean
from ..fields import values_of
from ..not_cleaned import NotCleaned
from ..options import Options
from ..threads import in_own_thread

if TYPE_CHECKING:
    from ..review.summary import PageSummary

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
    """The values of a page for its items, pickled, and what a report has to know of it."""

    values: bytes
    summary: PageSummary | None  # if there is a report
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


def score(job: Job) -> Scored | NotCleaned:
    """The values of a page, or why there are none.

    A page for which the memory doesn't suffice ends the process: the crawl must not try it itself.
    """
    try:
        return scored(job, job.options)
    except NotCleaned as reason:
        return reason
    except MemoryError:
        raise
    except Exception as error:
        return NotCleaned.by(error)


def scored(page: Any, options: Options) -> Scored:
    """Clean a page, and keep finished values alone, not its document nor its tree; NotCleaned if that can't be done."""
    document = clean(page, options)
    values = pickle.dumps(values_of(document, options.fields, options.blocks))
    summary = None
    if options.report:
        from ..review.summary import PageSummary  # only then

        summary = PageSummary.of(document)
    return Scored(values, summary, document.truncated)


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
