"""What is better done in a thread of our own."""

from __future__ import annotations

import signal
import sys


def shield_children() -> None:
    """Block SIGINT in this thread, and so, from their first instruction on, in the processes that it starts.

    For a thread of our own only: the main thread has to hear of Ctrl-C, which is for the process that a user started.
    """
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
