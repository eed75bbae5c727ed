"""The kinds of models that can be trained."""

from __future__ import annotations

from typing import Any

from .block_trainer import BlockTrainer
from .boilernet import BoilerNetTrainer
from .recipe import Recipe
from .trainer import Progress, Trainer, silent
from .victor import VictorTrainer

KINDS = ("mlp", "texrex", "victor", "boilernet")  # of models of blocks


def trainer_of(recipe: Recipe, progress: Progress = silent, *, draws: bool = False) -> Trainer[Any]:
    """The trainer of the recipe's kind; with `draws` it keeps error curves of held-out pages."""
    if recipe.kind not in KINDS:
        raise ValueError(f"kind must be one of {', '.join(KINDS)}, not {recipe.kind!r}")
    if recipe.kind in ("mlp", "texrex"):
        return BlockTrainer(recipe, progress, draws=draws)
    if draws:
        raise ValueError(f"--plot: the training of {recipe.kind} has no error curves")
    return VictorTrainer(recipe, progress) if recipe.kind == "victor" else BoilerNetTrainer(recipe, progress)
