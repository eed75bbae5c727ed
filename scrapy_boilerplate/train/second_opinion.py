"""Labels that another network was heard about.

What belongs to a page's main text is a matter of opinion: one gold text has a shop's delivery terms, the next has not.
A network that learns each of these decisions by heart is worse on other sites. So a label is made softer by what a
network makes of the page that has learnt from other sites only: where the two disagree, there is less to learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..models.base import Model
from .crossvalidation import Trainer, trained_on_other_sites
from .samples import Sample

_FOLDS = 4


def with_second_opinions(samples: Sequence[Sample], train: Trainer, share: float) -> list[Sample]:
    """The same samples with labels of which this share is the score that a network of other sites' pages gives.

    It takes four more trainings, on three quarters of the samples each.
    """
    sites = len({sample.site for sample in samples})
    if sites < _FOLDS:
        raise ValueError(f"a second opinion takes pages of {_FOLDS} sites or more, and there are {sites}")
    return [_softened(sample, model, share) for sample, _, model in trained_on_other_sites(samples, train, _FOLDS)]


def _softened(sample: Sample, model: Model, share: float) -> Sample:
    labels = (1 - share) * sample.labels + share * model.predict(sample.matrix, sample.surroundings)
    copies = tuple(_softened(copy, model, share) for copy in sample.copies)
    return replace(sample, labels=labels.astype(np.float32), copies=copies)
