"""Training data in the text format of FANN: a head line, then a line of inputs and a line of targets in turn."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import numpy as np

from .rprop import Examples


def read_fann_data(path: str | PathLike[str]) -> Examples:
    """Read a `.dat` file with one output; ValueError says why it can't be trained on."""
    try:
        return _read(Path(path).read_text("utf-8"))
    except ValueError as error:  # UnicodeDecodeError too
        raise ValueError(f"{path}: {error}") from None


def _read(text: str) -> Examples:
    head, _, body = text.partition("\n")
    numbers = head.split()
    if len(numbers) != 3 or not all(number.isdecimal() for number in numbers):
        raise ValueError(f'the first line must be "rows inputs outputs", not {head[:40]!r}')
    rows, inputs, outputs = map(int, numbers)
    if outputs != 1 or not rows or not inputs:
        raise ValueError(
            f"{rows} rows of {inputs} inputs and {outputs} outputs; there must be rows, inputs and 1 output"
        )
    values = np.array(body.split(), np.float64)
    if len(values) != rows * (inputs + 1):
        raise ValueError(f"{len(values)} numbers instead of {rows} x ({inputs} + 1); it may be truncated")
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values))[0]) // (inputs + 1)
        raise ValueError(f"row {row + 1} has a value that is not a finite number")
    values = values.reshape(rows, inputs + 1)
    targets = values[:, -1]
    if targets.min() == targets.max():
        raise ValueError(f"all targets are {targets[0]:g}; there must be both classes")
    return Examples(values[:, :-1], targets)
