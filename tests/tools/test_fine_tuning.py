"""How a shipped network learns more from a few labelled pages."""

from __future__ import annotations

import re
import shutil
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scrapy_boilerplate import extract
from scrapy_boilerplate.commands import train as train_command
from scrapy_boilerplate.features import FEATURE_NAMES, SHALLOW_NAMES
from scrapy_boilerplate.label.files import BlockLabel, PageLabels, digest_of, read_labels, write_labels
from scrapy_boilerplate.models import WEIGHTS, Model, load_model
from scrapy_boilerplate.models.base import Scores
from scrapy_boilerplate.models.importance import importance_of, importance_path
from scrapy_boilerplate.models.mlp import Perceptron
from scrapy_boilerplate.train import fine_tuning, plots
from scrapy_boilerplate.train.example import Example
from scrapy_boilerplate.train.plots import ErrorCurve
from scrapy_boilerplate.train.samples import Sample, make_sample

from ..pages import PARAGRAPHS, article

OTHER_SITES = Path(__file__).parents[1] / "gold" / "other_sites"
NOTICE = (
    "Our readers say that this is the best paper on the whole coast, and they have said so for a hundred years now."
)


def sample_of(path: Path, markup: str, gold: str) -> Sample:
    path.write_text(markup, "utf-8")
    sample = make_sample(
        Example(path.stem, path, f"https://{path.stem}.example/", gold=gold), FEATURE_NAMES[len(SHALLOW_NAMES) :]
    )
    assert sample is not None
    return sample


@pytest.fixture
def samples(tmp_path) -> list[Sample]:
    gold = "\n\n".join(PARAGRAPHS)
    return [sample_of(tmp_path / f"{number}.html", article(*PARAGRAPHS * (number + 1)), gold) for number in range(3)]


def scores_of(model: Model, sample: Sample) -> Scores:
    return model.predict(sample.matrix, sample.surroundings)


def site(number: int) -> str:
    """A page whose notice, well written and without a link, is not part of the article."""
    return article(*PARAGRAPHS[: 1 + number % 3], f"<b class='claim'>{NOTICE}</b> {number}")


def write_labelled(folder: Path, count: int) -> None:
    for number in range(count):
        page = site(number).encode()
        (folder / f"{number}.html").write_bytes(page)
        document = extract(page)
        labels = tuple(BlockLabel(block.text, block.xpath, block.text in PARAGRAPHS) for block in document.blocks)
        write_labels(folder / f"{number}.labels.json", PageLabels(f"{number}.html", digest_of(page), labels))


def run(*arguments: object) -> None:
    parser = ArgumentParser()
    parser.add_argument("labels", nargs="*")
    train_command.add_options(parser)
    opts = parser.parse_args(list(map(str, arguments)))
    train_command.run(opts.labels, opts)


def test_a_few_labelled_pages_teach_the_shipped_network_a_site(tmp_path, capsys):
    write_labelled(tmp_path, 6)
    assert NOTICE in extract(site(7)).main_text, "what there is to learn"

    run(tmp_path, "--from", "mlp", "-o", tmp_path / "own.npz")

    taught = extract(site(7), model=str(tmp_path / "own.npz")).main_text
    assert NOTICE not in taught
    assert PARAGRAPHS[0] in taught
    said = capsys.readouterr().out
    assert " to 1.00 on your 6 pages, each kept out in turn; other sites " in said
    assert "not checked" not in said
    assert "Fine-tuned from mlp" in (tmp_path / "own.md").read_text("utf-8")


def test_pages_of_other_sites_hardly_change(tmp_path, capsys):
    write_labelled(tmp_path, 3)

    run(
        tmp_path,
        "--from",
        "mlp",
        "--check",
        OTHER_SITES,
        "-o",
        tmp_path / "own.npz",
    )

    told = capsys.readouterr().out.splitlines()[0]
    figures = re.search(r"; other sites (?:unchanged within |0\.\d+ to )(0\.\d+)(?:; |$)", told)
    assert figures is not None, told
    assert "unchanged" in told or float(figures[1]) > 0.85


