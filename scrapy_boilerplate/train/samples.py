"""Training samples: the feature matrix, labels and weights of a page."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..features import Features
from ..features.surroundings import Surroundings
from ..label.files import PageLabels, match
from ..models.base import Model, Scores
from ..page import Page
from ..parse import to_tree
from ..segment import segment
from .aging import aged_features, is_to_be_aged
from .align import Labels, label_blocks
from .data import Example, site_of
from .figures import snippet_hits, word_quality
from .truncation import restricted, truncated_blocks

logger = logging.getLogger(__name__)

_AGREEMENT = 0.85  # the least word F1 of two extractors that are believed where they agree
_SHORTEST = 200  # characters of a silver text
_LONG_SNIPPET = 15  # characters; shorter snippets could be anywhere
_ARTICLE_TYPES = ("article", None)  # collections without page types are of articles
_LEAST_KNOWN = 0.5  # the share of labelled blocks that a page needs to be copied


@dataclass(frozen=True, slots=True)
class Augmentation:
    """The weights of altered copies of the pages in the training; with a weight of 0 no copies are made."""

    truncated: float = 0.0  # of articles, cut short
    aged: float = 0.0  # of some pages, in the markup of 2005


NO_COPIES = Augmentation()


@dataclass(slots=True)
class Sample:
    """A page as training data. Its arrays have a row for each block."""

    name: str
    site: str
    page_type: str | None
    texts: list[str]
    matrix: NDArray[np.float32]
    sizes: NDArray[np.float32]  # words
    labels: Labels
    known: NDArray[np.float32]  # 0 for blocks without a label
    weight: float = 1.0
    surroundings: Surroundings | None = None  # which only some models look at
    gold: str | None = field(default=None, repr=False)
    copies: tuple[Sample, ...] = field(default=(), repr=False)  # made by augmentation

    def scores(self, model: Model) -> Scores:
        """The score that a model gives each block."""
        return model.predict(self.matrix, self.surroundings)

    def text(self, kept: NDArray[np.bool_]) -> str:
        """The kept blocks, one a line."""
        return "\n".join(text for text, is_kept in zip(self.texts, kept, strict=True) if is_kept)


def make_sample(
    example: Example,
    features: Sequence[str],
    *,
    weight: float = 1.0,
    others: Sequence[str] = (),
    augment: Augmentation = NO_COPIES,
) -> Sample | None:
    """The sample of an example, with these features; None for a page without blocks.

    Without a gold text it gets silver labels: `others` are the main texts that two other extractors found.
    """
    page = segment(to_tree(example.read()))
    if not page.texts:
        return None
    measured = Features(page)
    if example.labels is not None:
        labels, known = given_labels(page.texts, example.name, example.labels)
    elif example.gold is not None:
        labels = label_blocks(page.texts, example.gold)
        known = np.ones(len(labels), np.float32)
    else:
        labels, known = silver_labels(page.texts, example, others)
    sample = Sample(
        name=example.name,
        site=site_of(example),
        page_type=example.page_type,
        texts=page.texts,
        matrix=measured.matrix(features),
        sizes=measured.wording.size.astype(np.float32),
        labels=labels,
        known=known,
        weight=weight,
        surroundings=measured.surroundings,
        gold=example.gold,
    )
    made = (
        _truncated(sample, page, features, augment.truncated) if augment.truncated else None,
        _aged(sample, page, measured, features, augment.aged) if augment.aged else None,
    )
    sample.copies = tuple(copy for copy in made if copy is not None)
    return sample


def _truncated(sample: Sample, page: Page, features: Sequence[str], weight: float) -> Sample | None:
    """The same page with its article cut short; None if it isn't an article, is short already, or has few labels."""
    kept = truncated_blocks(sample.name, sample.labels, sample.sizes)
    if kept is None or sample.page_type not in _ARTICLE_TYPES or sample.known.mean() < _LEAST_KNOWN:
        return None
    part = restricted(page, kept)
    measured = Features(part)
    return Sample(
        name=sample.name,
        site=sample.site,
        page_type=sample.page_type,
        texts=part.texts,
        matrix=measured.matrix(features),
        sizes=sample.sizes[kept],
        labels=sample.labels[kept],
        known=sample.known[kept],
        weight=weight,
        surroundings=measured.surroundings,
    )


def _aged(sample: Sample, page: Page, measured: Features, features: Sequence[str], weight: float) -> Sample | None:
    """The same page in the markup of 2005; None for most pages, and for those with few labels."""
    if not is_to_be_aged(sample.name) or sample.known.mean() < _LEAST_KNOWN:
        return None
    old = aged_features(page, sample.name, measured.head.title)
    return replace(sample, matrix=old.matrix(features), weight=weight, surroundings=old.surroundings)


def given_labels(texts: Sequence[str], name: str, given: PageLabels) -> tuple[Labels, NDArray[np.float32]]:
    """The labels of a label file, and which blocks have one; labels that match no block are logged."""
    content, lost = match(given, texts)
    if lost:
        logger.warning(
            "%s: %d of %d labels match no block, such as %r", name, len(lost), len(given.blocks), lost[0].text
        )
    labels = np.array([bool(label) for label in content], np.float32)
    known = np.array([label is not None for label in content], np.float32)
    return labels, known


def silver_labels(texts: Sequence[str], example: Example, others: Sequence[str]) -> tuple[Labels, NDArray[np.float32]]:
    """Labels from the texts of two other extractors, and which of them to believe.

    If both texts satisfy all snippets of the example and nearly agree, the blocks on which they agree are labelled; if
    only one of them satisfies the snippets, all blocks are labelled by it; else only blocks with a snippet in them.
    """
    satisfied = [
        text
        for text in others
        if len(text) >= _SHORTEST and all(snippet_hits(text, example.required, example.forbidden))
    ]
    labels, known = np.zeros(len(texts), np.float32), np.zeros(len(texts), np.float32)
    if len(satisfied) == 2 and word_quality(*satisfied).f1 >= _AGREEMENT:
        first, second = (label_blocks(texts, text) for text in satisfied)
        known = ((first > 0) == (second > 0)).astype(np.float32)
        labels = np.where((first > 0) & (second > 0), np.maximum(first, second), 0).astype(np.float32)
    elif len(satisfied) == 1:
        labels = label_blocks(texts, satisfied[0])
        known = np.ones(len(texts), np.float32)
    _mark_snippets(texts, example, labels, known)
    return labels, known


def _mark_snippets(texts: Sequence[str], example: Example, labels: Labels, known: NDArray[np.float32]) -> None:
    """Label the blocks that hold a snippet."""
    plain = [_plain(text) for text in texts]
    for snippet in map(_plain, example.required):
        number = next((number for number, text in enumerate(plain) if snippet in text), None)
        if number is not None and len(snippet) > _LONG_SNIPPET:
            labels[number] = known[number] = 1
    for snippet in filter(None, map(_plain, example.forbidden)):
        for number, text in enumerate(plain):
            if snippet in text and 2 * len(snippet) > len(text):
                labels[number], known[number] = 0, 1


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
