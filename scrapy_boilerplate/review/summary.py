"""The summary of a page, for the report of a crawl."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass

from ..document import Document

TENTHS = [number / 10 for number in range(1, 10)]


@dataclass(frozen=True, slots=True)
class PageSummary:
    """A document in a few numbers, small enough to be sent from a worker."""

    title: str | None
    score: float
    words: int  # in kept blocks
    kept: int  # blocks
    scores: tuple[int, ...]  # for each block, the tenth that its score is in, from 0 to 9
    page_type: str | None = None
    other_pages: tuple[tuple[int, int], ...] = ()  # the blocks that other pages of the site hold, and how many do

    @classmethod
    def of(cls, document: Document) -> PageSummary:
        kept = [block for block in document.blocks if block.is_content]
        scores = tuple(bisect(TENTHS, block.score) for block in document.blocks)
        words = sum(block.words for block in kept)
        repeated = tuple(
            (number, block.other_pages) for number, block in enumerate(document.blocks) if block.other_pages
        )
        return cls(document.title, document.score, words, len(kept), scores, document.page_type, repeated)
