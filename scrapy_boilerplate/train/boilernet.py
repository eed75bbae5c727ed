"""The `boilernet` model from pages with gold texts.

    python -m scrapy_boilerplate.train.boilernet DIRECTORY boilernet.npz

cross-validates by site, trains on all pages and writes the weights with their card.
"""

from __future__ import annotations

import json
import shlex
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median_low
from typing import TYPE_CHECKING, Any

from ..extras import require
from ..features.leaves import Leaves, Vocabulary
from ..models.base import Scores
from ..models.papers.boilernet import BoilerNet
from ..models.selection import expected_f1
from .cards import card_page
from .crossvalidation import GOOD
from .data import folds_by_site, joined_sites, site_of
from .figures import Quality, calibrate, cross_fitted_reliability
from .leaf_pages import LeafPage, read_leaf_pages
from .recipe import folder_figures

if TYPE_CHECKING:
    from .leaf_network import Settings

_VALIDATION = 10  # one of so many parts of the training pages chooses the checkpoint
_THRESHOLDS = tuple(tenth / 10 for tenth in range(1, 10))

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Trained:
    """A model, the epoch it is from, and its word F1 on the validation pages."""

    model: BoilerNet
    epoch: int
    f1: float


@dataclass(frozen=True, slots=True)
class Judged:
    """A page, and what a model that never saw its site makes of it."""

    page: LeafPage
    scores: Scores
    threshold: float  # the model's choice

    @classmethod
    def by(cls, model: BoilerNet, page: LeafPage) -> Judged:
        scores = model.score_leaves(Leaves.of(page.page, model.vocabulary))
        return cls(page, scores, model.choose_threshold(scores, page.words))

    @property
    def text(self) -> str:
        return self.page.text(self.scores >= self.threshold)

    @property
    def expected_f1(self) -> float:
        return expected_f1(self.scores, self.page.words)[1] if len(self.scores) else 0.0

    @property
    def is_good(self) -> bool:
        return self.quality().f1 >= GOOD

    def quality(self, threshold: float | None = None) -> Quality:
        return self.page.quality(self.scores >= (self.threshold if threshold is None else threshold))


def train_boilernet(
    pages: Sequence[LeafPage],
    settings: Settings,
    *,
    validation: Sequence[LeafPage] = (),
    last_epoch: int | None = None,
    progress: Progress = lambda _: None,
) -> Trained:
    """The checkpoint with the best word F1 on the validation pages, or without them the one after the last epoch.

    A page counts as much as any other, and a leaf in it by the root of its words. Pages without any content are left
    out: their gold text is missing rather than empty.
    """
    from .leaf_network import Lesson, train

    vocabulary = Vocabulary.learn([page.page for page in pages], tags=settings.tags, words=settings.words)
    lessons = [
        Lesson(Leaves.of(page.page, vocabulary), page.labels, page.weights) for page in pages if page.labels.any()
    ]
    best: Trained | None = None
    for epoch, model in train(lessons, vocabulary, settings):
        f1 = fmean(Judged.by(model, page).quality().f1 for page in validation) if validation else float(epoch)
        progress(f"epoch {epoch}" + (f": validation F1 {f1:.4f}" if validation else ""))
        if best is None or f1 > best.f1:
            best = Trained(model, epoch, f1)
        if epoch == last_epoch:
            break
    assert best is not None
    return best


def folds_of(pages: Sequence[LeafPage], folds: int, seed: int = 0) -> list[int]:
    """The fold of each page, whole sites together."""
    return folds_by_site(joined_sites([site_of(page.example) for page in pages]), folds, seed)


def train_fold(
    pages: Sequence[LeafPage], fold_of: Sequence[int], fold: int, settings: Settings, progress: Progress
) -> tuple[Trained, list[Judged]]:
    """Train on all folds but this one, some of their sites choosing the checkpoint, and judge this one's pages."""
    others = [page for page, number in zip(pages, fold_of, strict=True) if number != fold]
    parts = folds_of(others, _VALIDATION, seed=fold + 1)
    trained = train_boilernet(
        [page for page, part in zip(others, parts, strict=True) if part],
        settings,
        validation=[page for page, part in zip(others, parts, strict=True) if not part],
        progress=lambda text: progress(f"fold {fold + 1}, {text}"),
    )
    unseen = [page for page, number in zip(pages, fold_of, strict=True) if number == fold]
    return trained, [Judged.by(trained.model, page) for page in unseen]


