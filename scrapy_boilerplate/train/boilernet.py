"""The trainer of `boilernet`, a bidirectional LSTM over the leaves of a page."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, median_low
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from ..extras import require
from ..features.shallow import ShallowFeatures
from ..models.base import Model, Scores
from ..models.papers.boilernet import BoilerNet
from ..models.papers.leaves import Leaves, Vocabulary
from ..page import Page
from ..parse import to_tree
from ..render.text import to_text
from ..segment.text_nodes import segment_text_nodes
from .aging import age_tree, is_to_be_aged
from .align import Labels, label_text_nodes
from .crossvalidation import Split, outcome_of
from .data import Example, folds_by_site, joined_sites, site_of
from .recipe import Recipe, Source, fill
from .trainer import Progress, Trainer, silent

logger = logging.getLogger(__name__)

_VALIDATION = 10  # a tenth of the training pages chooses the checkpoint


@dataclass(frozen=True, slots=True)
class LeafPage:
    """A page split into leaves, with the share of each leaf that is content, and its words."""

    page: Page
    labels: Labels
    sizes: NDArray[np.floating]
    site: str
    gold: str | None
    weight: float = 1.0
    copies: tuple[LeafPage, ...] = ()  # in the markup of 2005

    @property
    def known(self) -> NDArray[np.floating]:
        """All leaves have a label."""
        return np.ones(len(self.labels))

    @classmethod
    def of(cls, example: Example, *, weight: float = 1.0, aged: float = 0.0) -> LeafPage:
        """An example; some have a copy in the markup of 2005, with this weight."""
        root = to_tree(example.read())
        page = cls._of_tree(example, root, weight)
        if not aged or root is None or not is_to_be_aged(example.name):
            return page
        age_tree(root, example.name)
        return replace(page, copies=(cls._of_tree(example, root, weight * aged),))

    @classmethod
    def _of_tree(cls, example: Example, root: etree._Element | None, weight: float) -> LeafPage:
        page = segment_text_nodes(root)
        labels = label_text_nodes(page, example.gold or "")
        return cls(page, labels, ShallowFeatures(page).words, site_of(example), example.gold, weight)

    @property
    def weights(self) -> NDArray[np.float32]:
        """The weight of each leaf in the loss: the root of its words, normalised to a sum of the page's weight."""
        roots = np.sqrt(self.sizes)
        return np.asarray(self.weight * roots / max(roots.sum(), 1), np.float32)

    def scores(self, model: Model) -> Scores:
        """The score that a model gives each leaf."""
        assert isinstance(model, BoilerNet)
        return model.score_leaves(Leaves.of(self.page, model.vocabulary))

    def text(self, kept: NDArray[np.bool_]) -> str:
        """The kept leaves, with the parts of a paragraph joined."""
        return to_text(self.page, np.flatnonzero(kept).tolist())


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model, the epoch it is from, and its mean word F1 on the validation pages."""

    model: BoilerNet
    epoch: int
    f1: float


class BoilerNetTrainer(Trainer[LeafPage]):
    """Trains an LSTM. In each fold some sites choose the epoch; the final training stops at the median of these."""

    needs_gold = True

    def __init__(self, recipe: Recipe, progress: Progress = silent) -> None:
        super().__init__(recipe, progress)
        self.check_sequential()
        require("torch")
        from .leaf_network import BoilerNetSettings

        self.settings = fill(BoilerNetSettings(), recipe.settings, "settings.")
        self.checkpoints: list[Checkpoint] = []  # of the folds

    def pages(self, examples: Sequence[tuple[Source, Example]]) -> Iterator[LeafPage]:
        aged = self.recipe.augment.aged
        return (LeafPage.of(example, weight=source.weight, aged=aged) for source, example in examples)

    def train(self, split: Split[LeafPage]) -> BoilerNet:
        parts = folds_by_site(joined_sites([page.site for page in split.training]), _VALIDATION, split.fold + 1)
        training = [page for page, part in zip(split.training, parts, strict=True) if part]
        validation = [page for page, part in zip(split.training, parts, strict=True) if not part]
        self.checkpoints.append(self._best(training, validation, self.settings.epochs))
        return self.checkpoints[-1].model

    def train_on_all(self, pages: Sequence[LeafPage], card: Mapping[str, Any]) -> BoilerNet:  # noqa: ARG002
        epochs = [checkpoint.epoch for checkpoint in self.checkpoints] or [self.settings.epochs]
        model = self._best(pages, (), median_low(epochs)).model
        model.card["last_epoch"] = median_low(epochs)
        return model

    def _best(self, pages: Sequence[LeafPage], validation: Sequence[LeafPage], last_epoch: int) -> Checkpoint:
        """The checkpoint with the best word F1 on the validation pages, or without them the last one.

        Pages without content are left out: their gold text is missing, not empty.
        """
        from .leaf_network import Lesson, train

        settings = self.settings
        copies = [copy for page in pages for copy in (page, *page.copies)]
        vocabulary = Vocabulary.learn([page.page for page in copies], tags=settings.tags, words=settings.words)
        lessons = [
            Lesson(Leaves.of(page.page, vocabulary), page.labels, page.weights) for page in copies if page.labels.any()
        ]
        best: Checkpoint | None = None
        with self.progress(last_epoch, "epochs") as advance:
            for epoch, model in train(lessons, vocabulary, settings):
                f1 = float(epoch)  # without validation pages a later epoch is a better one
                if validation:
                    f1 = _mean_f1(model, validation)
                    logger.info("epoch %d: validation F1 %.4f", epoch, f1)
                advance(epoch)
                if best is None or f1 > best.f1:
                    best = Checkpoint(model, epoch, f1)
                if epoch == last_epoch:
                    break
        assert best is not None
        return best


def _mean_f1(model: BoilerNet, pages: Sequence[LeafPage]) -> float:
    outcomes = (outcome_of(page, model) for page in pages)
    return fmean(outcome.quality.f1 for outcome in outcomes if outcome.quality is not None)
