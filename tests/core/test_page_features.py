"""What `mlp` measures beside the text itself: the elements around a block, what they are for, the page and its head."""

from __future__ import annotations

import random

import numpy as np
import pytest

from scrapy_boilerplate.features import Features
from scrapy_boilerplate.features.cues import CUES, STEMS
from scrapy_boilerplate.features.elements import Elements
from scrapy_boilerplate.page import Head, Page
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment

LONG = "The council voted on Tuesday, after a long debate, to keep the old baths open for another year. "


def measured(markup: str) -> Features:
    root = to_tree(markup)
    return Features(segment(root))


def column(markup: str, name: str) -> list[float]:
    return measured(markup).matrix((name,))[:, 0].tolist()


# The tree


def random_page(seed: int) -> Page:
    """Elements in the order of a document, each with a parent that is still open, and blocks anywhere in them."""
    chance = random.Random(seed)
    page = Page(tags=["body"], parents=[-1], classes=[""])
    path = [0]
    for _ in range(chance.randrange(60)):
        if chance.random() < 0.4:
            page.texts.append("text")
            page.block_nodes.append(path[-1])
        if chance.random() < 0.6:
            page.tags.append(chance.choice(["div", "p"]))
            page.classes.append(chance.choice(["", "a"]))
            page.parents.append(path[-1])
            path.append(len(page.parents) - 1)
        else:
            path = path[: chance.randint(1, len(path))]
    return page


def is_inside(page: Page, node: int, element: int) -> bool:
    while node > element:
        node = page.parents[node]
    return node == element


@pytest.mark.parametrize("seed", range(40))
def test_the_spans_of_elements_are_those_of_a_plain_search(seed):
    page = random_page(seed)
    elements = Elements(page)

    for element in range(len(page.parents)):
        inside = [node for node in range(len(page.parents)) if is_inside(page, node, element)]
        blocks = [number for number, node in enumerate(page.block_nodes) if is_inside(page, node, element)]
        assert elements.ends[element] == inside[-1] + 1
        assert list(range(elements.first_blocks[element], elements.last_blocks[element])) == blocks
        assert elements.count(elements.nodes)[element] == len(blocks)


@pytest.mark.parametrize("seed", range(10))
def test_depth_and_equal_siblings_are_those_of_a_plain_search(seed):
    page = random_page(seed)
    elements = Elements(page)
    marks = list(zip(page.parents, page.tags, page.classes, strict=True))

    assert elements.depths.tolist() == [
        sum(is_inside(page, node, element) for element in range(node)) for node in range(len(page.parents))
    ]
    assert elements.equal_siblings[1:].tolist() == [marks.count(mark) for mark in marks[1:]]


@pytest.mark.parametrize("seed", range(10))
def test_what_holds_for_an_element_is_found_from_the_blocks_in_it(seed):
    page = random_page(seed)
    elements = Elements(page)
    generator = random.Random(seed)
    bits = [1 << number if generator.random() < 0.3 else 0 for number in range(min(len(page.tags), 60))]
    bits += [0] * (len(page.tags) - len(bits))

    around = [[element for element in range(node + 1) if is_inside(page, node, element)] for node in page.block_nodes]
    marked = [[element for element in elements if bits[element]] for elements in around]
    assert elements.innermost(np.array(bits) > 0).tolist() == [max(elements, default=-1) for elements in marked]
    assert elements.inherited(np.array(bits))[elements.nodes].tolist() == [
        sum(bits[element] for element in elements) for elements in marked
    ]


def test_wrappers_are_passed_over_on_the_way_out():
    features = measured("<body><div><section><p>one</p></section></div><p>two</p>")
    elements = features.elements

    assert features.page.tags[int(elements.outer[elements.nodes[0]])] == "body"


