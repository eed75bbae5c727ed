"""Linear-chain conditional random fields, against all sequences counted out and against CRFsuite."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

from scrapy_boilerplate.models.papers.crf import marginals, viterbi
from scrapy_boilerplate.models.papers.victor import LABELS
from scrapy_boilerplate.models.papers.victor_values import VALUE_COUNTS, VICTOR_NAMES
from scrapy_boilerplate.train.crfsuite import train_chains
from scrapy_boilerplate.train.data import read_examples
from scrapy_boilerplate.train.victor import attributes, make_victor_sample, victor_of

OTHER_SITES = Path(__file__).parents[1] / "gold" / "other_sites"


def weights(places: int, labels: int = 3, *, size: float = 3.0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.normal(scale=size, size=(places, labels)), random.normal(scale=size, size=(labels, labels))


def every_sequence(states: np.ndarray, transitions: np.ndarray) -> dict[tuple[int, ...], float]:
    """The score of each sequence of labels."""
    places, labels = states.shape
    return {
        sequence: sum(states[place, label] for place, label in enumerate(sequence))
        + sum(transitions[pair] for pair in pairwise(sequence))
        for sequence in product(range(labels), repeat=places)
    }


@pytest.mark.parametrize("places", range(1, 9))
def test_marginals_are_the_shares_of_all_sequences(places):
    states, transitions = weights(places, seed=places)
    expected = np.zeros(states.shape)
    for sequence, score in every_sequence(states, transitions).items():
        expected[range(places), sequence] += np.exp(score)

    assert marginals(states, transitions) == pytest.approx(expected / expected.sum(axis=1, keepdims=True), abs=1e-12)


@pytest.mark.parametrize("places", range(1, 9))
def test_viterbi_finds_the_best_of_all_sequences(places):
    states, transitions = weights(places, seed=places)
    scores = every_sequence(states, transitions)

    assert tuple(viterbi(states, transitions)) == max(scores, key=scores.__getitem__)


@pytest.mark.parametrize("places", [2, 3, 10, 99, 100, 101, 1000])
def test_chains_of_any_length_are_cut_into_parts_without_a_seam(places):
    states, transitions = weights(places, labels=5, seed=places)
    expected = by_logarithms(states, transitions)

    assert marginals(states, transitions) == pytest.approx(expected, abs=1e-9)


def by_logarithms(states: np.ndarray, transitions: np.ndarray) -> np.ndarray:
    """The textbook's forward-backward algorithm, place by place."""
    forward, backward = [states[0]], [np.zeros(states.shape[1])]
    for state in states[1:]:
        forward.append(np.logaddexp.reduce(forward[-1][:, None] + transitions, axis=0) + state)
    for state in states[:0:-1]:
        backward.append(np.logaddexp.reduce(transitions + state + backward[-1], axis=1))
    joint = np.array(forward) + np.array(backward[::-1])
    return np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, None])


@pytest.mark.parametrize("size", [0.0, 30.0, 1000.0])
def test_weights_of_any_size_give_probabilities(size):
    found = marginals(*weights(500, labels=5, size=size))

    assert np.isfinite(found).all()
    assert found.sum(axis=1) == pytest.approx(np.ones(500))


def test_fifty_thousand_places_neither_overflow_nor_vanish():
    states, transitions = weights(50_000, labels=5)
    found = marginals(states, transitions)

    assert found.sum(axis=1) == pytest.approx(np.ones(50_000))
    assert found[-200:] == pytest.approx(by_logarithms(states[-400:], transitions)[-200:], abs=1e-9)
    assert (viterbi(states, transitions)[-200:] == viterbi(states[-400:], transitions)[-200:]).all()


def test_no_places_have_no_labels():
    states, transitions = weights(0)

    assert marginals(states, transitions).shape == (0, 3)
    assert viterbi(states, transitions).shape == (0,)


def assert_like_crfsuite(path: Path, names: tuple[str, ...], pages: list[np.ndarray]) -> None:
    """On each of these pages our numbers are those of CRFsuite with the model in this file."""
    pycrfsuite = pytest.importorskip("pycrfsuite")
    model = victor_of(path, names)
    with pycrfsuite.Tagger().open(str(path)) as tagger:
        for page in pages:
            chain, states = attributes(page, names), model.state_scores(page)
            tagger.set(chain)
            expected = [[tagger.marginal(label, place) for label in LABELS] for place in range(len(page))]
            assert [LABELS[number] for number in viterbi(states, model.transitions)] == tagger.tag(chain)
            assert marginals(states, model.transitions) == pytest.approx(np.array(expected), abs=1e-9)


def test_the_numbers_are_crfsuite_s(tmp_path):
    pytest.importorskip("pycrfsuite")
    random = np.random.default_rng(0)
    names = VICTOR_NAMES[9:20]
    counts = [VALUE_COUNTS[name] for name in names]
    pages = [random.integers(0, counts, (length, len(names))).astype(np.float32) for length in (1, 2, 40, 3, 25, 400)]
    labels = [[LABELS[(value + shift) % 5] for value, shift in page[:, :2].astype(int)] for page in pages]
    chains = [(attributes(page, names), page_labels) for page, page_labels in zip(pages, labels, strict=True)]
    train_chains(tmp_path / "model", chains, c2=0.01, max_iterations=30)

    assert_like_crfsuite(tmp_path / "model", names, pages)


def test_on_every_page_of_a_test_set_the_numbers_are_crfsuite_s(tmp_path):
    pytest.importorskip("pycrfsuite")
    samples = [make_victor_sample(example) for example in read_examples(OTHER_SITES)]
    half = [(attributes(sample.matrix, VICTOR_NAMES), sample.structure) for sample in samples[::2]]
    train_chains(tmp_path / "model", half, c2=1.0, max_iterations=50)

    assert len(samples) == 15
    assert_like_crfsuite(tmp_path / "model", VICTOR_NAMES, [sample.matrix for sample in samples])
