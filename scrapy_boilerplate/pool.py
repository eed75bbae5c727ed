"""The crawl's side of its workers: a few processes, and a thread for each that waits for it."""

from __future__ import annotations

import asyncio
import gc
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from .threads import shield_children
from .worker import Job, Scored


class WorkerDied(Exception):
    """The worker that had the page ended before it was done."""


class WorkerTimedOut(Exception):
    """The page took longer than a worker may take."""


class WorkerPool:
    """Scores pages in up to `count` processes, each started when there is a page for it, and anew when it has died.

    There is no limit to the pages that wait: Scrapy itself downloads no more while too many are being processed.
    """

    def __init__(self, count: int, timeout: float) -> None:
        self._count = count
        self._timeout = timeout
        self._tasks: SimpleQueue[tuple[Job, Future[Scored | None]] | None] = SimpleQueue()
        self._threads: list[Thread] = []
        _spare_the_garbage_collector()

    def score(self, job: Job) -> Future[Scored | None]:
        """What `worker.score()` makes of the page; WorkerDied or WorkerTimedOut if it doesn't come to that."""
        future: Future[Scored | None] = Future()
        self._tasks.put((job, future))
        if len(self._threads) < self._count:
            # A daemon: a crawl that is stopped the hard way doesn't wait for it.
            thread = Thread(target=self._serve, name="boilerplate worker", daemon=True)
            self._threads.append(thread)
            thread.start()
        return future

    def close(self) -> None:
        """End all processes and wait until they are gone."""
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _serve(self) -> None:
        shield_children()
        worker: _Worker | None = None
        while (task := self._tasks.get()) is not None:
            job, future = task
            try:
                worker = worker or _Worker(self._timeout)
                future.set_result(worker.score(job))
            except Exception as error:
                worker = None
                future.set_exception(error)
            del task, job, future  # or the page would be kept until the next one comes
        if worker is not None:
            worker.close()


class _Worker:
    """One process, and the pipes to it and from it."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        # Not by multiprocessing, which would run the main module of the crawl again, and not forked, which copies
        # locks that other threads hold. In a session of its own, a Ctrl-C in the terminal doesn't reach it.
        command = f"import sys; sys.path[:] = {sys.path!r}; from {__package__}.worker import main; main({timeout!r})"
        self._process = subprocess.Popen(
            [sys.executable, "-c", command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    def score(self, job: Job) -> Scored | None:
        start = monotonic()
        jobs, results = self._process.stdin, self._process.stdout
        assert jobs is not None
        assert results is not None
        try:
            pickle.dump(job, jobs)
            jobs.flush()
            return pickle.load(results)  # type: ignore[no-any-return]
        except Exception:  # a broken pipe, its end, or the remains of an answer
            self.close()
            if monotonic() - start >= self._timeout:  # the worker has looked at the clock itself
                raise WorkerTimedOut(f"it took more than {self._timeout:g} s") from None
            raise WorkerDied(f"its worker ended with status {self._process.returncode}") from None

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


async def finished(future: Future[Any]) -> None:
    """Wait for what another thread does, with an asyncio loop, with a Twisted reactor, or with both."""
    deferred: Deferred[None] = Deferred()
    call_here = _call_here()
    future.add_done_callback(lambda _: call_here(deferred.callback, None))
    await maybe_deferred_to_future(deferred)


def _call_here() -> Callable[..., Any]:
    """What lets another thread call a function in this one."""
    if is_asyncio_available():
        return asyncio.get_running_loop().call_soon_threadsafe
    from twisted.internet import reactor  # only now: importing it installs it

    return reactor.callFromThread  # type: ignore[no-any-return]


@cache
def _spare_the_garbage_collector() -> None:
    """Take what there is before the crawl, modules above all, out of the garbage collector's rounds; once in a process.

    Pages that wait for a worker outlive its smaller rounds, which makes it go through everything twice as often.
    """
    gc.collect()
    gc.freeze()
