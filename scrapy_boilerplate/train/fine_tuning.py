"""Fine-tuning: a trained network learns from a few labelled pages without forgetting the others. It needs torch.

Each weight is pulled back to its old value, with a force that depends on how much it matters to the pages of the first
training (elastic weight consolidation, Kirkpatrick et al. 2017). The importance of the weights is in a file beside
them, so the pages of the first training are not needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import nan
from pathlib import Path
from statistics import fmean
from typing import Any

import torch
from torch import Tensor

from ..models.importance import importance_of
from ..models.mlp import Perceptron
from .batch import Batch
from .figures import word_quality
from .network import Network, as_arrays, be_repeatable, network_of
from .samples import Sample

# Regression pages of fifteen kinds of sites: in the installed package, and in the tests of a checkout.
_OTHER_SITES = (Path(__file__).parent / "other_sites", Path(__file__).parents[2] / "tests" / "gold" / "other_sites")

_UNCHANGED = 0.002  # a smaller change of the mean word F1 counts as none

Progress = Callable[[int, float, float], None]  # epoch, error on the pages that are learnt, and on those kept out


@dataclass(frozen=True, slots=True)
class FineTuningSettings:
    """Length and rate of the training, and how strongly the weights are pulled back."""

    epochs: int = 60
    rate: float = 0.0005
    memory: float = 10_000.0  # the weight of the first training's pages, relative to one new page
    seed: int = 1


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
    network = network_of(model)
    with suppress(KeyboardInterrupt):
        _learn(network, model, samples, settings, progress)
    return _with_weights(model, network)


def _has_content(samples: Sequence[Sample]) -> bool:
    return any((sample.labels * sample.known).any() for sample in samples)


def _learn(
    network: Network,
    model: Perceptron,
    samples: Sequence[Sample],
    settings: FineTuningSettings,
    progress: Progress | None,
    kept_out: Sequence[Sample] = (),
) -> None:
    matters = _squared_importance(model)
    be_repeatable(settings.seed)
    network.eval()  # no dropout, since there are few pages to learn from
    start = {name: weights.detach().clone() for name, weights in network.named_parameters()}
    batch = Batch(samples, model.weights["mean"], model.weights["scale"])
    others = Batch(kept_out, model.weights["mean"], model.weights["scale"]) if kept_out else None
    optimiser = torch.optim.Adam(network.parameters(), lr=settings.rate)
    for epoch in range(settings.epochs):
        losses = batch.losses(network(batch)[0]) * len(samples)
        pulls = [(matters[name] * (weights - start[name]) ** 2).sum() for name, weights in network.named_parameters()]
        pull = torch.stack(pulls).sum()
        optimiser.zero_grad()
        (losses.sum() + settings.memory * pull).backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        if progress:
            progress(epoch + 1, losses.mean().item() / len(samples), _error(network, others) if others else nan)


def _error(network: Network, batch: Batch) -> float:
    with torch.no_grad():
        return float(batch.losses(network(batch)[0]).mean())


def _squared_importance(model: Perceptron) -> dict[str, Tensor]:
    """The squared importance of each weight, under the name of its array."""
    importance = importance_of(model)
    return {name: torch.from_numpy((array * importance.largest) ** 2) for name, array in importance.shares.items()}


def _with_weights(model: Perceptron, network: Network) -> Perceptron:
    arrays = {name: model.weights[name] for name in ("mean", "scale")}
    arrays |= as_arrays(dict(network.named_parameters()))
    return Perceptron(arrays, model.feature_names, model.card, model.threshold, importance_of(model))


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
        network = network_of(model)
        if _has_content(learnt):  # else the network stays as it is
            _learn(network, model, learnt, settings, progress, kept_out)
        tuned = _with_weights(model, network)
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
    """The effect of the training, as a sentence for the user."""
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
    return "; ".join(parts)


def doubt(samples: Sequence[Sample]) -> str | None:
    """A warning about the labels, or None."""
    if all((sample.labels[sample.known > 0] > 0).all() for sample in samples):
        return "every label says content, so what to leave out can't be learnt: label some boilerplate, too"
    return None


def note(card: dict[str, Any], name: str, settings: FineTuningSettings, told: str) -> None:
    """Write this training into a card, in place of the figures of the first one."""
    card.pop("cross_validation", None)
    card["fine_tuned"] = {"from": name, "settings": asdict(settings), "verdict": told}
