"""Trains texrex's network on rows of features, as the program texrex writes them, instead of pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from math import nan
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ..models.papers.fann import GAUSSIAN_SYMMETRIC
from ..models.papers.texrex import Texrex
from ..models.papers.texrex_program import PROGRAM_NAMES
from .blockwise import Folds, Predictor, RowTrainer, block_folds, cross_validate, documents, group_folds, measure, sweep
from .fann_data import read_fann_data
from .plots import ErrorCurve
from .recipe import Recipe, fill
from .rprop import Examples, Snapshot, mean_error, train_rprop
from .texrex import ERROR, TexrexSettings
from .trainer import Progress, silent

SUFFIX = ".dat"


def read_rows(paths: Sequence[str | PathLike[str]]) -> Examples:
    """The rows of all files together; ValueError for a file with another number of features."""
    files = [read_fann_data(path) for path in paths]
    for path, examples in zip(paths, files, strict=True):
        if examples.inputs.shape[1] != len(PROGRAM_NAMES):
            raise ValueError(f"{path}: {examples.inputs.shape[1]} inputs instead of {len(PROGRAM_NAMES)}")
    return Examples(np.concatenate([file.inputs for file in files]), np.concatenate([file.targets for file in files]))


def rprop(
    *,
    function: int = GAUSSIAN_SYMMETRIC,
    epochs: int = 500,
    seed: int = 0,
    progress: Callable[[int, Snapshot], None] | None = None,
) -> RowTrainer:
    """The paper's network: of its snapshots the one with the lowest training error.

    `progress` is called with the fold and every snapshot.
    """

    def trainer(training: Examples, fold: int) -> Predictor:
        snapshot = train_rprop(
            training,
            function=function,
            epochs=epochs,
            snapshot_every=100,
            seed=seed + fold,
            progress=partial(progress, fold) if progress else None,
        )
        return lambda inputs: snapshot.network.forward(inputs)[:, 0]

    return trainer


class RowsTrainer:
    """Trains and judges a network on rows, by a recipe with `.dat` files as its data."""

    error = ERROR

    def __init__(self, recipe: Recipe, progress: Progress = silent, *, draws: bool = False) -> None:
        if recipe.kind != "texrex":
            raise ValueError("rows of features, .dat files, are for the kind texrex")
        if not all(source.folder.endswith(SUFFIX) for source in recipe.data):
            raise ValueError("rows of features, .dat files, can't be mixed with pages")
        if recipe != Recipe(recipe.kind, "", 0.0, recipe.folds, recipe.credit, recipe.data, settings=recipe.settings):
            raise ValueError("rows of features take no page_type, augment or label_smoothing")
        self.recipe = recipe
        self.progress = progress
        self.settings = fill(TexrexSettings(), recipe.settings, "settings.")
        self.curves: dict[str, list[ErrorCurve]] = {}  # by the title of their panel in a plot
        self._draws = draws

    def make(self, root: Path | None = None) -> Texrex:
        """The network with the lowest error on all rows, with the threshold 0.5 as in the paper."""
        files = [source.folder for source in self.recipe.data]
        examples = read_rows([file if root is None else root / file for file in files])
        card = self._judge(examples) if self.recipe.folds else {}
        curve = ErrorCurve()
        self.curves["all rows"] = [curve]
        with self.progress(self.settings.epochs, "epochs") as advance:

            def report(snapshot: Snapshot) -> None:
                advance(snapshot.epoch)
                curve.add(snapshot.epoch, snapshot.training_error, nan)

            snapshot = train_rprop(examples, progress=report, **asdict(self.settings))
        data = [{"file": Path(file).name} for file in files]
        return Texrex(snapshot.network, PROGRAM_NAMES, card={"settings": asdict(self.settings), **card, "data": data})

    def _judge(self, examples: Examples) -> dict[str, Any]:
        """Accuracy in folds of single blocks, as in the paper, and in folds of whole documents."""
        ways: dict[str, Folds] = {
            "blocks": block_folds(len(examples.targets), self.recipe.folds),
            "whole documents": group_folds(documents(examples.inputs), self.recipe.folds),
        }
        figures = {name: self._figures(name, examples, fold_of) for name, fold_of in ways.items()}
        return {"rows": {"folds": self.recipe.folds, "kept_together": figures}}

    def _figures(self, name: str, examples: Examples, fold_of: Folds) -> dict[str, Any]:
        curves = [ErrorCurve() for _ in range(self.recipe.folds)]

        def watch(fold: int, snapshot: Snapshot) -> None:
            held_out = Examples(examples.inputs[fold_of == fold], examples.targets[fold_of == fold])
            curves[fold].add(snapshot.epoch, snapshot.training_error, mean_error(snapshot.network, held_out))

        settings = self.settings
        trainer = rprop(
            function=settings.function,
            epochs=settings.epochs,
            seed=settings.seed,
            progress=watch if self._draws else None,
        )
        outputs = cross_validate(examples, fold_of, trainer)
        self.curves[f"folds of {name}"] = curves
        swept = sweep(examples.targets, outputs)
        return {
            "at 0.5": asdict(measure(examples.targets, outputs)),
            "balanced": {"threshold": swept.balanced[0], **asdict(swept.balanced[1])},
            "best": {"threshold": swept.best[0], **asdict(swept.best[1])},
        }
