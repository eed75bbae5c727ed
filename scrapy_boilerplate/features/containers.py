"""Features of the elements around a block: the size of their text, its linked share, and repetition of the element."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .elements import Numbers
from .family import Family, Rows, log, share

# The elements around a block that are measured, by number from the inside; 0 is the block's own.
_LEVELS = {0: "own", 1: "outer1", 3: "outer3"}
_LEVEL_STATISTICS = (
    "log_size",
    "page_share",
    "linked",
    "paragraph_share",
    "log_block_size",
    "commas",
    "paragraph_page_share",
    "log_equal_siblings",
    "log_images",
    "headings",
    "log_blocks",
)
_CARDS = 3  # so many equal siblings, or more, are a series
_LONG_PARAGRAPH = 48  # words; a longer paragraph counts no more
_SHORTEST_PARAGRAPH = 6  # words
_MAIN_SHARE = 0.7  # the main element holds at least this share of the page's paragraph text


class Containers(Family):
    """Sums over the elements around a block, the best container of the page, and the series that the block is in."""

    names = (
        *(f"{level}_{name}" for level in _LEVELS.values() for name in _LEVEL_STATISTICS),
        "in_best",
        "before_best",
        "after_best",
        "best_up",
        "best_depth_below",
        "in_main_part",
        "main_up",
        "after_main",
        "before_main",
        "blocks_to_main",
        "log_size_after_main",
        "card_found",
        "card_up",
        "card_log_size",
        "card_log_blocks",
        "card_linked",
        "card_headings",
        "card_linked_headings",
        "card_images",
        "card_paragraph_share",
        "cards_log_count",
        "cards_page_share",
        "cards_log_size",
        "cards_linked",
        "cards_paragraph_share",
        "depth",
        "depth_to_best",
        "children_log",
    )

    def _rows(self) -> Rows:
        return np.concatenate((self._levels(), self._best(), self._cards(), self._depths()), dtype=np.float32)

    @cached_property
    def sums(self) -> NDArray[np.float64]:
        """For each element: size, linked size, paragraph size, blocks, commas and marks, headings, linked headings."""
        features = self._features
        wording = features.wording
        size, linked = wording.size, wording.linked
        heading = features.is_heading
        rows = np.array(
            (
                size,
                size * linked,
                size * wording.is_paragraph,
                np.ones(len(size)),
                wording.sentences,
                heading,
                heading & (linked > 0.5),
            ),
            np.float64,
        )
        return features.elements.sum(rows)

    @cached_property
    def _images(self) -> Numbers:
        return self._features.elements.count(self._features.page.images)

    @cached_property
    def levels(self) -> Numbers:
        """For each block, its element and the three next larger elements around it, a row for each."""
        elements = self._features.elements
        levels = [elements.nodes]
        for _ in range(max(_LEVELS)):
            levels.append(elements.outer[levels[-1]])
        return np.array(levels)

    def _levels(self) -> Rows:
        elements = self._features.elements
        size, linked, paragraphs, blocks, commas, headings, _ = self.sums
        statistics = np.array(
            (
                log(size),
                share(size, size[0]),
                share(linked, size),
                share(paragraphs, size),
                log(share(size, blocks)),
                np.minimum(share(commas, size), 0.5),
                share(paragraphs, paragraphs[0]),
                log(elements.equal_siblings),
                log(self._images),
                share(headings, blocks),
                log(blocks),
            ),
            np.float32,
        )
        return np.concatenate([statistics[:, self.levels[level]] for level in _LEVELS])

    def _best(self) -> list[NDArray[np.generic]]:
        """The position of each block relative to the best container and to the main element."""
        elements = self._features.elements
        best, main = self.best, self.main
        blocks = np.arange(len(elements.nodes))
        size = np.concatenate(([0.0], np.cumsum(self._features.wording.size)))
        first, last = elements.first_blocks, elements.last_blocks
        total = max(size[-1], 1.0)
        after_main = np.maximum(size[:-1] - size[last[main]], 0)
        away = np.maximum(first[main] - blocks, blocks - last[main] + 1)
        return [
            (blocks >= first[best]) & (blocks < last[best]),
            blocks < first[best],
            blocks >= last[best],
            log(self._steps_up(best)),
            log(np.maximum(elements.depths[elements.nodes] - elements.depths[best], 0)),
            (blocks >= first[main]) & (blocks < last[main]),
            log(self._steps_up(main)),
            blocks >= last[main],
            blocks < first[main],
            log(np.maximum(away, 0)),
            log(after_main / total * 100),
        ]

    @cached_property
    def candidates(self) -> NDArray[np.float64]:
        """For each element, how likely it is the one around the article's paragraphs, similar to Readability's score.

        A paragraph adds to the score of the element around it by its length and its commas, and less to the two
        elements around that. The score is reduced by the linked share of the element's text.
        """
        features, elements = self._features, self._features.elements
        wording = features.wording
        size = wording.size
        weights = 1 + wording.commas + 3 * np.minimum(size / _LONG_PARAGRAPH, 1)
        weights *= (size >= _SHORTEST_PARAGRAPH) & (wording.linked < 0.5) & ~features.is_heading
        parent = elements.parents[elements.nodes]
        scores = np.zeros(len(elements.parents))
        for part in (1, 1 / 2, 1 / 6):
            scores += np.bincount(parent, weights * part, len(scores))
            parent = elements.parents[parent]
        return scores * (1 - share(self.sums[1], self.sums[0]))

    @cached_property
    def best(self) -> int:
        """The element with the highest score, probably the one around the article's paragraphs."""
        return int(self.candidates.argmax())

    @property
    def second_best(self) -> float:
        """The highest score of an element outside of the best one, as a share of the best score."""
        elements, scores = self._features.elements, self.candidates
        outside = (elements.last_blocks <= elements.first_blocks[self.best]) | (
            elements.first_blocks >= elements.last_blocks[self.best]
        )
        return float(scores[outside].max(initial=0) / max(scores[self.best], 1e-6))

    @cached_property
    def main(self) -> int:
        """The main element: the deepest one that holds 70 % of the page's paragraph text."""
        paragraphs = self.sums[2]
        enough = paragraphs >= max(_MAIN_SHARE * paragraphs[0], 1e-9)
        elements = self._features.elements
        return int(np.where(enough, elements.depths, -1).argmax())

    def _steps_up(self, node: int) -> Numbers:
        """For each block, how many levels above `node` the smallest element is that holds both."""
        elements = self._features.elements
        path = [node]
        while path[-1] > 0:
            path.append(int(elements.parents[path[-1]]))
        starts, ends = elements.first_blocks[path], elements.last_blocks[path]
        blocks = np.arange(len(elements.nodes))
        # From `node` outwards the ranges of blocks only grow: from some level on, they hold the block.
        return np.maximum(np.searchsorted(-starts, -blocks), np.searchsorted(ends, blocks, side="right"))

    def _cards(self) -> list[NDArray[np.generic]]:
        """The card of each block and its series: a card is an element with at least two equal siblings."""
        size, linked, paragraphs, blocks, _, headings, linked_headings = self.sums
        card, up = self._card
        there = card >= 0
        found = np.maximum(card, 0)
        count, total, total_linked, total_paragraphs = self._series[:, found]
        rows = (
            np.ones(len(card)),
            log(up),
            log(size[found]),
            log(blocks[found]),
            share(linked, size)[found],
            np.minimum(headings[found], 3),
            np.minimum(linked_headings[found], 3),
            np.minimum(self._images[found], 5),
            share(paragraphs, size)[found],
            log(count),
            share(total, size[0]),
            log(total / np.maximum(count, 1)),
            share(total_linked, total),
            share(total_paragraphs, total),
        )
        return [row * there for row in rows]

    @cached_property
    def _card(self) -> tuple[Numbers, Numbers]:
        """For each block the innermost card around it, -1 for none, and how many levels up it is.

        Cards with several blocks come first; cards of a single block, as the items of a list, only count without them.
        """
        elements = self._features.elements
        blocks = self.sums[3]
        repeated = (elements.equal_siblings >= _CARDS) & (blocks > 0)
        card = elements.innermost(repeated & (blocks > 1))
        card = np.where(card >= 0, card, elements.innermost(repeated & (blocks == 1)))
        return card, np.maximum(elements.depths[elements.nodes] - elements.depths[np.maximum(card, 0)], 0)

    @property
    def in_card(self) -> NDArray[np.bool_]:
        """The blocks that are in a card."""
        return self._card[0] >= 0

    @cached_property
    def _series(self) -> NDArray[np.float64]:
        """For each element, sums over it and its equal siblings: number, size, linked size, paragraph size."""
        series, lengths = self._features.elements.siblings
        return np.array((lengths, *(np.bincount(series, row) for row in self.sums[:3])))[:, series]

    def _depths(self) -> list[NDArray[np.generic]]:
        elements = self._features.elements
        depths = elements.depths[elements.nodes]
        children = np.bincount(elements.parents, minlength=len(elements.parents))
        return [
            log(depths),
            np.clip(depths - elements.depths[self.best], -6, 6),
            log(children[elements.parents[elements.nodes]]),
        ]
