"""The values of a document that go into items."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from .document import Block, Document


def item_values(document: Document, blocks_choice: str, sources: Collection[str]) -> dict[str, Any]:
    """The values for these of `settings.FIELD_SOURCES`."""
    values: dict[str, Any] = {}
    if "main_text" in sources:
        values["main_text"] = document.main_text
    if "blocks" in sources:
        values["blocks"] = Blocks(_block_values(document.blocks, blocks_choice))
    if "score" in sources:
        values["score"] = round(document.score, 4)
    if "title" in sources:
        values["title"] = document.title
    return values


class Blocks(list[Any]):
    """A list that a CSV feed, which writes str(), shows as JSON."""

    def __str__(self) -> str:
        return json.dumps(self, ensure_ascii=False)


def _block_values(blocks: tuple[Block, ...], choice: str) -> list[Any]:
    if choice == "scores":
        return [round(block.score, 4) for block in blocks]
    return [
        {
            "text": block.text,
            "score": round(block.score, 4),
            "is_content": block.is_content,
            "tag": block.tag,
            "xpath": block.xpath,
            "kind": block.kind,
        }
        for block in blocks
        if choice == "all" or block.is_content
    ]
