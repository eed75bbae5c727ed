"""Imports of optional packages."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_EXTRAS = {"matplotlib": "plot"}  # of packages that are not in the caller's extra
_PACKAGES = {"pycrfsuite": "python-crfsuite", "sklearn": "scikit-learn"}  # of modules with another name


def require(module: str, extra: str = "train") -> Any:
    """Import a module of an extra; ImportError says how to install it."""
    try:
        return import_module(module)
    except ImportError:
        top = module.partition(".")[0]
        package, extra = _PACKAGES.get(top, top), _EXTRAS.get(top, extra)
        raise ImportError(
            f'{package} is not installed; pip install {package}, or in a checkout: pip install ".[{extra}]"'
        ) from None
