"""The features that moved a block's score most.

Each feature in turn is set to its median on the page, in all blocks, and the page is scored again. The feature's share
in a block's score is the difference that this makes. It is measured in log-odds, where 0.7 doubles the odds of being
content, because scores close to 0 or 1 hardly change. So reasons tell how a block differs from the others on its page:
a feature that is equal in all blocks has no share, and information that several features carry shows in none of them.
If a block's score is 0 because another block has the same text, this is its only reason.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..features import Features, is_feature
from ..models import Model
from ..models.base import Scores

MOST_REASONS = 5
_LEAST = 0.005  # smaller shares would be shown as 0.00
_SUREST = 1e-6  # scores are clipped to this distance from 0 and 1, where log-odds are infinite
_EQUAL_TEXTS = "log_equal_texts"
_MOST_ROWS = 1_000_000  # blocks times features, which takes some seconds; larger pages get no reasons


class Reason(NamedTuple):
    feature: str
    value: float  # of the feature in this block
    share: float  # in the log-odds of the block's score; negative if the feature lowers it
    median: float  # of the feature in all blocks of the page


def reasons(model: Model, features: Features) -> list[list[Reason]] | None:
    """Return the strongest reasons of each block.

    Returns None for a model that is not a function of features, and for a huge page.
    """
    names = getattr(model, "feature_names", ())
    count = len(features.page.texts)
    if not names or not count or count * len(names) > _MOST_ROWS or not all(map(is_feature, names)):
        return None
    matrix, surroundings = features.matrix(names), features.surroundings
    scores = model.predict(matrix, surroundings)
    if not np.allclose(scores, model.score(features), atol=1e-4):
        return None
    columns = [column for column in range(len(names)) if (matrix[:, column] != matrix[0, column]).any()]
    odds = _log_odds(scores)
    first = features.texts.first_equals
    repeated = (np.bincount(first)[first] > 1) & model.drops_repeats
    shares = np.zeros((len(columns), count))
    # Values that occur: some features are categories.
    medians = [float(np.quantile(matrix[:, column], 0.5, method="lower")) for column in columns]
    for row, column in enumerate(columns):
        values = matrix[:, column].copy()
        matrix[:, column] = medians[row]
        others = model.predict(matrix, surroundings)
        # Another one of several equal texts may be dropped now: that is no effect of the feature.
        shares[row] = np.where(repeated & ((scores == 0) | (others == 0)), 0, odds - _log_odds(others))
        if names[column] == _EQUAL_TEXTS:
            shares[row] = np.where(repeated & (scores == 0), odds, shares[row])
        matrix[:, column] = values
    order = np.argsort(-np.abs(shares), axis=0, kind="stable")[:MOST_REASONS]
    return [
        [
            Reason(names[columns[row]], float(matrix[block, columns[row]]), float(shares[row, block]), medians[row])
            for row in order[:, block]
            if abs(shares[row, block]) >= _LEAST
        ]
        for block in range(count)
    ]


def _log_odds(scores: Scores) -> Scores:
    scores = np.clip(scores, _SUREST, 1 - _SUREST)
    return np.asarray(np.log(scores / (1 - scores)))
