"""Features to content scores: the models, and their names."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from importlib.resources import as_file, files
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
from lxml import html

from ..features import Features
from .base import Model
from .trained import Trained
from .weights_file import is_fann, load_weights

__all__ = ["DEFAULT_MODEL", "MODELS", "Model", "load_model"]

DEFAULT_MODEL = "mlp"
WEIGHTS = files(__name__) / "weights"  # in a folder, or in an egg or a zip

# Names to weights files, or for the models that have no weights to their classes. Classes are given with their modules,
# so that a model imports no more than it needs.
MODELS = {
    "mlp": "mlp.npz",
    "news": "news.npz",
    "texrex": "texrex.npz",
    "numwords": ".papers.trees:NumWords",
    "densitometric": ".papers.trees:Densitometric",
    "victor": "victor.npz",
    "boilernet": "boilernet.npz",
}
_FANN = ".papers.texrex:Texrex"
_KINDS = {  # of weights files
    "perceptron": ".mlp:Perceptron",
    "texrex": _FANN,
    "crf": ".papers.victor:Victor",
    "boilernet": ".papers.boilernet:BoilerNet",
}

_SUFFIXES = (".npz", ".net")  # a name that ends like this is a file's, even if the file is missing
_RESOURCE = re.compile(r"[^\W\d]\w+(?:\.\w+)*:[^:]+")  # at least two characters: drives of Windows have one

_PAGE = "<title>A page</title><h1>A page</h1><p>Some words of a text, and <a href='/'>a link</a>.</p><p>More.</p>"


def load_model(name: str | PathLike[str]) -> Model:
    """The model of this name or in this file, weights or a FANN network; ValueError if there is none.

    A file is given by its path, or as "package:file.npz", which also finds it in an egg or a zip.
    """
    if not isinstance(name, str):
        return _from_file(fspath(name))
    if name in MODELS:
        return _by_name(name)
    path = Path(name)
    if _RESOURCE.fullmatch(name) and not path.is_file():
        return _from_package(*name.split(":"))
    if path.suffix in _SUFFIXES or path.name != name or path.is_file():
        return _from_file(name)
    raise ValueError(f"unknown model {name!r}; choose one of: {', '.join(MODELS)}, or a file")


@cache
def _by_name(name: str) -> Model:
    place = MODELS[name]
    if ":" not in place:
        with as_file(WEIGHTS / place) as path:
            return _read(str(path))
    model: Model = _class(place)()
    return model


@cache
def _from_package(package: str, name: str) -> Model:
    resource = f"{package}:{name}"
    try:
        with as_file(files(package).joinpath(name)) as path:
            if not path.is_file():
                raise ValueError(f"there is no model file {resource}")
            return _read_and_try(str(path))
    except (ImportError, FileNotFoundError, TypeError) as error:
        raise ValueError(f"there is no model file {resource}: {error}") from None


@cache
def _from_file(path: str) -> Model:
    if not Path(path).is_file():
        raise ValueError(f"there is no model file {path}")
    return _read_and_try(path)


def _read_and_try(path: str) -> Model:
    try:
        with np.errstate(all="ignore"):  # overflows are reported below, by the scores
            model = _read(path)
            _try(model)
    except Exception as error:  # weights that don't fit together fail in many ways
        reason = str(error)
        raise ValueError(reason if path in reason else f"can't use weights from {path}: {reason}") from None
    return model


def _read(path: str) -> Model:
    if is_fann(path):
        return _trained(_FANN).load(path)
    arrays, metadata = load_weights(path)
    kind = metadata["kind"]
    if kind not in _KINDS:
        raise ValueError(f"{path} holds a model of kind {kind!r}, which this version does not know")
    return _trained(_KINDS[kind]).read(path, arrays, metadata)


def _trained(place: str) -> type[Trained]:
    found: type[Trained] = _class(place)
    return found


def _class(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module, __package__), name)


def _try(model: Model) -> None:
    """Score a small page, so that weights that would fail on every page of a crawl fail when they are loaded."""
    features = Features(model.segment(html.document_fromstring(_PAGE)))
    scores = model.score(features)
    model.labels(features)
    thresholds = model.threshold, model.choose_threshold(scores, model.sizes(features))
    figures = [*scores, *thresholds, model.confidence(0.5)]
    if not all(0 <= figure <= 1 for figure in figures):
        raise ValueError("its scores are no numbers from 0 to 1")
