"""The command `scrapy boilerplate`, which Scrapy finds by the entry point in pyproject.toml."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

# The module of each sub-command, with SYNTAX, add_options() and run(), has its name; it is imported when it is called.
SUBCOMMANDS = {
    "compare": "compare the accuracy and the cost of models",
    "evaluate": "judge models and other extractors on pages whose main text is known",
    "label": "mark the main text of pages in the browser",
    "train": "train a model, or fine-tune one on labelled pages",
    "warc": "clean the pages of WARC files or of Scrapy's HTTP cache",
}
PAGES = "pages"  # the module of the command without a sub-command


def module_of(subcommand: str) -> ModuleType:
    """Import the module of a sub-command."""
    return import_module(f".{subcommand}", __name__)
