"""Distillation: label smoothing with the out-of-fold predictions of teachers.

Whether a block belongs to the main text is often a matter of opinion: one gold text has a shop's delivery terms, the
next has not. A network that learns each of these decisions by heart does worse on other sites. So each label is mixed
with the score of a network that was trained on other sites: where the two disagree, there is less to learn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..models.base import Model
from .crossvalidation import train_without_own_site
from .samples import Sample

_FOLDS = 3


def smoothed(samples: Sequence[Sample], train: Callable[[Sequence[Sample]], Model], share: float) -> list[Sample]:
    """Copies of the samples, with this share of each label replaced by the out-of-fold score.

    This takes three more trainings, on two thirds of the samples each.
    """
    sites = len({sample.site for sample in samples})
    if sites < _FOLDS:
        raise ValueError(f"label smoothing needs pages of at least {_FOLDS} sites, not {sites}")
    scored = train_without_own_site(samples, lambda split: train(split.training), _FOLDS)
    return [_mixed(sample, model, share) for sample, _, model in scored]


def _mixed(sample: Sample, model: Model, share: float) -> Sample:
    labels = (1 - share) * sample.labels + share * sample.scores(model)
    copies = tuple(_mixed(copy, model, share) for copy in sample.copies)
    return replace(sample, labels=labels.astype(np.float32), copies=copies)
