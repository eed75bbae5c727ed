"""Links around whole texts: somebody made a link of an article, or forgot to close one above it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from ..page import Page
from .characters import Count
from .text import Texts

# In characters.
_LINE = 50  # what is shorter is no running text
_LONG = 1000  # a text that is shorter is long enough if it is half of the page
_SENTENCES = 3  # a teaser in a link rarely has so many


def without_text_links(page: Page) -> Page:
    """The page as its features should see it: a link around a long text with sentences is no link.

    Several links with the same text are teasers, however long it is. If there is no link to change, it is the page
    itself, untouched.
    """
    links = _long_links(page)
    linked = [" ".join(" ".join(page.link_texts[number] for number in blocks).split()) for _, blocks in links]
    times = Counter(linked)
    found = [link for link, text in zip(links, linked, strict=True) if times[text] == 1 and _has_sentences(text)]
    if not found:
        return page
    tags, link_texts = page.tags.copy(), page.link_texts.copy()
    for node, blocks in found:
        tags[node] = "span"
        for number in blocks:
            link_texts[number] = ""
    return replace(page, tags=tags, link_texts=link_texts)


def _long_links(page: Page) -> list[tuple[int, list[int]]]:
    """The links that are long enough, each with the blocks whose linked text is all its own."""
    enough = min(_LONG, sum(map(len, page.texts)) / 2)
    lengths = np.fromiter(map(len, page.link_texts), np.int64, len(page.link_texts))
    lines = lengths >= _LINE
    if not lines.any() or lengths[lines].sum() < enough:  # most pages
        return []
    links = [node for node, tag in enumerate(page.tags) if tag == "a"]
    begun = np.searchsorted(links, page.block_ends)  # how many links before each block's end: its last one's number
    own = (begun > 0) & (np.diff(begun, prepend=0) <= 1)  # of several links in a block no telling whose text it is
    totals = np.bincount(begun, lengths * (own & lines))
    return [
        (links[number - 1], np.flatnonzero((begun == number) & own & (lengths > 0)).tolist())
        for number in np.flatnonzero(totals >= max(enough, 1)).tolist()
    ]


def _has_sentences(text: str) -> bool:
    return bool(Texts([text]).tally[Count.SENTENCES, 0] >= _SENTENCES)
