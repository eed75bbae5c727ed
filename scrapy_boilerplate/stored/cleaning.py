"""Cleaning of stored pages to rows, in order, in one or several processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, Generic, Protocol, TypeVar

from ..clean import clean
from ..fields import values_of
from ..not_cleaned import NotCleaned
from ..options import DECLARATIONS, Options
from ..threads import in_own_thread, shield_children
from .pages import StoredPage, unpacked

Row = dict[str, Any]
DEFAULT_FIELDS = ("title", "main_text", "score")
TRUNCATED = "truncated"  # a key of rows whose page was read in part; counted, not written
_Chunk = TypeVar("_Chunk")
_Result = TypeVar("_Result")
_Row = TypeVar("_Row")

_CHUNKS_AHEAD = 2  # for each process: one in work, and one waiting


@dataclass(frozen=True, slots=True)
class PageCleaner:
    """Cleans a stored page to a row with these fields."""

    options: Options
    fields: tuple[str, ...] = DEFAULT_FIELDS

    @property
    def columns(self) -> list[str]:
        return ["url", "date", *self.fields, "error"]

    def __call__(self, pages: Sequence[StoredPage]) -> list[Row]:
        """Clean pages in a thread of their own, so that memory doesn't grow over time."""
        return in_own_thread(lambda: [self.row(page) for page in pages])

    def row(self, page: StoredPage, not_cleaned: NotCleaned | None = None) -> Row:
        """The page's url, date and fields, and in `error` the reason if it can't be cleaned."""
        values: Row = {}
        reason = not_cleaned or page.not_cleaned
        try:
            if reason is None:
                values = {"main_text": _text(page)} if page.is_text else self._values(page)
        except NotCleaned as error:
            reason = error
        except Exception as error:  # no page stops a run
            reason = NotCleaned.by(error)
        return {
            "url": _writable(page.url),
            "date": page.date and _writable(page.date),
            **dict.fromkeys(self.fields),
            **values,
            "error": reason and _writable(str(reason)),
        }

    def _values(self, page: StoredPage) -> Row:
        document = clean(unpacked(page, self.options.most_bytes), self.options, site=page.site)
        values = values_of(document, self.fields)
        return {**values, TRUNCATED: True} if document.truncated else values


def page_cleaner(fields: Sequence[str], blocks: bool, options: Mapping[str, Any]) -> PageCleaner:
    """Make a cleaner. Raises ValueError for unknown fields and bad options."""
    if not isinstance(blocks, bool):
        raise ValueError(f"blocks = {blocks!r}: must be True or False")
    names = DECLARATIONS["fields"].check([*fields, *(["blocks"] if blocks and "blocks" not in fields else [])])
    return PageCleaner(Options().for_page(options, "{}"), tuple(names))


def _text(page: StoredPage) -> str:
    return page.body.decode("utf-8", "replace").strip()


def _writable(text: str) -> str:
    """Replace lone surrogates, which UTF-8 can't encode."""
    return text.encode("utf-8", "replace").decode("utf-8")


class PageTask(Protocol[_Row]):
    """A task that makes a row of each page, such as a PageCleaner."""

    def __call__(self, pages: Sequence[StoredPage], /) -> list[_Row]: ...

    def row(self, page: StoredPage, not_cleaned: NotCleaned | None = None, /) -> _Row: ...


def clean_in_order(
    chunks: Iterable[_Chunk], pages_of: Callable[[_Chunk], Sequence[StoredPage]], cleaner: PageTask[_Row], jobs: int
) -> Iterator[tuple[_Chunk, list[_Row]]]:
    """Yield each chunk with its rows, in order. Only a few chunks are in memory at a time."""
    if jobs == 1:
        for chunk in chunks:
            yield chunk, cleaner(pages_of(chunk))
        return
    pool = _Pool(cleaner, jobs)
    pool.check()
    waiting: deque[tuple[_Chunk, Callable[[], list[_Row]]]] = deque()
    try:
        for chunk in chunks:
            waiting.append((chunk, pool.submit(pages_of(chunk))))
            if len(waiting) >= jobs * _CHUNKS_AHEAD:
                first, rows = waiting.popleft()
                yield first, rows()
        for chunk, rows in waiting:
            yield chunk, rows()
    finally:
        pool.close()


class _Pool(Generic[_Row]):
    """A process pool. If a process dies, its pages are tried one by one, and the deadly one gets a reason."""

    def __init__(self, cleaner: PageTask[_Row], jobs: int) -> None:
        self._cleaner = cleaner
        self._jobs = jobs
        self._executor = self._start(jobs)
        self._for_suspects: ProcessPoolExecutor | None = None
        # Tasks are submitted in this thread, because executors start their processes on submission.
        self._shielded = ThreadPoolExecutor(1, initializer=shield_children)

    def submit(self, pages: Sequence[StoredPage]) -> Callable[[], list[_Row]]:
        """Start cleaning, and return a function that waits for the rows."""
        try:
            future = self._submit(self._executor, self._cleaner, pages)
        except BrokenProcessPool:
            self._executor = self._start(self._jobs)
            future = self._submit(self._executor, self._cleaner, pages)
        return partial(self._rows, future, pages)

    def check(self) -> None:
        """Raise RuntimeError if no process can be started, as in a script that calls us while it is imported."""
        try:
            self._submit(self._executor, os.getpid).result()
        except BrokenProcessPool:
            self.close()
            raise RuntimeError(
                'its processes could not be started; a script must call this below `if __name__ == "__main__":`'
            ) from None

    def close(self) -> None:
        self._shielded.shutdown()
        self._executor.shutdown(cancel_futures=True)
        if self._for_suspects is not None:
            self._for_suspects.shutdown()

    def _rows(self, future: Future[list[_Row]], pages: Sequence[StoredPage]) -> list[_Row]:
        try:
            return future.result()
        except BrokenProcessPool:
            return [self._row_of_suspect(page) for page in pages]

    def _row_of_suspect(self, page: StoredPage) -> _Row:
        self._for_suspects = self._for_suspects or self._start(1)
        try:
            return self._submit(self._for_suspects, self._cleaner.row, page).result()
        except BrokenProcessPool:
            self._for_suspects = None
            return self._cleaner.row(page, NotCleaned("crash"))

    def _submit(self, executor: ProcessPoolExecutor, task: Callable[..., _Result], *args: Any) -> Future[_Result]:
        return self._shielded.submit(executor.submit, task, *args).result()

    def _start(self, jobs: int) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(jobs, context, initializer=_start_worker)


def _start_worker() -> None:
    # Ctrl-C is for the writing process, which has blocked the signal already where that is possible.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
