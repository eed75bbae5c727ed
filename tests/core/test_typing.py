"""mypy finds right uses of the public names right, and wrong ones wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_public_names_have_the_types_that_their_uses_need():
    pytest.importorskip("mypy", reason="the extra check is not installed")
    command = [sys.executable, "-m", "mypy", "tests/typing"]

    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=300, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
