"""Measures processor time: tasks take turns, and the fastest of several runs counts.

Processor time varies far less than elapsed time when others use the machine, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any, TypeVar

T = TypeVar("T")


def _as_it_is(page: Any) -> Any:
    return page


@dataclass(frozen=True, slots=True)
class Task:
    """A function that is timed on pages, and its preparation."""

    name: str
    run: Callable[[Any], object]
    prepare: Callable[[Any], Any] = _as_it_is  # is not timed


def fastest_runs(
    tasks: Sequence[Task],
    pages: Sequence[Any],
    repeats: int,
    progress: Callable[[int], None] = lambda _: None,
) -> dict[str, list[float]]:
    """For each task the least seconds of each page; `progress` gets the number of pages done, repeats included.

    A turn is one page, so that whatever slows the machine for a while slows all tasks alike.
    """
    best = {task.name: [float("inf")] * len(pages) for task in tasks}
    for repeat in range(repeats):
        for number, page in enumerate(pages):
            for task in tasks:
                times = best[task.name]
                times[number] = min(times[number], _seconds(task, page))
            progress(repeat * len(pages) + number + 1)
    return best


def _seconds(task: Task, page: Any) -> float:
    # A task's result is freed within its own time, like the tree inside an extractor; its preparation is freed after.
    # Each run is prepared anew, since walking a tree for the first time takes longer than walking it again. The garbage
    # collector stays on, as in a crawl.
    prepared = task.prepare(page)
    start = process_time()
    task.run(prepared)
    return process_time() - start


def spread(pages: Sequence[T], count: int) -> list[T]:
    """At most `count` of the pages, in order and evenly spread."""
    count = min(count, len(pages))
    return [pages[number * len(pages) // count] for number in range(count)]
