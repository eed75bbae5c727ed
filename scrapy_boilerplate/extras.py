"""Packages that only the extras need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_EXTRAS = {"matplotlib": "plot"}  # of packages that are in one extra only
_PACKAGES = {"pycrfsuite": "python-crfsuite", "sklearn": "scikit-learn"}  # of modules that go by another name


def require(module: str, extra: str = "train") -> Any:
    """Import a module of an extra, or say how to get it."""
    try:
        return import_module(module)
    except ImportError:
        top = module.partition(".")[0]
        package, extra = _PACKAGES.get(top, top), _EXTRAS.get(top, extra)
        raise ImportError(f'{package} is not installed; try: pip install "scrapy-boilerplate[{extra}]"') from None
