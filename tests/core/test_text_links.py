"""A link around a whole article is no link to the models; every other one is."""

from __future__ import annotations

import pytest

from scrapy_boilerplate import extract
from scrapy_boilerplate.models import MODELS

from ..pages import PAGE, PARAGRAPHS

BODY = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
TEASER = "<li><a href='/news'>The council keeps the baths open. Letters helped. Repairs begin.</a></li>"


def linked(markup: str) -> list[bool]:
    """For each block whether the models see all of it in a link."""
    return [block.link_density == 1 for block in extract(markup).blocks]


@pytest.mark.parametrize("model", MODELS)
def test_an_article_in_one_link_is_read_as_if_there_were_no_link(model):
    wrapped = PAGE.replace(BODY, f'<a href="/whole">{BODY}</a>')

    document = extract(wrapped, model=model)

    assert document.main_text == extract(PAGE, model=model).main_text
    assert all(paragraph in document.main_text for paragraph in PARAGRAPHS)


@pytest.mark.parametrize("model", MODELS)
def test_so_is_an_article_whose_paragraphs_are_apart_by_line_breaks(model):
    lines = "<br><br>".join(PARAGRAPHS)

    document = extract(PAGE.replace(BODY, f'<p><a href="/whole">{lines}</a></p>'), model=model)

    assert all(paragraph in document.main_text for paragraph in PARAGRAPHS)


def test_a_long_text_in_a_link_is_no_link_though_it_is_not_half_of_the_page():
    long = "".join(f"<p>{paragraph} Part {part}.</p>" for part in range(4) for paragraph in PARAGRAPHS)
    others = "".join(f"<p>Note {number}: {paragraph}</p>" for number in range(9) for paragraph in PARAGRAPHS)

    assert not any(linked(f"<a href='/x'>{long}</a>{others}"))
    assert all(linked(f"<a href='/x'>{BODY}</a>{others}")[:3])


@pytest.mark.parametrize(
    "markup",
    [
        f"<ul>{TEASER * 9}</ul>",
        f"<p>{'<a>A link beside others. It has three sentences. They are short.</a> ' * 20}</p>",
        f"<a>{'<p>no sentence ends in here however long it may be and it is rather long</p>' * 30}</a>",
        f"<a>{'<p>One. Two.</p>' * 99}</a>",
        f"<a href='/x'>{BODY}</a><hr><a href='/x'>{BODY}</a>",
        "<a></a>",
    ],
    ids=["teasers", "many links in a paragraph", "no sentences", "short lines", "the same text twice", "empty"],
)
def test_all_other_links_are_links(markup):
    assert all(linked(markup))


def test_the_link_is_still_an_element_of_the_page():
    block = extract(f"<a href='/x'>{BODY}</a>").blocks[0]

    assert block.xpath.endswith("/a/p[1]")
