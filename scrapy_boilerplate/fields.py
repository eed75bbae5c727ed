"""Fields: the table of what a page can give, to items, files, Spark and the command alike."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .document import Block, Document

BLOCKS_CHOICES = ("all", "kept", "scores")


class Type(Enum):
    """The type of a value. All but TRUTH may be None."""

    TEXT = "a text"
    TEXTS = "a list of texts"
    NUMBER = "a number"
    TRUTH = "True or False"
    BLOCKS = "a list of dicts"


@dataclass(frozen=True, slots=True)
class Field:
    """A thing that a page can give."""

    type: Type
    of: Callable[[Document], Any]
    help: str
    from_tree: bool = False  # whether the blocks of a page aren't enough for it


@dataclass(frozen=True, slots=True)
class BlockField:
    """An entry of the dict that stands for a block."""

    type: Type
    of: Callable[[Block], Any]


FIELDS: dict[str, Field] = {
    "title": Field(Type.TEXT, lambda document: document.title, "the page's `<title>`"),
    "main_text": Field(Type.TEXT, lambda document: document.main_text, "the text of the kept blocks"),
    "comments": Field(
        Type.TEXT, lambda document: document.comments, "the text of the reader comments that the model keeps"
    ),
    "markdown": Field(Type.TEXT, lambda document: document.markdown, "the kept blocks as Markdown, with links"),
    "html": Field(Type.TEXT, lambda document: document.html, "the kept blocks as small, clean HTML"),
    "score": Field(
        Type.NUMBER, lambda document: round(document.score, 4), "how sure it is that the main text is right, 0 to 1"
    ),
    "headline": Field(
        Type.TEXT, lambda document: document.metadata.headline, "the headline, without the site's name", from_tree=True
    ),
    "authors": Field(
        Type.TEXTS, lambda document: list(document.metadata.authors), "the names of the authors", from_tree=True
    ),
    "date_published": Field(
        Type.TEXT,
        lambda document: document.metadata.date_published,
        "when it was published, in ISO 8601",
        from_tree=True,
    ),
    "date_modified": Field(
        Type.TEXT,
        lambda document: document.metadata.date_modified,
        "when it was last changed, in ISO 8601",
        from_tree=True,
    ),
    "language": Field(
        Type.TEXT, lambda document: document.metadata.language, 'the language, such as "en"', from_tree=True
    ),
    "description": Field(
        Type.TEXT, lambda document: document.metadata.description, "the page's own summary", from_tree=True
    ),
    "image": Field(
        Type.TEXT, lambda document: document.metadata.image, "the address of its main image", from_tree=True
    ),
    "canonical_url": Field(
        Type.TEXT, lambda document: document.metadata.canonical_url, "the page's own address", from_tree=True
    ),
    "site_name": Field(Type.TEXT, lambda document: document.metadata.site_name, "the name of the site", from_tree=True),
    "keywords": Field(
        Type.TEXTS, lambda document: list(document.metadata.keywords), "keywords and tags", from_tree=True
    ),
    "declared_type": Field(
        Type.TEXT,
        lambda document: document.metadata.declared_type,
        "the type that the page declares, such as NewsArticle",
        from_tree=True,
    ),
    "page_type": Field(
        Type.TEXT,
        lambda document: document.page_type,
        "the likeliest type: article, service, product, collection, forum, listing or documentation",
    ),
    "blocks": Field(Type.BLOCKS, lambda document: document.blocks, "the blocks of the page, with their scores"),
}
BLOCK_FIELDS: dict[str, BlockField] = {
    "text": BlockField(Type.TEXT, lambda block: block.text),
    "score": BlockField(Type.NUMBER, lambda block: round(block.score, 4)),
    "is_content": BlockField(Type.TRUTH, lambda block: block.is_content),
    "tag": BlockField(Type.TEXT, lambda block: block.tag),
    "xpath": BlockField(Type.TEXT, lambda block: block.xpath),
    "kind": BlockField(Type.TEXT, lambda block: block.kind),
    "other_pages": BlockField(Type.NUMBER, lambda block: block.other_pages),  # only with a site memory
}


def values_of(document: Document, names: Iterable[str], blocks: str | None = "all") -> dict[str, Any]:
    """The values of these fields, as plain data; `blocks` is one of BLOCKS_CHOICES, or None for no blocks."""
    values = {name: FIELDS[name].of(document) for name in names}
    if "blocks" in values:
        row = block_fields(document.page_texts is not None)
        values["blocks"] = None if blocks is None else _block_values(values["blocks"], blocks, row)
    return {name: JsonList(value) if isinstance(value, list) else value for name, value in values.items()}


class JsonList(list[Any]):
    """A list whose str() is JSON, which is what a CSV feed writes."""

    def __str__(self) -> str:
        return json.dumps(self, ensure_ascii=False)


def block_fields(site_memory: bool) -> dict[str, BlockField]:
    """The entries of a block's dict, with or without those of a site memory."""
    return {name: field for name, field in BLOCK_FIELDS.items() if site_memory or name != "other_pages"}


def _block_values(blocks: tuple[Block, ...], choice: str, row: Mapping[str, BlockField]) -> list[Any]:
    if choice == "scores":
        return [BLOCK_FIELDS["score"].of(block) for block in blocks]
    return [
        {name: field.of(block) for name, field in row.items()}
        for block in blocks
        if choice == "all" or block.is_content
    ]
