"""The pool of worker processes, with a thread of the crawl for each."""

from __future__ import annotations

import asyncio
import gc
import os
import pickle
import select
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any
from weakref import finalize

from scrapy.utils.asyncio import is_asyncio_available
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred

from ..not_cleaned import NotCleaned
from ..threads import shield_children
from .worker import LENGTH_BYTES, READY, Cleaned, Job, Scored

START_TIMEOUT = 60.0  # seconds from the start of a worker until it can take pages
_END_TIMEOUT = 5.0  # seconds to wait for a killed worker, which may be stuck in the kernel
_MOST_FAILED_STARTS = 3  # in a row, each of which may take START_TIMEOUT
_CHUNK = 1 << 16


class NoWorker(Exception):
    """No worker could be started; the page has not been tried."""


class _WorkerDied(Exception):
    """The worker ended while it had the page."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of `worker.score()`, and whether the first worker died and a second one gave it."""

    result: Scored | Cleaned | NotCleaned
    second_try: bool = False


class WorkerPool:
    """Scores pages in up to `count` processes, which are started on demand and replaced when they die.

    The queue has no limit, because Scrapy stops downloading while too many pages are being processed.
    """

    def __init__(self, count: int, timeout: float) -> None:
        self._count = count
        self._timeout = timeout
        self._tasks: SimpleQueue[tuple[Job, Future[Answer]] | None] = SimpleQueue()
        self._threads: list[Thread] = []
        _spare_the_garbage_collector()

    def score(self, job: Job) -> Future[Answer]:
        """Queue a page. The future raises NoWorker if no worker can be started."""
        future: Future[Answer] = Future()
        if len(self._threads) < self._count:
            self._start_thread()
        if self._threads:
            self._tasks.put((job, future))
        else:
            future.set_exception(NoWorker("no thread could be started for it"))
        return future

    def close(self) -> None:
        """End all processes and wait until they are gone."""
        for _ in self._threads:
            self._tasks.put(None)
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _start_thread(self) -> None:
        # A daemon thread, so that a crawl that is stopped the hard way doesn't wait for it.
        thread = Thread(target=self._serve, name="boilerplate worker", daemon=True)
        with suppress(RuntimeError):  # "can't start new thread"
            thread.start()
            self._threads.append(thread)

    def _serve(self) -> None:
        shield_children()
        place = _Place(self._timeout)
        while (task := self._tasks.get()) is not None:
            job, future = task
            try:
                future.set_result(place.answer(job))
            except Exception as error:
                future.set_exception(error)
            del task, job, future  # otherwise the page would stay in memory until the next one
        place.close()


class _Place:
    """A slot of the pool: starts a worker on demand, and replaces it after a failure."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._worker: _Worker | None = None
        self._failed_starts = 0

    def answer(self, job: Job) -> Answer:
        """Score the page; if the worker dies, once more in a fresh one."""
        with suppress(_WorkerDied):
            return Answer(self._score(job))
        try:
            return Answer(self._score(job), second_try=True)
        except NoWorker as error:
            return Answer(NotCleaned("crash", f"it ended its worker, and there was no other: {error}"), second_try=True)
        except _WorkerDied as error:
            return Answer(NotCleaned("crash", f"it ended two workers; {error}"), second_try=True)

    def close(self) -> None:
        if self._worker is not None:
            self._worker.close()

    def _score(self, job: Job) -> Scored | Cleaned | NotCleaned:
        worker, self._worker = self._worker or self._start(), None
        result = worker.score(job)
        if not worker.closed:
            self._worker = worker
        return result

    def _start(self) -> _Worker:
        if self._failed_starts == _MOST_FAILED_STARTS:
            raise NoWorker(f"the last {_MOST_FAILED_STARTS} did not start")
        self._failed_starts += 1
        worker = _Worker(self._timeout)
        self._failed_starts = 0
        return worker


class _Worker:
    """A worker process and the pipes to and from it. Every wait for it has a time limit.

    The limits are kept here, because a process that is stopped or frozen can't watch the clock. On Windows, where
    processes aren't stopped and pipes can't be polled, the worker ends itself.
    """

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        # Not multiprocessing, which would run the crawl's main module again; not a fork, which copies locked locks.
        # A session of its own keeps a Ctrl-C in the terminal away from it.
        command = f"import sys; sys.path[:] = {sys.path!r}; from {__package__}.worker import main; main({timeout!r})"
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", command],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise NoWorker(str(error)) from None
        self._kill = finalize(self, self._process.kill)  # also when the crawl is stopped the hard way
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._jobs, self._results = self._process.stdin, self._process.stdout
        if sys.platform != "win32":
            os.set_blocking(self._jobs.fileno(), False)
        try:
            self._read(len(READY), monotonic() + START_TIMEOUT)
        except OSError:
            self.close()
            raise NoWorker(f"a worker did not start, its status is {self._process.returncode}") from None

    def score(self, job: Job) -> Scored | Cleaned | NotCleaned:
        deadline = monotonic() + self._timeout
        try:
            self._write(pickle.dumps(job), deadline)
            length = int.from_bytes(self._read(LENGTH_BYTES, deadline), "big")
            return pickle.loads(self._read(length, deadline))  # type: ignore[no-any-return]
        except Exception as error:  # a broken or closed pipe, a timeout, or a truncated answer
            late = isinstance(error, TimeoutError) or monotonic() >= deadline  # poll() may return a moment too early
            self.close()
            if late:
                return NotCleaned("timeout", f"it took more than {self._timeout:g} s")
            raise _WorkerDied(f"its worker ended with status {self._process.returncode}") from None

    @property
    def closed(self) -> bool:
        return self._jobs.closed

    def close(self) -> None:
        self._kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_END_TIMEOUT)
        self._jobs.close()
        self._results.close()

    def _write(self, data: bytes, deadline: float) -> None:
        rest = memoryview(data)
        while rest:
            _wait_for(self._jobs.fileno(), deadline, writing=True)
            rest = rest[os.write(self._jobs.fileno(), rest) :]

    def _read(self, length: int, deadline: float) -> bytes:
        data = bytearray()
        while len(data) < length:
            _wait_for(self._results.fileno(), deadline)
            chunk = os.read(self._results.fileno(), min(length - len(data), _CHUNK))
            if not chunk:
                raise BrokenPipeError
            data += chunk
        return bytes(data)


def _wait_for(descriptor: int, deadline: float, *, writing: bool = False) -> None:
    """Wait until a pipe can be read or written. Raises TimeoutError after the deadline."""
    if sys.platform == "win32":
        return
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT if writing else select.POLLIN)
    if not poll.poll(max(0, deadline - monotonic()) * 1000):
        raise TimeoutError


async def finished(future: Future[Any]) -> None:
    """Wait for the result of another thread, under asyncio, a Twisted reactor, or both."""
    deferred: Deferred[None] = Deferred()
    call_here = _call_here()
    future.add_done_callback(lambda _: call_here(deferred.callback, None))
    await maybe_deferred_to_future(deferred)


def _call_here() -> Callable[..., Any]:
    """The function with which another thread schedules a call in this one."""
    if is_asyncio_available():
        return asyncio.get_running_loop().call_soon_threadsafe
    from twisted.internet import reactor  # imported late: the import installs a reactor

    return reactor.callFromThread  # type: ignore[no-any-return]


@cache
def _spare_the_garbage_collector() -> None:
    """Exclude all objects that exist now, mostly modules, from garbage collection; once in a process.

    Pages that wait for a worker survive young collections, which makes full collections twice as frequent.
    """
    gc.collect()
    gc.freeze()
