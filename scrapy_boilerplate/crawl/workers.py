"""The crawl's side of its workers: a few processes, and a thread for each that waits for it."""

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
from .worker import LENGTH_BYTES, READY, Job, Scored

START_TIMEOUT = 60.0  # seconds from the start of a worker until it can take pages
_END_TIMEOUT = 5.0  # seconds to wait for a killed worker, which the system may not let die
_MOST_FAILED_STARTS = 3  # in a row; each may take the whole start timeout
_CHUNK = 1 << 16


class NoWorker(Exception):
    """No worker could be started; the page has not been tried."""


class _WorkerDied(Exception):
    """The worker ended while it had the page."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of `worker.score()`, and whether it took a second worker because the first one died."""

    result: Scored | NotCleaned
    second_try: bool = False


class WorkerPool:
    """Scores pages in up to `count` processes, each started when there is a page for it, and anew when it has died.

    There is no limit to the pages that wait: Scrapy itself downloads no more while too many are being processed.
    """

    def __init__(self, count: int, timeout: float) -> None:
        self._count = count
        self._timeout = timeout
        self._tasks: SimpleQueue[tuple[Job, Future[Answer]] | None] = SimpleQueue()
        self._threads: list[Thread] = []
        _spare_the_garbage_collector()

    def score(self, job: Job) -> Future[Answer]:
        """Have a worker score the page; the future fails with NoWorker if there is none."""
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
        # A daemon: a crawl that is stopped the hard way doesn't wait for it.
        thread = Thread(target=self._serve, name="boilerplate worker", daemon=True)
        with suppress(RuntimeError):  # the system has no more threads for us
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
            del task, job, future  # or the page would be kept until the next one comes
        place.close()


class _Place:
    """A worker that is started when there is a page for it, and replaced when it has failed."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._worker: _Worker | None = None
        self._failed_starts = 0

    def answer(self, job: Job) -> Answer:
        """Score the page; if that ends the worker, once more in a fresh one."""
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

    def _score(self, job: Job) -> Scored | NotCleaned:
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
    """One process, and the pipes to it and from it; nothing here waits for it without a limit.

    The limits are kept on this side, because a process that is stopped or frozen can't look at the clock. Windows,
    which stops no processes, can't wait for a pipe with a limit; there the worker ends itself.
    """

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        # Not by multiprocessing, which would run the main module of the crawl again, and not forked, which copies
        # locks that other threads hold. In a session of its own, a Ctrl-C in the terminal doesn't reach it.
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
        self._kill = finalize(self, self._process.kill)  # also at the end of a crawl that is stopped the hard way
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

    def score(self, job: Job) -> Scored | NotCleaned:
        deadline = monotonic() + self._timeout
        try:
            self._write(pickle.dumps(job), deadline)
            length = int.from_bytes(self._read(LENGTH_BYTES, deadline), "big")
            return pickle.loads(self._read(length, deadline))  # type: ignore[no-any-return]
        except Exception:  # a broken pipe, its end, the time, or the remains of an answer
            late = monotonic() >= deadline
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
    """Wait until a pipe can be read or written, if that can be limited; TimeoutError when the deadline has passed."""
    if sys.platform == "win32":
        return
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT if writing else select.POLLIN)
    if not poll.poll(max(0, deadline - monotonic()) * 1000):
        raise TimeoutError


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
