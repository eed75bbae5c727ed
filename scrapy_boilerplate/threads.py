"""Helpers for threads and for the processes that they start."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

_Result = TypeVar("_Result")


def in_own_thread(function: Callable[..., _Result], *args: Any) -> _Result:
    """Call a function in a thread that ends with it, and with it what lxml remembers.

    For as long as a thread lives lxml keeps the name of every tag and attribute that it has met there. Pages have
    about ten new ones each, without end. Where the system has no more threads the function is called in this one.
    """
    with ThreadPoolExecutor(1) as thread:
        try:
            future = thread.submit(function, *args)
        except RuntimeError:
            return function(*args)
        return future.result()


def shield_children() -> None:
    """Block SIGINT in this thread, and so, from their first instruction on, in the processes that it starts.

    For a thread of our own only: the main thread has to hear of Ctrl-C, which is for the process that a user started.
    """
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
