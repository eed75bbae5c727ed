"""What other processes do, as Linux tells it in /proc, and waiting for it."""

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
    """State, parent, ...; nothing when the process is gone."""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def megabytes_of(pid: int) -> float:
    return int((PROC / str(pid) / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def interrupt_children_until_the_end(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> set[int]:
    """SIGINT to whatever this process starts, from the moment it is there; all that got one."""
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
        assert time.monotonic() < end, "it doesn't happen"
        time.sleep(0.02)
