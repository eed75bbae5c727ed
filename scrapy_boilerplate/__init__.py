"""The main text of every page that Scrapy crawls, with a score for each of its blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .clean import extract
from .document import Block, Document
from .site import SiteMemory

if TYPE_CHECKING:
    from .crawl.addon import Addon
    from .crawl.middlewares import BoilerplateDownloaderMiddleware, BoilerplateSpiderMiddleware
    from .crawl.pipeline import BoilerplatePipeline

__all__ = [
    "Addon",
    "Block",
    "BoilerplateDownloaderMiddleware",
    "BoilerplatePipeline",
    "BoilerplateSpiderMiddleware",
    "Document",
    "SiteMemory",
    "extract",
]

__version__ = "0.1.0"

# Loaded when asked for: extract() works where Scrapy is not imported.
_SCRAPY_COMPONENTS = {
    "Addon": "crawl.addon",
    "BoilerplateDownloaderMiddleware": "crawl.middlewares",
    "BoilerplateSpiderMiddleware": "crawl.middlewares",
    "BoilerplatePipeline": "crawl.pipeline",
}


if not TYPE_CHECKING:  # with it, type checkers would take every misspelt name for one of ours

    def __getattr__(name: str) -> Any:
        if name in _SCRAPY_COMPONENTS:
            from importlib import import_module

            return getattr(import_module(f".{_SCRAPY_COMPONENTS[name]}", __name__), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
