"""The `texrex` model from pages with gold texts: 37 features, 18 hidden units, iRPROP-.

    python -m scrapy_boilerplate.training.texrex_pages DIRECTORY texrex.npz

cross-validates by site, trains on all pages and writes the weights with the figures.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..blocks import Page
from ..features import Features
from ..features.texrex import TEXREX_NAMES
from ..models.fann import GAUSSIAN_SYMMETRIC, FannNetwork, Layer
from ..models.selection import expected_f1_threshold
from ..models.texrex import content_scores, save_texrex
from .data import Example, folds_by_site, site_of
from .figures import Quality, word_quality
from .labelled import labelled_pages
from .rprop import Examples, Snapshot, train_rprop

THRESHOLD = 0.4  # the best fixed one in cross-validation on WCXB

_THRESHOLDS = tuple(tenth / 10 for tenth in range(1, 10))
_LEAST_DEVIATION = 0.01  # an input that is nearly always 0 must not count a hundred times when it is not


@dataclass(frozen=True, slots=True)
class TexrexPage:
    """What training and judging need of a page: features, the content share of each block, words, texts."""

    matrix: NDArray[np.float32]
    shares: NDArray[np.floating]
    words: NDArray[np.floating]
    texts: list[str]

    @classmethod
    def of(cls, page: Page, shares: NDArray[np.floating]) -> TexrexPage:
        features = Features(page)
        return cls(features.matrix(TEXREX_NAMES), shares, features.shallow.words, page.texts)


def train_texrex(
    pages: Sequence[TexrexPage],
    *,
    validation: Sequence[TexrexPage] = (),
    function: int = GAUSSIAN_SYMMETRIC,
    epochs: int = 300,
    snapshot_every: int = 50,
    seed: int = 0,
    progress: Callable[[Snapshot], None] | None = None,
) -> Snapshot:
    """The best snapshot of a training: by the error on the validation pages, or without them on the training pages.

    A page counts as much as any other, and a block in it by the root of its words. Pages without any content are left
    out: their gold text is missing rather than empty.
    """
    training = _examples(pages)
    mean, deviation = training.inputs.mean(0), np.maximum(training.inputs.std(0), _LEAST_DEVIATION)

    def scaled(examples: Examples) -> Examples:
        return Examples((examples.inputs - mean) / deviation, examples.targets, examples.weights)

    snapshot = train_rprop(
        scaled(training),
        validation=scaled(_examples(validation)) if validation else None,
        function=function,
        epochs=epochs,
        snapshot_every=snapshot_every,
        seed=seed,
        progress=progress,
    )
    network = _unscaled(snapshot.network, mean, deviation)
    return Snapshot(snapshot.epoch, network, snapshot.training_error, snapshot.validation_error)


def cross_validate_texrex(
    examples: Sequence[Example], pages: Sequence[TexrexPage], *, folds: int = 5, epochs: int = 300, seed: int = 0
) -> dict[str, Any]:
    """Figures of networks that have not seen a page's site: word precision, recall and F1, means over pages."""
    fold_of = folds_by_site([site_of(example) for example in examples], folds)
    by_threshold: dict[float | None, list[Quality]] = defaultdict(list)
    types = []
    for fold in range(folds):
        seen = [page for page, number in zip(pages, fold_of, strict=True) if number != fold]
        network = train_texrex(seen, epochs=epochs, seed=seed).network
        for example, page, number in zip(examples, pages, fold_of, strict=True):
            if number == fold:
                types.append(example.page_type or "unknown")
                scores = content_scores(network, page.matrix)
                for threshold in (None, *_THRESHOLDS):
                    by_threshold[threshold].append(_quality(page, scores, threshold, example.gold or ""))
    own = by_threshold[None]
    names = sorted(set(types))
    return {
        "how": f"words, mean over {len(pages)} pages, {folds} folds by registered domain; threshold by page",
        "word_precision": _mean([quality.precision for quality in own]),
        "word_recall": _mean([quality.recall for quality in own]),
        "word_f1": _mean([quality.f1 for quality in own]),
        "word_f1_by_page_type": {
            name: _mean([quality.f1 for quality, kind in zip(own, types, strict=True) if kind == name])
            for name in names
        },
        "precision_recall_f1_by_threshold": {
            str(threshold): [
                _mean([getattr(quality, measure) for quality in by_threshold[threshold]])
                for measure in ("precision", "recall", "f1")
            ]
            for threshold in _THRESHOLDS
        },
    }


def _quality(page: TexrexPage, scores: NDArray[np.float64], threshold: float | None, gold: str) -> Quality:
    if threshold is None:
        threshold = expected_f1_threshold(scores, page.words, THRESHOLD)
    kept = [text for text, score in zip(page.texts, scores, strict=True) if score >= threshold]
    return word_quality("\n".join(kept), gold)


def _mean(values: Sequence[float]) -> float:
    return round(fmean(values), 4)


def _examples(pages: Sequence[TexrexPage]) -> Examples:
    pages = [page for page in pages if page.shares.any() and page.words.any()]
    if not pages:
        raise ValueError("there is no page with content to train on")
    weights = [np.sqrt(page.words) / np.sqrt(page.words).sum() for page in pages]
    return Examples(
        np.concatenate([page.matrix for page in pages]),
        np.concatenate([1 - page.shares for page in pages]),
        np.concatenate(weights),
    )


def _unscaled(network: FannNetwork, mean: NDArray[np.floating], deviation: NDArray[np.floating]) -> FannNetwork:
    """The same network for inputs that are not scaled: the scaling is part of its first weights."""
    first, *others = network.layers
    weights = first.weights.astype(np.float64)
    weights[:, :-1] /= deviation
    weights[:, -1] -= weights[:, :-1] @ mean
    return FannNetwork((Layer(weights.astype(np.float32), first.function, first.steepness), *others))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(description="Train the texrex model on pages with gold texts")
    parser.add_argument("directory", type=Path, help="pages and gold texts, in the layout of WCXB or as pairs")
    parser.add_argument("weights", type=Path, help="the file to write, .npz")
    parser.add_argument("--epochs", type=int, default=300)
    parser.add_argument("--folds", type=int, default=5, help="for cross-validation; 0 leaves it out")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", default="", help="what the data is, for the model's card")
    parser.add_argument("--licence", default="", help="its licence and credit")
    options = parser.parse_args(arguments)
    try:
        labelled = list(labelled_pages(options.directory))
        examples = [example for example, _, _ in labelled]
        pages = [TexrexPage.of(page, shares) for _, page, shares in labelled]
        training = {"epochs": options.epochs, "seed": options.seed}
        figures = cross_validate_texrex(examples, pages, folds=options.folds, **training) if options.folds else {}
        for name, figure in figures.items():
            print(f"{name}: {figure}", flush=True)
        snapshot = train_texrex(pages, **training)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    card = {
        "data": options.data or options.directory.name,
        "licence": options.licence,
        "pages": len(pages),
        "blocks": sum(len(page.texts) for page in pages),
        "command": "python -m scrapy_boilerplate.training.texrex_pages DIRECTORY texrex.npz "
        f"--epochs {options.epochs} --folds {options.folds} --seed {options.seed}",
        "paper": "R. Schäfer: Efficient High-precision Boilerplate Detection Using Multilayer Perceptrons",
        "figures": figures,
    }
    digest = save_texrex(options.weights, snapshot.network, THRESHOLD, card)
    print(f"{options.weights}: error {snapshot.training_error:.5f} at epoch {snapshot.epoch}, sha256 {digest}")


if __name__ == "__main__":
    main()
