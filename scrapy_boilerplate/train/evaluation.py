"""Accuracy of models and other extractors on labelled pages, side by side."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import partial
from itertools import count
from statistics import fmean
from typing import Any

from ..clean import extract
from ..document import Document
from ..models import Model, load_model
from ..options import PAGE_OPTIONS, Options
from .classes import ClassifiedWords, class_figures, classified_words
from .cleaneval import CleanEvalScores, cleaneval_scores
from .example import Example
from .figures import Quality, snippet_hits, word_quality
from .labelling import known_text, right_blocks, right_labels, truths_of
from .rivals import RIVALS
from .sweeps import ScoredPage, score_page

SHINGLE = 4  # words

# Those of a page that say how it is cleaned, which extract() takes too.
OPTIONS = tuple(name for name in PAGE_OPTIONS if name not in ("model", "blocks", "max_bytes"))
_DEFAULTS = Options()

_FIRST_PAGE = (
    b"<title>A page</title><h1>A page</h1><p>Some words of a text, and <a href='/'>a link</a>.</p><p>More.</p>"
)

Extractor = Callable[[bytes], "Document | str"]


@dataclass(frozen=True, slots=True)
class Contender:
    """One of our models with its options, or another extractor by its name."""

    name: str
    model: str | None = None
    options: Options = _DEFAULTS

    def load(self) -> Extractor:
        if self.model is None:
            return RIVALS[self.name]()
        model: Model = load_model(self.model)
        options = {name: getattr(self.options, name) for name in OPTIONS}
        return lambda page: extract(page, model=model, **options)


@dataclass(frozen=True, slots=True)
class PageResult:
    """The scores of a contender on a page. None: not known from the page's gold, or the contender has no blocks."""

    contender: str
    page: str
    page_type: str | None
    quality: Quality | None
    shingle_f1: float | None
    required: tuple[bool, ...]  # whether each required snippet is there
    forbidden: tuple[bool, ...]  # whether each forbidden snippet is absent
    right_blocks: float | None  # the share of blocks correctly kept or dropped
    right_labels: float | None  # the share of blocks with the right one of Victor's labels
    is_empty: bool
    milliseconds: float
    error: str | None = None
    cleaneval: CleanEvalScores | None = None
    words: tuple[ClassifiedWords, ...] | None = None  # of a page whose words have classes
    scored: ScoredPage | None = None  # if scores were asked for


def evaluate(
    contenders: Sequence[Contender], examples: Sequence[Example], jobs: int = 1, *, scored: bool = False
) -> Iterator[PageResult]:
    """Yield the results page by page. All contenders take turns on a page, so that noise hits them alike.

    With `scored` the results include the figures at every threshold, without a filter.
    """
    judge = partial(_judge_page, scored=scored)
    if jobs == 1:
        _start_worker(contenders)
        results: Iterable[list[PageResult]] = map(judge, examples)
        for of_page in results:
            yield from of_page
        return
    with ProcessPoolExecutor(jobs, initializer=_start_worker, initargs=(contenders,)) as workers:
        for of_page in workers.map(judge, examples, chunksize=4):
            yield from of_page


_extractors: dict[str, Extractor] = {}  # of this process: each worker loads its models once
_turns = count()


def _start_worker(contenders: Sequence[Contender]) -> None:
    """Load the extractors, and run each on a small page, so that no page's time has imports and the like in it."""
    _extractors.clear()
    for contender in contenders:
        _extractors[contender.name] = extractor = contender.load()
        with suppress(Exception):
            _text_of(extractor(_FIRST_PAGE))


def _judge_page(example: Example, scored: bool) -> list[PageResult]:
    """The results of all extractors; each begins in turn, since the first one finds the processor's caches cold."""
    page = example.read()
    names = list(_extractors)
    first = next(_turns) % len(names)
    judged = {name: _judge(name, _extractors[name], example, page, scored) for name in names[first:] + names[:first]}
    return [judged[name] for name in names]


def _text_of(found: Document | str) -> str:
    return found.main_text if isinstance(found, Document) else found


