"""Matrix products that stay on one thread."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# OpenBLAS, which numpy's wheels carry, spreads a product over threads when rows x inner x columns are more than this.
# On a machine whose cores are busy with a crawl, waiting for the other threads takes many times as long as the product.
_ONE_THREAD = 4 * 65536


def matmul(rows: NDArray[np.float32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """`rows @ weights`, as a stack of products that are each small enough for one thread."""
    inner, columns = weights.shape
    height = max(_ONE_THREAD // (inner * columns), 1)
    missing = -len(rows) % height
    if missing:
        rows = np.concatenate((rows, np.zeros((missing, inner), np.float32)))
    product: NDArray[np.float32] = (rows.reshape(-1, height, inner) @ weights).reshape(-1, columns)
    return product[: len(product) - missing]
