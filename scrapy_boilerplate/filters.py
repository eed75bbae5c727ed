"""Scores to kept blocks: the threshold, and what a filter then takes away."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .blocks import Page

FILTER_NAMES = ("ancestor", "largest", "main")
ANCESTOR_DEPTHS = range(1, 6)

Kept = NDArray[np.bool_]

_PARAGRAPH_TAGS = frozenset("div table ul ol p section article h1 h2 h3 h4 h5 h6 header body".split())
_HEADING_TAGS = frozenset("h1 h2 h3 h4 h5 h6".split())

# Blocks that consist of nothing else head the comments of an article (case and closing marks don't matter).
_COMMENTS_HEADINGS = frozenset(
    {
        "comments",
        "user comments",
        "reader comments",
        "readers' comments",
        "add a comment",
        "add your comment",
        "post a comment",
        "leave a comment",
        "leave a reply",
        "have your say",
        "join the discussion",
    }
)
_COUNT = re.compile(r"^\(?\d+\)?\s+|\s*\(?\d+\)?$")  # "Comments (12)", "12 comments"
_TITLE_SEPARATOR = re.compile(r"\s+[-–—|»·•:/]+\s+|\s*[|»]\s*|:\s+")


def keep(
    page: Page,
    scores: NDArray[np.floating],
    words: NDArray[np.floating],
    *,
    threshold: float,
    filter: str | None = None,
    ancestor_depth: int = 2,
    title: str | None = None,
) -> Kept:
    """Which blocks stay: those with at least the threshold's score that the filter leaves."""
    kept: Kept = scores >= threshold
    if filter is None or not kept.any():
        return kept
    if filter == "ancestor":
        return keep_largest_group(kept, page, ancestor_depth)
    if filter == "main":
        kept = keep_between_title_and_comments(kept, page, title)
    return keep_largest_run(kept, words)


def keep_largest_group(kept: Kept, page: Page, depth: int) -> Kept:
    """Of the kept blocks, those with the same ancestor that together have the most text.

    Viveros-Jiménez et al. (2018): the group with the most characters wins.
    """
    numbers = np.flatnonzero(kept)
    groups = group_by_ancestor(page, numbers.tolist(), depth)
    characters: dict[int, int] = {}
    for number, group in zip(numbers, groups, strict=True):
        characters[group] = characters.get(group, 0) + len(page.texts[number])
    largest = max(characters, key=characters.__getitem__)
    result = np.zeros_like(kept)
    result[numbers[np.array(groups) == largest]] = True
    return result


def group_by_ancestor(page: Page, numbers: Iterable[int], depth: int) -> list[int]:
    """For each of these blocks the element that stands for its group.

    A block's paragraph is the closest element around it that can be one; paragraphs are grouped by their ancestor
    `depth` levels up (1 is the parent).
    """
    paragraphs = page.nearest(_PARAGRAPH_TAGS)
    return [_ancestor(page, paragraphs[page.block_nodes[number]], depth) for number in numbers]


def _ancestor(page: Page, node: int, depth: int) -> int:
    for _ in range(depth):
        if node > 0:
            node = page.parents[node]
    return max(node, 0)


def keep_largest_run(kept: Kept, words: NDArray[np.floating]) -> Kept:
    """Of the kept blocks, the unbroken run with the most words (the paper's largest content filter)."""
    if not kept.any():
        return kept
    edges = np.flatnonzero(np.diff(kept, prepend=False, append=False))
    starts, ends = edges[::2], edges[1::2]
    sums = np.concatenate(([0], np.cumsum(words)))
    largest = np.argmax(sums[ends] - sums[starts])
    result = np.zeros_like(kept)
    result[starts[largest] : ends[largest]] = True
    return result


def keep_between_title_and_comments(kept: Kept, page: Page, title: str | None) -> Kept:
    """Of the kept blocks, those from the page's title on and above the heading of its comments, where found."""
    first, last = title_and_comments(page, title)
    result = np.zeros_like(kept)
    result[first:last] = kept[first:last]
    return result


def title_and_comments(page: Page, title: str | None) -> tuple[int, int]:
    """The block with the page's title and the heading of its comments; the page's first and its end if not found."""
    first = _title_block(page, title)
    last = next(
        (number for number, text in enumerate(page.texts) if number > first and _heads_comments(text)),
        len(page.texts),
    )
    return first, last


def _title_block(page: Page, title: str | None) -> int:
    """The first heading that says what the title says, else the first such block, else 0."""
    parts = {part.casefold() for part in (title or "", *_TITLE_SEPARATOR.split(title or "")) if part}
    matches = [number for number, text in enumerate(page.texts) if text.casefold() in parts]
    headings = [number for number in matches if page.tags[page.block_nodes[number]] in _HEADING_TAGS]
    return next(iter(headings or matches), 0)


def _heads_comments(text: str) -> bool:
    plain = _COUNT.sub("", text.casefold().rstrip(" :.…!")).replace("\u2019", "'")
    return plain in _COMMENTS_HEADINGS
