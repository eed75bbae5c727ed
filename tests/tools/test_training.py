"""Labels, folds, cards and the network's weights: what a training rests on."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from copy import copy
from typing import Any

import numpy as np
import pytest
from scrapy.exceptions import UsageError

from scrapy_boilerplate import extract
from scrapy_boilerplate.commands import train as train_command
from scrapy_boilerplate.features import Features
from scrapy_boilerplate.models import load_model
from scrapy_boilerplate.models.arithmetic import matmul
from scrapy_boilerplate.models.mlp import Perceptron
from scrapy_boilerplate.models.selection import expected_f1
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment
from scrapy_boilerplate.train.align import label_blocks
from scrapy_boilerplate.train.cards import card_page
from scrapy_boilerplate.train.data import folds_by_site, joined_sites, registered_domain
from scrapy_boilerplate.train.figures import calibrate, reliability, word_quality

from ..pages import PAGE, PARAGRAPHS


def test_blocks_of_the_gold_text_are_content_and_others_are_not():
    texts = ["Home", "News", *PARAGRAPHS, "Imprint"]

    assert label_blocks(texts, "\n\n".join(PARAGRAPHS)).tolist() == [0, 0, 1, 1, 1, 0]


def test_a_menu_word_that_the_article_also_has_is_not_content_by_accident():
    texts = ["council", "pool", *PARAGRAPHS, "schools"]

    assert label_blocks(texts, "\n\n".join(PARAGRAPHS)).tolist() == [0, 0, 1, 1, 1, 0]


def test_a_label_is_the_share_of_the_block_that_is_gold():
    [label] = label_blocks([PARAGRAPHS[0]], " ".join(PARAGRAPHS[0].split()[:-4]))

    assert label == pytest.approx(1 - 4 / len(PARAGRAPHS[0].split()), abs=0.01)


def test_chinese_is_aligned_by_its_characters():
    texts = ["首页", "市议会周二晚上投票决定保留老游泳馆", "联系我们"]

    assert label_blocks(texts, "市议会周二晚上投票决定保留老游泳馆").tolist() == [0, 1, 0]


def test_without_a_gold_text_nothing_is_content():
    assert not label_blocks(list(PARAGRAPHS), "").any()


def test_a_site_is_never_in_two_folds():
    sites = [f"site{number % 7}.example" for number in range(50)]

    folds = folds_by_site(sites, 5)

    assert set(folds) == set(range(5))
    assert len(set(zip(sites, folds, strict=True))) == 7
    assert folds == folds_by_site(sites, 5), "the same every time"


def test_a_site_is_in_the_same_fold_whatever_other_collections_there_are():
    sites, others = ([f"{name}{number}.example" for number in range(500)] for name in ("site", "other"))

    folds = folds_by_site(sites, 5)

    assert folds == folds_by_site([*sites, *others], 5)[:500]
    assert folds != folds_by_site(sites, 5, seed=1)
    assert all(80 < folds.count(fold) < 120 for fold in range(5))


def test_too_few_sites_for_the_folds_are_an_error():
    with pytest.raises(ValueError, match="5 folds need as many sites, and there are 2"):
        folds_by_site(["a.example", "b.example", "a.example"], 5)


def test_a_site_known_by_its_file_name_joins_its_domain():
    sites = ["cnet.com", "readability-cnet-svg-classes", "readability-unknown", "bbc.co.uk"]

    assert joined_sites(sites) == ["cnet.com", "cnet.com", "readability-unknown", "bbc.co.uk"]


def test_a_registered_domain_is_what_somebody_registered():
    assert registered_domain("https://www.news.bbc.co.uk/1/hi") == "bbc.co.uk"


def test_word_quality_is_the_overlap_of_two_bags():
    quality = word_quality("a b b c", "b b b d")

    assert (quality.precision, quality.recall, quality.f1) == (2 / 4, 2 / 4, 2 / 4)
    assert word_quality("", "").f1 == 1
    assert word_quality("a b c d e", "a b c d x", shingle=4).f1 == 1 / 2


def test_calibration_never_falls():
    beliefs, shares = calibrate([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [False, True, False, True, True, True], steps=6)

    assert shares == sorted(shares)
    assert beliefs == sorted(beliefs)
    assert shares[-1] == 1


def test_reliability_counts_by_tenths():
    assert reliability([0.05, 0.95, 0.97], [False, True, False]) == [(0.05, 0.0, 1), (pytest.approx(0.96), 0.5, 2)]


@pytest.mark.parametrize("rows", [0, 1, 6, 7, 8, 300])
def test_a_product_in_pieces_is_the_product(rows):
    generator = np.random.default_rng(rows)
    matrix, weights = generator.random((rows, 350), np.float32), generator.random((350, 96), np.float32)

    assert np.allclose(matmul(matrix, weights), matrix @ weights, rtol=1e-5)


def test_the_expected_f1_is_that_of_the_best_cut():
    cut, expected = expected_f1(np.array([0.9, 0.1, 0.8]), np.array([100.0, 100.0, 50.0]))

    assert cut == 0.8
    assert expected == pytest.approx(2 * (90 + 40) / (150 + 140))


@pytest.mark.parametrize("name", ["mlp", "news"])
def test_weights_survive_saving(name, tmp_path):
    model = load_model(name)
    assert isinstance(model, Perceptron)
    model.save(tmp_path / "again.npz")

    again = extract(PAGE, model=str(tmp_path / "again.npz"))

    assert [block.score for block in again.blocks] == [block.score for block in extract(PAGE, model=name).blocks]
    assert (tmp_path / "again.npz").stat().st_size < 1_000_000


def test_weights_for_features_that_do_not_exist_are_refused(tmp_path):
    model = copy(load_model("mlp"))
    assert isinstance(model, Perceptron)
    model.feature_names = (*model.feature_names[:-1], "nonsense")
    model.save(tmp_path / "other.npz")

    with pytest.raises(ValueError, match="nonsense"):
        load_model(str(tmp_path / "other.npz"))


def test_weights_of_a_single_network_are_refused(tmp_path):
    model = copy(load_model("mlp"))
    assert isinstance(model, Perceptron)
    fixed = ("mean", "scale")
    model.weights = {name: array if name in fixed else array[0] for name, array in model.weights.items()}
    model.save(tmp_path / "single.npz")

    with pytest.raises(ValueError, match=r"single\.npz: made for another version"):
        load_model(str(tmp_path / "single.npz"))


def test_a_score_is_the_mean_of_what_the_members_of_the_committee_say():
    model = committee_of_two()
    root = to_tree(PAGE)
    features = Features(segment(root))
    inputs = features.matrix(model.feature_names), features.surroundings

    said = [member.predict(*inputs) for member in members_of(model)]

    assert len(said) > 1
    assert np.ptp(said, axis=0).max() > 0.001, "each has a mind of its own"
    assert model.predict(*inputs) == pytest.approx(np.mean(said, axis=0), abs=1e-6)


def committee_of_two() -> Perceptron:
    """The shipped network beside one whose output layer is turned around."""
    model = load_model("mlp")
    assert isinstance(model, Perceptron)
    shared = {name: model.weights[name] for name in ("mean", "scale")}
    own = {name: array for name, array in model.weights.items() if name not in shared}
    other = own | {"output": -own["output"] / 2}
    both = {name: np.concatenate((own[name], other[name])) for name in own}
    return Perceptron({**both, **shared}, model.feature_names, model.card)


def members_of(model: Perceptron) -> Iterator[Perceptron]:
    """Each member of a committee as a committee of one."""
    for member in range(len(model.weights["hidden"])):
        shared = {name: model.weights[name] for name in ("mean", "scale")}
        own = {name: array[member : member + 1] for name, array in model.weights.items() if name not in shared}
        yield Perceptron({**own, **shared}, model.feature_names, model.card)


def test_a_truncated_weights_file_is_refused(tmp_path):
    model = load_model("mlp")
    assert isinstance(model, Perceptron)
    model.save(tmp_path / "whole.npz")
    (tmp_path / "part.npz").write_bytes((tmp_path / "whole.npz").read_bytes()[:-1000])

    with pytest.raises(ValueError, match=r"part\.npz"):
        load_model(str(tmp_path / "part.npz"))


@pytest.mark.parametrize("name", ["mlp", "news", "texrex"])
def test_a_shipped_card_tells_how_the_weights_were_made_and_how_good_they_are(name):
    model: Any = load_model(name)
    figures = model.card["cross_validation"]

    assert model.card["command"].startswith("scrapy boilerplate train")
    assert model.card["credit"]
    assert [row["threshold"] for row in figures["thresholds"]] == [pytest.approx(tenth / 10) for tenth in range(1, 10)]
    recalls = [row["recall"] for row in figures["thresholds"]]
    assert recalls == sorted(recalls, reverse=True)
    assert "## Accuracy" in card_page(name, model)


def test_the_readable_card_is_that_of_the_weights():
    from scrapy_boilerplate.models import WEIGHTS

    for name in ("mlp", "news", "texrex"):
        model = load_model(name)
        assert (WEIGHTS / f"{name}.md").read_text("utf-8") == card_page(name, model)


def test_the_train_command_says_what_it_lacks(monkeypatch, tmp_path):
    parser = ArgumentParser()
    train_command.add_options(parser)

    with pytest.raises(UsageError, match="usage"):
        train_command.run([], parser.parse_args(["--data", str(tmp_path)]))
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(UsageError, match=r"torch is not installed.*\.\[train\]"):
        train_command.run([], parser.parse_args(["--data", str(tmp_path), "-o", str(tmp_path / "weights.npz")]))
