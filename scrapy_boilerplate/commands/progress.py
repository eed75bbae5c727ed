"""A progress bar, shown only on terminals, and only for what takes longer than two seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_WIDTH = 30
_PATIENCE = 2.0  # seconds until the bar is shown
_CLEARED = "\r\033[K"


@contextmanager
def progress(total: int, unit: str) -> Iterator[Callable[[int], None]]:
    """`with progress(100, "pages") as advance: advance(7)` shows that 7 of 100 are done, and the time left."""
    start = time.monotonic()
    shown = sys.stderr.isatty() and total > 0

    def advance(done: int) -> None:
        spent = time.monotonic() - start
        if shown and spent >= _PATIENCE:
            filled = _WIDTH * done // total
            left = spent / done * (total - done) if done else 0.0
            bar = "#" * filled + "." * (_WIDTH - filled)
            print(f"{_CLEARED}[{bar}] {done}/{total} {unit}, {left:.0f} s left ", end="", file=sys.stderr, flush=True)

    try:
        yield advance
    finally:
        if shown and time.monotonic() - start >= _PATIENCE:
            print(_CLEARED, end="", file=sys.stderr, flush=True)
