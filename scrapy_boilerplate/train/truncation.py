"""Augmentation with truncated articles.

Short articles above many teasers are the hardest pages for a network, and collections have few of them.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from ..features.elements import Elements
from ..page import Page
from .align import Labels

_LENGTHS = (30, 200)  # words that remain of an article
_MOST_LEFT = 0.7  # of its words
_SHORTEST = 100  # words; shorter articles are not cut


def truncated_blocks(name: str, labels: Labels, sizes: NDArray[np.floating]) -> NDArray[np.bool_] | None:
    """The blocks that remain when a page's article is cut short; None if the article is short already.

    The place of the cut depends on the page's name alone, so that a training can be repeated.
    """
    content = labels > 0
    words = np.cumsum(sizes * content)
    if not len(words) or words[-1] < _SHORTEST:
        return None
    low, high = _LENGTHS
    left = np.random.default_rng(zlib.crc32(name.encode())).uniform(low, min(high, _MOST_LEFT * words[-1]))
    kept: NDArray[np.bool_] = ~(content & (words > left))
    return kept


def restricted(page: Page, kept: NDArray[np.bool_]) -> Page:
    """The page with these blocks only, and without the elements that held nothing else.

    It lacks the inline markup, which no feature reads.
    """
    elements = Elements(page)
    sums = np.concatenate(([0], np.cumsum(kept)))
    held = elements.last_blocks - elements.first_blocks
    emptied = (held > 0) & (sums[elements.last_blocks] == sums[elements.first_blocks])
    stays = np.ones(len(page.tags), np.bool_)
    for node in np.flatnonzero(emptied):
        stays[node : elements.ends[node]] = False
    number = np.cumsum(stays) - 1  # of each element that stays
    nodes, blocks = np.flatnonzero(stays).tolist(), np.flatnonzero(kept).tolist()
    return Page(
        texts=[page.texts[block] for block in blocks],
        link_texts=[page.link_texts[block] for block in blocks],
        block_nodes=[int(number[page.block_nodes[block]]) for block in blocks],
        pre_lines=[page.pre_lines[block] for block in blocks],
        tags=[page.tags[node] for node in nodes],
        parents=[int(number[page.parents[node]]) if node else -1 for node in nodes],
        classes=[page.classes[node] for node in nodes],
        attributes=[(int(number[node]), name, value) for node, name, value in page.attributes if stays[node]],
        images=[int(number[node]) for node in page.images if stays[node]],
        controls=[int(number[node]) for node in page.controls if stays[node]],
        head=page.head,
        namespaces=page.namespaces,
        block_ends=[int(number[page.block_ends[block] - 1]) + 1 for block in blocks],
        doctype=page.doctype,
        root_path=page.root_path,
    )
