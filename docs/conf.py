"""The documentation site: `sphinx-build -W docs build/docs`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

import tables

from scrapy_boilerplate import __version__

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "scrapy-boilerplate-removal"
author = "The scrapy-boilerplate-removal developers"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
default_role = "code"  # docstrings have single backticks
smartquotes = False
html_theme = "furo"
html_title = "scrapy-boilerplate-removal"
html_copy_source = False
html_show_copyright = False


def setup(app: Sphinx) -> None:
    app.connect("source-read", fill_tables)


def fill_tables(app: Sphinx, page: str, source: list[str]) -> None:
    source[0] = tables.filled(source[0])
