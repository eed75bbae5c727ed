"""A progress bar, shown only on terminals."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_WIDTH = 30


@contextmanager
def progress(total: int, unit: str) -> Iterator[Callable[[int], None]]:
    """`with progress(100, "pages") as advance: advance(7)` shows that 7 of 100 are done, and the time left."""
    start = time.monotonic()
    shown = sys.stderr.isatty() and total > 0

    def advance(done: int) -> None:
        if shown:
            filled = _WIDTH * done // total
            left = (time.monotonic() - start) / done * (total - done) if done else 0.0
            bar = "#" * filled + "." * (_WIDTH - filled)
            print(f"\r[{bar}] {done}/{total} {unit}, {left:.0f} s left ", end="", file=sys.stderr, flush=True)

    try:
        yield advance
    finally:
        if shown:
            print(file=sys.stderr)
