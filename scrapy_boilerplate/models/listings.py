"""Listings, whose lines are blocks: they are kept or dropped together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def whole_listings(
    scores: NDArray[np.float64], listings: NDArray[np.int64], weights: NDArray[np.floating]
) -> NDArray[np.float64]:
    """The scores, with their weighted mean for all lines of a listing.

    `listings` has for each block the number of its listing, 0 for none.
    """
    if not listings.any():
        return scores
    totals = np.bincount(listings, scores * weights)
    means = totals / np.maximum(np.bincount(listings, weights), 1e-9)
    return np.where(listings > 0, means[listings], scores)
