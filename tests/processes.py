"""Observe other processes, with Linux's /proc, and wait for them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

PROC = Path("/proc")
needs_proc = pytest.mark.skipif(not (PROC / "self" / "stat").exists(), reason="looks for processes in /proc")


def children_of(pid: int) -> list[int]:
    return [int(path.name) for path in PROC.iterdir() if path.name.isdigit() and _status(path.name)[1:2] == [str(pid)]]


def is_running(pid: int) -> bool:
    return _status(pid)[:1] not in ([], ["Z"], ["X"])


def _status(pid: int | str) -> list[str]:
    """Return state, parent, ... of a process, or an empty list if it has ended."""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def megabytes_of(pid: int) -> float:
    return int((PROC / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def interrupt_children_until_the_end(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> set[int]:
    """Send SIGINT to all children of a process, over and over, until it ends. Return the children that got one."""
    interrupted = set()
    while process.poll() is None:
        for child in children_of(process.pid):
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGINT)
                interrupted.add(child)
        time.sleep(0.005)
    return interrupted


def wait_until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end, "the condition was not met in 120 seconds"
        time.sleep(0.02)
