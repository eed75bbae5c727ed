"""Labels of blocks, from an alignment of the page with its gold text.

The two are aligned as sequences, so that a menu entry whose words also occur in the article is not labelled content.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..page import Page
from ..sequences import common_subsequence

Labels = NDArray[np.float32]

# In scripts without white space between words each character is a token.
_CHARACTERS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[{_CHARACTERS}]|[^\W{_CHARACTERS}]+")

_LEAST_SHARE = 0.5  # of a block's tokens that must be in the gold text
_WINDOW = 1.5  # lengths of the block: the part of the gold text over which its tokens may be spread
_MOST_BITS = 4e9  # of the alignment's table: 500 MB
_NEIGHBOURHOOD = 3  # blocks: the greatest distance of a very short block from other content


def tokenize(text: str) -> list[str]:
    """The words of a text in lower case; for Chinese and Japanese its characters."""
    return _TOKEN.findall(text.lower())


def label_blocks(texts: Sequence[str], gold: str) -> Labels:
    """For each block the share of its tokens that are aligned with the gold text; 0 if it is below one half.

    The first step is the longest common subsequence of page and gold text. Reordered text is then found by runs of five
    and of three tokens, and blocks of up to three tokens by whole lines, if they are next to content.
    """
    aligner = _Aligner([tokenize(text) for text in texts], gold)
    aligner.match_sequence()
    aligner.match_runs(5)
    aligner.match_runs(3)
    aligner.match_lines()
    return aligner.labels


def label_text_nodes(page: Page, gold: str) -> Labels:
    """Labels of text nodes: each has the label of its paragraph, since a linked word alone could be from anywhere."""
    paragraphs: list[str] = []
    owners: list[int] = []
    for text, glue in zip(page.texts, page.glue, strict=True):
        if glue is None:
            paragraphs.append(text)
        else:
            paragraphs[-1] += glue + text
        owners.append(len(paragraphs) - 1)
    return label_blocks(paragraphs, gold)[owners]


class _Aligner:
    def __init__(self, blocks: list[list[str]], gold: str) -> None:
        self.blocks = blocks
        self.lines = [tokenize(line) for line in gold.splitlines()]
        self.gold = [token for line in self.lines for token in line]
        self.free = np.ones(len(self.gold), np.bool_)  # not aligned with a block yet
        self.labels: Labels = np.zeros(len(blocks), np.float32)

    def match_sequence(self) -> None:
        vocabulary = set(self.gold)
        candidates = [
            (number, [token for token in block if token in vocabulary])
            for number, block in enumerate(self.blocks)
            if block and sum(token in vocabulary for token in block) >= _LEAST_SHARE * len(block)
        ]
        owners = [number for number, tokens in candidates for _ in tokens]
        page = [token for _, tokens in candidates for token in tokens]
        if len(page) * len(self.gold) > _MOST_BITS:
            return
        places: dict[int, list[int]] = defaultdict(list)
        for place, gold_place in common_subsequence(page, self.gold):
            places[owners[place]].append(gold_place)
        for number, found in places.items():
            self._claim(number, self._densest(found, len(self.blocks[number])))

    @staticmethod
    def _densest(places: list[int], length: int) -> list[int]:
        """The places in that window of the gold text which has the most of them."""
        width = max(length * _WINDOW, length + 2)
        best, start = (0, 0), 0
        for end, place in enumerate(places):
            while place - places[start] >= width:
                start += 1
            best = max(best, (end + 1 - start, start))
        count, start = best
        return places[start : start + count]

    def match_runs(self, length: int) -> None:
        """Label blocks of which at least half is in runs of this length that are still free."""
        runs: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for start in range(len(self.gold) - length + 1):
            if self.free[start : start + length].all():
                runs[tuple(self.gold[start : start + length])].append(start)
        if not runs:
            return
        for number, block in enumerate(self.blocks):
            if self.labels[number] or len(block) < length:
                continue
            covered: dict[int, int] = {}  # token of the block -> place in the gold text
            for start in range(len(block) - length + 1):
                for place in runs.get(tuple(block[start : start + length]), ()):
                    if self.free[place : place + length].all():
                        covered.update({start + step: place + step for step in range(length)})
                        break
            self._claim(number, sorted(set(covered.values())), len(covered))

    def match_lines(self) -> None:
        """Label blocks of one to three tokens that are a whole line of the gold text and next to content."""
        starts: dict[tuple[str, ...], list[int]] = defaultdict(list)
        place = 0
        for line in self.lines:
            if 0 < len(line) <= 3:
                starts[tuple(line)].append(place)
            place += len(line)
        sure = np.flatnonzero(self.labels)
        if not len(sure) or not starts:
            return
        for number, block in enumerate(self.blocks):
            if self.labels[number] or tuple(block) not in starts:
                continue
            nearest = np.abs(sure - number).min()
            for start in starts[tuple(block)]:
                if nearest <= _NEIGHBOURHOOD and self.free[start : start + len(block)].all():
                    self._claim(number, list(range(start, start + len(block))))
                    break

    def _claim(self, number: int, places: list[int], matched: int | None = None) -> None:
        share = (len(places) if matched is None else matched) / len(self.blocks[number])
        if share >= _LEAST_SHARE:
            self.labels[number] = min(share, 1.0)
            self.free[places] = False
