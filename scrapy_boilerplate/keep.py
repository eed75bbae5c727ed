"""Scores to kept blocks: the threshold, and what a filter then takes away."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .page import Page

FILTER_NAMES = ("ancestor", "largest", "main")
ANCESTOR_DEPTHS = range(1, 6)
LARGEST_GAP = 2  # blocks
# So many words, or of short pages this share of the kept ones, may be an article with comments below.
ARTICLE_WORDS = 100
ARTICLE_SHARE = 0.2

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
        kept = keep_between_title_and_comments(kept, page, words, title)
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
    `depth` levels up (1 is the parent). A paragraph holds no other paragraphs: of an element that does, the loose
    text is a paragraph of its own, one level below it.
    """
    paragraphs = page.nearest(_PARAGRAPH_TAGS)
    holders = _holders_of_paragraphs(page, paragraphs)
    groups = []
    for number in numbers:
        paragraph = paragraphs[page.block_nodes[number]]
        groups.append(_ancestor(page, paragraph, depth - (paragraph in holders)))
    return groups


def _holders_of_paragraphs(page: Page, paragraphs: list[int]) -> set[int]:
    """The elements in which there are paragraphs with text."""
    holders: set[int] = set()
    for node in {paragraphs[node] for node in page.block_nodes}:
        while node > 0 and (node := page.parents[node]) not in holders:
            holders.add(node)
    return holders


def _ancestor(page: Page, node: int, depth: int) -> int:
    for _ in range(depth):
        if node > 0:
            node = page.parents[node]
    return max(node, 0)


def keep_largest_run(kept: Kept, words: NDArray[np.floating]) -> Kept:
    """Of the kept blocks, the run with the most words (the paper's largest content filter).

    A few blocks that are not kept don't end a run: one misjudged line would tear an article.
    """
    numbers = np.flatnonzero(kept)
    result = np.zeros_like(kept)
    if len(numbers):
        runs = np.cumsum(np.diff(numbers, prepend=numbers[0]) > LARGEST_GAP + 1)
        result[numbers[runs == np.bincount(runs, words[numbers]).argmax()]] = True
    return result


def keep_between_title_and_comments(kept: Kept, page: Page, words: NDArray[np.floating], title: str | None) -> Kept:
    """Of the kept blocks, those from the page's title on and above the heading of its comments, where found."""
    first, last = title_and_comments(kept, words, title_blocks(page, title), comments_headings(page))
    result = np.zeros_like(kept)
    result[first:last] = kept[first:last]
    return result


def title_and_comments(
    kept: Kept, words: NDArray[np.floating], titles: Iterable[int], headings: Iterable[int]
) -> tuple[int, int]:
    """The block with the page's title and the heading of its comments; the page's first and its end if not found.

    What has most of the kept text above it is not the article's title, but a link to it further down. What has hardly
    any between the title and itself heads no comments: it is a menu's entry, or a link to them.
    """
    above = np.concatenate(([0.0], np.cumsum(words * kept)))  # kept words before each block
    total = above[-1]
    if not total:
        return 0, len(kept)
    first = next((number for number in titles if above[number] <= total / 2), 0)
    enough = min(ARTICLE_WORDS, total * ARTICLE_SHARE)
    last = next((number for number in headings if number > first and above[number] - above[first] >= enough), len(kept))
    return first, last


def title_blocks(page: Page, title: str | None) -> list[int]:
    """The blocks that say what the title says, or a large part of it: headings first."""
    whole = (title or "").casefold()
    parts = {whole, *(part for part in _TITLE_SEPARATOR.split(whole) if 3 * len(part) >= len(whole))} - {""}
    matches = [number for number, text in enumerate(page.texts) if text.casefold() in parts]
    return sorted(matches, key=lambda number: page.tags[page.block_nodes[number]] not in _HEADING_TAGS)


def comments_headings(page: Page) -> list[int]:
    """The blocks that say nothing but that comments follow."""
    return [number for number, text in enumerate(page.texts) if _heads_comments(text)]


def _heads_comments(text: str) -> bool:
    plain = _COUNT.sub("", text.casefold().rstrip(" :.…!")).replace("\u2019", "'")
    return plain in _COMMENTS_HEADINGS
