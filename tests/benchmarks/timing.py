"""The stopwatch: contenders take turns, and the fastest of several runs counts.

Processor time is measured, not time on the wall: it changes far less when others use the machine too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time
from typing import Any

from .report import progress


def _as_it_is(page: Any) -> Any:
    return page


@dataclass(frozen=True, slots=True)
class Contender:
    """Something that is done to a page, and what must be there before it can be done."""

    name: str
    run: Callable[[Any], object]
    prepare: Callable[[Any], Any] = _as_it_is  # its time doesn't count


def fastest_runs(
    title: str, contenders: Sequence[Contender], pages: Sequence[Any], repeats: int
) -> dict[str, list[float]]:
    """For each contender the seconds that each page took at best.

    Turns are short, one page each, so that whatever slows the machine for a while slows all of them alike.
    """
    best = {contender.name: [float("inf")] * len(pages) for contender in contenders}
    for repeat in range(repeats):
        progress(f"{title}: repeat {repeat + 1} of {repeats}")
        for number, page in enumerate(pages):
            for contender in contenders:
                times = best[contender.name]
                times[number] = min(times[number], seconds(contender, page))
    return best


def seconds(contender: Contender, page: Any) -> float:
    # Everyone frees what they have made on their own time: the result, which nobody keeps, goes before the second
    # look at the clock, as the tree inside an extractor does. What was prepared for them is freed after it. And it is
    # prepared anew each time, since walking a tree for the first time costs more than walking it again. The garbage
    # collector stays on, as it is in a crawl.
    prepared = contender.prepare(page)
    start = process_time()
    contender.run(prepared)
    return process_time() - start
