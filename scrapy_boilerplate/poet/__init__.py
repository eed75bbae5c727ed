"""Page objects: what callbacks and pages of scrapy-poet may ask for, and fields of page objects for web-poet."""

from __future__ import annotations

from ..document import Document
from ..metadata import Metadata
from .fields import ArticleFields, HasDocument, page_fields
from .inputs import MainText, Markdown

__all__ = ["ArticleFields", "Document", "HasDocument", "MainText", "Markdown", "Metadata", "page_fields"]
