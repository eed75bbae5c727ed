"""What the report of a crawl has to know of a page."""

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
    words: int  # that are kept
    kept: int
    scores: tuple[int, ...]  # for each block in which tenth its score is

    @classmethod
    def of(cls, document: Document) -> PageSummary:
        kept = [block for block in document.blocks if block.is_content]
        scores = tuple(bisect(TENTHS, block.score) for block in document.blocks)
        return cls(document.title, document.score, sum(block.words for block in kept), len(kept), scores)
