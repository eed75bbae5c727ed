"""Plots of a training, an evaluation or a comparison. They need matplotlib, the extra `plot`.

The colours are those of Okabe and Ito (2008), which colour-blind people can tell apart; lines of one panel differ in
their dashes or markers, too. Figures are made without pyplot, so no state is kept and no window is opened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..extras import require
from .crossvalidation import GOOD
from .figures import reliability
from .sweeps import THRESHOLDS, ScoredPage, sweep_thresholds

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BLUE, _VERMILION, _GREEN, _BLACK, _GREY = "#0072b2", "#d55e00", "#009e73", "#000000", "#767676"
# Their numbers differ, so that no two models share both colour and marker.
_COLOURS = (_BLUE, _VERMILION, _GREEN, "#e69f00", "#56b4e9", "#cc79a7", _BLACK)
_MARKERS = "osD^vPX*"
_ENDINGS = (".png", ".svg", ".pdf")
_BINS = 20  # of the scores


@dataclass(slots=True)
class ErrorCurve:
    """The errors of one training, by epoch."""

    epochs: list[int] = field(default_factory=list)
    training: list[float] = field(default_factory=list)
    held_out: list[float] = field(default_factory=list)  # nan without held-out pages

    def add(self, epoch: int, training: float, held_out: float) -> None:
        self.epochs.append(epoch)
        self.training.append(training)
        self.held_out.append(held_out)


@dataclass(frozen=True, slots=True)
class Trade:
    """The cost of a model, in bare parses, and its accuracy."""

    name: str
    cost: float
    f1: float
    is_comparable: bool = True  # judged on the same pages as the others


def check_output(path: str | PathLike[str]) -> None:
    """Raise ImportError or ValueError if no plot can be written there, so that it is known before the work."""
    require("matplotlib.figure")
    path = Path(path)
    if path.suffix.lower() not in _ENDINGS:
        raise ValueError(f"can't draw {path}: its name must end with one of {', '.join(_ENDINGS)}")
    if not path.parent.is_dir():
        raise ValueError(f"can't draw {path}: there is no such folder")


def save(figure: Figure, path: str | PathLike[str]) -> None:
    """Write a figure in the format of the file's suffix."""
    figure.savefig(path)


def error_figure(panels: Mapping[str, Sequence[ErrorCurve]], error: str) -> Figure:
    """Errors by epoch: a panel for each title, a thin line for each training and a thick one for their mean."""
    figure, [axes] = _panels(1, len(panels), share_y=True)
    for axis, (title, curves) in zip(axes, panels.items(), strict=True):
        _draw_errors(axis, title, curves)
    axes[0].set_ylabel(error)
    return figure


def evaluation_figure(pages: Mapping[str, Sequence[tuple[ScoredPage, float]]]) -> Figure:
    """A row for each model: accuracy by threshold, distribution of scores, reliability of the confidence.

    The diamond marks equal precision and recall, the dot the most words in correct blocks. `pages` are a model's scored
    pages, each with its word F1.
    """
    figure, rows = _panels(len(pages), 3)
    for axes, (name, judged) in zip(rows, pages.items(), strict=True):
        model = Path(name).name  # a whole path would not fit
        scored = [page for page, _ in judged]
        _draw_sweep(axes[0], model, scored)
        _draw_scores(axes[1], model, scored)
        _draw_reliability(axes[2], model, [page.confidence for page in scored], [f1 >= GOOD for _, f1 in judged])
    return figure


