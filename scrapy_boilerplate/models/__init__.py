"""Features to content scores: the models, and their names."""

from __future__ import annotations

from collections.abc import Callable

from .base import Model
from .trees import Densitometric, NumWords

__all__ = ["DEFAULT_MODEL", "MODELS", "Model", "load_model"]

DEFAULT_MODEL = "numwords"

MODELS: dict[str, Callable[[], Model]] = {
    "numwords": NumWords,
    "densitometric": Densitometric,
}


def load_model(name: str) -> Model:
    """The model of this name; ValueError if there is none."""
    try:
        return MODELS[name]()
    except KeyError:
        raise ValueError(f"unknown model {name!r}; choose one of: {', '.join(MODELS)}") from None
