"""From folders of pages to what a card says: read the pages, make samples of them, cross-validate."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from .crossvalidation import Outcome, Trainer, confidence_map, cross_validate, threshold_table
from .data import Example, read_examples
from .figures import cross_fitted_reliability, snippet_hits, word_quality
from .rivals import RIVALS, Extractor
from .samples import NO_COPIES, CopyWeights, Sample, make_sample

logger = logging.getLogger(__name__)

_SILVER = ("trafilatura", "readability-lxml")  # whose agreement stands in for a gold text
_KNOWN_ENOUGH = 0.2  # a page with a smaller share of labelled blocks counts half


@dataclass(frozen=True, slots=True)
class Source:
    """A folder of examples, and how much each of its pages counts."""

    folder: str
    weight: float = 1.0

    @classmethod
    def parse(cls, text: str) -> Source:
        """`DIR` or `DIR:WEIGHT`."""
        folder, _, weight = text.rpartition(":")
        if folder and weight.replace(".", "", 1).isdigit():
            return cls(folder, float(weight))
        return cls(text)


def read_sources(sources: Sequence[Source], page_type: str | None = None) -> list[tuple[Source, Example]]:
    """All examples; with `page_type`, of the folders that know types only the pages of this one."""
    examples = [(source, example) for source in sources for example in read_examples(source.folder)]
    if page_type is None:
        return examples
    return [(source, example) for source, example in examples if example.page_type in (None, page_type)]


def make_samples(
    examples: Sequence[tuple[Source, Example]], features: Sequence[str], *, copies: CopyWeights = NO_COPIES
) -> Iterator[Sample | None]:
    """A sample with these features for each example, None for a page that there is nothing to learn from."""
    needs_silver = any(example.gold is None for _, example in examples)
    silver = [RIVALS[name]() for name in _SILVER] if needs_silver else []
    return (_make_sample(source, example, features, silver, copies) for source, example in examples)


def _make_sample(
    source: Source, example: Example, features: Sequence[str], silver: Sequence[Extractor], copies: CopyWeights
) -> Sample | None:
    others = [_text(extractor, example) for extractor in silver] if example.gold is None else []
    sample = make_sample(example, features, weight=source.weight, others=others, copies=copies)
    if sample is None or not sample.known.any():
        logger.warning("%s left out: no text, or nothing known about it", example.path)
        return None
    if sample.known.mean() < _KNOWN_ENOUGH:
        sample.weight /= 2
    return sample


def _text(extractor: Extractor, example: Example) -> str:
    try:
        return extractor(example.read())
    except Exception as error:  # one extractor's trouble with a page is no reason to stop
        logger.warning("%s: no silver text: %s", example.path, error)
        return ""


def judge(
    examples: Sequence[tuple[Source, Example]],
    samples: Sequence[Sample | None],
    train: Trainer,
    folds: int,
) -> dict[str, Any]:
    """What a card says about accuracy, from models that never saw the sites they are judged on."""
    outcomes = cross_validate([sample for sample in samples if sample is not None], train, folds=folds)
    # A page without a sample has no text, and counts with what that is worth.
    remaining = iter(outcomes)
    texts = ["" if sample is None else next(remaining).text for sample in samples]
    by_folder: dict[str, list[tuple[Example, str]]] = defaultdict(list)
    for (source, example), text in zip(examples, texts, strict=True):
        by_folder[source.folder].append((example, text))
    return {
        "confidence": confidence_map(outcomes),
        "cross_validation": {
            "folds": folds,
            "folders": {folder: folder_figures(pages) for folder, pages in by_folder.items()},
            "thresholds": threshold_table(outcomes),
            "reliability": _reliability(outcomes),
        },
    }


def folder_figures(pages: Sequence[tuple[Example, str]]) -> dict[str, Any]:
    """What a card says about a folder, from the texts that were found on its pages."""
    qualities = [word_quality(text, example.gold) for example, text in pages if example.gold is not None]
    types: dict[str, list[float]] = defaultdict(list)
    for example, text in pages:
        if example.gold is not None and example.page_type:
            types[example.page_type].append(word_quality(text, example.gold).f1)
    hits = [hit for example, text in pages for hit in snippet_hits(text, example.required, example.forbidden)]
    return {
        "pages": len(pages),
        "precision": fmean(quality.precision for quality in qualities) if qualities else None,
        "recall": fmean(quality.recall for quality in qualities) if qualities else None,
        "f1": fmean(quality.f1 for quality in qualities) if qualities else None,
        "f1_by_type": {name: fmean(values) for name, values in sorted(types.items())},
        "snippets": fmean(hits) if hits else None,
    }


def _reliability(outcomes: Sequence[Outcome]) -> list[tuple[float, float, int]]:
    judged = [outcome for outcome in outcomes if outcome.quality is not None]
    folds = [[outcome for outcome in judged if outcome.fold == fold] for fold in sorted({o.fold for o in judged})]
    return cross_fitted_reliability(
        [([outcome.expected_f1 for outcome in fold], [outcome.is_good for outcome in fold]) for fold in folds]
    )
