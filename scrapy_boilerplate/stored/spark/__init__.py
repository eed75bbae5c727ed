"""Spark: adds the fields of pages to DataFrames, and cleans WARC archives on a cluster."""

from __future__ import annotations

from .archives import clean_archives
from .dataframes import add_main_text

__all__ = ["add_main_text", "clean_archives"]
