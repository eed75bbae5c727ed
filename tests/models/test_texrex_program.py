"""Networks that texrex has trained: they see the inputs that texrex computes, whatever kind of page they clean."""

from __future__ import annotations

import numpy as np
import pytest
from lxml import html
from parsel import Selector
from scrapy.http import HtmlResponse

from scrapy_boilerplate import extract
from scrapy_boilerplate.models import load_model
from scrapy_boilerplate.models.papers.fann import FannNetwork, Layer
from scrapy_boilerplate.models.papers.texrex import Texrex
from scrapy_boilerplate.models.papers.texrex_literal import literal_features
from scrapy_boilerplate.models.papers.texrex_program import PROGRAM_NAMES

from ..pages import PAGE

SENTENCE = "The ferry sailed at noon, and the café on the pier was full. "
BODY = f"""<!DOCTYPE html><html><head><title>Ferry</title></head><body class="x">
<ul><li><a href="/">Home</a></li><li><a href="/n">News</a></li></ul>
<h1>Ferry   news</h1><p>{SENTENCE}Write to a@b.org &amp; see <b>more</b> &lt;here&gt;.</p><!-- <p>no</p> -->
<dl><dt>When</dt><dd>{SENTENCE * 2}</dd></dl><div>Home</div><pre>one
two</pre></body></html>"""


@pytest.fixture
def net(tmp_path):
    """The path of a network with random weights."""
    random = np.random.default_rng(3)
    hidden, output = random.normal(size=(18, 38)), random.normal(size=(1, 19)) / 3
    path = tmp_path / "random.net"
    FannNetwork((Layer(hidden.astype(np.float32), 5, 0.5), Layer(output.astype(np.float32), 13, 0.5))).write(path)
    return path


def scores_of_program(page: bytes, net) -> list[tuple[str, float]]:
    """The blocks of the program's own without white space, and the score that the network gives each."""
    blocks, matrix = literal_features(page)
    outputs = FannNetwork.read(net).forward(matrix.astype(np.float32))[:, 0]
    return [("".join(block.plain.split()), 1 - output) for block, output in zip(blocks, outputs, strict=True)]


@pytest.mark.parametrize("page", [BODY, PAGE], ids=["own", "shared"])
def test_each_block_has_the_score_of_the_block_of_texrex_around_it(page, net):
    expected = scores_of_program(page.encode(), net)
    blocks = extract(page, model=net).blocks
    assert len(blocks) >= len(expected)
    for block in blocks:
        text = "".join(block.text.split())
        around = [score for whole, score in expected if text in whole]
        assert any(block.score == pytest.approx(np.clip(score, 0, 1), abs=1e-6) for score in around), block.text


def test_every_kind_of_page_has_the_same_scores(net):
    model = load_model(net)
    expected = [block.score for block in extract(BODY, model=model).blocks]
    latin = BODY.replace('class="x"', "").encode("latin-1")
    pages = (
        BODY.encode(),
        HtmlResponse("https://example.org/", body=BODY.encode("utf-16"), encoding="utf-16"),
        HtmlResponse("https://example.org/", body=BODY.encode("utf-8"), encoding="utf-8"),
    )
    for page in pages:
        assert [block.score for block in extract(page, model=model).blocks] == expected
    response = HtmlResponse("https://example.org/", body=latin, encoding="latin-1")
    assert any("café" in block.text and block.score for block in extract(response, model=model).blocks)


@pytest.mark.parametrize("parse", [Selector, html.document_fromstring])
def test_of_a_tree_the_html_that_lxml_writes_is_read(parse, net):
    matrix = extract(parse(BODY), model=net).features.matrix(PROGRAM_NAMES)
    assert matrix.any(axis=1).all()
    assert matrix[:, PROGRAM_NAMES.index("texrex_program_doctype_html5")].all()


def test_a_part_of_a_tree_has_scores_too(net):
    part = html.document_fromstring(BODY).find(".//ul")
    assert extract(part, model=net).features.matrix(PROGRAM_NAMES).any(axis=1).tolist() == [True, True]


def test_texts_that_texrex_drops_have_a_score_of_0(net):
    page = f"<body><p>{SENTENCE}</p><form><p>Your name</p></form><p>{SENTENCE}Again.</p>"
    scores = {block.text[:9]: block.score for block in extract(page, model=net, threshold=0).blocks}
    assert scores["Your name"] == 0
    assert scores["The ferry"] > 0


def test_a_page_without_a_body_is_read_as_one(net):
    page = f"<p>{SENTENCE}</p><p>Imprint</p>"
    assert [block.score for block in extract(page, model=net).blocks] == [
        block.score for block in extract(f"<body>{page}", model=net).blocks
    ]


def test_saved_weights_keep_the_inputs_and_the_threshold(net, tmp_path):
    Texrex(FannNetwork.read(net), PROGRAM_NAMES).save(tmp_path / "own.npz")
    model = load_model(tmp_path / "own.npz")
    assert model.feature_names == PROGRAM_NAMES
    assert extract(BODY, model=model).blocks == extract(BODY, model=net).blocks
    assert extract(BODY, model=model).threshold == 0.5


@pytest.mark.parametrize(
    "part",
    [
        "<p>" * 100_000,
        "a" * 200_000 + " @b ",
        "&lt;a" * 60_000,
        "<!doctype" * 60_000,
        "<b>x</b>" * 60_000,
        "x@" * 100_000,
        "<!--" * 50_000,
        "<p>x" * 60_000,
        "http://;;" * 40_000,
    ],
    ids=lambda part: part[:9],
)
def test_hostile_pages_are_read_in_linear_time(part, net):
    page = f"<body><p>{SENTENCE}</p>{part}"
    document = extract(page, model=net)
    assert document.blocks[0].text.startswith("The ferry")
