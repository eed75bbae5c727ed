"""Training of conditional random fields with CRFsuite, and reading their weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..extras import require

# Layout of a model file: the place of the pointer to the features, the offsets from there of their number and of the
# first one, and the record of one feature.
_FEATURES_AT, _COUNT, _FIRST = 28, 8, 12
_FEATURE = np.dtype([("type", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])
_STATE, _TRANSITION = 0, 1

Attributes = list[list[str]]  # of each item of a sequence


def train_chains(path: Path, chains: Iterable[tuple[Attributes, Sequence[str]]], **settings: float | str) -> None:
    """Train with L-BFGS on sequences of attributes and labels, and write the model file."""
    trainer: Any = require("pycrfsuite").Trainer("lbfgs", settings, verbose=False)
    for attributes, labels in chains:
        trainer.append(attributes, labels)
    trainer.train(str(path))


def read_weights(path: Path) -> tuple[dict[tuple[str, str], float], dict[tuple[str, str], float]]:
    """The weights of (attribute, label) and of (label, next label).

    They are read from the file, because CRFsuite's dump rounds them to six digits; the names come from the dump.
    """
    with require("pycrfsuite").Tagger().open(str(path)) as tagger:
        info = tagger.info()
    attributes = {int(number): name for name, number in info.attributes.items()}
    labels = {int(number): name for name, number in info.labels.items()}
    content = path.read_bytes()
    start = _number(content, _FEATURES_AT)
    features = np.frombuffer(content, _FEATURE, _number(content, start + _COUNT), start + _FIRST).tolist()
    states = {(attributes[first], labels[then]): weight for kind, first, then, weight in features if kind == _STATE}
    follow = {(labels[first], labels[then]): weight for kind, first, then, weight in features if kind == _TRANSITION}
    return states, follow


def _number(content: bytes, place: int) -> int:
    return int.from_bytes(content[place : place + 4], "little")
