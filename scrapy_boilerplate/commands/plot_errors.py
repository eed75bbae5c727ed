"""Plots the error curves of a training."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

from ..train import plots


def plot_errors(panels: Mapping[str, Sequence[plots.ErrorCurve]], error: str, path: str) -> None:
    """Plot the curves that have points, a panel for each title; a file that can't be written is only told of."""
    begun = {title: [curve for curve in curves if curve.epochs] for title, curves in panels.items()}
    drawn = {title: curves for title, curves in begun.items() if curves}
    try:
        if drawn:
            plots.save(plots.error_figure(drawn, error), path)
    except OSError as failure:  # the weights must not be lost for a plot
        print(f"no plot: {failure}", file=sys.stderr)
