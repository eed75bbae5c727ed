"""The worker process: reads jobs from standard input, writes results to standard output.

It doesn't import Scrapy, and keeps only the loaded models between pages. It ends when its input does: the crawl has
closed the pipe, or has died.
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass
from time import thread_time
from typing import TYPE_CHECKING, Any, BinaryIO

from ..clean import clean
from ..document import Document
from ..fields import values_of
from ..not_cleaned import NotCleaned
from ..options import Options
from ..site import PageTexts, SiteMemory
from ..threads import in_own_thread
from .page_values import PageValues

if TYPE_CHECKING:
    from ..review.summary import PageSummary

READY = b"!"  # a worker writes this first
LENGTH_BYTES = 8  # of the length that precedes each result
_PAGES_A_THREAD = 16


@dataclass(frozen=True, slots=True)
class SiteOf:
    """The memory of a page's host, as it is when the page is sent to a worker: pages may have to wait for one."""

    memory: SiteMemory
    url: str

    def __reduce__(self) -> tuple[Any, ...]:
        return _itself, (self.memory.only(self.url),)


def _itself(memory: SiteMemory) -> SiteMemory:
    return memory


@dataclass(frozen=True, slots=True)
class Job:
    """A page as it came from the network, and how to clean it."""

    body: bytes
    encoding: str | None
    options: Options
    url: str | None = None
    whole: bool = False  # whether the document is wanted, rather than the values for items
    site: SiteOf | SiteMemory | None = None  # in the worker the second


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A document, and the processor time that it took."""

    document: Document
    seconds: float

    @classmethod
    def of(cls, page: Any, options: Options, site: SiteMemory | None = None) -> Cleaned:
        """Clean a page, with what is known of its site. Raises NotCleaned."""
        began = thread_time()
        document = clean(page, options, site=site)
        return cls(document, thread_time() - began)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the stats count of a page, and what the crawl learns of its site."""

    words: int  # in kept blocks
    score: float
    truncated: bool  # whether only the beginning of the page was read
    seconds: float
    texts: PageTexts | None  # for the site memory, if there is one
    repeated: int  # blocks that it dropped
    matched: frozenset[str]  # selectors of `keep` and `drop`

    @classmethod
    def of(cls, page: Cleaned, more_seconds: float = 0.0) -> Facts:
        document = page.document
        return cls(
            document.words,
            document.score,
            document.truncated,
            page.seconds + more_seconds,
            document.page_texts,
            document.repeated_blocks,
            document.matched_selectors,
        )


@dataclass(frozen=True, slots=True)
class Scored:
    """The result for a page: the values for its items, and a summary for the report."""

    values: PageValues
    summary: PageSummary | None  # if there is a report
    facts: Facts

    @classmethod
    def of(cls, page: Cleaned, options: Options) -> Scored:
        """Keep the values of a document, but neither the document nor its tree."""
        began = thread_time()
        values = PageValues.of(values_of(page.document, options.fields, options.blocks))
        summary = None
        if options.report:
            from ..review.summary import PageSummary  # a tool: only crawls that want a report load it

            summary = PageSummary.of(page.document)
        return cls(values, summary, Facts.of(page, thread_time() - began))


def main(timeout: float) -> None:
    """Score pages until the input ends."""
    # Ctrl-C is for the crawl, which still waits for pages. It has blocked the signal already, where that is possible.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(BrokenPipeError), _own_output() as results:  # the crawl was killed
        results.write(READY)
        results.flush()
        while in_own_thread(_score_some, sys.stdin.buffer, results, timeout):
            pass


def _score_some(jobs: BinaryIO, results: BinaryIO, timeout: float) -> bool:
    """Score a few pages; return whether there may be more."""
    for _ in range(_PAGES_A_THREAD):
        job = _next_job(jobs)
        if job is None:
            return False
        _end_after(timeout)
        result = _pickled(score(job))
        _end_after(0)
        results.write(len(result).to_bytes(LENGTH_BYTES, "big"))
        results.write(result)
        results.flush()
    return True


def score(job: Job) -> Scored | Cleaned | NotCleaned:
    """Clean a page, or return the reason why it can't be cleaned.

    Only MemoryError is raised: it ends this process, so that the page can't do the same to the crawl.
    """
    try:
        cleaned = Cleaned.of(job, job.options, job.site if isinstance(job.site, SiteMemory) else None)
        return cleaned if job.whole else Scored.of(cleaned, job.options)
    except NotCleaned as reason:
        return reason
    except MemoryError:
        raise
    except Exception as error:
        return NotCleaned.by(error)


def _pickled(result: Scored | Cleaned | NotCleaned) -> bytes:
    try:
        return pickle.dumps(result)
    except MemoryError:
        raise
    except Exception as error:  # a document computes its metadata when it is pickled
        return pickle.dumps(NotCleaned.by(error))


def _next_job(jobs: BinaryIO) -> Job | None:
    try:
        return pickle.load(jobs)  # type: ignore[no-any-return]
    except (EOFError, pickle.UnpicklingError):  # the second if the crawl was killed while it wrote
        return None


def _end_after(seconds: float) -> None:
    """On Windows, where the crawl can't do it, end this process after a time; 0 cancels that."""
    if sys.platform != "win32":
        return
    if seconds:
        faulthandler.dump_traceback_later(seconds, exit=True)
    else:
        faulthandler.cancel_dump_traceback_later()


def _own_output() -> BinaryIO:
    """Open the pipe to the crawl, and redirect everything that is printed to stderr."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output