def _judge(name: str, extractor: Extractor, example: Example, page: bytes, scored: bool) -> PageResult:
    error = None
    start = time.perf_counter()
    try:
        found = extractor(page)
        text = _text_of(found)
    except Exception as failure:  # if an extractor fails on a page, its text counts as empty
        found, text, error = "", "", f"{type(failure).__name__}: {failure}"
    milliseconds = 1000 * (time.perf_counter() - start)
    gold = example.gold
    document = found if isinstance(found, Document) else None
    if document is not None and example.labels is not None:
        text = known_text(document, example.labels)
    truths = None if document is None or gold is None else truths_of(document, gold, example)
    return PageResult(
        contender=name,
        page=example.name,
        page_type=example.page_type,
        quality=None if gold is None else word_quality(text, gold),
        shingle_f1=None if gold is None else word_quality(text, gold, shingle=SHINGLE).f1,
        required=tuple(snippet_hits(text, example.required, ())),
        forbidden=tuple(snippet_hits(text, (), example.forbidden)),
        right_blocks=None if document is None or truths is None else right_blocks(document, truths),
        right_labels=None if document is None or truths is None else right_labels(document, truths, example.cleaneval),
        is_empty=not text.strip(),
        milliseconds=milliseconds,
        error=error,
        cleaneval=_cleaneval(text, document, example.cleaneval),
        words=None
        if document is None or not example.word_classes
        else classified_words(document, example.word_classes),
        scored=_scored(document, truths, gold) if scored else None,
    )


def _scored(document: Document | None, truths: Sequence[bool | None] | None, gold: str | None) -> ScoredPage | None:
    if document is None or truths is None or gold is None:
        return None
    texts, scores = [block.text for block in document.blocks], [block.score for block in document.blocks]
    return score_page(texts, scores, truths, gold, document.score)


def _cleaneval(text: str, document: Document | None, gold: str | None) -> CleanEvalScores | None:
    """CleanEval's scores; other extractors have no marks, only their words are judged."""
    if gold is None:
        return None
    if document is None:
        return cleaneval_scores(text, gold, has_marks=False)
    return cleaneval_scores(document.to_cleaneval(), gold)


def summarise(results: Iterable[PageResult]) -> dict[str, dict[str, Any]]:
    """For each contender the means over its pages, and its F1 by page type."""
    by_contender: dict[str, list[PageResult]] = defaultdict(list)
    for result in results:
        by_contender[result.contender].append(result)
    return {name: _summary(pages) for name, pages in by_contender.items()}


def _summary(pages: Sequence[PageResult]) -> dict[str, Any]:
    qualities = [page.quality for page in pages if page.quality is not None]
    required = [hit for page in pages for hit in page.required]
    forbidden = [hit for page in pages for hit in page.forbidden]
    types: dict[str, list[float]] = defaultdict(list)
    for page in pages:
        if page.page_type and page.quality is not None:
            types[page.page_type].append(page.quality.f1)
    return {
        "pages": len(pages),
        "precision": _mean([quality.precision for quality in qualities]),
        "recall": _mean([quality.recall for quality in qualities]),
        "f1": _mean([quality.f1 for quality in qualities]),
        "shingle_f1": _mean([page.shingle_f1 for page in pages if page.shingle_f1 is not None]),
        "with": _mean(required),
        "without": _mean(forbidden),
        "snippets": _mean(required + forbidden),
        "blocks": _mean([page.right_blocks for page in pages if page.right_blocks is not None]),
        "labels": _mean([page.right_labels for page in pages if page.right_labels is not None]),
        "empty": sum(page.is_empty for page in pages),
        "failed": sum(page.error is not None for page in pages),
        "ms": _mean([page.milliseconds for page in pages]),
        "f1_by_type": {name: fmean(values) for name, values in sorted(types.items())},
        "cleaneval": _cleaneval_summary([page.cleaneval for page in pages if page.cleaneval is not None]),
        "classes": _class_summary([page.words for page in pages if page.words is not None]),
    }


def _cleaneval_summary(scores: Sequence[CleanEvalScores]) -> dict[str, dict[str, float] | None] | None:
    """For each kind of score the means over the pages."""
    if not scores:
        return None
    summary: dict[str, dict[str, float] | None] = {}
    for field in fields(CleanEvalScores):
        qualities = [quality for score in scores if (quality := getattr(score, field.name)) is not None]
        names = ("precision", "recall", "f1")
        means = {name: fmean(getattr(quality, name) for quality in qualities) for name in names} if qualities else None
        summary[field.name] = means
    return summary


def _class_summary(pages: Sequence[tuple[ClassifiedWords, ...]]) -> dict[str, Any] | None:
    return class_figures(words for page in pages for words in page) if pages else None


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
