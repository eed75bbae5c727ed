"""The trainer of `victor`, a conditional random field over text nodes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from ..extras import require
from ..features import Features
from ..models.papers.victor import LABELS, OFFSETS, Victor
from ..models.papers.victor_values import VALUE_COUNTS, VICTOR_NAMES
from ..parse import to_tree
from ..segment.text_nodes import segment_text_nodes
from .aging import age_tree, is_to_be_aged
from .align import label_text_nodes
from .crfsuite import Attributes, read_weights, train_chains
from .crossvalidation import Split
from .data import Example, site_of
from .recipe import Recipe, Source, fill
from .samples import Sample
from .structure import marked_labels, structure_labels
from .trainer import Progress, Trainer, silent

THRESHOLD = 0.5
BIAS = "bias"  # an attribute of every block


@dataclass(frozen=True, slots=True)
class VictorSettings:
    """Settings of CRFsuite's L-BFGS; the defaults are those of the shipped weights."""

    l1: float = 0.0
    l2: float = 1.0
    epochs: int = 100
    longest: int = 1000  # text nodes; a longer page would outweigh many others together and is left out


@dataclass(slots=True)
class VictorSample(Sample):
    """A page as training data, with the structural label of each of its text nodes."""

    structure: tuple[str, ...] = ()


class VictorTrainer(Trainer[VictorSample]):
    """Trains a conditional random field; the final threshold is the best one of the cross-validation."""

    needs_gold = True

    def __init__(self, recipe: Recipe, progress: Progress = silent) -> None:
        super().__init__(recipe, progress)
        require("pycrfsuite")
        self.check_sequential()
        for key, value in (*(("weight", source.weight) for source in recipe.data), ("aged", recipe.augment.aged)):
            if value % 1:
                raise ValueError(f"{key} = {value}: victor needs a whole number, how often CRFsuite sees each page")
        self.settings = fill(VictorSettings(), recipe.settings, "settings.")

    def pages(self, examples: Sequence[tuple[Source, Example]]) -> Iterator[VictorSample]:
        aged = self.recipe.augment.aged
        return (make_victor_sample(example, weight=source.weight, aged=aged) for source, example in examples)

    def train(self, split: Split[VictorSample]) -> Victor:
        return train_victor(split.training, self.settings)

    def train_on_all(self, pages: Sequence[VictorSample], card: Mapping[str, Any]) -> Victor:
        model = train_victor(pages, self.settings)
        if card:
            best = max(card["cross_validation"]["thresholds"], key=lambda row: float(row["f1"]))
            model.threshold = best["threshold"]
        model.card["settings"] = asdict(self.settings)
        return model


def make_victor_sample(example: Example, *, weight: float = 1.0, aged: float = 0.0) -> VictorSample:
    """An example with a gold text as a sample; some have a copy in the markup of 2005, with this weight."""
    root = to_tree(example.read())
    sample = _sample(example, root, weight)
    if aged and root is not None and is_to_be_aged(example.name):
        age_tree(root, example.name)
        sample.copies = (_sample(example, root, weight * aged),)
    return sample


def _sample(example: Example, root: etree._Element | None, weight: float) -> VictorSample:
    page = segment_text_nodes(root)
    shares = label_text_nodes(page, example.gold or "")
    features = Features(page)
    is_content = shares > 0
    labels = structure_labels(page, is_content)
    return VictorSample(
        name=example.name,
        site=site_of(example),
        page_type=example.page_type,
        texts=page.texts,
        matrix=features.matrix(VICTOR_NAMES),
        sizes=features.shallow.words.astype(np.float32),
        labels=shares,
        known=np.ones(len(shares), np.float32),
        weight=weight,
        gold=example.gold,
        structure=labels if example.cleaneval is None else marked_labels(page.texts, labels, example.cleaneval),
    )


def train_victor(samples: Sequence[VictorSample], settings: VictorSettings) -> Victor:
    """A conditional random field from the pages that have content and are not too long, and from their copies."""
    chains = (
        (attributes(page.matrix, VICTOR_NAMES), page.structure)
        for sample in samples
        for page in (sample, *sample.copies)
        if isinstance(page, VictorSample) and page.labels.any() and len(page.labels) <= settings.longest
        for _ in range(int(page.weight))
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.crfsuite"
        train_chains(path, chains, c1=settings.l1, c2=settings.l2, max_iterations=settings.epochs)
        return victor_of(path, VICTOR_NAMES)


def attributes(matrix: NDArray[np.floating], names: Sequence[str]) -> Attributes:
    """CRFsuite's attributes of each block: the values of its and its neighbours' features, without the zeros."""
    keys = {
        offset: [[attribute(offset, name, value) for value in range(VALUE_COUNTS[name])] for name in names]
        for offset in OFFSETS
    }
    rows = [[(column, value) for column, value in enumerate(row) if value] for row in matrix.astype(np.int64).tolist()]
    return [
        [BIAS]
        + [
            keys[offset][column][value]
            for offset in OFFSETS
            if 0 <= place + offset < len(rows)
            for column, value in rows[place + offset]
        ]
        for place in range(len(rows))
    ]


def attribute(offset: int, name: str, value: int) -> str:
    """CRFsuite's name of a feature's value, for the block at this distance."""
    return f"{offset}:{name}={value}"


def victor_of(path: Path, names: Sequence[str]) -> Victor:
    """The model in a file of CRFsuite's."""
    found, follow = read_weights(path)
    values = [(name, value) for name in names for value in range(VALUE_COUNTS[name])]
    states = np.array(
        [
            [[found.get((attribute(offset, name, value), label), 0.0) for label in LABELS] for name, value in values]
            for offset in OFFSETS
        ]
    )
    # Every block has one of the values of the first feature, so the bias is added to all of these.
    states[OFFSETS.index(0), : VALUE_COUNTS[names[0]]] += [found.get((BIAS, label), 0.0) for label in LABELS]
    transitions = np.array([[follow.get((label, then), 0.0) for then in LABELS] for label in LABELS])
    return Victor(names, states, transitions, THRESHOLD, {})
