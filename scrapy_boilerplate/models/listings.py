"""Lines of code: each is a block, but half a listing is of no use to anybody."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def whole_listings(
    scores: NDArray[np.float64], listings: NDArray[np.int64], weights: NDArray[np.floating]
) -> NDArray[np.float64]:
    """The scores with the same one for all lines of a listing: the mean of theirs, by their weights.

    `listings` has the number of the listing that a block is a line of, 0 for none.
    """
    if not listings.any():
        return scores
    totals = np.bincount(listings, scores * weights)
    means = totals / np.maximum(np.bincount(listings, weights), 1e-9)
    return np.where(listings > 0, means[listings], scores)
