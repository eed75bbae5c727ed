"""The two decision trees, against the paper's algorithms; names of models, and models in files."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scrapy.settings import Settings

from scrapy_boilerplate import extract
from scrapy_boilerplate.features import Features, is_feature
from scrapy_boilerplate.models import DEFAULT_MODEL, MODELS, WEIGHTS, Model, load_model
from scrapy_boilerplate.models.papers.fann import FannNetwork, Layer
from scrapy_boilerplate.models.papers.texrex_inputs import TEXREX_NAMES
from scrapy_boilerplate.options import Options
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment

from ..pages import PAGE

repeatable = settings(derandomize=True, database=None, deadline=None, max_examples=300)

CONTENT, BOILERPLATE = True, False


def densitometric_classifier(
    curr_link_density, prev_link_density, curr_text_density, prev_text_density, next_text_density
):
    """Algorithm 1 of the paper, line by line."""
    if curr_link_density <= 0.333333:
        if prev_link_density <= 0.555556:
            if curr_text_density <= 9:
                if next_text_density <= 10:
                    if prev_text_density <= 4:
                        return BOILERPLATE
                    return CONTENT
                return CONTENT
            if next_text_density == 0:
                return BOILERPLATE
            return CONTENT
        if next_text_density <= 11:
            return BOILERPLATE
        return CONTENT
    return BOILERPLATE


def number_of_words_classifier(curr_link_density, prev_link_density, curr_num_words, prev_num_words, next_num_words):
    """Algorithm 2 of the paper, line by line."""
    if curr_link_density <= 0.333333:
        if prev_link_density <= 0.555556:
            if curr_num_words <= 16:
                if next_num_words <= 15:
                    if prev_num_words <= 4:
                        return BOILERPLATE
                    return CONTENT
                return CONTENT
            return CONTENT
        if curr_num_words <= 40:
            if next_num_words <= 17:
                return BOILERPLATE
            return CONTENT
        return CONTENT
    return BOILERPLATE


TREES = {"densitometric": densitometric_classifier, "numwords": number_of_words_classifier}


def around(*limits: float) -> list[float]:
    """Zero, each limit as features hold it, the numbers next to it, and one far above."""
    exact = np.array(limits, np.float32)
    near = [exact, np.nextafter(exact, np.float32(0)), np.nextafter(exact, np.float32(np.inf))]
    return [0.0, *sorted(np.concatenate(near).tolist())]


SHARES = [*around(0.333333, 0.555556), 0.25, 1 / 3, 0.5, 5 / 9, 1.0]
GRIDS = {
    "densitometric": (SHARES, SHARES, [*around(9), 20.0], [*around(4), 20.0], [*around(10, 11), 0.5, 20.0]),
    "numwords": (
        SHARES,
        SHARES,
        [0, 1, 15, 16, 17, 39, 40, 41, 400],
        [0, 3, 4, 5, 6, 400],
        [0, 14, 15, 16, 17, 18, 400],
    ),
}


def score(model: str, *values: float) -> float:
    return load_model(model).predict(np.array([values], np.float32)).item()


shares = st.floats(0, 1, width=32) | st.builds(
    lambda part, whole: part / max(part, whole, 1), st.integers(0, 60), st.integers(1, 60)
)
amounts = st.integers(0, 60).map(float) | st.floats(0, 60, width=32)


@pytest.mark.parametrize("model", TREES)
def test_the_score_says_content_exactly_where_the_paper_does(model):
    rows = np.array(list(itertools.product(*GRIDS[model])), np.float32)

    kept = load_model(model).predict(rows) >= 0.5

    expected = [TREES[model](*row) for row in rows.tolist()]
    assert kept.tolist() == expected
    assert set(expected) == {CONTENT, BOILERPLATE}


@pytest.mark.parametrize("model", TREES)
@repeatable
@given(st.lists(st.tuples(shares, shares, amounts, amounts, amounts), min_size=1, max_size=20))
def test_the_score_says_content_exactly_where_the_paper_does_for_any_numbers(model, rows):
    matrix = np.array(rows, np.float32)

    kept = load_model(model).predict(matrix) >= 0.5

    assert kept.tolist() == [TREES[model](*row) for row in matrix.tolist()]


@pytest.mark.parametrize("model", TREES)
@repeatable
@given(row=st.tuples(shares, shares, amounts, amounts, amounts))
def test_scores_lie_between_0_and_1(model, row):
    assert 0 <= score(model, *row) <= 1


@pytest.mark.parametrize("model", TREES)
def test_a_score_rounded_to_four_places_tells_the_same(model):
    rows = np.array(list(itertools.product(*GRIDS[model])), np.float32)

    scores = load_model(model).predict(rows)

    assert ((np.round(scores, 4) >= 0.5) == (scores >= 0.5)).all()


@pytest.mark.parametrize(
    ("model", "feature", "direction"),
    [
        ("numwords", "link_density", -1),
        ("numwords", "previous_link_density", -1),
        ("numwords", "words", 1),
        ("numwords", "previous_words", 1),
        ("numwords", "next_words", 1),
        ("densitometric", "link_density", -1),
        ("densitometric", "previous_link_density", -1),
        ("densitometric", "previous_text_density", 1),
        ("densitometric", "next_text_density", 1),
    ],
)
def test_the_score_rises_with_text_and_falls_with_links(model, feature, direction):
    position = load_model(model).feature_names.index(feature)
    axes = [GRIDS[model][number] if number != position else sorted(GRIDS[model][number]) for number in range(5)]
    rows = np.array(list(itertools.product(*axes)), np.float32)

    scores = load_model(model).predict(rows).reshape([len(axis) for axis in axes])

    assert (np.diff(scores, axis=position) * direction >= 0).all()


def test_the_densitometric_score_rises_with_density_where_there_is_a_next_block():
    # Without one the tree itself turns round: a dense last block is boilerplate, a sparse one behind text is not.
    links, previous_links, densities, previous, following = GRIDS["densitometric"]
    axes = (
        links,
        previous_links,
        sorted([*densities, 1, 3, 5, 7]),
        previous,
        [value for value in following if value > 0],
    )
    rows = np.array(list(itertools.product(*axes)), np.float32)

    scores = load_model("densitometric").predict(rows).reshape([len(axis) for axis in axes])

    assert (np.diff(scores, axis=2) >= 0).all()


@pytest.mark.parametrize("model", TREES)
def test_a_block_far_from_the_decision_scores_further_from_one_half(model):
    long, short = score(model, 0, 0, 200, 200, 200), score(model, 0, 0, 17, 0, 1)
    linked, all_links = score(model, 0.4, 0, 50, 0, 1), score(model, 1, 0, 50, 0, 1)

    assert long > short > 0.5 > linked > all_links


# Hand-computed pages


def words(count: int) -> str:
    return " ".join(["word"] * count)


def kept(model: str, markup: str) -> list[bool]:
    return [block.is_content for block in extract(markup, model=model).blocks]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (f"<p>{words(17)}</p>", [True]),
        (f"<p>{words(16)}</p>", [False]),  # nothing before, nothing behind
        (f"<p>{words(5)}</p><p>{words(16)}</p>", [True, True]),  # before 16, which is more than 15; behind 5
        (f"<p>{words(4)}</p><p>{words(15)}</p>", [False, False]),
        (f"<p><a>{words(9)}</a></p><p>{words(40)}</p>", [False, False]),  # behind links, 40 words are too few
        (f"<p><a>{words(9)}</a></p><p>{words(41)}</p>", [False, True]),
        (f"<p><a>{words(9)}</a></p><p>{words(3)}</p><p>{words(18)}</p>", [False, True, True]),
        (f"<p><a>{words(9)}</a></p><p>{words(3)}</p><p>{words(17)}</p>", [False, False, True]),
        (f"<p>{words(20)} <a>{words(10)}</a></p>", [False]),  # a third is just above 0.333333
        (f"<p>{words(21)} <a>{words(10)}</a></p>", [True]),
        (f"<p>{words(4)} <a>{words(5)}</a></p><p>{words(17)}</p>", [False, True]),  # 5/9 is just below 0.555556
    ],
)
def test_numwords_on_pages_computed_by_hand(markup, expected):
    assert kept("numwords", markup) == expected


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (f"<p>{words(50)}</p>", [False]),  # density 16, but there is no next block
        (f"<p>{words(50)}</p><p>{words(2)}</p>", [True, True]),  # the second is behind a density above 4
        (f"<p>{words(9)}</p><p>{words(4)}</p>", [False, True]),
        (f"<p>{words(4)}</p><p>{words(4)}</p>", [False, False]),
        (f"<p>{words(10)}</p><p>{words(1)}</p>", [True, True]),
        (f"<p>{words(1)}</p><p>{words(11)}</p>", [True, False]),
        (f"<p><a>{words(9)}</a></p><p>{words(50)}</p><p>{words(11)}</p>", [False, False, False]),
        (f"<p><a>{words(9)}</a></p><p>{words(50)}</p><p>{words(12)}</p>", [False, True, False]),
    ],
)
def test_densitometric_on_pages_computed_by_hand(markup, expected):
    assert kept("densitometric", markup) == expected


# The models as such


# The columns of boilernet are the tags and words that it learnt; tests/test_boilernet.py has its scores.
OF_FEATURES = [name for name in MODELS if name != "boilernet"]


@pytest.mark.parametrize("name", OF_FEATURES)
def test_a_model_names_its_features_and_its_threshold(name):
    model = load_model(name)

    assert isinstance(model, Model)
    assert all(map(is_feature, model.feature_names))
    assert 0 < model.threshold < 1


@pytest.mark.parametrize("name", OF_FEATURES)
def test_a_model_scores_a_page_by_its_matrix(name):
    model = load_model(name)
    features = Features(segment(to_tree(f"<p>{words(20)}</p><p>two words</p>")))

    scores = model.score(features)

    matrix = features.matrix(model.feature_names)
    assert scores.tolist() == pytest.approx(model.predict(matrix, features.surroundings).tolist(), abs=1e-4)
    assert scores.dtype == np.float64


@pytest.mark.parametrize("name", MODELS)
def test_a_page_without_blocks_has_no_scores(name):
    model = load_model(name)
    assert model.predict(np.empty((0, len(model.feature_names)), np.float32)).shape == (0,)


def test_the_default_model_is_one_of_them():
    assert DEFAULT_MODEL in MODELS


@pytest.mark.parametrize("name", ["NumWords", "", "mlp-that-is-not-there"])
def test_an_unknown_model_is_named_with_those_that_there_are(name):
    with pytest.raises(ValueError, match=f"unknown model {name!r}; choose one of: .*numwords.*densitometric"):
        load_model(name)


# Models in files

FANN = FannNetwork((Layer(np.zeros((2, len(TEXREX_NAMES) + 1)), 5, 0.5), Layer(np.zeros((1, 3)), 13, 0.5)))


@pytest.mark.parametrize("name", ["weights.npz", "weights", "weights.bin", "mlp"])
def test_a_path_is_a_model_whatever_its_suffix(tmp_path, monkeypatch, name):
    shutil.copy(WEIGHTS / "mlp.npz", tmp_path / name)
    monkeypatch.chdir(tmp_path)
    expected = extract(PAGE).blocks

    for path in (tmp_path / name, Path(name), str(tmp_path / name)):
        assert extract(PAGE, model=path).blocks == expected
        setting = Options.from_settings(Settings({"BOILERPLATE_MODEL": path})).model
        assert load_model(setting) is not load_model("mlp")
        assert extract(PAGE, model=setting).blocks == expected


@pytest.mark.parametrize("name", ["network.net", "network.fann", "network"])
def test_a_network_is_known_by_what_it_begins_with(tmp_path, name):
    FANN.write(tmp_path / name)

    assert load_model(tmp_path / name).predict(np.zeros((1, len(TEXREX_NAMES)))).shape == (1,)


def test_a_path_without_a_file_is_named():
    for path in (Path("missing"), "missing.npz", "folder/missing"):
        with pytest.raises(ValueError, match=r"there is no model file .*missing"):
            load_model(path)


@pytest.mark.parametrize("zipped", [False, True])
def test_a_model_can_be_a_file_of_a_package(tmp_path, monkeypatch, zipped):
    package = f"shop_{'zipped' if zipped else 'plain'}"
    files = {f"{package}/__init__.py": b"", f"{package}/data/mine.npz": (WEIGHTS / "mlp.npz").read_bytes()}
    place = tmp_path / "project.egg"
    if zipped:
        with ZipFile(place, "w") as egg:
            for name, content in files.items():
                egg.writestr(name, content)
    else:
        for name, content in files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(content)
    monkeypatch.syspath_prepend(str(place))

    assert extract(PAGE, model=f"{package}:data/mine.npz").blocks == extract(PAGE).blocks
    for missing in (f"{package}:other.npz", f"no_{package}:mine.npz"):
        with pytest.raises(ValueError, match=f"there is no model file {missing}"):
            load_model(missing)


def test_the_package_works_from_an_egg_that_is_not_unpacked(tmp_path):
    root = WEIGHTS.parents[1]
    egg = tmp_path / "project.egg"
    with ZipFile(egg, "w") as archive:
        for path in root.rglob("*"):
            if path.suffix not in (".so", ".pyd", ".pyc"):
                archive.write(path, path.relative_to(root.parent))
    code = (
        "import scrapy_boilerplate as b; from scrapy_boilerplate.review.view import file_text\n"
        "print(b.__file__, b.extract('<p>A sentence of some length.').score > 0, file_text('view.js') > '')"
    )

    command, environment = [sys.executable, "-c", code], {**os.environ, "PYTHONPATH": str(egg)}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment, check=True)

    assert done.stdout.split() == [str(egg / root.name / "__init__.py"), "True", "True"]


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("numwords", {"papers.trees"}),
        ("mlp", {"mlp", "importance", "repeats", "listings"}),
        ("texrex", {"papers.texrex", "papers.texrex_inputs", "papers.fann"}),
        ("victor", {"papers.victor", "papers.victor_features", "papers.crf"}),
        ("boilernet", {"papers.boilernet", "papers.leaves", "papers.lstm"}),
    ],
)
def test_a_model_imports_its_own_modules_only(name, own):
    code = f"import sys, scrapy_boilerplate as b; b.extract('<p>text', model={name!r}); print(*sys.modules)"

    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    prefix = "scrapy_boilerplate.models."
    models = {module.removeprefix(prefix) for module in loaded if module.startswith(prefix)}
    assert own <= models
    others = {"mlp", "papers.trees", "papers.fann", "papers.crf", "papers.lstm", "papers.leaves"}
    assert models & others <= own
