"""The trainer of the perceptron, with the real torch: what it exports, and that numpy's gradients are torch's."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilerplate.models import load_model
from scrapy_boilerplate.models.importance import importance_of
from scrapy_boilerplate.models.mlp import Perceptron
from scrapy_boilerplate.train.adam import Adam
from scrapy_boilerplate.train.gradients import LabelledPage, losses_and_gradients, weights_of

from .test_fine_tuning import samples, scores_of  # noqa: F401

torch = pytest.importorskip("torch", reason="training needs torch")

from scrapy_boilerplate.train import fine_tuning, network  # noqa: E402


@pytest.fixture
def shipped(samples) -> tuple[Perceptron, list[LabelledPage], network.Network, network.Batch]:  # noqa: F811
    """The shipped network and pages of unequal weights, for numpy and for torch."""
    samples[0].weight = 0.5
    samples[2].known[::3] = 0
    model = load_model("mlp")
    assert isinstance(model, Perceptron)
    learner = network.network_of(model)
    learner.eval()
    batch = network.Batch(samples, model.weights["mean"], model.weights["scale"])
    return model, [LabelledPage(sample, model) for sample in samples], learner, batch


def test_the_losses_and_gradients_are_those_of_torch(shipped):
    model, pages, learner, batch = shipped

    losses, gradients = losses_and_gradients(weights_of(model), pages)

    expected = batch.losses(learner(batch)[0])
    expected.sum().backward()
    assert losses == pytest.approx(expected.detach().numpy(), rel=1e-5)
    for name, parameter in learner.named_parameters():
        found = parameter.grad.numpy()
        assert gradients[name] == pytest.approx(found, rel=0, abs=1e-5 * float(abs(found).max())), name


def test_the_steps_of_adam_are_those_of_torch(shipped):
    model, _, learner, batch = shipped
    optimiser = torch.optim.Adam(learner.parameters(), lr=0.001)
    weights, adam = weights_of(model), Adam(0.001)

    for _ in range(3):
        optimiser.zero_grad()
        batch.losses(learner(batch)[0]).sum().backward()
        optimiser.step()
        weights = adam.step(weights, {name: p.grad.numpy() for name, p in learner.named_parameters()})

    for name, parameter in learner.named_parameters():
        assert weights[name] == pytest.approx(parameter.detach().numpy(), abs=1e-6), name


def test_training_twice_gives_the_same_weights(samples):  # noqa: F811
    settings = network.MlpSettings(epochs=2, pages_a_batch=2)

    first, second = (network.train(samples, settings) for _ in range(2))

    assert (scores_of(first, samples[0]) == scores_of(second, samples[0])).all()


def test_the_exported_network_scores_as_torch_does(samples):  # noqa: F811
    model = network.train(samples, network.MlpSettings(epochs=1))
    trained = network.network_of(model)
    trained.eval()
    batch = network.Batch(samples, model.weights["mean"], model.weights["scale"])

    expected = torch.sigmoid(trained(batch)[0]).mean(0).detach().numpy()

    found = np.concatenate([scores_of(model, sample) for sample in samples])
    assert found == pytest.approx(np.minimum(expected, 0.9999), abs=1e-5)


def test_the_importance_of_the_weights_is_kept_beside_them(samples, tmp_path):  # noqa: F811
    model = network.train(samples, network.MlpSettings(epochs=1))

    network.note_importance(model, samples)
    model.save(tmp_path / "own.npz")

    again = importance_of(Perceptron.load(tmp_path / "own.npz"))
    assert max(float(array.max()) for array in again.shares.values()) == 1
    assert again.largest > 0
    assert set(again.shares) == set(model.weights) - {"mean", "scale"}
    for name, array in again.shares.items():
        assert array.shape == model.weights[name].shape


def test_without_its_memory_a_network_is_not_trained_further(samples):  # noqa: F811
    model = network.train(samples, network.MlpSettings(epochs=1))

    with pytest.raises(ValueError, match="don't tell which of them matter"):
        fine_tuning.fine_tune(model, samples, fine_tuning.FineTuningSettings())
