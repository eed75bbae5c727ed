"""The stopwatch: tasks take turns, and the fastest of several runs counts.

Processor time is measured, not time on the wall: it changes far less when others use the machine too.
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
    """Something that is done to a page, and what must be there before it can be done."""

    name: str
    run: Callable[[Any], object]
    prepare: Callable[[Any], Any] = _as_it_is  # its time doesn't count


def fastest_runs(
    tasks: Sequence[Task],
    pages: Sequence[Any],
    repeats: int,
    progress: Callable[[int], None] = lambda _: None,
) -> dict[str, list[float]]:
    """For each task the seconds that each page took at best; `progress` is told how many pages are done.

    Turns are short, one page each, so that whatever slows the machine for a while slows all of them alike. With
    repeats every page counts again.
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
    # Everyone frees what they have made on their own time: the result, which nobody keeps, goes before the second
    # look at the clock, as the tree inside an extractor does. What was prepared for them is freed after it. And it is
    # prepared anew each time, since walking a tree for the first time costs more than walking it again. The garbage
    # collector stays on, as it is in a crawl.
    prepared = task.prepare(page)
    start = process_time()
    task.run(prepared)
    return process_time() - start


def spread(pages: Sequence[T], count: int) -> list[T]:
    """`count` of the pages, in order and at equal distances; all if there are no more."""
    count = min(count, len(pages))
    return [pages[number * len(pages) // count] for number in range(count)]
