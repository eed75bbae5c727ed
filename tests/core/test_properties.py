"""What holds for every page, tried on random markup and random bytes."""

from __future__ import annotations

import copy
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

import scrapy_boilerplate
from scrapy_boilerplate import Document
from scrapy_boilerplate.models import MODELS
from scrapy_boilerplate.parse import to_tree

pytestmark = pytest.mark.slow

# With the model whose scores can be computed by hand.
extract = partial(scrapy_boilerplate.extract, model="numwords")

repeatable = settings(derandomize=True, database=None, deadline=None, max_examples=100)
few = settings(repeatable, max_examples=30)
many = settings(repeatable, max_examples=200)

DROPPED_TAGS = ("head", "script", "style", "template", "textarea", "select", "svg", "button")
TAGS = (
    "html body div div p p span b a a h1 ul li dl dd table tr td pre pre code section noscript x-card o:p label".split()
)
ATTRIBUTES = [""] * 12 + [' href="/x"', ' class="a b"', ' id=main aria-hidden="true"', " data-x='<p>'", " ="]
WORDS = (
    "a the Words, THREE. 2024 | — 9:30 naïve 日本語。 fish&amp;chips &lt;b&gt; &nbsp; &#8203; &shy; < > &"
    " \u200b zero\u200bwidth \0 nu\0ll \ud800 it's “quoted”"
).split(" ")
SPACES = [" ", " ", " ", "", "\n", "\n\n  ", "\t", "\u00a0", "\u2003"]
VOIDS = [
    "<br>",
    "<br><br>",
    "<br/> <br/>",
    "<img alt=picture>",
    "<hr>",
    "<wbr>",
    "<!-- c -->",
    "<input value=v>",
    "<title>T</title>",
    '<p title="',
]
LONG = " The long sentence of an article says more than a menu does, and it goes on for a while."

texts = st.lists(st.sampled_from(WORDS) | st.sampled_from(SPACES), max_size=5).map("".join) | st.just(LONG)
opening = st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES))
closing = st.builds("</{}>".format, st.sampled_from(TAGS))
dropped = st.builds("<{0}>{1}</{0}>".format, st.sampled_from(DROPPED_TAGS[1:]), st.sampled_from(["x", "x()", ""]))
pieces = texts | texts | opening | opening | closing | st.sampled_from(VOIDS) | dropped
markup = (st.lists(pieces, min_size=20, max_size=60) | st.lists(pieces, max_size=5)).map("".join)
garbage = st.binary(max_size=40) | st.sampled_from(
    [b"<p>", b"</", b"<a ", b"&#", b"<!--", b"<meta charset=", b"\xff\xfe", b"\0", b"word "]
)
random_bytes = st.lists(garbage, max_size=12).map(b"".join)
pages = (
    markup
    | random_bytes
    | markup.map(lambda text: text.encode("utf-8", "replace"))
    | markup.map(lambda text: text.encode("utf-16", "replace"))
)


def visible(text: str) -> str:
    """The characters that can be seen, without the white space between them."""
    return "".join(character for character in text if character.isprintable() and not character.isspace())


def text_of(page: str | bytes) -> str:
    """All text of a page as lxml reads it, without the parts that are never text."""
    root = to_tree(page)
    if root is None:
        return ""
    root = copy.deepcopy(root)
    etree.strip_elements(root, *DROPPED_TAGS, "title", "option", with_tail=False)
    return "".join(root.itertext())


def everything(document: Document) -> tuple[object, ...]:
    return document.blocks, document.main_text, document.score, document.title, document.threshold


@many
@given(markup)
def test_all_visible_text_is_in_the_blocks_once_and_in_document_order(page):
    document = extract(page, threshold=0)

    assert visible("".join(block.text for block in document.blocks)) == visible(text_of(page))


@repeatable
@given(pages)
def test_every_word_is_one_of_the_page(page):
    document = extract(page, threshold=0)
    text = visible(text_of(page))

    for word in document.main_text.split():
        assert visible(word) in text


@many
@given(markup)
def test_the_main_text_is_made_of_the_words_of_the_kept_blocks(page):
    for threshold in (0, 0.3):
        document = extract(page, threshold=threshold)
        kept = [word for block in document.blocks if block.is_content for word in block.text.split()]
        assert document.main_text.split() == kept


@repeatable
@given(pages)
def test_without_a_filter_the_threshold_alone_decides(page):
    for threshold in (None, 0, 0.3, 0.8, 1):
        document = extract(page, threshold=threshold)
        limit = 0.5 if threshold is None else threshold
        assert [block.is_content for block in document.blocks] == [block.score >= limit for block in document.blocks]


@pytest.mark.parametrize("filter", ["ancestor", "largest", "main"])
@few
@given(page=pages)
def test_a_filter_keeps_some_of_the_blocks_above_the_threshold(filter, page):
    plain, filtered = extract(page, threshold=0.2), extract(page, threshold=0.2, filter=filter)

    for before, after in zip(plain.blocks, filtered.blocks, strict=True):
        assert before.is_content >= after.is_content
    assert any(b.is_content for b in plain.blocks) == any(b.is_content for b in filtered.blocks)


@pytest.mark.parametrize("model", MODELS)
@few
@given(page=pages)
def test_the_same_page_gives_the_same_result_twice(model, page):
    assert everything(extract(page, model=model)) == everything(extract(page, model=model))


@repeatable
@given(pages)
def test_every_number_is_in_its_range_and_every_block_has_text(page):
    document = extract(page)

    assert 0 <= document.score <= 1
    for block in document.blocks:
        assert block.text.strip()
        assert "\n" not in block.text
        assert 0 <= block.score <= 1
        assert 0 <= block.link_density <= 1
        assert 0 <= block.words <= len(block.text.split())
        block.text.encode("utf-8")


@repeatable
@given(markup)
def test_the_xpath_of_every_block_finds_one_element_of_its_tag(page):
    root = to_tree(page)

    for block in extract(page).blocks:
        [found] = root.xpath(block.xpath)
        assert found.tag == block.tag


@few
@given(markup)
def test_a_tree_is_never_changed(page):
    root = to_tree(page)
    before = etree.tostring(root) if root is not None else None

    if root is not None:
        everything(extract(root, filter="main", image_alt=True))

    assert (etree.tostring(root) if root is not None else None) == before


@few
@given(markup, st.sampled_from(["utf-8", "windows-1252", "utf-16"]))
def test_bytes_that_declare_their_encoding_are_read_like_the_text(page, codec):
    plain = page.encode(codec, "ignore").decode(codec)
    meta = '<html><head><meta charset="windows-1252"></head><body>' if codec == "windows-1252" else "<html><body>"

    assert everything(extract((meta + plain).encode(codec))) == everything(extract(meta + plain))


@many
@given(pages)
def test_cleanevals_format_has_the_same_words_each_behind_a_mark(page):
    document = extract(page, threshold=0)

    url, *lines = document.to_cleaneval().split("\n\n")
    assert url.strip() == "URL:"
    assert all(line[:4] in ("<h> ", "<p> ", "<l> ") and "\n" not in line.strip() for line in lines)
    assert [word for line in lines for word in line[4:].split()] == document.main_text.split()
