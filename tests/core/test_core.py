"""The core in C against the numpy code that defines it: feature by feature, score by score, text by text."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html

from scrapy_boilerplate import _core, extract
from scrapy_boilerplate.features import Features
from scrapy_boilerplate.features.containers import Containers
from scrapy_boilerplate.features.markup import Markup
from scrapy_boilerplate.features.place import Place
from scrapy_boilerplate.features.whole import PAGE_NAMES, Whole
from scrapy_boilerplate.features.wording import Wording
from scrapy_boilerplate.holes import without_holes
from scrapy_boilerplate.models import load_model
from scrapy_boilerplate.models.mlp import Perceptron
from scrapy_boilerplate.models.selection import expected_f1
from scrapy_boilerplate.page import Page
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.render.text import to_text
from scrapy_boilerplate.segment import read_page, segment
from scrapy_boilerplate.segment.walk import walk

from .quality import COLLECTIONS, pages
from .test_properties import many, markup

shim = pytest.importorskip("scrapy_boilerplate._core.shim", reason="the core was not compiled where this was installed")

FAMILIES = (Wording, Markup, Containers, Place, Whole)
NAMES = [name for family in FAMILIES for name in family.names]
LONG = "The council voted on Tuesday, after a long debate, to keep the old baths open for another year. "
KERNELS = range(shim.use_kernel(-1) + 1)

HOSTILE = {
    "nested buttons": "<p>before" + "<button>label " * 1000 + "</p>behind",
    "nested elements": "<div>text" * 1500,
    "rows in cells": "<table><tr><th>a</th><th>b</th></tr>" + "<tr><td>1<td>2" * 300,
    "one long word": "<p>" + "w" * 300_000,
    "joiners": "<p>\u0646\u200c\u0647 a\u200cb \u200d<br>\u0646\u200d\u3000x\u00ad\ufeff</p>" * 30,
    "equal links": f"<a href=/x>{LONG * 4}</a>" * 20,
    "a link around an article": f"<a href=/x><h1>Title</h1><p>{LONG * 4}</p></a><p>more</p>",
    "many class names": "".join(f"<p class='nav-{n} col{n}'>word {n}</p>" for n in range(3000)),
    "unspaced scripts": "<h2>\u6e2f\u53e3</h2><p>\u6f22\u5b57\u3002\u6f22\u5b57\uff0c" * 40,
    "texts that are there twice": f"<div><p>{LONG}</p><p>{LONG * 2}</p></div><article><p>{LONG}</p></article>" * 3,
    "listings": "<pre>line one\nline two\n\nline four</pre><p>text</p>" * 20,
    "capitals of one kind": "<title>\u0130stanbul \u03a3\u03a3</title><p>\u0130STANBUL \u03a3\u03a3</p><p>istanbul",
}


def in_numpy(root: etree._Element, image_alt: bool = False) -> Page:
    return read_page(root, walk, image_alt)


def both(text: str | bytes) -> tuple[Page, Page] | None:
    root = to_tree(text)
    if root is None:
        return None
    pages = segment(root), in_numpy(root)
    return pages if pages[1].texts else None


def assert_same_features(text: str | bytes) -> None:
    if found := both(text):
        compiled, plain = (Features(page).matrix(NAMES) for page in found)
        different = np.abs(compiled - plain).max(axis=0) > 1e-5
        assert [name for name, differs in zip(NAMES, different, strict=True) if differs] == []


def assert_same_scores(text: str | bytes, model: Perceptron) -> None:
    if found := both(text):
        compiled, plain = (model.score(Features(page)) for page in found)
        np.testing.assert_allclose(compiled, plain, atol=1e-4)


def assert_same_texts(text: str | bytes, seed: int) -> None:
    """Whatever is kept."""
    if found := both(text):
        compiled, plain = found
        chance = random.Random(seed)
        for share in (0.1, 0.5, 0.85, 1):
            kept = np.array([chance.random() < share for _ in plain.texts])
            filled = without_holes(plain, kept)
            assert without_holes(compiled, kept).tolist() == filled.tolist()
            numbers = np.flatnonzero(filled).tolist()
            assert to_text(compiled, numbers) == to_text(plain, numbers)


@pytest.fixture(scope="module")
def model() -> Perceptron:
    model = load_model("mlp")
    assert isinstance(model, Perceptron)
    assert model._compiled is not None
    return model


@pytest.fixture
def _kernel(request):
    shim.use_kernel(request.param)
    yield
    shim.use_kernel(-1)


each_kernel = pytest.mark.parametrize("_kernel", KERNELS, indirect=True)


def test_each_column_of_the_core_is_one_of_a_family():
    assert shim.own_columns() == [*Wording.names, *Containers.names, *Place.names]
    assert tuple(shim.page_columns()) == PAGE_NAMES


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_features_of_real_pages(collection):
    for path, _ in pages(collection):
        assert_same_features(path.read_bytes())


@each_kernel
@pytest.mark.usefixtures("_kernel")
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_scores_of_real_pages(collection, model):
    for path, _ in pages(collection):
        assert_same_scores(path.read_bytes(), model)


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_texts_of_real_pages(collection, monkeypatch):
    for path, _ in pages(collection):
        page = path.read_bytes()
        assert_same_texts(page, 0)
        compiled = extract(page).main_text
        with monkeypatch.context() as without:
            without.setattr(_core, "shim", None)
            assert extract(page).main_text == compiled


@pytest.mark.slow
@many
@given(markup)
def test_features_of_random_markup(text):
    assert_same_features(text)


@pytest.mark.slow
@many
@given(markup)
def test_scores_of_random_markup(text):
    assert_same_scores(text, load_model("mlp"))


@pytest.mark.slow
@many
@given(markup, st.integers(0, 1000))
def test_texts_of_random_markup(text, seed):
    assert_same_texts(text, seed)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages(name, model):
    assert_same_features(HOSTILE[name])
    assert_same_scores(HOSTILE[name], model)
    assert_same_texts(HOSTILE[name], 1)


@each_kernel
@pytest.mark.usefixtures("_kernel")
@pytest.mark.parametrize(("members", "hidden", "summary", "joint"), [(1, 64, 12, 32), (2, 5, 3, 7), (1, 48, 16, 33)])
def test_networks_of_any_size(members, hidden, summary, joint):
    """Whatever columns a network has, in whatever order."""
    chance = np.random.default_rng(0)
    own = [name for name in NAMES if name not in Whole.names]
    names = [*chance.permutation(own)[:150], *chance.permutation(Whole.names)[:40]]
    count, width = len(names), summary + 1
    shapes = {
        "mean": (count,),
        "scale": (count,),
        "hidden": (members, count, hidden),
        "hidden_bias": (members, 1, hidden),
        "summary": (members, hidden, summary),
        "summary_bias": (members, 1, summary),
        "content": (members, summary, 1),
        "content_bias": (members, 1, 1),
        "joint": (members, hidden + 12 * width + 9, joint),
        "joint_bias": (members, 1, joint),
        "output": (members, joint, 1),
        "output_bias": (members, 1, 1),
    }
    arrays = {name: chance.normal(0, 0.2, shape).astype(np.float32) for name, shape in shapes.items()}
    arrays["scale"] = np.abs(arrays["scale"]) + 0.1
    card = {"page_features": 40, "least_expected_f1": 0.1}
    model = Perceptron(arrays, names, card)
    assert model._compiled is not None

    for path, _ in pages("other_sites")[:5]:
        assert_same_scores(path.read_bytes(), model)


def test_features_that_the_core_does_not_know_are_computed_in_numpy(caplog):
    original = load_model("mlp")
    assert isinstance(original, Perceptron)
    names = ("words", *original.feature_names[1:])
    model = Perceptron(original.weights, names, original.card)

    with caplog.at_level("INFO"):
        scores = extract(f"<p>{LONG}</p>", model=model).blocks[0].score

    assert 0 <= scores <= 1
    assert "the core doesn't know these features: words" in caplog.text


def test_eight_threads_get_the_results_of_one(model):
    trees = [html.fromstring(path.read_bytes()) for path, _ in pages("other_sites")] * 8

    def read(root):
        document = extract(root, model=model)
        return document.main_text, document.score

    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(read, trees))

    assert together == [read(root) for root in trees]


def test_elements_can_be_read_as_if_they_were_empty():
    root = html.fromstring("<div>one<p>two</p>three<ul><li>four</li></ul> five</div>")
    skipped = root[0], root[1][0]

    walked = shim.walk(root, False, 100, 100, skipped)

    assert walked.texts() == ["one", "three", "five"]
    assert walked.tags() == ["div", "p", "ul", "li"]


def test_texts_with_the_same_letters_have_the_same_hash():
    page = segment(to_tree("<p>Page 12 of 20</p><p>page 3 OF 20</p><p>Seite 3</p>"))
    assert page.walked is not None

    first, second, third = np.frombuffer(page.walked.letter_hashes(), np.uint64).tolist()

    assert first == second != third


def test_memory_that_is_not_there_is_a_memory_error():
    root = to_tree(f"<title>T</title><table><tr><td>{LONG}<br>more<td>b</table><pre>x\ny</pre><ul><li>{LONG}</ul>")
    expected = extract(root).main_text
    failures = 0
    for count in range(10_000):
        shim.fail_allocations_after(count)
        try:
            text = extract(root).main_text
        except MemoryError:
            failures += 1
        else:
            assert text == expected
            break
        finally:
            shim.fail_allocations_after(-1)
    assert extract(root).main_text == expected
    assert failures < 10_000


def test_lone_surrogates_are_refused_and_not_read():
    root = etree.fromstring("<p>one &#xD800; two</p>", etree.XMLParser(recover=True))

    assert extract(root).blocks[0].text == "one two"


@many
@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 50)), max_size=30))
def test_the_cut_for_a_page(blocks):
    scores = np.array([score for score, _ in blocks])
    sizes = np.array([size for _, size in blocks], float)
    found = expected_f1(scores, sizes)
    core, _core.shim = _core.shim, None  # type: ignore[assignment]
    try:
        expected = expected_f1(scores, sizes)
    finally:
        _core.shim = core

    assert found[1] == pytest.approx(expected[1])


def test_what_is_known_of_every_character():
    """The tables of the core are those of Python."""
    from scrapy_boilerplate._core import tables
    from scrapy_boilerplate.features.characters import SPACE, character_classes

    classes = character_classes()
    for page in (*range(0x20), 0x30, 0xFE, 0xFF, 0x1F6):
        entries = np.frombuffer(tables.characters(page)[:1024], np.uint8).reshape(256, 4)
        for number, (own, _, _, traits) in enumerate(entries.tolist()):
            code = 256 * page + number
            character = chr(code)
            assert own == classes[code]
            assert bool(own & SPACE) == character.isspace()
            assert bool(traits & 1) == character.isalnum()
            assert bool(traits & 8) == character.isprintable()
