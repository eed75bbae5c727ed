"""Recipes: the shipped ones, what is wrong in one, and a training that follows one."""

from __future__ import annotations

from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from scrapy.exceptions import UsageError

from scrapy_boilerplate import models
from scrapy_boilerplate.models import load_model
from scrapy_boilerplate.train.recipe import Recipe, Source, read_recipe
from scrapy_boilerplate.train.samples import Augmentation

from ..pages import PARAGRAPHS, article
from .test_train_texrex import run

WEIGHTS = Path(models.__file__).with_name("weights")
DATA = '[[data]]\nfolder = "a"\n'


def written(folder: Path, content: str) -> Path:
    path = folder / "own.toml"
    path.write_text(content, "utf-8")
    return path


@pytest.fixture
def pages(tmp_path):
    """Twelve sites with one page each."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for number, name in enumerate("abcdefghijkl"):
        paragraphs = PARAGRAPHS[: number % 3 + 1]
        (folder / f"{name}.html").write_text(article(*paragraphs), "utf-8")
        (folder / f"{name}.txt").write_text("\n".join(paragraphs), "utf-8")
    return folder


@pytest.mark.parametrize("name", ["mlp", "news", "texrex", "victor", "boilernet"])
def test_a_shipped_recipe_has_the_data_and_settings_of_the_shipped_card(name):
    model: Any = load_model(name)
    recipe = read_recipe(WEIGHTS / f"{name}.toml")

    assert [(Path(source.folder).name, source.weight) for source in recipe.data] == [
        (data["folder"], data["weight"]) for data in model.card["data"]
    ]
    assert recipe.settings == model.card["settings"]
    assert list(recipe.credit) == model.card["credit"]
    assert recipe.folds == model.card["cross_validation"]["folds"]
    assert model.card["command"] == f"scrapy boilerplate train --recipe {name}.toml --data-root DIR -o {name}.npz"


def test_what_a_recipe_leaves_out_has_its_default(tmp_path):
    content = f'{DATA}[[data]]\nfolder = "b"\nweight = 2\n[augment]\naged = 1\n'

    recipe = read_recipe(written(tmp_path, content))

    assert recipe == Recipe(data=(Source("a"), Source("b", 2.0)), augment=Augmentation(aged=1.0))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("kind =", "Invalid value"),
        ("", r"no \[\[data\]\] with a folder"),
        ("data = 3", r"no \[\[data\]\] with a folder"),
        ("[[data]]\nweight = 2\n", "data needs a folder in each entry"),
        (DATA + "wieght = 2\n", r"unknown key data\.wieght; the keys here are folder, weight"),
        (DATA + "weight = 0\n", r"data\.weight must be a number, more than 0, not 0"),
        ("shortened = 0.1\n" + DATA, "unknown key shortened; the keys here are kind, page_type, label_smoothing"),
        ("label_smoothing = 1\n" + DATA, "label_smoothing must be a number, from 0 to less than 1, not 1"),
        ("label_smoothing = nan\n" + DATA, "label_smoothing must be a number, from 0 to less than 1, not nan"),
        ("folds = 1\n" + DATA, "folds must be an integer, 0, or 2 or more, not 1"),
        ("folds = true\n" + DATA, "folds must be an integer, 0, or 2 or more, not True"),
        ("credit = [1]\n" + DATA, r"credit must be a list of texts, not \[1\]"),
        ("page_type = 1\n" + DATA, "page_type must be a text, not 1"),
        ("augment = 1\n" + DATA, "augment must be a table, not 1"),
        (DATA + "[augment]\naged = -1\n", r"augment\.aged must be a number, 0 or more, not -1"),
        (DATA + "[augment]\naged = inf\n", r"augment\.aged must be a number, 0 or more, not inf"),
    ],
)
def test_a_mistake_in_a_recipe_is_named_in_one_line(content, message, tmp_path):
    with pytest.raises(ValueError, match=rf"own\.toml: .*{message}") as raised:
        read_recipe(written(tmp_path, content))

    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('kind = "lstm"\n' + DATA, "kind must be one of mlp, texrex, victor, boilernet, not 'lstm'"),
        (
            'kind = "texrex"\n' + DATA + "[settings]\nepoch = 3\n",
            r"unknown key settings\.epoch; the keys here are hidden",
        ),
        ('kind = "texrex"\n' + DATA + "[settings]\nepochs = 0\n", r"settings\.epochs must be an integer, 1 or more"),
        ('kind = "texrex"\n' + DATA + "[settings]\nfunction = 1\n", r"settings\.function must be an integer, 8 or 5"),
        (
            'kind = "victor"\nlabel_smoothing = 0.1\n' + DATA,
            "victor can't be trained with truncated copies or label_smoothing",
        ),
        (
            'kind = "boilernet"\n' + DATA + "[augment]\ntruncated = 0.1\n",
            "boilernet can't be trained with truncated copies or label_smoothing",
        ),
        ('kind = "victor"\n' + DATA + "weight = 1.5\n", r"weight = 1\.5: victor needs a whole number"),
        ('kind = "victor"\n' + DATA + "[augment]\naged = 0.5\n", r"aged = 0\.5: victor needs a whole number"),
        (
            'kind = "texrex"\npage_type = "x"\n' + DATA.replace("a", "a.dat", 1).replace("da.data", "data"),
            "\\.dat|folder",
        ),
    ],
)
def test_what_a_kind_can_not_do_is_said_before_the_pages_are_read(content, message, tmp_path):
    pytest.importorskip("pycrfsuite")
    with pytest.raises(UsageError, match=message):
        run("--recipe", written(tmp_path, content), "-o", tmp_path / "own.npz")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--recipe", "own.toml", "--kind", "texrex"], "--recipe has the kind and the data"),
        (["--recipe", "own.toml", "--data", "pages"], "--recipe has the kind and the data"),
        (["--recipe", "own.toml", "--from", "mlp"], "leave out --recipe and --kind"),
        (["--data", "pages", "--data-root", "."], "--data-root is for --recipe"),
        (["--data", "pages", "--check", "."], "--check is for --from"),
        (["--recipe", "missing.toml"], "missing.toml"),
        (["--data", "pages", "--folds", "1"], "--folds must be an integer, 0, or 2 or more, not 1"),
        (["--data", "pages", "--epochs", "0"], "--epochs must be an integer, 1 or more, not 0"),
        (["--data", "pages", "--seed", "-1"], "--seed must be an integer, from 0 to 4294967295, not -1"),
    ],
)
def test_options_that_exclude_each_other_are_told(arguments, message, tmp_path):
    with pytest.raises(UsageError, match=message):
        run(*arguments, "-o", tmp_path / "own.npz")


def test_a_recipe_trains_what_the_same_options_train(pages, tmp_path):
    content = 'kind = "texrex"\nfolds = 0\n[[data]]\nfolder = "pages"\n[settings]\nepochs = 3\n'

    run("--recipe", written(tmp_path, content), "--data-root", tmp_path, "-o", tmp_path / "one.npz")
    run("--kind", "texrex", "--data", pages, "--folds", 0, "--epochs", 3, "-o", tmp_path / "other.npz")

    one, other = (load_model(str(tmp_path / f"{name}.npz")) for name in ("one", "other"))
    assert one.card["data"] == other.card["data"] == [{"folder": "pages", "weight": 1.0, "pages": 12}]
    for layer, same in zip(one.network.layers, other.network.layers, strict=True):
        assert (layer.weights == same.weights).all()


@pytest.mark.parametrize(
    "line", ["label_smoothing = 0.2", "[augment]\ntruncated = 0.5", "[augment]\naged = 0.5", 'page_type = "article"']
)
def test_each_part_of_a_recipe_has_its_effect(line, pages, tmp_path):
    (pages / "long.html").write_text(article(*PARAGRAPHS * 8), "utf-8")
    (pages / "long.txt").write_text("\n".join(PARAGRAPHS * 8), "utf-8")
    plain = f'kind = "texrex"\nfolds = 0\n{{}}\n[[data]]\nfolder = "{pages}"\n[settings]\nepochs = 3\n'

    for name, more in {"plain": "", "changed": line}.items():
        run("--recipe", written(tmp_path, plain.format(more)), "-o", tmp_path / f"{name}.npz")

    weights = [load_model(str(tmp_path / f"{name}.npz")).network.layers[0].weights for name in ("plain", "changed")]
    has_effect = bool((weights[0] != weights[1]).any())
    assert has_effect == ("page_type" not in line), "pages without types are of every type"


def test_options_override_a_recipe_and_its_shipped_name_is_enough(pages, tmp_path, monkeypatch):
    recipe = read_recipe(WEIGHTS / "texrex.toml")
    for source in recipe.data:
        copytree(pages, tmp_path / "data" / source.folder)
    monkeypatch.chdir(tmp_path / "data")

    run("--recipe", "texrex.toml", "--folds", 0, "--epochs", 2, "--seed", 3, "-o", "own.npz", "--credit", "me")

    card = load_model("own.npz").card
    assert (card["settings"]["epochs"], card["settings"]["seed"]) == (2, 3)
    assert card["credit"][-1] == "me"
    assert len(card["credit"]) == len(recipe.credit) + 1
    assert "cross_validation" not in card
