"""texrex's network from rows of features, as texrex's own data comes: without pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from os import PathLike
from typing import Any

import numpy as np

from ..models.papers.texrex import Texrex
from .blockwise import Folds, block_folds, cross_validate, documents, group_folds, measure, sweep
from .classifiers import rprop
from .fann_data import read_fann_data
from .rprop import Examples, Snapshot, mean_error, train_rprop
from .texrex import Settings


def read_rows(paths: Sequence[str | PathLike[str]]) -> Examples:
    """The rows of some `.dat` files together; ValueError if they don't fit."""
    files = [read_fann_data(path) for path in paths]
    for path, examples in zip(paths, files, strict=True):
        if examples.inputs.shape[1] != len(Texrex.feature_names):
            raise ValueError(f"{path}: {examples.inputs.shape[1]} inputs instead of {len(Texrex.feature_names)}")
    return Examples(np.concatenate([file.inputs for file in files]), np.concatenate([file.targets for file in files]))


def train_on_rows(
    examples: Examples, settings: Settings, *, progress: Callable[[int, float, float], None] | None = None
) -> Texrex:
    """The snapshot with the lowest error on the rows, and the threshold 0.5 as in the paper."""

    def report(snapshot: Snapshot) -> None:
        if progress:
            progress(snapshot.epoch, snapshot.training_error, snapshot.error)

    snapshot = train_rprop(examples, progress=report, **asdict(settings))
    return Texrex(snapshot.network, card={"settings": asdict(settings)})


def judge_rows(
    examples: Examples,
    settings: Settings,
    folds: int,
    *,
    progress: Callable[[str, int, int, float, float], None] | None = None,
) -> dict[str, Any]:
    """What a card says about accuracy: folds of single blocks, as in the paper, and of whole documents.

    `progress` is told what is kept together, the fold, the epoch, and the errors on the training rows and the fold's.
    """
    ways: dict[str, Folds] = {
        "blocks": block_folds(len(examples.targets), folds),
        "whole documents": group_folds(documents(examples.inputs), folds),
    }
    figures = {}
    for name, fold_of in ways.items():
        watch = partial(_report, progress, name, examples, fold_of) if progress else None
        trainer = rprop(function=settings.function, epochs=settings.epochs, seed=settings.seed, progress=watch)
        outputs = cross_validate(examples, fold_of, trainer)
        swept = sweep(examples.targets, outputs)
        figures[name] = {
            "at 0.5": asdict(measure(examples.targets, outputs)),
            "balanced": {"threshold": swept.balanced[0], **asdict(swept.balanced[1])},
            "best": {"threshold": swept.best[0], **asdict(swept.best[1])},
        }
    return {"rows": {"folds": folds, "kept_together": figures}}


def _report(
    progress: Callable[[str, int, int, float, float], None],
    name: str,
    examples: Examples,
    fold_of: Folds,
    fold: int,
    snapshot: Snapshot,
) -> None:
    held_out = Examples(examples.inputs[fold_of == fold], examples.targets[fold_of == fold])
    progress(name, fold, snapshot.epoch, snapshot.training_error, mean_error(snapshot.network, held_out))
