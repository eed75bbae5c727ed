"""Matrix products that stay on one thread."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# OpenBLAS, which numpy's wheels contain, uses several threads when rows x inner x columns is more than this. If the
# cores are busy with a crawl, waiting for the other threads takes many times as long as the product itself.
_ONE_THREAD = 4 * 65536


def matmul(rows: NDArray[np.float32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """`rows @ weights`, as a stack of products that are small enough for one thread."""
    inner, columns = weights.shape
    height = max(_ONE_THREAD // (inner * columns), 1)
    even = len(rows) - len(rows) % height
    product = np.empty((len(rows), columns), np.float32)
    stack = rows[:even].reshape(-1, height, inner)
    np.matmul(stack, weights, out=product[:even].reshape(-1, height, columns))
    np.matmul(rows[even:], weights, out=product[even:])
    return product
