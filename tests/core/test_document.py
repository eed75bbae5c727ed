"""extract(), Document and Block as a caller sees them."""

from __future__ import annotations

import dataclasses
import gc
import subprocess
import sys
import weakref
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from lxml import etree, html

import scrapy_boilerplate
from scrapy_boilerplate import Block, Document
from scrapy_boilerplate.models import MODELS, load_model

# With the model whose scores can be computed by hand.
extract = partial(scrapy_boilerplate.extract, model="numwords")

LONG = " ".join(["word"] * 30)
PAGE = f"""<html><head><title> A  page
 of words </title></head><body><ul><li><a href="/">Home</a></li></ul>
<article><h1>A page</h1><p>{LONG}</p><p>{LONG} <a>{LONG}</a></p></article></body></html>"""


def test_a_document_has_the_promised_attributes():
    document = extract(PAGE)

    assert isinstance(document, Document)
    assert document.main_text == f"A page\n\n{LONG}"
    assert document.title == "A page of words"
    assert [block.text for block in document.blocks] == ["Home", "A page", LONG, f"{LONG} {LONG}"]
    assert 0.5 < document.score < 1


def test_a_block_has_the_promised_attributes():
    block = extract(PAGE).blocks[3]

    assert isinstance(block, Block)
    assert block.text == f"{LONG} {LONG}"
    assert block.score < 0.5
    assert block.is_content is False
    assert block.tag == "p"
    assert block.xpath == "/html/body/article/p[2]"
    assert block.words == 60
    assert block.link_density == 0.5
    assert block.kind == "paragraph"


@pytest.mark.parametrize("model", MODELS)
def test_a_page_is_let_go_with_its_document_and_not_when_the_garbage_collector_comes_by(model):
    gc.collect()
    gc.disable()
    try:
        document = scrapy_boilerplate.extract(PAGE, model=model)
        assert document.main_text is not None
        features = weakref.ref(document.features)  # which have the tree
        del document
        assert features() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("page", [PAGE, "", "<p>x", b"\0"])
def test_everything_is_of_plain_python_types(page):
    document = extract(page, filter="ancestor")

    assert type(document.main_text) is str
    assert type(document.score) is float
    assert type(document.title) in (str, type(None))
    assert type(document.blocks) is tuple
    types = {
        "text": str,
        "score": float,
        "is_content": bool,
        "tag": str,
        "xpath": str,
        "words": int,
        "link_density": float,
        "kind": str,
        "other_pages": int,
    }
    for block in document.blocks:
        assert {field.name: type(getattr(block, field.name)) for field in dataclasses.fields(block)} == types


def test_a_block_cannot_be_changed():
    block = extract(PAGE).blocks[0]

    with pytest.raises(dataclasses.FrozenInstanceError):
        block.text = "other"


def test_the_same_page_gives_the_same_result_twice():
    first, second = extract(PAGE), extract(PAGE)

    assert (first.blocks, first.main_text, first.score) == (second.blocks, second.main_text, second.score)


def test_attributes_may_be_asked_for_in_any_order():
    forward, backward = extract(PAGE), extract(PAGE)

    one = [forward.main_text, forward.blocks, forward.score, forward.title]
    other = [backward.title, backward.score, backward.blocks, backward.main_text]

    assert one == other[::-1]


def test_extract_never_changes_the_tree_that_it_was_handed():
    root = html.document_fromstring(PAGE)
    before = etree.tostring(root)

    for name in (None, "ancestor", "largest", "main"):
        document = extract(root, filter=name, image_alt=True)
        _ = document.main_text, document.blocks, document.title, document.score, document.to_cleaneval()

    assert etree.tostring(root) == before


def test_the_repr_says_what_was_kept():
    assert repr(extract(PAGE)) == "<Document 'A page of words': 2 of 4 blocks kept>"


# The score of a document


def test_the_score_is_zero_where_nothing_is_kept():
    assert extract("").score == 0.0
    assert extract("<p>short</p>").score == 0.0


def test_the_score_is_the_expected_f1():
    document = extract(PAGE)

    expected = sum(block.score * block.words for block in document.blocks)
    found = sum(block.score * block.words for block in document.blocks if block.is_content)
    kept = sum(block.words for block in document.blocks if block.is_content)
    assert document.score == pytest.approx(2 * found / (kept + expected))


def test_a_clear_page_has_a_higher_score_than_a_doubtful_one():
    clear = extract(f"<p>{LONG} {LONG} {LONG} {LONG}</p>")
    doubtful = extract(f"<p>{' '.join(['word'] * 17)}</p>")

    assert clear.score > doubtful.score > 0


