"""Label smoothing with out-of-fold predictions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scrapy_boilerplate.models.base import Model, Scores
from scrapy_boilerplate.train.label_smoothing import smoothed
from scrapy_boilerplate.train.samples import Sample


class Sure(Model):
    """Gives every block the same score."""

    def __init__(self, score: float) -> None:
        self._score = score

    def predict(self, matrix, surroundings=None) -> Scores:
        return np.full(len(matrix), self._score)


def sample(number: int) -> Sample:
    labels = np.array([0, 1, 1], np.float32)
    page = Sample(
        name=str(number),
        site=f"site-{number}.example",
        page_type=None,
        texts=["a", "b", "c"],
        matrix=np.zeros((3, 1), np.float32),
        sizes=np.ones(3, np.float32),
        labels=labels,
        known=np.ones(3, np.float32),
    )
    page.copies = (replace(page, labels=labels[:2], matrix=page.matrix[:2]),)
    return page


def test_a_label_is_mixed_with_the_score_of_the_other_network():
    samples = [sample(number) for number in range(8)]

    mixed = smoothed(samples, lambda _: Sure(0.5), 0.2)

    for before, after in zip(samples, mixed, strict=True):
        assert after.labels.tolist() == pytest.approx([0.1, 0.9, 0.9])
        assert after.copies[0].labels.tolist() == pytest.approx([0.1, 0.9])
        assert before.labels.tolist() == [0, 1, 1], "the samples that it is given are left as they are"


def test_the_other_network_has_not_seen_the_site():
    samples = [sample(number) for number in range(20)]
    trained = []

    def train(learnt):
        trained.append({page.site for page in learnt})
        return Sure(1.0 - len(trained) / 10)

    mixed = smoothed(samples, train, 0.5)

    for page in mixed:
        score = page.labels[0] * 2
        assert page.site not in trained[round((1 - score) * 10) - 1]


def test_pages_of_too_few_sites_are_refused():
    with pytest.raises(ValueError, match="label smoothing needs pages of at least 3 sites, not 2"):
        smoothed([sample(number % 2) for number in range(8)], lambda _: Sure(0.5), 0.2)
