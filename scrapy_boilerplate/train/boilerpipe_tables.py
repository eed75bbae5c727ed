"""The comparison of Kohlschütter et al. (2010, table 2) on any labelled pages.

    python -m scrapy_boilerplate.train.boilerpipe_tables DIRECTORY

shows what single features, the two trees and all local features are worth. As in the paper every block counts as much
as it has words, precision, recall and F1 are means of both classes by their share, and leaves hold at least 1000
blocks. Other than there, whole domains are kept together in the ten folds.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..extras import require
from ..features import Features
from ..features.shallow import ShallowFeatures
from ..models.base import Model
from ..models.papers.trees import Densitometric, NumWords
from ..page import Page
from .blockwise import Folds, Numbers, Trainer, cross_validate, group_folds, measure
from .classifiers import decision_tree, linear_svm
from .data import site_of
from .labelled import labelled_pages
from .rprop import Examples

LOCAL = ShallowFeatures.names
CONTEXT = tuple(prefix + name for prefix in ("previous_", "", "next_") for name in LOCAL)  # P/C/N in the paper


@dataclass(frozen=True, slots=True)
class LabelledBlocks:
    """The blocks of many pages: a row of features for each, whether it is content, its words, its domain's number."""

    names: tuple[str, ...]
    matrix: NDArray[np.float32]
    is_content: NDArray[np.bool_]
    words: NDArray[np.float64]
    domains: NDArray[np.int64]

    @classmethod
    def of(cls, pages: Iterable[tuple[Page, Numbers, str]]) -> LabelledBlocks:
        """Put together from pages, the content share of each of their blocks (0.5 and more is content), and domains."""
        matrices, targets, words, domains = [], [], [], []
        numbers: dict[str, int] = {}
        for page, shares, domain in pages:
            features = Features(page)
            matrices.append(features.matrix(CONTEXT))
            targets.append(np.asarray(shares) >= 0.5)
            words.append(features.shallow.words)
            domains.append(np.full(len(page.texts), numbers.setdefault(domain, len(numbers))))
        if not matrices:
            raise ValueError("there are no labelled pages")
        return cls(CONTEXT, *(np.concatenate(parts) for parts in (matrices, targets, words, domains)))

    def columns(self, names: Sequence[str]) -> NDArray[np.float32]:
        return self.matrix[:, [self.names.index(name) for name in names]]


# The rows of the table: what the paper calls them, the features, the number of leaves if it is given.
_TREES: tuple[tuple[str, tuple[str, ...], int | None], ...] = (
    ("Only average sentence length", ("average_sentence_length",), 2),
    ("Only average word length", ("average_word_length",), 2),
    ("Only number of words", ("words",), 2),
    ("Only link density", ("link_density",), 2),
    ("Only text density", ("text_density",), 2),
    ("Tree: link density (P/C/N)", ("previous_link_density", "link_density", "next_link_density"), None),
    ("Tree: number of words (P/C/N)", ("previous_words", "words", "next_words"), None),
    ("Tree: all local features (C)", LOCAL, None),
    (
        "Tree: text and link density (P/C/N)",
        tuple(prefix + name for prefix in ("previous_", "", "next_") for name in ("text_density", "link_density")),
        None,
    ),
    ("Tree: all local features (P/C/N)", CONTEXT, None),
)


def boilerpipe_tables(blocks: LabelledBlocks, *, folds: int = 10, smallest_leaf: int = 1000) -> Iterator[str]:
    """The lines of the table, each as soon as it is computed."""
    fold_of = group_folds(blocks.domains, folds)
    yield f"{len(blocks.words)} blocks, {blocks.words.sum():.0f} words, {folds} folds of domains, weighted by words"
    yield f"{'':<38}  inputs  prec.  rec.   F1     FP rate  AUC"
    yield _line("Baseline: all is content", 0, blocks, np.ones(len(blocks.words)))
    for name, features, leaves in _TREES:
        trainer = decision_tree(smallest_leaf, max_leaf_nodes=leaves)
        yield _line(name, len(features), blocks, _trained(blocks, features, fold_of, trainer))
    models: dict[str, Model] = {
        "NumWords: the paper's tree": NumWords(),
        "Densitometric: the paper's tree": Densitometric(),
    }
    for name, model in models.items():
        scores = model.predict(blocks.columns(model.feature_names))
        yield _line(name, len(model.feature_names), blocks, scores, least=model.threshold)
    yield _line(
        "Linear SVM: all local features (P/C/N)", len(CONTEXT), blocks, _trained(blocks, CONTEXT, fold_of, linear_svm())
    )


def _trained(blocks: LabelledBlocks, names: Sequence[str], folds: Folds, trainer: Trainer) -> Numbers:
    """The content share of each block by cross-validation."""
    # A block without a word still has to be put somewhere: it counts next to nothing.
    weights = np.maximum(blocks.words, 1e-3)
    examples = Examples(blocks.columns(names), (~blocks.is_content).astype(np.float64), weights)
    return 1 - cross_validate(examples, folds, trainer)


def _line(name: str, inputs: int, blocks: LabelledBlocks, scores: Numbers, least: float = 0.5) -> str:
    boilerplate = np.where(scores >= least, 0.0, 1.0)
    metrics = measure((~blocks.is_content).astype(np.float64), boilerplate, weights=blocks.words)
    share = float(np.average(blocks.is_content, weights=blocks.words))
    false_content, false_boilerplate = 1 - metrics.recall, 1 - metrics.content_recall
    false_rate = share * false_content + (1 - share) * false_boilerplate
    area = require("sklearn.metrics").roc_auc_score(blocks.is_content, scores, sample_weight=blocks.words)
    values = (metrics.weighted_precision, metrics.weighted_recall, metrics.weighted_f1)
    return f"{name:<38}  {inputs:>6}  {'  '.join(f'{value:.3f}' for value in values)}  {false_rate:.3f}    {area:.3f}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(description="The comparison of the boilerpipe paper on pages with gold texts")
    parser.add_argument("directory", type=Path, help="pages and gold texts, in the layout of WCXB or as pairs")
    options = parser.parse_args(arguments)
    try:
        pages = ((page, shares, site_of(example)) for example, page, shares in labelled_pages(options.directory))
        for line in boilerpipe_tables(LabelledBlocks.of(pages)):
            print(line, flush=True)
    except (OSError, ValueError, ImportError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
