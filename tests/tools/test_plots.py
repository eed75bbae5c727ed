"""Plots show the data that they are given, land in their file, and say what they lack."""

from __future__ import annotations

import sys
from argparse import ArgumentParser

import numpy as np
import pytest
from scrapy.exceptions import UsageError

from scrapy_boilerplate.commands import evaluate as evaluate_command
from scrapy_boilerplate.commands import train as train_command
from scrapy_boilerplate.models import load_model
from scrapy_boilerplate.train import plots
from scrapy_boilerplate.train.data import read_examples
from scrapy_boilerplate.train.evaluation import Contender, evaluate
from scrapy_boilerplate.train.figures import word_quality
from scrapy_boilerplate.train.plots import ErrorCurve, Trade
from scrapy_boilerplate.train.samples import make_sample
from scrapy_boilerplate.train.sweeps import THRESHOLDS, score_page, sweep_thresholds
from scrapy_boilerplate.train.texrex import FEATURES, TexrexSettings, train

from ..pages import MAIN_TEXT, PAGE
from .test_train_texrex import folder, write_rows  # noqa: F401

TEXTS = ["the old baths", "open the baths", "home news contact", "the"]
SCORES = [0.9, 0.6, 0.2, 0.6]
GOLD = "the old baths open the baths today"


def run(command, *arguments: object) -> None:
    parser = ArgumentParser()
    command.add_options(parser)
    command.run([], parser.parse_args(list(map(str, arguments))))


def is_png(path) -> bool:
    return path.read_bytes().startswith(b"\x89PNG")


@pytest.fixture
def pair(tmp_path):
    """A page and its gold text."""
    pages = tmp_path / "pair"
    pages.mkdir()
    (pages / "one.html").write_text(PAGE, "utf-8")
    (pages / "one.txt").write_text(MAIN_TEXT, "utf-8")
    return pages


def lines_of(axis) -> dict[str, list[float]]:
    return {line.get_label(): list(line.get_ydata()) for line in axis.get_lines()}


def test_a_sweep_has_the_word_quality_of_what_each_threshold_keeps():
    page = score_page(TEXTS, SCORES, [True, True, False, False], GOLD, 0.5)

    swept = sweep_thresholds([page])

    for number, threshold in enumerate(THRESHOLDS):
        kept = "\n".join(text for text, score in zip(TEXTS, SCORES, strict=True) if score >= threshold)
        quality = word_quality(kept, GOLD)
        assert (swept.precision[number], swept.recall[number], swept.f1[number]) == pytest.approx(
            (quality.precision, quality.recall, quality.f1)
        )
    assert swept.correct[[0, 30, 60, 61, 100]] == pytest.approx([6 / 10, 9 / 10, 9 / 10, 7 / 10, 4 / 10])
    assert (THRESHOLDS[swept.most_correct], THRESHOLDS[swept.balanced]) == (0.21, 0.21)


def test_a_sweep_leaves_out_blocks_of_which_nothing_is_known():
    page = score_page(TEXTS, SCORES, [True, None, False, None], "the old baths", 0.5)

    assert page.scores.tolist() == [0.9, 0.2]
    assert sweep_thresholds([page]).precision[50] == 1


def test_a_sweep_has_means_over_pages_and_survives_pages_without_text():
    full, empty = score_page(["a b"], [0.5], [True], "a b", 0.9), score_page([], [], [], "", 0.0)

    swept = sweep_thresholds([full, empty])

    assert (swept.f1[0], swept.f1[-1]) == (1, 1 / 2)
    assert sweep_thresholds([empty]).correct.tolist() == [1] * len(THRESHOLDS)


def test_the_evaluation_figure_has_a_row_of_sweep_scores_and_reliability_for_each_model():
    pages = [score_page(TEXTS, SCORES, [True, True, False, False], GOLD, score) for score in (0.32, 0.38, 0.91)]
    judged = list(zip(pages, (0.5, 0.95, 0.92), strict=True))

    figure = plots.evaluation_figure({"one": judged, "in/some/folder/other_than_one.npz": judged[:1]})

    sweep, scores, confidence, other, *_ = figure.axes
    assert len(figure.axes) == 6
    assert (sweep.get_title(), other.get_title()) == ("one: 3 pages", "other_than_one.npz: 1 page")
    swept, drawn = sweep_thresholds(pages), lines_of(sweep)
    for label, values in (("precision", swept.precision), ("recall", swept.recall), ("F1", swept.f1)):
        assert drawn[label] == pytest.approx(list(values))
    assert drawn["correct"] == pytest.approx(list(swept.correct))
    assert drawn["correct 0.900 at 0.21"] == pytest.approx([0.9])
    assert [text.get_text() for text in scores.get_legend().get_texts()] == [
        "boilerplate, 6 blocks",
        "content, 6 blocks",
    ]
    assert list(confidence.get_lines()[1].get_xydata().ravel()) == pytest.approx([0.35, 0.5, 0.91, 1.0])
    assert [text.get_text() for text in confidence.texts] == ["2", "1"]
    assert all(axis.get_xlabel() and axis.get_ylabel() for axis in figure.axes)
    figure.draw_without_rendering()
    titles = [axis.title.get_window_extent() for axis in figure.axes]
    for left, middle, right in (titles[:3], titles[3:]):
        assert left.x1 < middle.x0 < middle.x1 < right.x0 < right.x1 < figure.bbox.x1