# Cues in class names and ids


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        ("", set()),
        ("x7f3", set()),
        ("main-navigation", {"main", "navigation"}),
        ("siteFooter", {"footer"}),
        ("relatedPosts", {"related", "article"}),
        ("footage", set()),
        ("ad", {"advert"}),
        ("ads-top", {"advert"}),
        ("load", set()),
        ("tags", {"tag"}),
        ("stage", set()),
        ("topbar", {"navigation", "header"}),
        ("reply", {"comment", "forum"}),
        ("poster", set()),
        ("post", {"article"}),
        ("news-body", {"article"}),
        ("COOKIE-Banner", {"cookie", "header"}),
    ],
)
def test_class_names_tell_what_an_element_is_for(names, groups):
    found = CUES[names]

    assert {name for bit, name in enumerate(STEMS) if found >> bit & 1} == groups


def test_several_names_tell_what_each_of_them_does():
    assert CUES["share comment"] == CUES["share"] | CUES["comment"]


def test_a_name_is_read_up_to_a_length():
    assert CUES["x" * 200 + "footer"] == 0


def test_a_site_that_makes_up_names_does_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr("scrapy_boilerplate.features.cues._MOST_REMEMBERED", 100)

    for number in range(1000):
        assert CUES[f"x{number} nav{number}"] == CUES["nav"]

    assert len(CUES) <= 100 + 3  # the two names, and both together


# Marks of the elements around a block


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        ("<nav><ul><li>{}</li></ul></nav>", "in_nav"),
        ("<div role=navigation><p>{}</p></div>", "in_role_navigation"),
        ("<div role=MAIN><p>{}</p></div>", "in_role_main"),
        ("<div itemprop=articleBody><p>{}</p></div>", "in_property_body"),
        ("<div hidden><p>{}</p></div>", "in_hidden"),
        ("<div aria-hidden=true><p>{}</p></div>", "in_aria_hidden"),
        ("<div style='color: red; display : none'><p>{}</p></div>", "in_display_none"),
        ("<div class=comments><div><div><div><p>{}</p></div></div></div></div>", "in_cue_comment"),
        ("<div class=comments><p>{}</p></div>", "near_cue_comment"),
        ("<a href=/><div>{}</div></a>", "in_link"),
        ("<blockquote>{}</blockquote>", "is_blockquote"),
    ],
)
def test_a_block_has_the_marks_of_the_elements_around_it_and_its_neighbours_have_not(markup, name):
    assert column(f"<body><p>before</p>{markup.format('inside')}<p>after</p>", name) == [0, 1, 0]


@pytest.mark.parametrize("attribute", ["role=banana", "itemprop=banana", "aria-hidden=false", "style=display:block"])
def test_attributes_that_say_nothing_leave_no_mark(attribute):
    pages = [measured(f"<div {extra}><p>text</p></div>") for extra in ("", attribute)]
    plain, marked = (features.markup.rows for features in pages)

    np.testing.assert_array_equal(plain, marked)


def test_cues_far_above_are_not_near():
    assert column("<div class=comments><div><div><div><p>text", "near_cue_comment") == [0]


# Containers


def test_the_best_container_is_the_one_around_the_paragraphs():
    features = measured(
        f"<body><ul><li><a href=/>{LONG}</a></ul><div id=story><p>{LONG}</p><p>{LONG}</p></div><p>{LONG[:40]}"
    )

    assert features.page.classes[features.containers.best] == "story"
    assert features.matrix(("in_best",))[:, 0].tolist() == [0, 1, 1, 0]
    assert features.matrix(("before_best",))[:, 0].tolist() == [1, 0, 0, 0]
    assert features.matrix(("after_best",))[:, 0].tolist() == [0, 0, 0, 1]


def test_a_series_of_equal_elements_makes_cards():
    card = "<div class=card><h3><a href=/>Title</a></h3><p>Teaser</p></div>"

    assert column(f"<body><p>intro</p><div>{card * 3}</div>", "card_found") == [0] + [1] * 6
    assert column(f"<body><p>intro</p><div>{card * 2}</div>", "card_found") == [0] * 5


