"""Pages by the billion: Spark DataFrames with our columns, from DataFrames of pages or from WARC archives."""

from __future__ import annotations

from .archives import clean_archives
from .dataframes import add_main_text

__all__ = ["add_main_text", "clean_archives"]
