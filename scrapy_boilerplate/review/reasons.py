"""Which features moved a block's score most.

For each feature the page is scored once more with that feature at its median on the page in all blocks: what a block's
score loses by this is what it owes to the feature. It is measured in log-odds, where 0.7 doubles the odds of being
content, because a score that is all but 0 or 1 hardly moves. So a reason tells what sets a block apart on its own page;
what is the same for all blocks has no part in it, and what several features say together shows in none of them alone.
A block whose score is 0 because another one says the same has that as its one reason.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..features import Features, is_feature
from ..models import Model
from ..models.base import Scores

MOST_REASONS = 5
_LEAST = 0.005  # what doesn't show in two places is no reason
_SUREST = 1e-6  # the odds of nothing and of everything are none
_EQUAL_TEXTS = "log_equal_texts"
_MOST_ROWS = 1_000_000  # blocks times features: some seconds; larger pages go without


class Reason(NamedTuple):
    feature: str
    value: float  # of the block
    share: float  # of its score's log-odds, negative where the feature spoke against it


def reasons(model: Model, features: Features) -> list[list[Reason]] | None:
    """For each block its strongest reasons; None for a model that is no function of features, and for huge pages."""
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
    for row, column in enumerate(columns):
        values = matrix[:, column].copy()
        matrix[:, column] = np.quantile(values, 0.5, method="lower")  # one that occurs: some features are categories
        others = model.predict(matrix, surroundings)
        # Which one of several blocks with the same text has a score of 0 may change too: not the feature's doing.
        shares[row] = np.where(repeated & ((scores == 0) | (others == 0)), 0, odds - _log_odds(others))
        if names[column] == _EQUAL_TEXTS:
            shares[row] = np.where(repeated & (scores == 0), odds, shares[row])
        matrix[:, column] = values
    order = np.argsort(-np.abs(shares), axis=0, kind="stable")[:MOST_REASONS]
    return [
        [
            Reason(names[columns[row]], float(matrix[block, columns[row]]), float(shares[row, block]))
            for row in order[:, block]
            if abs(shares[row, block]) >= _LEAST
        ]
        for block in range(count)
    ]


def _log_odds(scores: Scores) -> Scores:
    scores = np.clip(scores, _SUREST, 1 - _SUREST)
    return np.asarray(np.log(scores / (1 - scores)))