# The title


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("<title>Plain</title>", "Plain"),
        ("<title> White\n space </title>", "White space"),
        ("<title>Fish &amp; Chips</title>", "Fish & Chips"),
        ("<title></title><p>x", None),
        ("<title> \n </title><p>x", None),
        ("<p>no title</p>", None),
        ("<svg><title>Icon</title></svg><p>x", None),
        ("<svg><g><title>Icon</title></g></svg><p>x", None),
        ("<title>First</title><title>Second</title>", "First"),
        ("<body><svg><title>Icon</title></svg><title>Page</title>", "Page"),
    ],
)
def test_the_title_is_that_of_the_page(markup, title):
    assert extract(markup).title == title


def test_the_title_of_an_xhtml_page_is_found():
    root = etree.fromstring("<html xmlns='http://www.w3.org/1999/xhtml'><head><title>T</title></head><body/></html>")

    assert extract(root).title == "T"


def test_a_part_of_a_page_has_the_title_of_the_page():
    root = html.document_fromstring(PAGE)

    assert extract(root.find(".//p")).title == "A page of words"


# Options


def test_options_have_names():
    with pytest.raises(ValueError, match="url = 'numwords'"):
        extract(PAGE, "numwords")
    with pytest.raises(TypeError):
        extract(PAGE, None, "numwords")


@pytest.mark.parametrize("threshold", [-0.01, 1.01, float("nan"), float("inf"), "0.5", True, [0.5], 1j])
def test_a_bad_threshold_is_named(threshold):
    with pytest.raises(ValueError, match=r"threshold = .*: must be None or a number from 0 to 1"):
        extract(PAGE, threshold=threshold)


@pytest.mark.parametrize("threshold", [0, 1, 0.5, np.float32(0.5), np.float64(1), np.int64(0), Fraction(1, 2)])
def test_every_number_from_0_to_1_is_a_threshold(threshold):
    document = extract(PAGE, threshold=threshold)

    assert [block.is_content for block in document.blocks] == [block.score >= threshold for block in document.blocks]


@pytest.mark.parametrize("filter", ["", "Ancestor", "biggest", 1, ["main"], False])
def test_a_bad_filter_is_named(filter):
    with pytest.raises(ValueError, match=r"filter = .*: must be None or one of ancestor, largest, main"):
        extract(PAGE, filter=filter)


@pytest.mark.parametrize("depth", [0, 6, -1, 2.5, 2.0, "2", None, True, [2]])
def test_a_bad_ancestor_depth_is_named(depth):
    with pytest.raises(ValueError, match=r"ancestor_depth = .*: must be a whole number, 1 to 5"):
        extract(PAGE, ancestor_depth=depth, filter="ancestor")


def test_an_unknown_model_is_named():
    with pytest.raises(ValueError, match="unknown model 'nonsense'"):
        extract(PAGE, model="nonsense")


@pytest.mark.parametrize("model", [None, 7, ["numwords"], object()], ids=lambda model: type(model).__name__)
def test_what_is_no_model_at_all_is_a_clear_error(model):
    with pytest.raises((TypeError, ValueError), match="model"):
        extract(PAGE, model=model)


def test_a_model_may_be_given_by_name_or_as_an_object():
    by_name, by_object = extract(PAGE, model="densitometric"), extract(PAGE, model=load_model("densitometric"))

    assert by_name.blocks == by_object.blocks


def test_options_are_checked_before_the_page_is_read():
    with pytest.raises(ValueError, match="filter"):
        extract(object(), filter="nonsense")


def test_without_a_threshold_the_model_chooses():
    assert extract(PAGE).threshold == load_model("numwords").threshold
    assert extract(PAGE, threshold=0.7).threshold == 0.7


def test_the_alternative_text_of_images_is_an_option():
    page = "<p>Seen: <img alt='a heron'></p>"

    assert [extract(page, image_alt=choice).blocks[0].text for choice in (False, True)] == ["Seen:", "Seen: a heron"]


# The front door


def test_every_public_name_is_there():
    for name in scrapy_boilerplate.__all__:
        assert getattr(scrapy_boilerplate, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"scrapy_boilerplate.*nonsense"):
        _ = scrapy_boilerplate.nonsense


def test_importing_the_package_and_extracting_does_not_import_scrapy():
    code = (
        "import sys; from scrapy_boilerplate import extract; extract('<p>x').blocks;"
        "print([name for name in ('scrapy', 'twisted', 'parsel') if name in sys.modules])"
    )

    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert result.stdout.strip() == "[]"
