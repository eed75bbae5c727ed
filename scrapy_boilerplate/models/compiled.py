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
    sizes = _sizes(model)
    low, high, first, first_bias = model.first_layer
    arrays = (low, high, first, first_bias, *(model.weights[name] for name in _ARRAYS))
    if sizes is None or not all(np.isfinite(array).all() for array in arrays):
        logger.info("Scores come from numpy, because the core doesn't know networks of this shape")
        return None
    packed = [np.ascontiguousarray(array, np.float32).tobytes() for array in arrays]
    columns = np.array([numbers[name] for name in model.feature_names], np.int32).tobytes()
    try:
        return _core.shim.Network(columns, sizes, packed)
    except ValueError as error:
        logger.info("Scores come from numpy: %s", error)
        return None


def _sizes(model: Perceptron) -> tuple[int, ...] | None:
    """Members, hidden, summary, joint, features, features of the page; None if the arrays don't fit together."""
    weights, count = model.weights, len(model.feature_names)
    if any(weights[name].ndim != 3 for name in ("hidden", "summary", "joint")):
        return None
    members, features, hidden = weights["hidden"].shape
    summary, joint = weights["summary"].shape[2], weights["joint"].shape[2]
    shapes = {
        "mean": (features,),
        "scale": (features,),
        "hidden_bias": (members, 1, hidden),
        "summary": (members, hidden, summary),
        "summary_bias": (members, 1, summary),
        "content": (members, summary, 1),
        "content_bias": (members, 1, 1),
        "joint": (members, hidden + _CONTEXTS * (summary + 1) + _AMOUNTS, joint),
        "joint_bias": (members, 1, joint),
        "output": (members, joint, 1),
        "output_bias": (members, 1, 1),
    }
    fits = features == count and 0 <= model.page_features <= count and min(members, hidden, summary, joint) > 0
    if not fits or any(weights[name].shape != shape for name, shape in shapes.items()):
        return None
    return members, hidden, summary, joint, features, model.page_features


_ARRAYS = ("summary", "summary_bias", "content", "content_bias", "joint", "joint_bias", "output", "output_bias")