def test_a_model_that_finds_no_content_in_any_page_can_be_drawn():
    page = score_page(["home"], [0.1], [False], "", 0.0)

    figure = plots.evaluation_figure({"one": [(page, 1.0)]})

    assert [text.get_text() for text in figure.axes[1].get_legend().get_texts()] == ["boilerplate, 1 blocks"]


def test_the_error_figure_has_each_training_and_the_means_of_all():
    folds = [ErrorCurve([1, 2], [0.4, 0.2], [0.6, 0.5]), ErrorCurve([1, 2], [0.2, 0.1], [0.8, 0.7])]
    final = ErrorCurve([1, 2], [0.3, 0.1], [float("nan")] * 2)

    figure = plots.error_figure({"2 folds": folds, "all pages": [final]}, "loss")

    first, second = figure.axes
    assert lines_of(first)["training, 0.1500 at the end"] == pytest.approx([0.3, 0.15])
    assert lines_of(first)["held out, 0.6000 at the end"] == pytest.approx([0.7, 0.6])
    assert len(first.get_lines()) == 6
    assert list(lines_of(second)) == ["_child0", "training, 0.1000 at the end"]
    assert (first.get_ylabel(), first.get_title()) == ("loss", "2 folds")


def test_the_mean_error_ends_with_the_shortest_training():
    curves = [ErrorCurve([1, 2, 3], [3, 2, 1], [3, 2, 1]), ErrorCurve([1, 2], [1, 1], [1, 1])]

    [axis] = plots.error_figure({"interrupted": curves}, "loss").axes

    assert lines_of(axis)["training, 1.5000 at the end"] == [2, 1.5]


def test_the_trade_figure_has_a_point_of_its_own_look_for_each_model():
    trades = [Trade("a", 2, 0.8), Trade("b", 2.5, 0.7), Trade("c", 4, 0.9, is_comparable=False)]
    trades += [Trade(f"model{number}", 3, number / 100) for number in range(20)]

    [axis] = plots.trade_figure(trades, "9 pages").axes

    points = {line.get_label(): line for line in axis.get_lines()}
    assert points["a: 0.800, 2.0 parses"].get_xydata().tolist() == [[2, 0.8]]
    assert points["c: 0.900, 4.0 parses\n(on other pages)"].get_markerfacecolor() == "none"
    assert len({(line.get_marker(), line.get_color()) for line in points.values()}) == len(trades)
    assert "9 pages" in axis.get_ylabel()


