"""Features to content scores: the models, and their names."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from importlib.resources import as_file, files
from os import PathLike, fspath
from pathlib import Path

import numpy as np
from lxml import html

from ..features import Features
from .base import Model
from .mlp import KIND as PERCEPTRON
from .mlp import WEIGHTS, Perceptron
from .papers.boilernet import KIND as BOILERNET
from .papers.boilernet import BoilerNet
from .papers.fann import is_fann
from .papers.texrex import KIND as TEXREX
from .papers.texrex import Texrex
from .papers.trees import Densitometric, NumWords
from .papers.victor import KIND as CRF
from .papers.victor import Victor
from .weights_file import load_weights

__all__ = ["DEFAULT_MODEL", "MODELS", "Model", "load_model"]

DEFAULT_MODEL = "mlp"
_SUFFIXES = (".npz", ".net")  # of files, whether they are there or not
_RESOURCE = re.compile(r"[^\W\d]\w+(?:\.\w+)*:[^:]+")  # at least two characters: drives of Windows have one

_PAGE = "<title>A page</title><h1>A page</h1><p>Some words of a text, and <a href='/'>a link</a>.</p><p>More.</p>"


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


def load_model(name: str | PathLike[str]) -> Model:
    """The model of this name or the one in a file, of weights or a FANN network; ValueError if there is none.

    The file is given by its path, or as "package:file.npz", which also finds it in an egg or a zip.
    """
    if not isinstance(name, str):
        return _from_file(fspath(name))
    if name in MODELS:
        return MODELS[name]()
    path = Path(name)
    if _RESOURCE.fullmatch(name) and not path.is_file():
        return _from_package(*name.split(":"))
    if path.suffix in _SUFFIXES or path.name != name or path.is_file():
        return _from_file(name)
    raise ValueError(f"unknown model {name!r}; choose one of: {', '.join(MODELS)}, or a file")


@cache
def _from_package(package: str, name: str) -> Model:
    resource = f"{package}:{name}"
    try:
        with as_file(files(package).joinpath(name)) as path:
            if not path.is_file():
                raise ValueError(f"there is no model file {resource}")
            return _read(str(path))
    except (ImportError, FileNotFoundError, TypeError) as error:
        raise ValueError(f"there is no model file {resource}: {error}") from None


@cache
def _from_file(path: str) -> Model:
    if not Path(path).is_file():
        raise ValueError(f"there is no model file {path}")
    return _read(path)


def _read(path: str) -> Model:
    try:
        with np.errstate(all="ignore"):  # numbers too large are no concern of the user
            model = _read_file(path)
            _try(model)
    except Exception as error:  # weights that don't fit together fail in many ways
        reason = str(error)
        raise ValueError(reason if path in reason else f"can't use weights from {path}: {reason}") from None
    return model


def _try(model: Model) -> None:
    """Score a small page: an exception, for weights that would fail on every page of a crawl."""
    features = Features(model.segment(html.document_fromstring(_PAGE)))
    scores = model.score(features)
    model.labels(features)
    thresholds = model.threshold, model.choose_threshold(scores, model.sizes(features))
    figures = [*scores, *thresholds, model.confidence(0.5)]
    if not all(0 <= figure <= 1 for figure in figures):
        raise ValueError("its scores are no numbers from 0 to 1")


def _read_file(path: str) -> Model:
    if is_fann(path):
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