def trade_figure(trades: Sequence[Trade], pages: str) -> Figure:
    """Accuracy against cost: a point for each model, hollow if it was judged on other pages."""
    figure, [[axis]] = _panels(1, 1, width=8, height=4.6)
    styles = zip(cycle(_COLOURS), cycle(_MARKERS), strict=False)
    for trade, (colour, marker) in zip(sorted(trades, key=lambda trade: -trade.f1), styles, strict=False):
        label = f"{trade.name}: {trade.f1:.3f}, {trade.cost:.1f} parses"
        if not trade.is_comparable:
            label += "\n(on other pages)"
        face = colour if trade.is_comparable else "none"
        axis.plot(trade.cost, trade.f1, marker, color=colour, markerfacecolor=face, markersize=9, label=label)
    axis.set(xlabel="cost of extract(), in bare parses of the page", ylabel=f"word F1, mean over {pages}")
    axis.set_xlim(0, 1.1 * max(trade.cost for trade in trades))
    axis.margins(y=0.1)
    axis.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def _panels(
    rows: int, columns: int, *, width: float = 4.8, height: float = 3.9, share_y: bool = False
) -> tuple[Figure, Any]:
    figure = require("matplotlib.figure").Figure(
        figsize=(columns * width, rows * height), dpi=100, layout="constrained"
    )
    axes = figure.subplots(rows, columns, squeeze=False, sharey=share_y)
    for axis in axes.flat:
        axis.grid(color="#dddddd", linewidth=0.6)
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _draw_errors(axis: Axes, title: str, curves: Sequence[ErrorCurve]) -> None:
    for name, colour, dashes in (("training", _BLUE, "--"), ("held_out", _VERMILION, "-")):
        lines = [(curve.epochs, getattr(curve, name)) for curve in curves if np.isfinite(getattr(curve, name)).all()]
        if not lines:
            continue
        for epochs, errors in lines:
            axis.plot(epochs, errors, f".{dashes}", color=colour, linewidth=0.8, alpha=0.5)
        # Ctrl-C ends a training early: the mean covers the epochs that all of them have.
        epochs = min((epochs for epochs, _ in lines), key=len)
        mean = np.mean([errors[: len(epochs)] for _, errors in lines], 0)
        label = f"{name.replace('_', ' ')}, {mean[-1]:.4f} at the end"
        axis.plot(epochs, mean, f".{dashes}", color=colour, linewidth=2.2, label=label)
    axis.set(title=title, xlabel="epochs")
    axis.set_ylim(bottom=0)
    axis.legend(frameon=False)


def _draw_sweep(axis: Axes, model: str, pages: Sequence[ScoredPage]) -> None:
    swept = sweep_thresholds(pages)
    lines = (
        ("precision", swept.precision, _BLUE, "--"),
        ("recall", swept.recall, _VERMILION, "-."),
        ("F1", swept.f1, _BLACK, "-"),
        ("correct", swept.correct, _GREEN, ":"),
    )
    for name, values, colour, dashes in lines:
        axis.plot(THRESHOLDS, values, dashes, color=colour, linewidth=2, label=name)
    for number, name, values, marker, colour in (
        (swept.balanced, "F1", swept.f1, "D", _BLACK),
        (swept.most_correct, "correct", swept.correct, "o", _GREEN),
    ):
        label = f"{name} {values[number]:.3f} at {THRESHOLDS[number]:.2f}"
        axis.plot(THRESHOLDS[number], values[number], marker, color=colour, label=label)
    axis.set(
        title=f"{model}: {len(pages)} page{'s' if len(pages) > 1 else ''}",
        xlabel="threshold (lowest score that is kept)",
        ylabel="mean over pages",
    )
    axis.set(xlim=(0, 1), ylim=(0, 1.02))
    axis.legend(frameon=False, ncols=2, fontsize="small")


def _draw_scores(axis: Axes, model: str, pages: Sequence[ScoredPage]) -> None:
    scores = np.concatenate([page.scores for page in pages])
    is_content = np.concatenate([page.is_content for page in pages])
    for name, rows, colour, hatch in (
        ("boilerplate", ~is_content, _VERMILION, "//"),
        ("content", is_content, _BLUE, None),
    ):
        if rows.any():
            axis.hist(
                scores[rows],
                bins=_BINS,
                range=(0, 1),
                weights=np.full(rows.sum(), 1 / rows.sum()),
                histtype="stepfilled",
                facecolor=(colour, 0.3),
                edgecolor=colour,
                hatch=hatch,
                label=f"{name}, {rows.sum():,} blocks",
            )
    axis.set(title=f"{model}: scores", xlabel="score of the block", ylabel="share of the blocks of this class")
    axis.set(xlim=(0, 1))
    axis.legend(frameon=False, loc="upper center")


def _draw_reliability(axis: Axes, model: str, beliefs: Sequence[float], truths: Sequence[bool]) -> None:
    rows = reliability(beliefs, truths)
    axis.plot((0, 1), (0, 1), ":", color=_GREY)  # perfect calibration
    axis.plot([row[0] for row in rows], [row[1] for row in rows], "-o", color=_BLUE)
    for belief, share, count in rows:
        below = share > 0.85
        axis.annotate(
            f"{count}",
            (belief, share),
            (0, -17 if below else 8),
            textcoords="offset points",
            horizontalalignment="center",
            fontsize="small",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.5},
        )
    axis.set(title=f"{model}: reliability", xlabel="document.score, with the number of pages")
    axis.set(ylabel=f"share of pages with F1 of {GOOD} or more")
    axis.set(xlim=(-0.04, 1.04), ylim=(-0.04, 1.04))
