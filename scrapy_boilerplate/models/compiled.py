"""Networks in the core: the arrays of a Perceptron, packed for it once."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from ..features import compiled

if TYPE_CHECKING:
    from .._core.shim import Network
    from .mlp import Perceptron

logger = logging.getLogger(__name__)

_CONTEXTS, _AMOUNTS = 12, 9  # of the networks that the core knows


def network_of(model: Perceptron) -> Network | None:
    """The network in the core; None if there is no core, or none that knows all features of the model."""
    if not _core.is_ready():
        return None
    numbers = compiled.column_numbers()
    unknown = sorted(name for name in model.feature_names if name not in numbers)
    if unknown:
        logger.info("Scores come from numpy, because the core doesn't know these features: %s", ", ".join(unknown))
        return None
    weights = model.weights
    members, features, hidden = weights["hidden"].shape
    summary, joint = weights["summary"].shape[2], weights["joint"].shape[2]
    if weights["joint"].shape[1] != hidden + _CONTEXTS * (summary + 1) + _AMOUNTS:
        logger.info("Scores come from numpy, because the core doesn't know networks of this shape")
        return None
    low, high, first, first_bias = model.first_layer
    arrays = (low, high, first, first_bias, *(weights[name] for name in _ARRAYS))
    packed = [np.ascontiguousarray(array, np.float32).tobytes() for array in arrays]
    columns = np.array([numbers[name] for name in model.feature_names], np.int32).tobytes()
    sizes = (members, hidden, summary, joint, features, model.page_features)
    try:
        return _core.shim.Network(columns, sizes, packed)
    except ValueError as error:
        logger.info("Scores come from numpy: %s", error)
        return None


_ARRAYS = ("summary", "summary_bias", "content", "content_bias", "joint", "joint_bias", "output", "output_bias")
