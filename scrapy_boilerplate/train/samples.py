"""Examples to what a network learns from: feature matrices, labels, and how much each page and block counts."""

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
from ..page import Page
from ..parse import to_tree
from ..segment import segment
from .aging import aged_features, is_to_be_aged
from .align import Labels, label_blocks
from .data import Example, site_of
from .figures import holds_snippets, same_words
from .shortening import restricted, shortened_blocks

logger = logging.getLogger(__name__)

_AGREEMENT = 0.85  # word F1 of two extractors from which on they are believed where they agree
_SHORTEST = 200  # characters of a silver text
_LONG_SNIPPET = 15
_ARTICLE_TYPES = ("article", None)  # collections that know no types are of articles
_KNOWN_ENOUGH_TO_COPY = 0.5  # the share of labelled blocks from which on it is known where the article is


@dataclass(frozen=True, slots=True)
class CopyWeights:
    """How much the copies of a page count that are learnt from besides; none are made that count 0."""

    shortened: float = 0.0  # of articles, cut short
    aged: float = 0.0  # of some pages, in the markup of 2005


NO_COPIES = CopyWeights()


@dataclass(slots=True)
class Sample:
    """A page to learn from. Its arrays have a row for each block."""

    name: str
    site: str
    page_type: str | None
    texts: list[str]
    matrix: NDArray[np.float32]
    sizes: NDArray[np.float32]  # words
    labels: Labels
    known: NDArray[np.float32]  # 0 for blocks whose label nobody knows
    weight: float = 1.0
    surroundings: Surroundings | None = None  # which only some models look at
    gold: str | None = field(default=None, repr=False)
    copies: tuple[Sample, ...] = field(default=(), repr=False)  # the same page in other shapes
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()


def make_sample(
    example: Example,
    features: Sequence[str],
    *,
    weight: float = 1.0,
    others: Sequence[str] = (),
    copies: CopyWeights = NO_COPIES,
) -> Sample | None:
    """An example as a sample with these features; None for a page without blocks.

    Without a gold text the labels are silver: `others` are the main texts that two other extractors found.
    `copies` says in which other shapes the page comes along.
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
        required=example.required,
        forbidden=example.forbidden,
    )
    made = (
        _shortened(sample, page, features, copies.shortened) if copies.shortened else None,
        _aged(sample, page, measured, features, copies.aged) if copies.aged else None,
    )
    sample.copies = tuple(copy for copy in made if copy is not None)
    return sample


def _shortened(sample: Sample, page: Page, features: Sequence[str], weight: float) -> Sample | None:
    """A sample of the same page with its article cut short.

    None if it is no article, or a short one already, or if too little is known of it.
    """
    kept = shortened_blocks(sample.name, sample.labels, sample.sizes)
    if kept is None or sample.page_type not in _ARTICLE_TYPES or sample.known.mean() < _KNOWN_ENOUGH_TO_COPY:
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
    """A sample of the same page in the markup of 2005; None for most pages, and if too little is known of it."""
    if not is_to_be_aged(sample.name) or sample.known.mean() < _KNOWN_ENOUGH_TO_COPY:
        return None
    old = aged_features(page, sample.name, measured.head.title)
    return replace(sample, matrix=old.matrix(features), weight=weight, surroundings=old.surroundings)


def given_labels(texts: Sequence[str], name: str, given: PageLabels) -> tuple[Labels, NDArray[np.float32]]:
    """Labels as somebody has given them, and which blocks have one; what found no block is named in the log."""
    content, lost = match(given, texts)
    if lost:
        logger.warning("%s: %d of %d labels found no block, as %r", name, len(lost), len(given.blocks), lost[0].text)
    labels = np.array([bool(label) for label in content], np.float32)
    known = np.array([label is not None for label in content], np.float32)
    return labels, known


def silver_labels(texts: Sequence[str], example: Example, others: Sequence[str]) -> tuple[Labels, NDArray[np.float32]]:
    """Labels from what two extractors found, judged by the example's snippets; and which of them to believe.

    Where both satisfy all snippets and nearly agree, the blocks on which they agree; where one of them does, its text;
    else nothing but the blocks in which the snippets are.
    """
    satisfied = [text for text in others if len(text) >= _SHORTEST and holds_snippets(text, example) == 1.0]
    labels, known = np.zeros(len(texts), np.float32), np.zeros(len(texts), np.float32)
    if len(satisfied) == 2 and same_words(*satisfied) >= _AGREEMENT:
        first, second = (label_blocks(texts, text) for text in satisfied)
        known = ((first > 0) == (second > 0)).astype(np.float32)
        labels = np.where((first > 0) & (second > 0), np.maximum(first, second), 0).astype(np.float32)
    elif len(satisfied) == 1:
        labels = label_blocks(texts, satisfied[0])
        known = np.ones(len(texts), np.float32)
    _mark_snippets(texts, example, labels, known)
    return labels, known


def _mark_snippets(texts: Sequence[str], example: Example, labels: Labels, known: NDArray[np.float32]) -> None:
    """Label the blocks that hold a snippet. Short snippets could be anywhere, and are passed over."""
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
