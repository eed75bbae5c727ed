"""The main text of every page that Scrapy crawls, with a score for each of its blocks."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .clean import extract
    from .crawl.addon import Addon
    from .crawl.middlewares import BoilerplateDownloaderMiddleware, BoilerplateSpiderMiddleware
    from .crawl.pipeline import BoilerplatePipeline
    from .document import Block, Document
    from .site import SiteMemory
    from .stored.tables import extract_many

__all__ = [
    "Addon",
    "Block",
    "BoilerplateDownloaderMiddleware",
    "BoilerplatePipeline",
    "BoilerplateSpiderMiddleware",
    "Document",
    "SiteMemory",
    "extract",
    "extract_many",
]

__version__ = "0.1.0"

# Loaded when asked for: extract() works where Scrapy is not imported, and each command of Scrapy imports this module.
_MODULES = {
    "Block": "document",
    "Document": "document",
    "SiteMemory": "site",
    "extract": "clean",
    "Addon": "crawl.addon",
    "BoilerplateDownloaderMiddleware": "crawl.middlewares",
    "BoilerplateSpiderMiddleware": "crawl.middlewares",
    "BoilerplatePipeline": "crawl.pipeline",
    "extract_many": "stored.tables",
}


if not TYPE_CHECKING:  # with it, type checkers would take every misspelt name for one of ours

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            found = globals()[name] = getattr(import_module(f".{_MODULES[name]}", __name__), name)
            return found
        if not name.startswith("_") and find_spec(f".{name}", __name__):
            return import_module(f".{name}", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
