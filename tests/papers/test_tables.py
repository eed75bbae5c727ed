"""The papers' tables on made-up data: all lines are printed, and missing data is named."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from scrapy_boilerplate.extras import require
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment
from scrapy_boilerplate.train.data import read_examples

from ..pages import PAGE, PARAGRAPHS
from .__main__ import main
from .boilerpipe import CONTEXT, LabelledBlocks, boilerpipe_tables
from .class_trees import tree_figures
from .classifiers import pearson_vii

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
    main(["texrex", str(tmp_path), "--epochs", "20", "--document-epochs", "10"])
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
        main(["texrex", str(tmp_path)])
    assert "boilerplate.de.dat" in capsys.readouterr().err


def test_a_missing_package_is_named_with_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    with pytest.raises(ImportError, match=r"scikit-learn is not installed; .*pip install .*\[train\]"):
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
    lines = list(boilerpipe_tables(LabelledBlocks.of(pages()), smallest_leaf=5))
    assert len(lines) == 2 + 1 + 10 + 2 + 1
    numbers = next(line for line in lines if line.startswith("Only number of words")).split()
    assert numbers[4:10] == ["1", "1.000", "1.000", "1.000", "0.000", "1.000"]
    assert numbers[10:] == ["|", "0.867", "0.867", "0.867", "0.155", "0.856"]
    for name in ("NumWords", "Densitometric", "Linear SVM"):
        assert any(line.startswith(name) for line in lines)


def test_no_labelled_pages_are_refused():
    with pytest.raises(ValueError, match="no labelled pages"):
        LabelledBlocks.of([])


@pytest.fixture
def folder(tmp_path):
    """Pairs of pages and gold texts, each from a site of its own."""
    for number in range(24):
        link = f'<link rel="canonical" href="https://site{number}.org/">'
        (tmp_path / f"{number:02}.html").write_text(f"<html><head>{link}</head><body>{html_of(number)}")
        gold = [(PARAGRAPH * (1 + number % 3)).strip()] * (2 + number % 5)
        (tmp_path / f"{number:02}.txt").write_text("\n\n".join(gold))
    return tmp_path


def test_the_boilerpipe_table_of_a_folder(folder, capsys):
    pytest.importorskip("sklearn")
    main(["boilerpipe", str(folder), "--smallest-leaf", "5"])

    assert "NumWords: the paper's tree" in capsys.readouterr().out


def test_the_boilerpipe_table_of_a_folder_needs_enough_sites(folder, capsys):
    for page in sorted(folder.glob("*.html"))[6:]:
        page.unlink()

    with pytest.raises(SystemExit):
        main(["boilerpipe", str(folder)])
    assert "6 groups are too few for 10 folds" in capsys.readouterr().err


def annotated(number: int) -> str:
    body = "".join(f'<p><span class="x-nc-sel2">{text}</span></p>' for text in PARAGRAPHS)
    headline = f'<h1><span class="x-nc-sel1">Headline {number}</span></h1>'
    menu = "".join(f"<li><a href='/'>Item {item}</a></li>" for item in range(3 + number % 6))
    link = f'<link rel="canonical" href="https://site{number}.org/">'
    return f"<head>{link}</head><ul>{menu}</ul>{headline}{body}<a>Imprint</a>"


def test_decision_trees_learn_from_the_other_pages(tmp_path):
    pytest.importorskip("sklearn")
    for number in range(6):
        (tmp_path / f"{number}.html").write_text(annotated(number), "utf-8")

    figures = tree_figures(read_examples(tmp_path), CONTEXT, folds=3)

    assert figures["folds"] == 3
    assert figures["two_classes"]["accuracy"] == figures["four_classes"]["accuracy"] == 1.0
    assert figures["four_classes"]["auc"] == pytest.approx(1.0)
    assert figures["four_classes"]["classes"]["headline"]["words"] == 12
    assert figures["four_classes"]["classes"]["supplemental"]["words"] == 0


def test_one_page_is_not_enough_for_a_tree(tmp_path):
    (tmp_path / "a.html").write_text(annotated(0), "utf-8")
    (tmp_path / "b.html").write_text("", "utf-8")

    assert tree_figures(read_examples(tmp_path), CONTEXT) is None
    assert tree_figures([], CONTEXT) is None


def test_pages_whose_words_have_classes_get_the_trees_of_both_tasks(tmp_path, capsys):
    pytest.importorskip("sklearn")
    for number in range(12):
        (tmp_path / f"{number}.html").write_text(annotated(number), "utf-8")

    main(["boilerpipe", str(tmp_path), "--smallest-leaf", "2"])

    printed = capsys.readouterr().out
    assert "decision tree, 10 folds of pages" in printed
    assert "words, classified as" in printed


@pytest.fixture
def cleaneval(tmp_path):
    """Six pages of six sites in CleanEval's layout."""
    root = tmp_path / "cleaneval"
    root.mkdir()
    for number in range(6):
        page = PAGE.replace("<head>", f'<head><link rel="canonical" href="https://site{number}.org/">')
        gold = "<p>" + "\n<p>".join(PARAGRAPHS)
        for folder, suffix, content in (("input", "html", page), ("GoldStandard", "txt", gold)):
            (root / folder).mkdir(exist_ok=True)
            (root / folder / f"{number}.{suffix}").write_text(content, "utf-8")
    return root


