"""Select the kept blocks by their scores: with a threshold, and then with a filter."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .page import Page
from .segment.comments import heads_comments

FILTER_NAMES = ("ancestor", "largest", "main")
ANCESTOR_DEPTHS = range(1, 6)
LARGEST_GAP = 2  # blocks
# An article above comments has at least this many words; on short pages, this share of the kept words.
ARTICLE_WORDS = 100
ARTICLE_SHARE = 0.2

Kept = NDArray[np.bool_]

_PARAGRAPH_TAGS = frozenset("div table ul ol p section article h1 h2 h3 h4 h5 h6 header body".split())
_HEADING_TAGS = frozenset("h1 h2 h3 h4 h5 h6".split())

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
    """Return a mask of the kept blocks: those that reach the threshold and that the filter keeps."""
    kept: Kept = scores >= threshold
    if filter is None or not kept.any():
        return kept
    if filter == "ancestor":
        return keep_largest_group(kept, page, ancestor_depth)
    if filter == "main":
        kept = keep_between_title_and_comments(kept, page, words, title)
    return keep_largest_run(kept, words)


def keep_largest_group(kept: Kept, page: Page, depth: int) -> Kept:
    """Keep only the group of blocks with the same ancestor that has the most characters.

    This is the filter of Viveros-Jiménez et al. (2018).
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
    """Return for each block the element that identifies its group.

    A block's paragraph is the closest element around it with a paragraph's tag; paragraphs are grouped by their
    ancestor `depth` levels up (1 is the parent). A paragraph contains no other paragraphs: if the element does, the
    loose text in it counts as a paragraph of its own, one level below the element.
    """
    paragraphs = page.nearest(_PARAGRAPH_TAGS)
    holders = _holders_of_paragraphs(page, paragraphs)
    groups = []
    for number in numbers:
        paragraph = paragraphs[page.block_nodes[number]]
        groups.append(_ancestor(page, paragraph, depth - (paragraph in holders)))
    return groups


def _holders_of_paragraphs(page: Page, paragraphs: list[int]) -> set[int]:
    """Return the elements that contain paragraphs with text."""
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
    """Keep only the run of blocks with the most words (the paper's largest content filter).

    A gap of up to LARGEST_GAP dropped blocks doesn't end a run: otherwise one misjudged line would split an article.
    """
    numbers = np.flatnonzero(kept)
    result = np.zeros_like(kept)
    if len(numbers):
        runs = np.cumsum(np.diff(numbers, prepend=numbers[0]) > LARGEST_GAP + 1)
        result[numbers[runs == np.bincount(runs, words[numbers]).argmax()]] = True
    return result


def keep_between_title_and_comments(kept: Kept, page: Page, words: NDArray[np.floating], title: str | None) -> Kept:
    """Keep only blocks from the page's title up to the heading of its comments, as far as these are found."""
    first, last = title_and_comments(kept, words, title_blocks(page, title), comments_headings(page))
    result = np.zeros_like(kept)
    result[first:last] = kept[first:last]
    return result


def title_and_comments(
    kept: Kept, words: NDArray[np.floating], titles: Iterable[int], headings: Iterable[int]
) -> tuple[int, int]:
    """Return the block with the page's title and the heading of its comments, else the first block and the end.

    A candidate for the title with most of the kept text above it is a link to the article, not its title. A candidate
    for the heading with hardly any kept text between the title and itself is a menu item, or a link to the comments.
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
    """Return the blocks whose text is the title or a large part of it, headings first."""
    whole = (title or "").casefold()
    parts = {whole, *(part for part in _TITLE_SEPARATOR.split(whole) if 3 * len(part) >= len(whole))} - {""}
    matches = [number for number, text in enumerate(page.texts) if text.casefold() in parts]
    return sorted(matches, key=lambda number: page.tags[page.block_nodes[number]] not in _HEADING_TAGS)


def comments_headings(page: Page) -> list[int]:
    """Return the blocks whose whole text is a heading of comments."""
    return [number for number, text in enumerate(page.texts) if heads_comments(text)]
