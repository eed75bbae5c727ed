"""The blocks of a page against its gold text: which are content, and which of Victor's labels they have."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from statistics import fmean

from ..document import Document
from ..label.files import PageLabels, match
from ..segment.kinds import CONTINUATION, HEADING, LIST_ITEM
from .align import label_blocks
from .example import Example
from .structure import OTHER, PARAGRAPH, marked_labels

logger = logging.getLogger(__name__)

_LABELS = {HEADING: "header", LIST_ITEM: "list", CONTINUATION: "continuation"}  # of all other kinds "paragraph"


def known_text(document: Document, labels: PageLabels) -> str:
    """The kept text of a page, without the blocks that have no label."""
    known = {block.text for block in labels.blocks if block.content is not None}
    unknown = {block.text for block in labels.blocks} - known
    return "\n\n".join(block.text for block in document.blocks if block.is_content and block.text not in unknown)


def truths_of(document: Document, gold: str, example: Example) -> Sequence[bool | None]:
    """For each block whether it is content; None for blocks without a label."""
    texts = [block.text for block in document.blocks]
    if example.labels is None:
        return [share > 0 for share in label_blocks(texts, gold).tolist()]
    truths, lost = match(example.labels, texts)
    if lost:
        logger.warning("%s: %d labels match no block, such as %r", example.name, len(lost), lost[0].text)
    return truths


def right_blocks(document: Document, truths: Sequence[bool | None]) -> float | None:
    right = [
        block.is_content == truth for block, truth in zip(document.blocks, truths, strict=True) if truth is not None
    ]
    return fmean(right) if right else None


def right_labels(document: Document, truths: Sequence[bool | None], gold: str | None) -> float | None:
    """The share of blocks with the right label: header, list, paragraph, continuation, or other for boilerplate.

    Which label is right the marks of CleanEval's gold text say; None without them.
    """
    if gold is None or not truths:
        return None
    wanted = marked_labels(
        [block.text for block in document.blocks], [PARAGRAPH if truth else OTHER for truth in truths], gold
    )
    found = [_LABELS.get(block.kind, PARAGRAPH) if block.is_content else OTHER for block in document.blocks]
    return fmean(one == other for one, other in zip(found, wanted, strict=True))