def test_a_page_without_content_is_learnt_from_and_kept_out_like_any_other(tmp_path, capsys):
    write_labelled(tmp_path, 2)
    path = tmp_path / "0.labels.json"
    said = read_labels(path)
    write_labels(path, replace(said, blocks=tuple(replace(block, content=False) for block in said.blocks)))

    run(tmp_path, "--from", "mlp", "--epochs", 1, "-o", tmp_path / "own.npz")

    assert " on your 2 pages, each kept out in turn" in capsys.readouterr().out


def interrupt_at(call: int, monkeypatch) -> None:
    """Ctrl-C at a certain epoch, counted through all trainings."""
    calls = iter(range(1, 1000))

    def add(self, *values) -> None:
        add_to_curve(self, *values)
        if next(calls) == call:
            raise KeyboardInterrupt

    add_to_curve = ErrorCurve.add
    monkeypatch.setattr(ErrorCurve, "add", add)


@pytest.mark.parametrize("call", [2, 4])
def test_an_interrupt_costs_the_check_and_not_the_weights(call, tmp_path, capsys, monkeypatch):
    write_labelled(tmp_path, 2)
    interrupt_at(call, monkeypatch)

    run(tmp_path, "--from", "mlp", "--epochs", 3, "-o", tmp_path / "own.npz")

    assert capsys.readouterr().out.startswith("not checked on your 2 pages; other sites ")
    assert extract(site(7), model=str(tmp_path / "own.npz")).main_text


def test_labels_that_leave_nothing_out_are_told(tmp_path, capsys):
    write_labelled(tmp_path, 2)
    for path in tmp_path.glob("*.labels.json"):
        said = read_labels(path)
        write_labels(path, replace(said, blocks=tuple(replace(block, content=True) for block in said.blocks)))

    run(tmp_path, "--from", "mlp", "--epochs", 1, "-o", tmp_path / "own.npz")

    assert "every label says content" in capsys.readouterr().err


def test_the_errors_are_drawn_for_all_pages_and_for_those_kept_out(tmp_path, monkeypatch):
    drawn = {}
    monkeypatch.setattr(plots, "error_figure", lambda panels, _: drawn.update(panels))
    monkeypatch.setattr(plots, "save", lambda *_: None)
    write_labelled(tmp_path, 3)

    run(tmp_path, "--from", "mlp", "--epochs", 2, "--plot", tmp_path / "errors.png", "-o", tmp_path / "own.npz")

    assert {title: len(curves) for title, curves in drawn.items()} == {"3 folds of your pages": 3, "all your pages": 1}
    for curve in drawn["3 folds of your pages"]:
        assert curve.epochs == [1, 2]
        assert np.isfinite([curve.training, curve.held_out]).all()


def test_without_the_file_beside_them_weights_are_used_and_not_trained_further(samples, tmp_path):
    shutil.copy(WEIGHTS / "mlp.npz", tmp_path / "own.npz")
    model = load_model(tmp_path / "own.npz")

    assert (scores_of(model, samples[0]) == scores_of(load_model("mlp"), samples[0])).all()
    with pytest.raises(ValueError, match=r"there is no .*own\.importance\.npz; train them again"):
        fine_tuning.fine_tune(model, samples, fine_tuning.FineTuningSettings())


def test_the_importance_of_other_weights_is_refused(samples, tmp_path):
    path = tmp_path / "own.npz"
    shutil.copy(WEIGHTS / "mlp.npz", path)
    shutil.copy(WEIGHTS / "news.importance.npz", importance_path(path))

    with pytest.raises(ValueError, match=r"own\.importance\.npz belongs to other weights than .*own\.npz"):
        fine_tuning.fine_tune(Perceptron.load(path), samples, fine_tuning.FineTuningSettings())


