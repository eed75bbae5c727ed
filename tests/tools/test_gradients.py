"""The gradients of the perceptron: they agree with finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilerplate.features import FEATURE_NAMES, SHALLOW_NAMES
from scrapy_boilerplate.models.mlp import AMOUNTS, CONTEXTS, Perceptron, look_around
from scrapy_boilerplate.train.adam import Adam
from scrapy_boilerplate.train.example import Example
from scrapy_boilerplate.train.gradients import LabelledPage, losses_and_gradients, mean_loss, weights_of
from scrapy_boilerplate.train.samples import make_sample

from ..pages import PARAGRAPHS, article

NAMES = FEATURE_NAMES[len(SHALLOW_NAMES) :][:20]
HIDDEN, SUMMARY, JOINT = 5, 3, 4
LISTS = "<nav><ul><li>News<li>Sport and games</ul></nav><aside><ul><li>All of the weather</ul></aside>"


@pytest.fixture
def model() -> Perceptron:
    """A small committee of two, whose weights are random."""
    generator = np.random.default_rng(5)
    around = CONTEXTS * (SUMMARY + 1) + AMOUNTS
    sizes = {"hidden": (len(NAMES), HIDDEN), "summary": (HIDDEN, SUMMARY), "content": (SUMMARY, 1)}
    sizes |= {"joint": (HIDDEN + around, JOINT), "output": (JOINT, 1)}
    arrays = {"mean": np.zeros(len(NAMES)), "scale": np.full(len(NAMES), 0.25)}
    for name, (inputs, units) in sizes.items():
        arrays[name] = generator.normal(size=(2, inputs, units)) / inputs**0.5
        arrays[f"{name}_bias"] = generator.normal(size=(2, 1, units)) / 4
    return Perceptron(arrays, NAMES, {"page_features": 0, "least_expected_f1": 0.4})


@pytest.fixture
def pages(model, tmp_path) -> list[LabelledPage]:
    """Pages of many kinds: one counts half, one has blocks without a label, and two have no content."""
    samples = []
    for number, markup in enumerate([article(*PARAGRAPHS), article(*PARAGRAPHS * 3), LISTS, "<p>Nothing to read here"]):
        path = tmp_path / f"{number}.html"
        path.write_text(markup, "utf-8")
        gold = "\n\n".join(PARAGRAPHS) if number < 2 else ""
        samples.append(make_sample(Example(str(number), path, gold=gold), NAMES))
    samples[0].weight = 0.5
    samples[1].known[::4] = 0
    return [LabelledPage(sample, model) for sample in samples]


@pytest.mark.parametrize("seed", range(3))
def test_the_gradients_are_those_of_finite_differences(seed, model, pages):
    weights = weights_of(model)
    _, gradients = losses_and_gradients(weights, pages)
    generator = np.random.default_rng(seed)
    step = 0.002  # small, so that hardly any unit is switched on or off

    assert set(gradients) == set(weights)
    for name, array in weights.items():
        direction = generator.normal(size=array.shape).astype(np.float32)
        direction /= np.linalg.norm(direction)
        moved = [{**weights, name: array + sign * step * direction} for sign in (1, -1)]
        ahead, behind = (losses_and_gradients(there, pages)[0].sum() for there in moved)
        slope = float((gradients[name] * direction).sum())
        assert slope == pytest.approx((ahead - behind) / (2 * step), rel=0.02, abs=5e-4), name


@pytest.mark.parametrize("number", range(4))
def test_the_surroundings_pass_their_gradient_back(number, pages):
    page = pages[number]
    generator = np.random.default_rng(number)
    summary = generator.random((2, len(page.labels), SUMMARY + 1), np.float32)
    direction = generator.normal(size=summary.shape).astype(np.float32) / 100

    def inputs(summary):
        around, shared = look_around(summary, page.surroundings)
        shared = np.broadcast_to(shared, (*summary.shape[:2], shared.shape[2]))
        return np.concatenate((*around, shared), axis=2, dtype=np.float64)

    change = inputs(summary + direction) - inputs(summary - direction)
    gradient = generator.normal(size=change.shape).astype(np.float32)
    expected = float((change * gradient).sum()) / 2
    found = float((page.gradients.back(summary, gradient) * direction).sum())
    assert found == pytest.approx(expected, rel=0.002, abs=1e-4)


def test_the_mean_loss_is_that_of_the_members(model, pages):
    losses, _ = losses_and_gradients(weights_of(model), pages)

    assert mean_loss(weights_of(model), pages) == pytest.approx(losses.mean())


def test_a_block_without_a_label_has_no_influence(model, pages):
    weights = weights_of(model)
    _, before = losses_and_gradients(weights, pages)

    pages[1].labels = np.where(pages[1].words > 0, pages[1].labels, 1 - pages[1].labels)

    _, after = losses_and_gradients(weights, pages)
    assert all((after[name] == before[name]).all() for name in before)


def test_steps_of_adam_lower_the_loss_and_leave_the_weights_that_they_started_from(model, pages):
    start = weights = weights_of(model)
    copies = {name: array.copy() for name, array in start.items()}
    adam = Adam(0.01)

    for _ in range(20):
        weights = adam.step(weights, losses_and_gradients(weights, pages)[1])

    assert mean_loss(weights, pages) < 0.8 * mean_loss(start, pages)
    assert all((start[name] == copies[name]).all() for name in start)