def card_figures(folder: str, folds: Sequence[Sequence[Judged]]) -> dict[str, Any]:
    """What a card says about accuracy, from the judged pages of each fold."""
    judged = [page for fold in folds for page in fold]
    beliefs, shares = calibrate([page.expected_f1 for page in judged], [page.is_good for page in judged])
    by_fold = [([page.expected_f1 for page in fold], [page.is_good for page in fold]) for fold in folds]
    return {
        "confidence": {"expected_f1": [0.0, *beliefs], "share_of_good_pages": [0.0, *shares]},
        "cross_validation": {
            "folds": len(folds),
            "folders": {folder: folder_figures([(page.page.example, page.text) for page in judged])},
            "thresholds": [_threshold_row(judged, threshold) for threshold in _THRESHOLDS],
            "reliability": cross_fitted_reliability(by_fold),
        },
    }


def _threshold_row(judged: Sequence[Judged], threshold: float) -> dict[str, float]:
    qualities = [page.quality(threshold) for page in judged]
    means = {name: fmean(getattr(quality, name) for quality in qualities) for name in ("precision", "recall", "f1")}
    return {"threshold": threshold, **means}


def make_boilernet(directory: Path, settings: Settings, *, folds: int = 5) -> BoilerNet:
    """The model of all pages of a folder; its card tells how good it is by cross-validation, unless `folds` is 0.

    The folds also tell how many epochs are enough.
    """
    pages = read_leaf_pages(directory)
    card: dict[str, Any] = {}
    last_epoch = settings.epochs
    if folds:
        fold_of = folds_of(pages, folds)
        outcomes = [train_fold(pages, fold_of, fold, settings, report) for fold in range(folds)]
        card = card_figures(directory.name, [unseen for _, unseen in outcomes])
        last_epoch = median_low([trained.epoch for trained, _ in outcomes])
    model = train_boilernet(pages, settings, last_epoch=last_epoch, progress=report).model
    model.card |= card
    model.card |= {
        "data": [{"folder": directory.name, "weight": 1.0, "pages": len(pages)}],
        "last_epoch": last_epoch,
    }
    return model


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(description="Train the boilernet model on pages with gold texts")
    parser.add_argument("directory", type=Path, help="pages and gold texts, in the layout of WCXB or as pairs")
    parser.add_argument("weights", type=Path, help="the file to write, .npz; its card goes beside it")
    parser.add_argument("--units", type=int, help="of each direction of each layer")
    parser.add_argument("--epochs", type=int, help="how often each page is seen at most")
    parser.add_argument("--folds", type=int, default=5, help="for cross-validation; 0 leaves it out")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--sizes", type=Path, help="what boilernet_sizes wrote, for the card")
    parser.add_argument("--credit", metavar="TEXT", action="append", default=[], help="licence and credit for the card")
    options = parser.parse_args(arguments)
    try:
        settings = chosen_settings(units=options.units, epochs=options.epochs, seed=options.seed)
        sizes = {"sizes": json.loads(options.sizes.read_text("utf-8"))} if options.sizes else {}
        model = make_boilernet(options.directory, settings, folds=options.folds)
    except (ImportError, OSError, ValueError) as error:
        parser.error(str(error))
    model.card |= {
        **sizes,
        "credit": options.credit,
        "command": shlex.join(["python", "-m", "scrapy_boilerplate.train.boilernet", *(arguments or sys.argv[1:])]),
    }
    model.save(options.weights)
    page = card_page(options.weights.stem, model)
    options.weights.with_suffix(".md").write_text(page, "utf-8")
    print(page)


def chosen_settings(**chosen: int | None) -> Settings:
    """The defaults, but for what somebody chose."""
    require("torch")
    from .leaf_network import Settings

    return Settings(**{name: value for name, value in chosen.items() if value is not None})


def report(text: str) -> None:
    """Say how far a training is, beside its results."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