def test_weights_that_were_trained_further_can_be_trained_further_again(samples, tmp_path):
    tuned = fine_tuning.fine_tune(load_model("mlp"), samples, fine_tuning.FineTuningSettings(epochs=1))
    tuned.save(tmp_path / "own.npz")

    again = fine_tuning.fine_tune(load_model(tmp_path / "own.npz"), samples, fine_tuning.FineTuningSettings(epochs=1))

    assert (scores_of(again, samples[0]) != scores_of(tuned, samples[0])).any()


def test_the_network_that_one_starts_from_stays_as_it_is(samples):
    model = load_model("mlp")
    assert isinstance(model, Perceptron)
    before = scores_of(model, samples[0])

    fine_tuning.fine_tune(model, samples, fine_tuning.FineTuningSettings(epochs=3))

    assert (scores_of(model, samples[0]) == before).all()


@pytest.mark.parametrize(
    ("on_labels", "on_others", "told"),
    [
        ((0.81, 0.93), (0.9, 0.9011), "0.81 to 0.93 on {}; other sites unchanged within 0.001; a gain: use it"),
        (
            (0.81, 0.93),
            (0.9, 0.85),
            "0.81 to 0.93 on {}; other sites 0.900 to 0.850; a gain: use it for these pages' site only",
        ),
        (
            (0.81, 0.81),
            (0.9, 0.9),
            "0.81 to 0.81 on {}; other sites unchanged within 0.001; no gain yet: label about six more",
        ),
        (
            (0.81, 0.79),
            None,
            "0.81 to 0.79 on {}; other sites not checked (--check DIR); no gain yet: label about six more",
        ),
        (
            (0.996, 0.998),
            (0.9, 0.9),
            "1.00 to 1.00 on {}; other sites unchanged within 0.001; there was little to gain",
        ),
    ],
)
def test_the_verdict_is_plain_and_ends_with_advice(on_labels, on_others, told):
    assert fine_tuning.verdict(4, on_labels, on_others) == told.format("your 4 pages, each kept out in turn")


def test_a_training_without_a_check_has_no_advice():
    assert fine_tuning.verdict(4, None, None) == "not checked on your 4 pages; other sites not checked (--check DIR)"


def test_one_page_is_too_few_to_keep_one_out():
    told = fine_tuning.verdict(1, None, (0.9, 0.9))
    assert told.startswith("one labelled page is too few to check on a page that was kept out; other sites unchanged")
    assert told.endswith("; label about six more")


def test_training_again_gives_the_same_weights(samples):
    first, second = (
        fine_tuning.fine_tune(load_model("mlp"), samples, fine_tuning.FineTuningSettings(epochs=2)) for _ in range(2)
    )

    assert all((first.weights[name] == second.weights[name]).all() for name in first.weights)


def test_an_interrupt_keeps_what_was_learnt_until_then(samples):
    def interrupt(epoch: int, *errors: float) -> None:
        if epoch == 2:
            raise KeyboardInterrupt

    stopped = fine_tuning.fine_tune(
        load_model("mlp"), samples, fine_tuning.FineTuningSettings(epochs=9), progress=interrupt
    )

    expected = fine_tuning.fine_tune(load_model("mlp"), samples, fine_tuning.FineTuningSettings(epochs=2))
    assert all((stopped.weights[name] == expected.weights[name]).all() for name in expected.weights)


def test_important_weights_stay_where_they_are(samples):
    model = load_model("mlp")
    free, held = (
        fine_tuning.fine_tune(model, samples, fine_tuning.FineTuningSettings(epochs=10, memory=memory))
        for memory in (0.0, 1e9)
    )

    important = importance_of(model).shares["output"] > 0.5
    moved = [abs(tuned.weights["output"] - model.weights["output"])[important].mean() for tuned in (free, held)]
    assert moved[1] < moved[0] / 2
