"""The trainer of the `texrex` model: 37 features, 18 hidden units, iRPROP-."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from ..models.papers.fann import GAUSSIAN_SYMMETRIC, FannNetwork, Layer
from ..models.papers.texrex import Texrex
from ..models.papers.texrex_inputs import TEXREX_NAMES
from .rprop import Examples, Snapshot, mean_error, train_rprop
from .samples import Sample

FEATURES = TEXREX_NAMES
ERROR = "error (a quarter of the mean square)"
THRESHOLD = 0.4  # the best fixed threshold in cross-validation on WCXB

_LEAST_DEVIATION = 0.01  # bounds the scale of inputs that are nearly always 0


@dataclass(frozen=True, slots=True)
class TexrexSettings:
    """Length and start of a training; the defaults are those of the shipped weights."""

    hidden: int = 18
    function: int = GAUSSIAN_SYMMETRIC  # an activation function, by FANN's number
    epochs: int = 300
    snapshot_every: int = 50
    seed: int = 0


def train(
    samples: Sequence[Sample],
    settings: TexrexSettings,
    *,
    validation: Sequence[Sample] = (),
    held_out: Sequence[Sample] | None = None,
    progress: Callable[[int, float, float], None] | None = None,
) -> Texrex:
    """Train a network, and take the snapshot with the lowest error on the validation pages, or on the training pages.

    Pages count by their weight, and blocks of a page by the root of their words. Pages without content are left out,
    because their gold text is probably missing. `progress` gets the epoch of each snapshot, the error on the training
    pages, and the one on the validation pages, or on the `held_out` pages, which don't influence the training.
    """
    training = _examples(samples)
    mean, deviation = training.inputs.mean(0), np.maximum(training.inputs.std(0), _LEAST_DEVIATION)

    def scaled(examples: Examples) -> Examples:
        return Examples((examples.inputs - mean) / deviation, examples.targets, examples.weights)

    watched = [sample for sample in held_out or () if _has_content(sample)]
    watched_rows = scaled(_examples(watched)) if watched else None

    def report(snapshot: Snapshot) -> None:
        if progress:
            error = snapshot.error if held_out is None else np.nan
            if watched_rows is not None:
                error = mean_error(snapshot.network, watched_rows)
            progress(snapshot.epoch, snapshot.training_error, error)

    snapshot = train_rprop(
        scaled(training),
        validation=scaled(_examples(validation)) if validation else None,
        progress=report,
        **asdict(settings),
    )
    network = _unscaled(snapshot.network, mean, deviation)
    return Texrex(network, threshold=THRESHOLD, chooses=True, card={"settings": asdict(settings)})


def _has_content(sample: Sample) -> bool:
    return bool((sample.labels * sample.known * sample.sizes).any())


def _examples(samples: Sequence[Sample]) -> Examples:
    samples = [sample for sample in samples if _has_content(sample)]
    if not samples:
        raise ValueError("there is no page with content to train on")
    weights = [np.sqrt(sample.sizes) * sample.known for sample in samples]
    return Examples(
        np.concatenate([sample.matrix for sample in samples]),
        np.concatenate([1 - sample.labels for sample in samples]),
        np.concatenate([row * (sample.weight / row.sum()) for row, sample in zip(weights, samples, strict=True)]),
    )


def _unscaled(network: FannNetwork, mean: NDArray[np.floating], deviation: NDArray[np.floating]) -> FannNetwork:
    """The same network for unscaled inputs: its first weights include the scaling."""
    first, *others = network.layers
    weights = first.weights.astype(np.float64)
    weights[:, :-1] /= deviation
    weights[:, -1] -= weights[:, :-1] @ mean
    return FannNetwork((Layer(weights.astype(np.float32), first.function, first.steepness), *others))
