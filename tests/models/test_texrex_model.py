"""The texrex model: the weights that are shipped, a FANN network of one's own, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilerplate import extract
from scrapy_boilerplate.models import load_model
from scrapy_boilerplate.models.papers.fann import FannNetwork, Layer
from scrapy_boilerplate.models.papers.texrex import Texrex
from scrapy_boilerplate.models.papers.texrex_inputs import TEXREX_NAMES
from scrapy_boilerplate.models.selection import expected_f1_threshold
from scrapy_boilerplate.models.weights_file import load_weights, save_weights

PARAGRAPH = "The council voted on Tuesday to keep the old library open, and the mayor said that it would be repaired. "
PAGE = f"""<!DOCTYPE html><html><head><title>Library</title></head><body>
<ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li><li><a href="/about">About us</a></li></ul>
<article><h1>The library stays</h1><p>{PARAGRAPH * 3}</p><p>{PARAGRAPH * 4}</p><p>{PARAGRAPH * 2}</p></article>
<div><a href="/1">Read more</a> <a href="/2">Share</a></div><div>© 2026 The Paper</div></body></html>"""


def network(inputs: int = 37) -> FannNetwork:
    random = np.random.default_rng(0)
    hidden, output = random.normal(size=(18, inputs + 1)), random.normal(size=(1, 19))
    return FannNetwork((Layer(hidden.astype(np.float32), 8, 0.5), Layer(output.astype(np.float32), 13, 0.5)))


def test_the_shipped_weights_find_the_article():
    document = extract(PAGE, model=load_model("texrex"))
    assert document.main_text.count("The council voted") == 9
    assert "About us" not in document.main_text
    assert "Read more" not in document.main_text


def test_the_shipped_weights_say_how_they_were_made():
    card = load_model("texrex").card
    assert "CC BY 4.0" in card["credit"][0]
    assert card["cross_validation"]["folders"]["wcxb-dev"]["f1"] >= 0.81
    assert card["cross_validation"]["aged"]["aged"] >= 0.8
    assert load_model("texrex").network.sizes == (37, 18, 1)


def test_a_fann_network_works_as_a_model(tmp_path):
    network().write(tmp_path / "own.net")
    model = Texrex.load(tmp_path / "own.net")
    matrix = np.random.default_rng(1).random((50, 37))
    boilerplate = network().forward(matrix)[:, 0]
    assert model.predict(matrix) == pytest.approx(np.clip(1 - boilerplate, 0, 1))
    assert extract(PAGE, model=model).threshold == 0.5


def test_saved_weights_score_like_the_network(tmp_path):
    path = tmp_path / "own.npz"
    Texrex(network(), threshold=0.4, card={"data": "none"}).save(path)
    model = Texrex.load(path)
    matrix = np.random.default_rng(1).random((50, 37))
    assert (model.predict(matrix) == np.clip(1 - network().forward(matrix)[:, 0], 0, 1)).all()
    assert (model.threshold, model.card) == (0.4, {"data": "none"})


def test_a_network_with_other_inputs_is_refused(tmp_path):
    network(36).write(tmp_path / "small.net")
    with pytest.raises(ValueError, match=r"small.net: a network of 36-18-1 neurons; texrex has 37 inputs"):
        Texrex.load(tmp_path / "small.net")


def test_weights_for_other_features_are_refused(tmp_path):
    path = tmp_path / "own.npz"
    Texrex(network()).save(path)
    arrays, metadata = load_weights(path)
    for names, reason in (
        (["new", *TEXREX_NAMES[1:]], "features new"),
        (TEXREX_NAMES[::-1], "37 features in an order of their own"),
    ):
        save_weights(path, arrays, {**metadata, "feature_names": names})
        with pytest.raises(ValueError, match=rf"own.npz: they were trained on {reason}"):
            Texrex.load(path)


def test_weights_without_a_layer_are_refused(tmp_path):
    path = tmp_path / "own.npz"
    Texrex(network()).save(path)
    arrays, metadata = load_weights(path)
    for broken in ({"layer_0": arrays["layer_0"]}, {**arrays, "layer_1": arrays["layer_1"][:, :5]}):
        save_weights(path, broken, metadata)
        with pytest.raises(ValueError, match=r"own.npz"):
            Texrex.load(path)


def test_the_threshold_is_where_the_expected_f1_is_highest():
    scores, words = np.array([0.9, 0.8, 0.1, 0.0]), np.array([10.0, 10.0, 10.0, 100.0])
    assert expected_f1_threshold(scores, words, 0.5) == 0.8
    assert expected_f1_threshold(np.array([0.4, 0.1]), np.array([50.0, 50.0]), 0.5) == 0.4


def test_blocks_of_equal_score_are_kept_together():
    scores, words = np.array([0.5, 1.0, 0.5, 0.5]), np.array([10.0, 1.0, 10.0, 10.0])
    assert expected_f1_threshold(scores, words, 0.5) == 0.5


def test_a_page_without_words_or_hope_gets_the_default():
    assert expected_f1_threshold(np.zeros(3), np.ones(3), 0.5) == 0.5
    assert expected_f1_threshold(np.ones(3), np.zeros(3), 0.5) == 0.5
    assert expected_f1_threshold(np.zeros(0), np.zeros(0), 0.5) == 0.5
