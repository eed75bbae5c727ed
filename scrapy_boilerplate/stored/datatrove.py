"""A block for datatrove's pipelines, as its block for trafilatura."""

from __future__ import annotations

from typing import Any

from ..clean import extract
from ..extras import require
from ..fields import FIELDS, Type

require("datatrove.pipeline.extractors.base", "datatrove")  # says what to install
from datatrove.pipeline.extractors.base import BaseExtractor  # noqa: E402

_TEXTS = [name for name, field in FIELDS.items() if field.type is Type.TEXT]


class MainText(BaseExtractor):
    """Replaces the HTML of each document by its main text, or by another field, such as `markdown`.

    The options are those of `extract()`. Documents without text are dropped and counted, and so are those that take
    longer than `timeout` seconds.
    """

    name = "⛏ scrapy-boilerplate-removal"

    def __init__(self, field: str = "main_text", timeout: float = 1, **options: Any) -> None:
        super().__init__(timeout)
        if field not in _TEXTS:
            raise ValueError(f"field = {field!r}: must be one of {', '.join(_TEXTS)}")
        self.field = field
        self.options = options
        self.extract("")  # wrong options fail here, before the pipeline starts

    def extract(self, text: str) -> str:
        """The field of a page; an empty text if it has none."""
        value: str | None = FIELDS[self.field].of(extract(text, **self.options))
        return value or ""
