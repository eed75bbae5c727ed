"""The papers' tables on made-up data: every line is there, and what is missing is said."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from scrapy_boilerplate.extras import require
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment
from scrapy_boilerplate.train import boilerpipe_tables, seed_tables
from scrapy_boilerplate.train.boilerpipe_tables import LabelledBlocks
from scrapy_boilerplate.train.classifiers import pearson_vii

PARAGRAPH = "It rained all night, and in the morning the river had risen to the steps of the old mill. "


def write_data(folder, language: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    inputs = random.random((120, 37)).round(3)
    inputs[:, 4], inputs[:, 21:24] = np.arange(120) % 12 / 12, 0
    targets = (inputs[:, 0] < 0.7).astype(int)
    rows = [f"{' '.join(map(str, row))}\n{target}\n" for row, target in zip(inputs.tolist(), targets, strict=True)]
    (folder / f"boilerplate.{language}.dat").write_text(f"120 37 1\n{''.join(rows)}")


def test_the_tables_of_the_texrex_paper(tmp_path, capsys):
    pytest.importorskip("sklearn")
    for seed, language in enumerate(("de", "sv")):
        write_data(tmp_path, language, seed)
    seed_tables.main([str(tmp_path), "--epochs", "20", "--document-epochs", "10"])
    lines = capsys.readouterr().out.splitlines()
    titles = ["Table 1", "Table 2", "Table 3", "Unseen documents", "Across languages"]
    assert [line for line in lines if line.startswith(tuple(titles))] == [
        next(line for line in lines if line.startswith(title)) for title in titles
    ]
    assert sum(line.startswith("mean") for line in lines) == 2
    for method in ("MLP", "SVM (PUK)", "SVM (RBF)", "Log. Reg."):
        assert any(line.startswith(method) for line in lines)
    assert any(line.startswith("all others") for line in lines)


def test_missing_data_is_said(tmp_path, capsys):
    with pytest.raises(SystemExit):
        seed_tables.main([str(tmp_path)])
    assert "boilerplate.de.dat" in capsys.readouterr().err


def test_a_missing_package_is_named_with_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    with pytest.raises(ImportError, match=r"scikit-learn is not installed; try: pip install .*\[train\]"):
        require("sklearn.svm")


def test_the_pearson_vii_kernel():
    points = np.array([[0.0, 0.0], [0.3, 0.4]])
    assert pearson_vii(points, points) == pytest.approx(np.array([[1, 0.5], [0.5, 1]]))
    assert pearson_vii(points, points, omega=2, sigma=0.5)[0, 1] < 0.5


def html_of(number: int) -> str:
    menu = "<ul>" + "<li><a href='/'>Menu</a></li>" * (3 + number % 4) + "</ul>"
    return menu + f"<p>{PARAGRAPH * (1 + number % 3)}</p>" * (2 + number % 5) + "<div>Imprint</div>"


def pages(count: int = 24):
    for number in range(count):
        page = segment(to_tree(html_of(number)))
        yield page, np.array([float(text.startswith("It rained")) for text in page.texts]), f"site{number % 12}.org"


def test_the_table_of_the_boilerpipe_paper():
    pytest.importorskip("sklearn")
    lines = list(boilerpipe_tables.boilerpipe_tables(LabelledBlocks.of(pages()), smallest_leaf=5))
    assert len(lines) == 2 + 1 + 10 + 2 + 1
    numbers = next(line for line in lines if line.startswith("Only number of words")).split()[-6:]
    assert numbers == ["1", "1.000", "1.000", "1.000", "0.000", "1.000"]
    for name in ("NumWords", "Densitometric", "Linear SVM"):
        assert any(line.startswith(name) for line in lines)


def test_no_labelled_pages_are_refused():
    with pytest.raises(ValueError, match="no labelled pages"):
        LabelledBlocks.of([])


@pytest.fixture
def folder(tmp_path):
    """Pairs of pages and gold texts from six sites."""
    for number in range(24):
        link = f'<link rel="canonical" href="https://site{number % 6}.org/{number}">'
        (tmp_path / f"{number:02}.html").write_text(f"<html><head>{link}</head><body>{html_of(number)}")
        gold = [(PARAGRAPH * (1 + number % 3)).strip()] * (2 + number % 5)
        (tmp_path / f"{number:02}.txt").write_text("\n\n".join(gold))
    return tmp_path


def test_the_boilerpipe_table_of_a_folder_needs_enough_sites(folder, capsys):
    with pytest.raises(SystemExit):
        boilerpipe_tables.main([str(folder)])
    assert "6 groups are too few for 10 folds" in capsys.readouterr().err
