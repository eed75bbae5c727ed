"""Labels that are softened by what a model says that learnt from other sites."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace

import numpy as np
import pytest
from scrapy.exceptions import UsageError

from scrapy_boilerplate import extract
from scrapy_boilerplate.commands import train as train_command
from scrapy_boilerplate.models import load_model
from scrapy_boilerplate.models.base import Model, Scores
from scrapy_boilerplate.train.samples import Sample
from scrapy_boilerplate.train.second_opinion import with_second_opinions

from ..pages import PAGE, PARAGRAPHS, article


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


def test_a_label_is_in_part_what_the_other_network_says():
    samples = [sample(number) for number in range(8)]

    softened = with_second_opinions(samples, lambda _: Sure(0.5), 0.2)

    for before, after in zip(samples, softened, strict=True):
        assert after.labels.tolist() == pytest.approx([0.1, 0.9, 0.9])
        assert after.copies[0].labels.tolist() == pytest.approx([0.1, 0.9])
        assert before.labels.tolist() == [0, 1, 1], "the samples that it is given are left as they are"


def test_the_other_network_has_not_seen_the_site():
    samples = [sample(number) for number in range(20)]
    trained = []

    def train(learnt):
        trained.append({page.site for page in learnt})
        return Sure(1.0 - len(trained) / 10)

    softened = with_second_opinions(samples, train, 0.5)

    for page in softened:
        opinion = page.labels[0] * 2
        heard = trained[round((1 - opinion) * 10) - 1]
        assert page.site not in heard


def test_pages_of_too_few_sites_are_told_in_so_many_words():
    with pytest.raises(ValueError, match="a second opinion takes pages of 4 sites or more, and there are 3"):
        with_second_opinions([sample(number % 3) for number in range(8)], lambda _: Sure(0.5), 0.2)


@pytest.mark.parametrize(
    "options",
    [["--second-opinion", "1"], ["--second-opinion", "-0.1"], ["--second-opinion", "nan"]],
)
def test_a_share_that_is_none_is_refused_before_any_work(options, tmp_path):
    with pytest.raises(UsageError, match="--second-opinion takes a share"):
        call(["--data", str(tmp_path / "missing"), "-o", str(tmp_path / "weights.npz"), *options])


def test_who_goes_on_from_a_model_has_no_second_opinion(tmp_path):
    with pytest.raises(UsageError, match="training from the start"):
        call(["--data", str(tmp_path), "-o", str(tmp_path / "x.npz"), "--from", "mlp", "--second-opinion", "0.2"])


def test_the_train_command_hears_other_networks_about_its_labels(tmp_path):
    for number, name in enumerate("abcdefghijkl"):
        paragraphs = PARAGRAPHS[: number % 3 + 1]
        (tmp_path / f"{name}.html").write_text(article(*paragraphs), "utf-8")
        (tmp_path / f"{name}.txt").write_text("\n".join(paragraphs), "utf-8")
    options = ["--kind", "texrex", "--data", str(tmp_path), "--folds", "0", "--epochs", "3"]

    for name, more in {"plain": [], "heard": ["--second-opinion", "0.2"]}.items():
        call([*options, "-o", str(tmp_path / f"{name}.npz"), *more])

    plain, heard = (load_model(str(tmp_path / f"{name}.npz")) for name in ("plain", "heard"))
    assert extract(PAGE, model=plain).blocks != extract(PAGE, model=heard).blocks


def call(arguments: list[str]) -> None:
    parser = ArgumentParser()
    train_command.add_options(parser)
    train_command.run([], parser.parse_args(arguments))