def test_the_tables_of_the_victor_paper(cleaneval, capsys):
    pytest.importorskip("pycrfsuite")
    main(["victor", str(cleaneval), "--folds", "2"])

    printed = capsys.readouterr().out
    assert "victor: marks alone" in printed
    assert next(line for line in printed.splitlines() if line.startswith("header")).split()[1] == "1996"
    rows = [line for line in printed.splitlines() if line.startswith(("paper, Exp", "victor, 2 folds", "victor  "))]
    assert [row.partition("  ")[0] for row in rows[:3]] == ["paper, Exp-1", "paper, Exp-2", "paper, Exp-3"]
    labels, content, markup, text, total = map(float, rows[4].split()[-5:])
    assert rows[4].startswith("victor, 2 folds of these pages")
    assert labels <= content
    assert total == pytest.approx((markup + text) / 2, abs=0.001)


def test_victor_wants_cleaneval(folder, capsys):
    with pytest.raises(SystemExit):
        main(["victor", str(folder)])
    assert "not in CleanEval's layout" in capsys.readouterr().err


def test_the_ancestor_filter_by_its_depth(folder, capsys):
    main(["ancestor", str(folder), "--model", "numwords"])

    lines = capsys.readouterr().out.splitlines()
    rows = [line.partition("  ")[0] for line in lines]
    assert rows[0] == "paper, tables 1 and 2"
    assert lines[rows.index("ancestor, depth 2")].split()[-1] == "0.890"
    rows = rows[rows.index("numwords, 24 pages") :]
    assert {"none", "ancestor, depth 2", "ancestor, depth 3", "main"} <= set(rows)


def test_the_tables_of_the_boilernet_paper(folder, cleaneval, capsys):
    main(["boilernet", str(folder)])
    printed = capsys.readouterr().out
    assert "table 2: GoogleTrends-2017" in printed
    assert "ours, 24 pages" in printed

    main(["boilernet", str(cleaneval)])
    lines = capsys.readouterr().out.splitlines()
    assert "table 1: CleanEval" in lines[0]
    paper, ours = (line.split()[1:] for line in lines if line.lower().startswith("boilernet"))
    assert paper == ["0.820", "0.830", "0.820", "0.870", "0.860", "0.870"]
    assert all(0 <= float(figure) <= 1 for figure in ours)


def test_a_network_is_trained_as_in_the_boilernet_paper(folder, capsys):
    pytest.importorskip("torch", reason="training needs torch")
    main(["boilernet", str(folder), "--training", str(folder), "--units", "4", "--epochs", "1"])

    assert f"boilernet, 24 pages of {folder.name}" in capsys.readouterr().out


def test_boilernet_by_its_size(folder, tmp_path, capsys):
    pytest.importorskip("torch", reason="training needs torch")
    main(["boilernet-sizes", str(folder), "--units", "2", "4", "--epochs", "1", "--weights", str(tmp_path)])

    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[3:5]] == ["2", "4"]
    assert (tmp_path / "boilernet-4.npz").stat().st_size > (tmp_path / "boilernet-2.npz").stat().st_size


def test_boilernet_without_torch_says_what_to_install(folder, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "torch", None)

    with pytest.raises(SystemExit):
        main(["boilernet-sizes", str(folder)])
    assert 'pip install ".[train]"' in capsys.readouterr().err
