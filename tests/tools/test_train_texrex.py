"""The texrex model, trained by the command: on pages and on rows of features."""

from __future__ import annotations

from argparse import ArgumentParser

import numpy as np
import pytest
from scrapy.exceptions import UsageError

from scrapy_boilerplate import extract
from scrapy_boilerplate.commands import train as train_command
from scrapy_boilerplate.models import load_model
from scrapy_boilerplate.models.papers.texrex import Texrex
from scrapy_boilerplate.train.data import read_examples
from scrapy_boilerplate.train.samples import make_sample
from scrapy_boilerplate.train.texrex import FEATURES, TexrexSettings, train

PARAGRAPH = "It rained all night, and in the morning the river had risen to the steps of the old mill. "


def html_of(number: int) -> str:
    menu = "<ul>" + "<li><a href='/'>Menu</a></li>" * (3 + number % 4) + "</ul>"
    return menu + f"<p>{PARAGRAPH * (1 + number % 3)}</p>" * (2 + number % 5) + "<div>Imprint</div>"


@pytest.fixture
def folder(tmp_path):
    """Pairs of pages and gold texts from six sites."""
    pages = tmp_path / "pages"
    pages.mkdir()
    for number in range(24):
        link = f'<link rel="canonical" href="https://site{number % 6}.org/{number}">'
        (pages / f"{number:02}.html").write_text(f"<html><head>{link}</head><body>{html_of(number)}")
        gold = [(PARAGRAPH * (1 + number % 3)).strip()] * (2 + number % 5)
        (pages / f"{number:02}.txt").write_text("\n\n".join(gold))
    return pages


def run(*arguments: object) -> None:
    parser = ArgumentParser()
    train_command.add_options(parser)
    train_command.run([], parser.parse_args(list(map(str, arguments))))


def write_rows(path, inputs: int = 37) -> None:
    values = np.random.default_rng(0).random((120, inputs)).round(3)
    values[:, 4], values[:, 21:24] = np.arange(120) % 12 / 12, 0  # what tells twelve documents apart
    targets = (values[:, 0] < 0.7).astype(int)
    rows = [f"{' '.join(map(str, row))}\n{target}\n" for row, target in zip(values.tolist(), targets, strict=True)]
    path.write_text(f"120 {inputs} 1\n{''.join(rows)}")


def test_it_is_trained_cross_validated_and_written(folder, tmp_path, capsys):
    output = tmp_path / "own.npz"

    run("--kind", "texrex", "--data", folder, "-o", output, "--epochs", 60, "--folds", 3)

    figures = Texrex.load(output).card["cross_validation"]["folders"][str(folder)]
    assert figures["f1"] > 0.95
    assert "# own\n" in capsys.readouterr().out
    assert extract(html_of(1), model=str(output)).main_text.startswith("It rained")


def test_the_same_command_gives_the_same_weights(folder, tmp_path):
    output = tmp_path / "own.npz"
    command = ("--kind", "texrex", "--data", folder, "-o", output, "--epochs", 10, "--folds", 0)

    run(*command)
    first = output.read_bytes()
    run(*command)

    assert output.read_bytes() == first


def test_the_snapshot_with_the_best_validation_error_is_kept(folder):
    samples = [make_sample(example, FEATURES) for example in read_examples(folder)]
    errors = []

    model = train(
        samples[:18],
        TexrexSettings(epochs=60, snapshot_every=10),
        validation=samples[18:],
        progress=lambda _epoch, _training, error: errors.append(error),
    )

    assert len(errors) == 6
    for sample in samples:
        assert ((model.predict(sample.matrix) > 0.5) == (sample.labels > 0.5)).all()


def test_pages_without_content_are_no_training_data(tmp_path):
    (tmp_path / "a.html").write_text("<p>Menu</p>")
    (tmp_path / "a.txt").write_text("")

    with pytest.raises(UsageError, match="no page with content"):
        run("--kind", "texrex", "--data", tmp_path, "-o", tmp_path / "own.npz", "--folds", 0)


def test_rows_of_features_are_judged_by_blocks_and_by_documents(tmp_path, capsys):
    write_rows(tmp_path / "rows.dat")
    output = tmp_path / "own.npz"

    run("--kind", "texrex", "--data", tmp_path / "rows.dat", "-o", output, "--epochs", 40, "--folds", 3)

    model = load_model(str(output))
    assert isinstance(model, Texrex)
    by = model.card["rows"]["kept_together"]
    assert by["blocks"]["best"]["accuracy"] >= by["blocks"]["at 0.5"]["accuracy"] > 0.7
    assert -0.1 <= by["whole documents"]["balanced"]["threshold"] <= 1
    assert "| whole documents | best, " in capsys.readouterr().out


def test_rows_that_do_not_fit_are_refused(tmp_path):
    write_rows(tmp_path / "rows.dat", inputs=36)

    with pytest.raises(UsageError, match=r"rows\.dat: 36 inputs instead of 37"):
        run("--kind", "texrex", "--data", tmp_path / "rows.dat", "-o", tmp_path / "own.npz")
    with pytest.raises(UsageError, match="for the kind texrex"):
        run("--data", tmp_path / "rows.dat", "-o", tmp_path / "own.npz")
