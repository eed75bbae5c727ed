"""Trains the networks that score blocks by their features: `mlp` and `texrex`."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ..extras import require
from .crossvalidation import Split
from .data import Example
from .label_smoothing import smoothed
from .plots import ErrorCurve
from .recipe import Recipe, Source, fill
from .rivals import RIVALS, Extractor
from .samples import NO_COPIES, Augmentation, Sample, make_sample
from .trainer import Progress, Trainer, silent

logger = logging.getLogger(__name__)

# Modules of this folder with FEATURES, ERROR, a class of settings and train(), and the package that they need.
_MODULES = {"mlp": ("network", "torch", "MlpSettings"), "texrex": ("texrex", "numpy", "TexrexSettings")}
_SILVER = ("trafilatura", "readability-lxml")  # pages without a gold text are labelled by these
_LEAST_KNOWN = 0.2  # a page with a smaller share of labelled blocks has half the weight


class BlockTrainer(Trainer[Sample]):
    """Trains on a feature matrix for each page, with augmentation and label smoothing if the recipe asks for them."""

    def __init__(self, recipe: Recipe, progress: Progress = silent, *, draws: bool = False) -> None:
        super().__init__(recipe, progress)
        name, package, settings = _MODULES[recipe.kind]
        require(package)
        self._module = require(f"scrapy_boilerplate.train.{name}")
        self.settings = fill(getattr(self._module, settings)(), recipe.settings, "settings.")
        self.teacher = fill(self.settings, recipe.teacher, "teacher.")
        self.error = self._module.ERROR
        self._draws = draws

    def pages(self, examples: Sequence[tuple[Source, Example]]) -> Iterator[Sample | None]:
        return labelled_samples(examples, self._module.FEATURES, self.recipe.augment)

    def train(self, split: Split[Sample]) -> Any:
        return self._train(f"{self.recipe.folds} folds by site", split.training, split.held_out)

    def train_on_all(self, pages: Sequence[Sample], card: Mapping[str, Any]) -> Any:  # noqa: ARG002
        model = self._train("all pages", pages, ())
        if self.recipe.kind == "mlp":
            self._module.note_importance(model, pages)
        return model

    def _train(self, title: str, samples: Sequence[Sample], held_out: Sequence[Sample]) -> Any:
        if self.recipe.label_smoothing:
            samples = smoothed(samples, partial(self._fit, self.teacher), self.recipe.label_smoothing)
        curve = ErrorCurve()
        self.curves.setdefault(title, []).append(curve)
        return self._fit(self.settings, samples, held_out if self._draws else None, curve)

    def _fit(
        self,
        settings: Any,
        samples: Sequence[Sample],
        held_out: Sequence[Sample] | None = None,
        curve: ErrorCurve | None = None,
    ) -> Any:
        samples = [*samples, *(copy for sample in samples for copy in sample.copies)]
        with self.progress(settings.epochs, "epochs") as advance:

            def report(epoch: int, training_error: float, held_out_error: float) -> None:
                advance(epoch)
                if curve is not None:
                    curve.add(epoch, training_error, held_out_error)

            return self._module.train(samples, settings, held_out=held_out, progress=report)


def labelled_samples(
    examples: Sequence[tuple[Source, Example]], features: Sequence[str], augment: Augmentation = NO_COPIES
) -> Iterator[Sample | None]:
    """The sample of each example; None, and a line in the log, for one without blocks or without labels."""
    needs_silver = any(example.gold is None for _, example in examples)
    silver = [RIVALS[name]() for name in _SILVER] if needs_silver else []
    for source, example in examples:
        others = [_text(extractor, example) for extractor in silver] if example.gold is None else []
        sample = make_sample(example, features, weight=source.weight, others=others, augment=augment)
        if sample is None or not sample.known.any():
            logger.warning("%s left out: it has no text, or no labels", example.path)
            yield None
            continue
        if (example.gold or "").strip() and not sample.labels.any():
            logger.warning("%s left out: its gold text doesn't stand in the page", example.path)
            yield None
            continue
        if sample.known.mean() < _LEAST_KNOWN:
            sample.weight /= 2
        yield sample


def _text(extractor: Extractor, example: Example) -> str:
    try:
        return extractor(example.read())
    except Exception as error:  # another extractor may fail on a page: the page then has fewer labels
        logger.warning("%s: no silver text: %s", example.path, error)
        return ""
