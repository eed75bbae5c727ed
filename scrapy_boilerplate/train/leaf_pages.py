"""Pages split into leaves, with a label for each leaf, from a folder of pages and gold texts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..features.shallow import ShallowFeatures
from ..page import Page
from ..parse import to_tree
from ..render.text import to_text
from ..segment.text_nodes import segment_text_nodes
from .align import Labels, label_text_nodes
from .data import Example, read_examples
from .figures import Quality, word_quality


@dataclass(frozen=True, slots=True)
class LeafPage:
    """A page split into leaves, what part of each leaf is content, and its words."""

    example: Example
    page: Page
    labels: Labels
    words: NDArray[np.floating]

    @classmethod
    def of(cls, example: Example) -> LeafPage:
        page = segment_text_nodes(to_tree(example.read()))
        return cls(example, page, label_text_nodes(page, example.gold or ""), ShallowFeatures(page).words)

    @property
    def weights(self) -> NDArray[np.float32]:
        """How much each leaf counts in training: by the root of its words, all leaves together 1."""
        roots = np.sqrt(self.words)
        return np.asarray(roots / max(roots.sum(), 1), np.float32)

    def text(self, kept: NDArray[np.bool_]) -> str:
        """The kept leaves as text."""
        return to_text(self.page, np.flatnonzero(kept).tolist())

    def quality(self, kept: NDArray[np.bool_]) -> Quality:
        """How good it is to keep these leaves."""
        return word_quality(self.text(kept), self.example.gold or "")


def read_leaf_pages(folder: Path | str) -> list[LeafPage]:
    """Every page with a gold text."""
    return [LeafPage.of(example) for example in read_examples(folder) if example.gold is not None]
