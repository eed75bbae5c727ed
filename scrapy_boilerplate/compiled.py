"""The compiled parts of the package, as far as they exist in this installation.

Without them, plain Python does the same work with the same results, and takes longer.
"""

from __future__ import annotations

import sys

PARTS = ("_core.shim",)


def compiled() -> dict[str, bool]:
    """Each part that can be compiled, and whether its compiled form is in use."""
    from . import _core  # noqa: F401  it imports its compiled part, where there is one

    return {part: sys.modules.get(f"{__package__}.{part}") is not None for part in PARTS}


def running() -> str:
    """The form in which the package runs: compiled, and for which vectors, or in plain Python."""
    from . import _core

    if not _core.is_ready():
        return "in plain Python, which takes longer"
    return f"compiled for {_core.shim.kernel_name()}"