@pytest.mark.parametrize("name", ["figure.png", "figure.svg", "figure.pdf"])
def test_a_figure_is_written_without_pyplot(name, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    curve = ErrorCurve([1], [0.5], [0.6])

    plots.save(plots.error_figure({"one": [curve]}, "loss"), tmp_path / name)

    assert (tmp_path / name).stat().st_size > 1000


def test_evaluate_draws_its_models_and_prints_the_same_tables(pair, tmp_path, capsys):
    arguments = ("--data", pair, "--model", "numwords", "--model", "densitometric")

    run(evaluate_command, *arguments, "--plot", tmp_path / "out.png")
    with_plot = capsys.readouterr().out
    run(evaluate_command, *arguments)

    assert is_png(tmp_path / "out.png")
    assert [line.split()[:9] for line in with_plot.splitlines()] == [
        line.split()[:9] for line in capsys.readouterr().out.splitlines()
    ]


def test_results_have_the_scores_of_blocks_only_where_they_are_asked_for(pair):
    contender, examples = Contender("numwords", "numwords"), read_examples(pair)
    [without], [result] = (list(evaluate([contender], examples, scored=scored)) for scored in (False, True))

    assert without.scored is None
    assert result.scored.is_content.sum() == 3
    assert result.quality.f1 == pytest.approx(sweep_thresholds([result.scored]).f1[50])


def test_train_draws_the_errors_and_the_weights_stay_the_same(folder, tmp_path):  # noqa: F811
    arguments = ("--kind", "texrex", "--data", folder, "--epochs", 20, "--folds", 3, "-o")

    run(train_command, *arguments, tmp_path / "a.npz", "--plot", tmp_path / "out.png")
    run(train_command, *arguments, tmp_path / "b.npz")

    one, other = (load_model(str(tmp_path / name)) for name in ("a.npz", "b.npz"))
    assert is_png(tmp_path / "out.png")
    assert one.card["cross_validation"] == other.card["cross_validation"]
    for layer, same in zip(one.network.layers, other.network.layers, strict=True):
        assert (layer.weights == same.weights).all()


def test_a_picture_that_can_not_be_written_does_not_cost_the_weights(folder, tmp_path, monkeypatch, capsys):  # noqa: F811
    def full(*_):
        raise OSError("disk full")

    monkeypatch.setattr(plots, "save", full)

    run(
        train_command,
        *("--kind", "texrex", "--data", folder, "--epochs", 10, "--folds", 0),
        *("-o", tmp_path / "own.npz", "--plot", tmp_path / "out.png"),
    )

    assert "no plot: disk full" in capsys.readouterr().err
    assert load_model(str(tmp_path / "own.npz"))


def test_pages_that_are_held_out_have_no_say_in_the_training(folder):  # noqa: F811
    samples = [make_sample(example, FEATURES) for example in read_examples(folder)]
    settings = TexrexSettings(epochs=20, snapshot_every=10)
    told = []

    alone = train(samples[:12], settings)
    watched = train(samples[:12], settings, held_out=samples[12:], progress=lambda *errors: told.append(errors))

    assert (alone.predict(samples[0].matrix) == watched.predict(samples[0].matrix)).all()
    assert [epoch for epoch, _, _ in told] == [10, 20]
    assert all(training != held_out for _, training, held_out in told)


def test_rows_are_drawn_for_both_kinds_of_folds(tmp_path, monkeypatch):
    write_rows(tmp_path / "rows.dat")
    drawn = {}
    monkeypatch.setattr(plots, "error_figure", lambda panels, _: drawn.update(panels))
    monkeypatch.setattr(plots, "save", lambda *_: None)

    run(
        train_command,
        *("--kind", "texrex", "--data", tmp_path / "rows.dat", "-o", tmp_path / "own.npz"),
        *("--epochs", 40, "--folds", 3, "--plot", tmp_path / "out.png"),
    )

    assert {title: len(curves) for title, curves in drawn.items()} == {
        "folds of blocks": 3,
        "folds of whole documents": 3,
        "all rows": 1,
    }
    assert all(np.isfinite(curve.held_out).all() for curve in drawn["folds of blocks"])


def test_the_command_of_a_card_has_neither_the_picture_nor_folders_of_this_machine(pair, tmp_path, monkeypatch):
    (tmp_path / "own.toml").write_text('kind = "texrex"\nfolds = 0\n[[data]]\nfolder = "pair"\n', "utf-8")
    given = [
        "--recipe",
        f"{tmp_path}/own.toml",
        "--data-root",
        f"{tmp_path}",
        "-o",
        f"{tmp_path}/o.npz",
        "--epochs",
        "1",
    ]
    monkeypatch.setattr(sys, "argv", ["scrapy", "boilerplate", "train", "--plot", f"{tmp_path}/x.png", *given])

    run(train_command, *sys.argv[3:])

    command = "scrapy boilerplate train --recipe own.toml --data-root DIR -o o.npz --epochs 1"
    assert load_model(str(tmp_path / "o.npz")).card["command"] == command


@pytest.mark.parametrize(
    ("command", "arguments"), [(evaluate_command, ()), (train_command, ("-o", "weights.npz", "--kind", "texrex"))]
)
def test_without_matplotlib_the_extra_is_named_before_the_work(command, arguments, pair, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)

    with pytest.raises(UsageError, match=r"matplotlib is not installed.*\.\[plot\]"):
        run(command, "--data", pair, *arguments, "--plot", tmp_path / "out.png")


@pytest.mark.parametrize(("name", "message"), [("out.gif", r"\.png, \.svg, \.pdf"), ("no/out.png", "no such folder")])
def test_a_file_that_could_not_be_written_is_refused_before_the_work(name, message, pair, tmp_path):
    with pytest.raises(UsageError, match=message):
        run(evaluate_command, "--data", pair, "--plot", tmp_path / name)


def test_no_gold_text_means_nothing_to_plot(pair, tmp_path, capsys):
    evaluate_command._plot([], str(tmp_path / "out.png"))

    assert "nothing to plot" in capsys.readouterr().err
    assert not (tmp_path / "out.png").exists()


def test_held_out_pages_have_no_say_in_the_perceptron_either(folder):  # noqa: F811
    pytest.importorskip("torch", reason="training needs torch")
    from scrapy_boilerplate.train import network

    samples = [make_sample(example, network.FEATURES) for example in read_examples(folder)]
    settings = network.MlpSettings(epochs=3, pages_a_batch=4)
    told, alone_told = [], []

    alone = network.train(samples[:12], settings, held_out=(), progress=lambda *errors: alone_told.append(errors))
    watched = network.train(samples[:12], settings, held_out=samples[12:], progress=lambda *errors: told.append(errors))
    plain = network.train(samples[:12], settings)

    for model in (alone, watched):
        assert (samples[0].scores(model) == samples[0].scores(plain)).all()
    assert [errors[:2] for errors in told] == [errors[:2] for errors in alone_told]
    assert all(np.isfinite(errors).all() for errors in told)
    assert all(np.isnan(held_out) for _, _, held_out in alone_told)
