"""Packages that only training needs."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def require(module: str) -> Any:
    """Import a module of the extra `train`, or say how to get it."""
    try:
        return import_module(module)
    except ImportError:
        package = {"pycrfsuite": "python-crfsuite", "sklearn": "scikit-learn"}.get(module.partition(".")[0], module)
        raise ImportError(f'{package} is not installed; try: pip install "scrapy-boilerplate[train]"') from None
