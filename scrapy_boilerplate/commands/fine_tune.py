"""`scrapy boilerplate train --from MODEL`: fine-tune a network on a few labelled pages."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ..models.mlp import Perceptron
from ..train import fine_tuning
from ..train.block_trainer import labelled_samples
from ..train.example import Example
from ..train.gradients import ERROR
from ..train.plots import ErrorCurve
from ..train.recipe import Source, fill, read_sources
from ..train.samples import Sample
from ..train.trainer import data_of
from .mistakes import model_of
from .plot_errors import plot_errors
from .progress import progress


def fine_tune(opts: Namespace) -> Any:
    """The fine-tuned model; prints how accurate it is on the user's pages and on regression pages."""
    model = model_of("--from", opts.start)
    if not isinstance(model, Perceptron):
        raise ValueError(f"only models of the kind mlp can be fine-tuned, and {opts.start} is none")
    chosen = {} if opts.epochs is None else {"epochs": opts.epochs}  # a seed makes no difference
    settings = fill(fine_tuning.FineTuningSettings(), chosen, "--")
    sources = [Source(folder) for folder in opts.data]
    examples = read_sources(sources)
    samples = _samples(examples, model)
    if doubt := fine_tuning.doubt(samples):
        print(doubt, file=sys.stderr)
    regression = [Source(str(folder)) for folder in opts.check or [fine_tuning.other_sites()] if folder]
    kept_out = _samples(read_sources(regression), model)
    curves: list[ErrorCurve] = []  # of the training, then of each fold
    folds = fine_tuning.folds_of(samples, 5 if opts.folds is None else opts.folds)
    with progress(settings.epochs * (1 + folds), "epochs") as advance:

        def report(epoch: int, training_error: float, held_out_error: float) -> None:
            if epoch == 1:
                curves.append(ErrorCurve())
            curves[-1].add(epoch, training_error, held_out_error)
            advance(settings.epochs * (len(curves) - 1) + epoch)

        tuned = fine_tuning.fine_tune(model, samples, settings, progress=report)
        on_labels = None
        if curves and len(curves[0].epochs) == settings.epochs:  # after Ctrl-C there is no cross-validation either
            with suppress(KeyboardInterrupt):
                on_labels = fine_tuning.held_out(model, samples, settings, folds=folds, progress=report)
    if opts.plot:
        panels = {f"{folds} folds of your pages": curves[1:], "all your pages": curves[:1]}
        plot_errors(panels, ERROR, opts.plot)
    on_others = fine_tuning.compare(model, tuned, kept_out) if kept_out else None
    verdict = fine_tuning.verdict(len(samples), on_labels, on_others)
    print(verdict)
    fine_tuning.note(tuned.card, opts.start, settings, verdict)
    tuned.card["data"] = data_of(sources, examples)
    tuned.card["credit"] = [*tuned.card.get("credit", ()), *opts.credit]
    return tuned


def _samples(examples: Sequence[tuple[Source, Example]], model: Perceptron) -> list[Sample]:
    samples = []
    with progress(len(examples), "pages") as advance:
        for number, sample in enumerate(labelled_samples(examples, model.feature_names), start=1):
            if sample is not None:
                samples.append(sample)
            advance(number)
    return samples