def test_shares_of_the_page_are_shares_of_its_words():
    markup = "<body><div><p>one two three</p></div><div><p>four</p></div>"

    assert column(markup, "own_page_share") == [0.75, 0.25]


# Place


def test_blocks_know_the_heading_above_them():
    markup = "<body><p>before</p><h1>Headline</h1><p>one</p><h3>Part</h3><p>two</p>"

    assert column(markup, "heading_level") == [7, 7, 1, 1, 3]
    assert column(markup, "top_heading_before") == [0, 0, 1, 1, 1]


def test_the_highest_heading_stands_in_for_a_missing_h1():
    assert column("<body><h3>Headline</h3><p>one</p><h4>Part</h4><p>two</p>", "top_heading_before") == [0, 1, 1, 1]


def test_repeated_texts_are_counted():
    markup = "<body><p>Read more</p><p>Else</p><p>Read more</p>"

    np.testing.assert_allclose(column(markup, "log_equal_texts"), np.log1p([1, 0, 1]), rtol=1e-6)
    assert column(markup, "is_repeated_before") == [0, 0, 1]


def test_the_title_is_found_on_the_page():
    markup = "<title>Baths to stay open | The Herald</title><body><p>Menu</p><h1>Baths to stay open</h1><p>Text</p>"

    assert column(markup, "is_title_part") == [0, 1, 0]
    assert column(markup, "title_block_before") == [0, 1, 1]


# The head and the page as a whole


def test_the_head_is_read():
    root = to_tree(
        "<title> Baths \n stay </title><meta property=og:type content=Article>"
        "<meta name=description content='All of it'>"
        "<link rel=canonical href='https://example.org/news/baths-to-stay-open-after-all'>"
        "<meta property=article:published_time content=2024-03-15>"
        '<script type="application/ld+json">{"@type": ["NewsArticle"], "author": {"@type":"Person"}}</script><p>text'
    )

    assert segment(root).head == Head(
        title="Baths stay",
        description="All of it",
        og_type="article",
        address="https://example.org/news/baths-to-stay-open-after-all",
        types=frozenset({"newsarticle", "person"}),
        has_published_time=True,
    )


def test_the_title_of_a_drawing_is_none_and_a_part_has_that_of_its_page():
    icon = "<svg><title>Icon</title></svg>"
    root = to_tree(f"<body>{icon}<title>Ba\u00adths</title><p>text")

    assert segment(to_tree(f"<body>{icon}<p>text")).head.title == ""
    assert segment(root).head.title == segment(root.find(".//p")).head.title == "Baths"


def test_a_page_without_a_head_says_nothing():
    assert segment(to_tree("<p>text")).head == segment(None).head == Head()


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ('<meta property="og:type" content="product">', "page_og_product"),
        ('<script type="application/ld+json">{"@type":"Recipe"}</script>', "page_type_recipe"),
        ('<link rel="canonical" href="https://example.org/forum/topic/7">', "page_address_forum"),
        ('<link rel="canonical" href="https://example.org/a-long-way-to-the-sea">', "page_address_is_long_name"),
        ("<title>Baths</title>", "page_has_title"),
    ],
)
def test_the_head_tells_what_kind_of_page_it_is(head, name):
    assert column(f"<html><head>{head}</head><body><p>one</p><p>two</p>", name) == [1, 1]
    assert column("<html><body><p>one</p><p>two</p>", name) == [0, 0]


def test_an_address_that_is_none_is_no_trouble():
    assert column('<link rel="canonical" href="http://[bad"><p>text', "page_has_address") == [1]


def test_the_share_of_text_under_a_cue_is_a_matter_of_the_page():
    markup = "<body><div class=comments><p>one two three</p></div><p>four</p>"

    assert column(markup, "page_cue_comment") == [0.75, 0.75]
