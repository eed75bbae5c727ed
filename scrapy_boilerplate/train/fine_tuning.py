"""Fine-tuning: a trained network learns from a few labelled pages without forgetting the others.

Each weight is pulled back to its old value, with a force that depends on how much it matters to the pages of the first
training (elastic weight consolidation, Kirkpatrick et al. 2017). The importance of the weights is in a file beside
them, so the pages of the first training are not needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import nan
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from ..models.importance import importance_of
from ..models.mlp import Perceptron
from .adam import Adam
from .figures import word_quality
from .gradients import LabelledPage, Weights, losses_and_gradients, mean_loss, weights_of
from .samples import Sample

# Regression pages of fifteen kinds of sites: in the installed package, and in the tests of a checkout.
_OTHER_SITES = (Path(__file__).parent / "other_sites", Path(__file__).parents[2] / "tests" / "gold" / "other_sites")

_UNCHANGED = 0.002  # a smaller change of the mean word F1 on other sites counts as none
_LEAST_GAIN = 0.005  # and a smaller gain on the labelled pages
_LITTLE_TO_GAIN = 0.99
_FORGOTTEN = 0.01  # a greater loss on other sites is a warning

Progress = Callable[[int, float, float], None]  # epoch, error on the pages that are learnt, and on those kept out


@dataclass(frozen=True, slots=True)
class FineTuningSettings:
    """Length and rate of the training, and how strongly the weights are pulled back."""

    epochs: int = 60
    rate: float = 0.0005
    memory: float = 10_000.0  # the weight of the first training's pages, relative to one new page


def other_sites() -> Path | None:
    """The folder of regression pages, or None if it is not installed."""
    return next((folder for folder in _OTHER_SITES if folder.is_dir()), None)


def fine_tune(
    model: Perceptron, samples: Sequence[Sample], settings: FineTuningSettings, *, progress: Progress | None = None
) -> Perceptron:
    """A copy of the model, trained further on these pages; the model itself stays as it is.

    Ctrl-C stops the training and keeps the weights so far.
    """
    if not _has_content(samples):
        raise ValueError("no block of the labelled pages is content: nothing to learn")
    weights = weights_of(model)
    with suppress(KeyboardInterrupt):
        for epoch, (learnt, error) in enumerate(_epochs(model, samples, settings), start=1):
            weights = learnt
            if progress:
                progress(epoch, error, nan)
    return _with_weights(model, weights)


def _has_content(samples: Sequence[Sample]) -> bool:
    return any((sample.labels * sample.known).any() for sample in samples)


def _epochs(
    model: Perceptron, samples: Sequence[Sample], settings: FineTuningSettings
) -> Iterator[tuple[Weights, float]]:
    """After each epoch, the weights and the mean loss of a page. It uses no random numbers."""
    pages = [LabelledPage(sample, model) for sample in samples]
    forces = _forces(model, settings)
    start = weights = weights_of(model)
    adam = Adam(settings.rate)
    for _ in range(settings.epochs):
        losses, gradients = losses_and_gradients(weights, pages)
        for name, gradient in gradients.items():
            gradient *= len(pages)
            gradient += forces[name] * (weights[name] - start[name])
        weights = adam.step(weights, gradients)
        yield weights, float(losses.mean())


def _forces(model: Perceptron, settings: FineTuningSettings) -> Weights:
    """The force that pulls each weight back, for each unit of distance: the gradient of the elastic penalty."""
    importance = importance_of(model)
    strength = 2 * settings.memory * importance.largest**2
    return {name: np.float32(strength) * share**2 for name, share in importance.shares.items()}


def _with_weights(model: Perceptron, weights: Weights) -> Perceptron:
    return Perceptron(
        {**model.weights, **weights}, model.feature_names, model.card, model.threshold, importance_of(model)
    )


def folds_of(samples: Sequence[Sample], folds: int) -> int:
    """The number of folds for these pages; 0 if there are too few to keep one out, or none has a gold text."""
    return min(folds, len(samples)) if len(samples) > 1 and any(sample.gold is not None for sample in samples) else 0


def held_out(
    model: Perceptron,
    samples: Sequence[Sample],
    settings: FineTuningSettings,
    *,
    folds: int = 5,
    progress: Progress | None = None,
) -> tuple[float, float] | None:
    """Mean word F1 before and after, each page judged by a network that has not seen it; None if there are no folds."""
    folds = folds_of(samples, folds)
    if not folds:
        return None
    before, after = [], []
    for fold in range(folds):
        kept_out = samples[fold::folds]
        learnt = [sample for number, sample in enumerate(samples) if number % folds != fold]
        weights = weights_of(model)
        if _has_content(learnt):  # else the weights stay as they are
            unseen = [LabelledPage(sample, model) for sample in kept_out]
            for epoch, (weights, error) in enumerate(_epochs(model, learnt, settings), start=1):
                if progress:
                    progress(epoch, error, mean_loss(weights, unseen))
        tuned = _with_weights(model, weights)
        judged = [sample for sample in kept_out if sample.gold is not None]
        before += [_f1(model, sample) for sample in judged]
        after += [_f1(tuned, sample) for sample in judged]
    return fmean(before), fmean(after)


def compare(model: Perceptron, tuned: Perceptron, samples: Sequence[Sample]) -> tuple[float, float]:
    """Mean word F1 before and after, on pages that were not trained on."""
    judged = [sample for sample in samples if sample.gold is not None]
    if not judged:
        raise ValueError("no page with a gold text to check on")
    return fmean(_f1(model, sample) for sample in judged), fmean(_f1(tuned, sample) for sample in judged)


def _f1(model: Perceptron, sample: Sample) -> float:
    scores = sample.scores(model)
    kept = (scores >= model.choose_threshold(scores, sample.sizes)) & (sample.known > 0)
    return word_quality(sample.text(kept), sample.gold or "").f1


def verdict(pages: int, on_labels: tuple[float, float] | None, on_others: tuple[float, float] | None) -> str:
    """The effect of the training and what to do next, as a sentence for the user."""
    if on_labels is not None:
        parts = [f"{on_labels[0]:.2f} to {on_labels[1]:.2f} on your {pages} pages, each kept out in turn"]
    elif pages == 1:
        parts = ["one labelled page is too few to check on a page that was kept out"]
    else:
        parts = [f"not checked on your {pages} pages"]
    if on_others is None:
        parts.append("other sites not checked (--check DIR)")
    else:
        change = on_others[1] - on_others[0]
        parts.append(
            f"other sites unchanged within {max(abs(change), 0.001):.3f}"
            if abs(change) <= _UNCHANGED
            else f"other sites {on_others[0]:.3f} to {on_others[1]:.3f}"
        )
    if told := _advice(pages, on_labels, on_others):
        parts.append(told)
    return "; ".join(parts)


def _advice(pages: int, on_labels: tuple[float, float] | None, on_others: tuple[float, float] | None) -> str | None:
    """Advice on what to do next; None if the check was left out or stopped."""
    if on_labels is None:
        return "label about six more" if pages == 1 else None
    before, after = on_labels
    if after - before < _LEAST_GAIN:
        return "there was little to gain" if before >= _LITTLE_TO_GAIN else "no gain yet: label about six more"
    if on_others is not None and on_others[0] - on_others[1] > _FORGOTTEN:
        return "a gain: use it for these pages' site only"
    return "a gain: use it"


def doubt(samples: Sequence[Sample]) -> str | None:
    """A warning about the labels, or None."""
    if all((sample.labels[sample.known > 0] > 0).all() for sample in samples):
        return "every label says content, so what to leave out can't be learnt: label some boilerplate, too"
    return None


def note(card: dict[str, Any], name: str, settings: FineTuningSettings, told: str) -> None:
    """Write this training into a card, in place of the figures of the first one."""
    card.pop("cross_validation", None)
    card["fine_tuned"] = {"from": name, "settings": asdict(settings), "verdict": told}
