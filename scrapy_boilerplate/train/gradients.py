"""The loss of the perceptron on labelled pages and its gradients, in numpy: all that fine-tuning needs.

The trainer in `network.py` leaves the gradients to torch. Here they are computed by hand (backpropagation): the numbers
of each layer are kept on the way forward, and on the way back each layer turns the gradient for its outputs into those
for its weights and its inputs. As in `models.mlp`, arrays have the members of the committee first, then the blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..models.arithmetic import matmul
from ..models.mlp import CLIP, Perceptron, look_around, sigmoid
from .samples import Sample
from .surroundings_gradients import SurroundingsGradients

Array = NDArray[np.float32]
Weights = Mapping[str, Array]  # under the names of the arrays in `Perceptron.weights`

ERROR = "loss (cross-entropy + 1 - soft F1)"
LEAST_WORDS = 0.3  # a block without words counts as so many
_STRETCH = 512  # blocks
_SMALL = 1e-6


def weights_of(model: Perceptron) -> Weights:
    """The weights that are learnt: all but those that standardise the inputs."""
    return {name: array for name, array in model.weights.items() if name not in ("mean", "scale")}


class LabelledPage:
    """A page to learn from, with everything that stays the same while the weights change."""

    def __init__(self, sample: Sample, model: Perceptron) -> None:
        if sample.surroundings is None:
            raise ValueError("a perceptron needs the surroundings of the blocks, too")
        mean, scale = model.weights["mean"], model.weights["scale"]
        self.inputs = np.clip((sample.matrix - mean) * scale, -CLIP, CLIP).astype(np.float32)
        self.surroundings = sample.surroundings
        self.gradients = SurroundingsGradients(sample.surroundings)
        self.labels = sample.labels
        self.weight = sample.weight
        words = np.maximum(sample.sizes, LEAST_WORDS)
        self.words = words * sample.known
        roots = np.sqrt(words) * sample.known
        self.shares = roots / max(float(roots.sum()), _SMALL)  # of each block in the cross-entropy

    def loss(self, logits: Array) -> tuple[NDArray[np.float64], Array]:
        """The loss of the page for each member, and its gradient for the logits.

        It is the cross-entropy, weighted by the root of words, plus one minus the soft word F1.
        """
        logits, labels = logits.astype(np.float64), self.labels
        scores = (1 + np.tanh(logits / 2)) / 2
        losses = (np.logaddexp(0, logits) - labels * logits) @ self.shares
        gradient = (scores - labels) * self.shares
        gold = float(self.words @ labels)
        if gold > 0:
            total = scores @ self.words + gold
            f1 = 2 * (scores @ (self.words * labels)) / total
            losses += 1 - f1
            gradient -= (2 * labels - f1[:, None]) * self.words * scores * (1 - scores) / total[:, None]
        return losses, gradient.astype(np.float32)


@dataclass(frozen=True, slots=True)
class Pass:
    """The outputs of all layers for a page."""

    hidden: Array
    summary: Array
    guess: Array
    joined: Array  # the inputs of the joint layer
    joint: Array
    logits: Array

    @classmethod
    def of(cls, weights: Weights, page: LabelledPage) -> Pass:
        hidden = np.maximum(_layer(weights, "hidden", _for_all(weights, page.inputs)), 0)
        summary = np.maximum(_layer(weights, "summary", hidden), 0)
        guess = sigmoid(_layer(weights, "content", summary))
        around, shared = look_around(np.concatenate((summary, guess), axis=2), page.surroundings)
        shared = np.broadcast_to(shared, (*hidden.shape[:2], shared.shape[2]))
        joined = np.concatenate((hidden, *around, shared), axis=2)
        joint = np.maximum(_layer(weights, "joint", joined), 0)
        return cls(hidden, summary, guess, joined, joint, _layer(weights, "output", joint)[..., 0])

    def back(self, weights: Weights, page: LabelledPage, gradient: Array) -> dict[str, Array]:
        """The gradient of the loss for all weights, from that for the logits."""
        found: dict[str, Array] = {}

        def back(name: str, rows: Array, gradient: Array) -> Array:
            """Note the gradient for a layer's weights; return that for its inputs."""
            _note(found, name, rows, gradient)
            return np.stack([matmul(*member) for member in zip(gradient, weights[name].swapaxes(1, 2), strict=True)])

        to_joint = back("output", self.joint, gradient[..., None]) * (self.joint > 0)
        to_hidden, to_around = np.split(back("joint", self.joined, to_joint), [self.hidden.shape[2]], axis=2)
        to_seen = page.gradients.back(np.concatenate((self.summary, self.guess), axis=2), to_around)
        to_guess = to_seen[..., -1:] * self.guess * (1 - self.guess)
        to_summary = (to_seen[..., :-1] + back("content", self.summary, to_guess)) * (self.summary > 0)
        to_hidden = (to_hidden + back("summary", self.hidden, to_summary)) * (self.hidden > 0)
        _note(found, "hidden", _for_all(weights, page.inputs), to_hidden)
        return found


def losses_and_gradients(
    weights: Weights, pages: Sequence[LabelledPage]
) -> tuple[NDArray[np.float64], dict[str, Array]]:
    """The mean loss of the pages for each member, and the gradient of its sum over the members."""
    everything = sum(page.weight for page in pages)
    losses = np.zeros(len(weights["hidden"]))
    gradients = {name: np.zeros_like(array) for name, array in weights.items()}
    for page in pages:
        outputs = Pass.of(weights, page)
        loss, gradient = page.loss(outputs.logits)
        share = page.weight / everything
        losses += loss * share
        for name, array in outputs.back(weights, page, gradient * np.float32(share)).items():
            gradients[name] += array
    return losses, gradients


def mean_loss(weights: Weights, pages: Sequence[LabelledPage]) -> float:
    """The mean loss of the pages and the members."""
    losses = [page.loss(Pass.of(weights, page).logits)[0].mean() for page in pages]
    return float(np.average(losses, weights=[page.weight for page in pages]))


def _for_all(weights: Weights, inputs: Array) -> Array:
    """The inputs for each member."""
    return np.broadcast_to(inputs, (len(weights["hidden"]), *inputs.shape))


def _layer(weights: Weights, name: str, rows: Array) -> Array:
    return np.stack([matmul(*member) for member in zip(rows, weights[name], strict=True)]) + weights[f"{name}_bias"]


def _note(found: dict[str, Array], name: str, rows: Array, gradient: Array) -> None:
    """Note the gradients for a layer's weights, from its inputs and the gradient for its outputs."""
    found[name] = np.stack([_product_of_columns(*member) for member in zip(rows, gradient, strict=True)])
    found[f"{name}_bias"] = gradient.sum(1, keepdims=True)


def _product_of_columns(rows: Array, others: Array) -> Array:
    """`rows.T @ others`, as a sum over stretches of a long page, which is faster on one thread."""
    starts = range(0, len(rows), _STRETCH)
    parts = [matmul(rows[start : start + _STRETCH].T, others[start : start + _STRETCH]) for start in starts]
    product: Array = np.sum(parts, axis=0)
    return product
