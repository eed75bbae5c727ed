"""Pages split at every tag."""

from __future__ import annotations

import pytest

from scrapy_boilerplate.page import Page
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.render.text import to_text
from scrapy_boilerplate.segment import segment
from scrapy_boilerplate.segment.text_nodes import segment_text_nodes
from scrapy_boilerplate.segment.xpaths import xpaths

from ..pages import PAGE


def split(markup: str) -> Page:
    return segment_text_nodes(to_tree(markup))


def text_of(page: Page) -> str:
    return to_text(page, range(len(page.texts)))


def test_every_tag_ends_a_text_node():
    assert split("<p>Hello <b><i>world</i></b>!</p>").texts == ["Hello", "world", "!"]


def test_a_text_node_stands_in_the_element_right_around_it():
    page = split("<p>Hello <b><i>world</i></b>!</p>")

    assert [page.tags[node] for node in page.block_nodes] == ["p", "i", "p"]


def test_glue_is_what_stands_between_the_parts_of_a_paragraph():
    page = split("<div>One <b>two</b>three<p>Four</p>five</div>")

    assert list(zip(page.texts, page.glue, strict=True)) == [
        ("One", None),
        ("two", " "),
        ("three", ""),
        ("Four", None),
        ("five", None),
    ]


def test_one_line_break_is_one_and_two_end_a_paragraph():
    assert split("a<br>b<br>\n<br>c").glue == [None, "\n", None]


def test_two_links_side_by_side_are_two_words():
    assert text_of(split("<p><a href=a>one</a><a href=b>two</a></p>")) == "one two"


def test_text_in_links_is_told():
    assert split("<p>Read <a href=a><b>this</b> page</a> now").link_texts == ["", "this", "page", ""]


def test_lines_of_a_pre_are_blocks_and_keep_their_indentation():
    page = split("<pre><b>def</b> f(x):\n    return  <i>x</i>\n</pre>")

    assert page.texts == ["def", "f(x):", "return", "x"]
    assert text_of(page) == "def f(x):\n    return  x"


def test_a_part_that_is_left_out_leaves_a_blank():
    page = split("<p>One<b>two</b>three</p>")

    assert to_text(page, [0, 2]) == "One three"


def test_labels_of_buttons_are_dropped_but_not_a_page_in_a_button():
    assert split("<p>Text<button>Send <b>it</b></button> more</p>").texts == ["Text", "more"]
    assert split("<button><p>One</p><p>Two</p></button>").texts == ["One", "Two"]
    assert split("<button aria-expanded=false>Question</button>").texts == ["Question"]


def test_a_dropped_label_takes_no_paragraph_with_it():
    assert split("<div><button>Menu</button>Text</div><p>One<button>Send</button>two</p>").glue == [None, None, " "]


def test_alternative_texts_are_read_if_wanted():
    tree = to_tree("<p>See <img alt='a boat'> here")

    assert segment_text_nodes(tree).texts == ["See", "here"]
    assert segment_text_nodes(tree, image_alt=True).texts == ["See", "a boat", "here"]


@pytest.mark.parametrize("markup", ["", "<script>x</script>", "<!-- -->", "<p> \u200b </p>"])
def test_a_page_without_text_has_no_text_nodes(markup):
    assert split(markup).texts == []


def test_the_parts_put_together_are_the_blocks():
    tree = to_tree(PAGE)

    assert " ".join(text_of(segment_text_nodes(tree)).split()) == " ".join(segment(tree).texts)


def test_xpaths_find_the_elements():
    tree = to_tree("<div><p>a<br>b <i>c</i><p><i>d</i><i>e</i></div>")
    page = segment_text_nodes(tree)
    paths = xpaths(page, page.block_nodes)

    for node in page.block_nodes:
        [found] = tree.xpath(paths[node])
        assert found.tag == page.tags[node]


def test_depth_and_length_cost_no_recursion():
    assert len(split("<b>x" * 1500).texts) == 1500
