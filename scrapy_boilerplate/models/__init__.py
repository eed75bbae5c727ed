"""Features to content scores: the models, and their names."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

from .base import Model
from .boilernet import KIND as BOILERNET
from .boilernet import BoilerNet
from .mlp import KIND as PERCEPTRON
from .mlp import WEIGHTS, Perceptron
from .texrex import KIND as TEXREX
from .texrex import Texrex
from .trees import Densitometric, NumWords
from .victor import KIND as CRF
from .victor import Victor
from .weights_file import load_weights

__all__ = ["DEFAULT_MODEL", "MODELS", "Model", "load_model"]

DEFAULT_MODEL = "mlp"


@cache
def _shipped(name: str) -> Perceptron:
    return Perceptron.load(WEIGHTS / f"{name}.npz")


@cache
def _boilernet() -> BoilerNet:
    return BoilerNet.load(WEIGHTS / "boilernet.npz")


MODELS: dict[str, Callable[[], Model]] = {
    "mlp": partial(_shipped, "mlp"),
    "news": partial(_shipped, "news"),
    "texrex": cache(Texrex.load),
    "numwords": NumWords,
    "densitometric": Densitometric,
    "victor": cache(Victor.load),
    "boilernet": _boilernet,
}


def load_model(name: str) -> Model:
    """The model of this name, or the one in a `.npz` or FANN `.net` file; ValueError if there is none."""
    if name.endswith((".npz", ".net")):
        return _from_file(name)
    try:
        return MODELS[name]()
    except KeyError:
        raise ValueError(f"unknown model {name!r}; choose one of: {', '.join(MODELS)}") from None


@cache
def _from_file(path: str) -> Model:
    if not Path(path).is_file():
        raise ValueError(f"there is no model file {path}")
    if path.endswith(".net"):
        return Texrex.load(path)
    _, metadata = load_weights(path)
    kinds: dict[str, Callable[[str], Model]] = {
        PERCEPTRON: Perceptron.load,
        TEXREX: Texrex.load,
        CRF: Victor.load,
        BOILERNET: BoilerNet.load,
    }
    if metadata["kind"] not in kinds:
        raise ValueError(f"{path} holds a model of kind {metadata['kind']!r}, which this version does not know")
    return kinds[metadata["kind"]](path)
