"""Packages that only training, evaluation and their plots need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_EXTRAS = {"matplotlib": "plot"}  # all others are in the extra `train`
_PACKAGES = {
    "matplotlib": "matplotlib",
    "pycrfsuite": "python-crfsuite",
    "sklearn": "scikit-learn",
}  # of which modules are asked for


def require(module: str) -> Any:
    """Import a module of an extra, or say how to get it."""
    try:
        return import_module(module)
    except ImportError:
        top = module.partition(".")[0]
        package, extra = _PACKAGES.get(top, module), _EXTRAS.get(top, "train")
        raise ImportError(f'{package} is not installed; try: pip install "scrapy-boilerplate[{extra}]"') from None
