"""The `victor` model from pages with gold texts: a conditional random field over text nodes.

    python -m scrapy_boilerplate.train.victor_pages DIRECTORY victor.npz

cross-validates by site, trains on all pages and writes the weights, with their card beside them.
"""

from __future__ import annotations

import shlex
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from ..extras import require
from ..features import Features
from ..features.victor_values import VALUE_COUNTS, VALUES, VICTOR_NAMES
from ..models.papers.victor import LABELS, OFFSETS, Victor
from ..page import Page
from ..parse import to_tree
from ..segment.text_nodes import segment_text_nodes
from .align import label_text_nodes
from .cards import card_page
from .crfsuite import Attributes, read_weights, train_chains
from .data import Example, read_examples, site_of
from .recipe import Source, judge
from .samples import Sample

THRESHOLD = 0.5
BIAS = "bias"  # the attribute that all blocks have

_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
_LIST_ITEMS = frozenset("li dt dd".split())


@dataclass(frozen=True)
class Settings:
    """What CRFsuite is asked for, and which pages it learns from."""

    l1: float = 0.0
    l2: float = 1.0
    iterations: int = 100
    longest: int = 1000  # text nodes; a longer page would count more than many others together


@dataclass(slots=True)
class VictorSample(Sample):
    """A page to learn from, with the label of each of its text nodes."""

    structure: tuple[str, ...] = ()


def make_victor_sample(example: Example, names: Sequence[str] = VICTOR_NAMES) -> VictorSample:
    """An example with a gold text as a sample."""
    page = segment_text_nodes(to_tree(example.read()))
    shares = label_text_nodes(page, example.gold or "")
    features = Features(page)
    return VictorSample(
        name=example.name,
        site=site_of(example),
        page_type=example.page_type,
        texts=page.texts,
        matrix=features.matrix(names),
        sizes=features.shallow.words.astype(np.float32),
        labels=shares,
        known=np.ones(len(shares), np.float32),
        gold=example.gold,
        required=example.required,
        forbidden=example.forbidden,
        structure=structure_labels(page, shares > 0),
    )


def structure_labels(page: Page, is_content: NDArray[np.bool_]) -> tuple[str, ...]:
    """The label of each text node: `other`, or what its markup says."""
    nearest = page.nearest(_HEADINGS | _LIST_ITEMS)

    def label(node: int, glue: str | None) -> str:
        if glue is not None:
            return "continuation"
        around = page.tags[nearest[node]] if nearest[node] >= 0 else ""
        return "header" if around in _HEADINGS else "list" if around in _LIST_ITEMS else "paragraph"

    return tuple(
        label(node, glue) if kept else "other"
        for node, glue, kept in zip(page.block_nodes, page.glue, is_content.tolist(), strict=True)
    )


def train_victor(
    samples: Sequence[Sample], names: Sequence[str] = VICTOR_NAMES, settings: Settings | None = None
) -> Victor:
    """A conditional random field from the pages that have content and are not too long; `names` are their features."""
    settings = settings or Settings()
    chains = (
        (attributes(sample.matrix, names), sample.structure)
        for sample in samples
        if isinstance(sample, VictorSample) and sample.labels.any() and len(sample.labels) <= settings.longest
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.crfsuite"
        train_chains(path, chains, c1=settings.l1, c2=settings.l2, max_iterations=settings.iterations)
        return victor_of(path, names)


def attributes(matrix: NDArray[np.floating], names: Sequence[str]) -> Attributes:
    """What CRFsuite sees of each block: the values of its features and of its neighbours', the first ones left out."""
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
    """CRFsuite's name for a value of a feature, of the block so many places further on."""
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
    # Every block has one of the values of the first feature: what is true of all blocks goes to all of them.
    states[OFFSETS.index(0), : VALUE_COUNTS[names[0]]] += [found.get((BIAS, label), 0.0) for label in LABELS]
    transitions = np.array([[follow.get((label, then), 0.0) for then in LABELS] for label in LABELS])
    return Victor(names, states, transitions, THRESHOLD, {})


def make_victor(
    directory: Path, *, names: Sequence[str] = VICTOR_NAMES, settings: Settings | None = None, folds: int = 5
) -> Victor:
    """The model of all pages of a folder; its card tells how good it is by cross-validation, unless `folds` is 0."""
    require("pycrfsuite")
    settings = settings or Settings()
    examples = [example for example in read_examples(directory) if example.gold is not None]
    samples = [make_victor_sample(example, names) for example in examples]

    def train(seen: Sequence[Sample]) -> Victor:
        print(f"training on {len(seen)} pages", flush=True)
        return train_victor(seen, names, settings)

    source = Source(directory.name)
    card = judge([(source, example) for example in examples], samples, train, folds) if folds else {}
    model = train(samples)
    if folds:
        model.threshold = max(card["cross_validation"]["thresholds"], key=lambda row: row["f1"])["threshold"]
    model.card = {
        **card,
        "data": [{"folder": source.folder, "weight": source.weight, "pages": len(examples)}],
        "blocks": sum(len(sample.texts) for sample in samples),
        "settings": asdict(settings),
        "paper": "M. Marek, P. Pecina, M. Spousta: Web Page Cleaning with Conditional Random Fields (2007)",
    }
    return model


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(description="Train the victor model on pages with gold texts")
    parser.add_argument("directory", type=Path, help="pages and gold texts, in the layout of WCXB or as pairs")
    parser.add_argument("weights", type=Path, help="the file to write, .npz; its card goes beside")
    parser.add_argument("--without", nargs="+", default=[], metavar="FEATURE", help="features to leave out: position")
    parser.add_argument("--l1", type=float, default=Settings.l1, help="how much the sum of all weights costs")
    parser.add_argument("--l2", type=float, default=Settings.l2, help="how much the sum of their squares costs")
    parser.add_argument("--iterations", type=int, default=Settings.iterations)
    parser.add_argument("--folds", type=int, default=5, help="for cross-validation; 0 leaves it out")
    parser.add_argument("--credit", action="append", default=[], help="licence and credit of the data, for the card")
    options = parser.parse_args(arguments)
    settings = Settings(l1=options.l1, l2=options.l2, iterations=options.iterations)
    try:
        names = names_without(options.without)
        model = make_victor(options.directory, names=names, settings=settings, folds=options.folds)
    except (OSError, ValueError, ImportError) as error:
        parser.error(str(error))
    model.card |= {
        "credit": options.credit,
        "command": shlex.join(["python", "-m", "scrapy_boilerplate.train.victor_pages", *(arguments or sys.argv[1:])]),
    }
    digest = model.save(options.weights)
    page = victor_card(options.weights.stem, model, digest)
    options.weights.with_suffix(".md").write_text(page, "utf-8")
    print(f"{page}\n{options.weights}: sha256 {digest}")


def victor_card(name: str, model: Victor, digest: str) -> str:
    """The card as a page that people read, with the features and the digest of the weights."""
    features = ", ".join(f"`{feature.removeprefix('victor.')}`" for feature in model.feature_names)
    page = card_page(name, model)
    return f"{page}\n## Features\n\n{features}\n\nSHA-256 of the weights: {digest}\n"


def names_without(left_out: Sequence[str]) -> tuple[str, ...]:
    """The features without some of them, which go by the paper's names."""
    unknown = [name for name in left_out if name not in VALUES]
    if unknown:
        raise ValueError(f"unknown features: {', '.join(unknown)}")
    return tuple(name for name, plain in zip(VICTOR_NAMES, VALUES, strict=True) if plain not in left_out)


if __name__ == "__main__":
    main()
