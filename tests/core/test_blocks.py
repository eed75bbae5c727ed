"""Trees to blocks: one test for each rule of segmentation."""

from __future__ import annotations

import sys

import pytest
from lxml import etree, html

from scrapy_boilerplate import _core, extract
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment

XHTML = "http://www.w3.org/1999/xhtml"


@pytest.fixture(autouse=True, params=["python", "compiled"])
def _each_walk(request, monkeypatch):
    """Every rule holds for both of them."""
    if request.param == "compiled":
        pytest.importorskip(
            "scrapy_boilerplate._core.shim", reason="the core was not compiled where this was installed"
        )
    else:
        monkeypatch.setattr(_core, "shim", None)


def texts(markup: str | etree._Element, **options: bool) -> list[str]:
    return segment(to_tree(markup), **options).texts


def block_tags(markup: str) -> list[tuple[str, str]]:
    page = segment(to_tree(markup))
    return [(text, page.tags[node]) for text, node in zip(page.texts, page.block_nodes, strict=True)]


def link_words(markup: str) -> list[list[str]]:
    return [text.split() for text in segment(to_tree(markup)).link_texts]


# Runs of text


@pytest.mark.parametrize(
    "tag",
    "div p h1 h2 h3 h4 h5 h6 ul ol dl blockquote section article aside nav header footer main figure form fieldset"
    " address center details hgroup search noscript".split(),
)
def test_a_block_level_tag_splits_the_text(tag):
    assert texts(f"<div>before<{tag}>inside</{tag}>behind</div>") == ["before", "inside", "behind"]


@pytest.mark.parametrize(
    "tag",
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q ruby s samp small"
    " span strike strong sub sup time tt u var".split(),
)
def test_an_inline_tag_does_not_split_the_text(tag):
    assert texts(f"<p>one <{tag}>two</{tag}> three</p>") == ["one two three"]


def test_an_inline_tag_inside_a_word_leaves_it_whole():
    assert texts("<p>wor<b>ld</b>, un<i>believ</i>able, soft<wbr>ware") == ["world, unbelievable, software"]


def test_an_inline_tag_around_blocks_does_not_hide_them():
    assert texts("<div>one<span>two<div>three</div>four</span>five</div>") == ["onetwo", "three", "fourfive"]


def test_a_block_stands_in_the_innermost_block_level_element():
    markup = "<article>lead<section><b>one</b><p>two <em>three</em></p>four</section>five</article>"

    assert block_tags(markup) == [
        ("lead", "article"),
        ("one", "section"),
        ("two three", "p"),
        ("four", "section"),
        ("five", "article"),
    ]


def test_blocks_come_in_document_order():
    assert texts("a<div>b<ul><li>c<li>d<p>e</p>f</ul>g</div>h") == list("abcdefgh")


def test_text_outside_of_any_tag_is_a_block():
    assert block_tags("words alone")[0][0] == "words alone"


# Line breaks


@pytest.mark.parametrize("br", ["<br>", "<br/>", "<br />", " <br> ", "<BR CLEAR=all>"])
def test_a_single_line_break_is_white_space(br):
    assert texts(f"<p>one{br}two</p>") == ["one two"]


@pytest.mark.parametrize(
    "gap", ["", " ", "\n\t", "&nbsp;", "<!-- ad -->", "<script>x()</script>", "<b></b>", "<i> </i>"]
)
def test_two_line_breaks_split_the_text(gap):
    assert texts(f"<p>one<br>{gap}<br>two</p>") == ["one", "two"]


def test_many_line_breaks_split_once():
    assert texts("<p>one<br><br><br><br>two</p>") == ["one", "two"]


def test_line_breaks_with_text_between_do_not_split():
    assert texts("<p>one<br>two<br>three<br></p>") == ["one two three"]


def test_line_breaks_at_the_edges_of_a_block_leave_nothing():
    assert texts("<p><br><br>one<br></p><p><br></p>") == ["one"]


def test_two_line_breaks_inside_an_inline_tag_split_too():
    assert texts("<p><font>one<br><br>two</font> three</p>") == ["one", "two three"]


def test_invisible_characters_between_two_line_breaks_do_not_join_them():
    assert texts("<p>one<br>&#8203;<br>two</p>") == ["one", "two"]


# Preformatted text


def test_each_line_of_a_pre_stands_alone_with_its_indentation():
    page = segment(to_tree("<pre>def f():\n    return 1\n\nf()\n</pre>"))

    assert page.texts == ["def f():", "    return 1", "f()"]
    assert page.pre_lines == [1, 2, 4]


@pytest.mark.parametrize("end", ["\n", "\r\n", "&#13;", "<br>"])
def test_a_line_of_a_pre_ends_however_lines_end(end):
    assert texts(f"<pre>one{end}  two</pre>") == ["one", "  two"]


def test_white_space_inside_a_line_of_a_pre_is_kept():
    assert texts("<pre>a    b\tc   </pre>") == ["a    b\tc"]


def test_inline_tags_do_not_split_a_line_of_a_pre():
    assert texts("<pre><code><b>let</b> x = <i>1</i>;\n<b>let</b> y</code></pre>") == ["let x = 1;", "let y"]


def test_nothing_is_put_between_the_links_of_a_pre():
    assert texts("<pre><a href=#>os</a><a href=#>.path</a></pre>") == ["os.path"]


def test_text_behind_a_pre_is_normal_again():
    page = segment(to_tree("<div><pre>a\nb</pre>one\n  two</div>"))

    assert page.texts == ["a", "b", "one two"]
    assert page.pre_lines == [1, 2, 0]


@pytest.mark.parametrize("tag", ["listing", "xmp", "plaintext"])
def test_the_old_names_of_pre_work_too(tag):
    element = etree.fromstring(f"<div><{tag}>a  b\nc</{tag}></div>")

    assert segment(element).texts == ["a  b", "c"]


# Tables


def test_each_cell_of_a_table_is_a_block():
    markup = (
        "<table><caption>Tides</caption><tr><th>High</th><th>Low</th></tr><tr><td>6.42</td><td>12.55</td></tr></table>"
    )

    assert block_tags(markup) == [("Tides", "caption"), ("High", "th"), ("Low", "th"), ("6.42", "td"), ("12.55", "td")]


def test_empty_cells_are_no_blocks():
    assert texts("<table><tr><td></td><td> &nbsp; </td><td>x</td></tr></table>") == ["x"]


def test_a_formula_is_part_of_its_sentence():
    markup = (
        "<p>When <math><semantics><mrow><mi>a</mi><mo>≠</mo><mn>0</mn></mrow>"
        '<annotation encoding="application/x-tex">a \\ne 0</annotation></semantics></math>, there are two.</p>'
    )

    assert texts(markup) == ["When a≠0, there are two."]


# What is not read


@pytest.mark.parametrize(
    "tag",
    "annotation audio canvas datalist iframe map meter object option progress script select style svg template textarea"
    " video noembed".split(),
)
def test_the_inside_of_a_dropped_tag_is_not_read(tag):
    root = etree.fromstring(f"<div>before <{tag}>inside<p>deep</p></{tag}> behind</div>")

    assert segment(root).texts == ["before behind"]


def test_the_head_is_not_read():
    assert texts("<html><head><title>Title</title><style>p {}</style></head><body>text</body></html>") == ["text"]


def test_form_controls_are_not_read_but_their_labels_are():
    markup = (
        "<form><label>Name</label> <input value=secret> <select><option>Mr</option></select>"
        "<textarea>draft</textarea><button>Send</button></form>"
    )

    assert texts(markup) == ["Name"]


def test_the_text_behind_a_dropped_tag_is_read():
    assert texts("<p>one<script>x()</script>two <svg><text>icon</text></svg>three</p>") == ["onetwo three"]


def test_comments_processing_instructions_and_unknown_entities_are_not_read():
    root = etree.fromstring(
        "<!DOCTYPE p [<!ENTITY e 'expanded'>]><p>one <!-- c -->two <?pi data?>three &e;four</p>",
        etree.XMLParser(resolve_entities=False),
    )

    assert segment(root).texts == ["one two three four"]


def test_noscript_is_read():
    assert texts("<noscript><p>The whole thread, for crawlers</p></noscript><p>Loading</p>") == [
        "The whole thread, for crawlers",
        "Loading",
    ]


def test_a_button_is_dropped():
    assert texts("<p>Read <button type=button>Copy <b>link</b></button> this</p>") == ["Read this"]


def test_a_label_is_dropped_with_all_that_is_in_its_button():
    assert texts("<div><button>a</button><button><div></div>b</button>more</div>") == ["more"]
    assert texts("<p>text<button>label<br></button><br>more</p>") == ["text more"]


@pytest.mark.parametrize("attribute", ["aria-expanded=false", "aria-expanded=true", "aria-controls=panel"])
def test_a_button_that_opens_something_is_its_heading(attribute):
    assert block_tags(f"<div><button {attribute}>When is it open?</button><p>Daily.</p></div>") == [
        ("When is it open?", "button"),
        ("Daily.", "p"),
    ]


def test_the_alternative_text_of_images_is_not_read():
    assert texts("<p>Look: <img alt='a heron' src=h.png></p><p><img alt='a gull'></p>") == ["Look:"]


def test_the_alternative_text_of_images_is_read_on_demand():
    markup = "<p>Look: <img alt='a heron' src=h.png>!</p><p><img alt='a gull'></p><img><img alt=''>"

    assert texts(markup, image_alt=True) == ["Look: a heron!", "a gull"]


def test_the_alternative_text_of_a_linked_image_is_link_text():
    page = segment(to_tree("<p>Go <a href=/><img alt='back home'></a></p>"), image_alt=True)

    assert page.texts == ["Go back home"]
    assert page.link_texts[0].split() == ["back", "home"]


# Characters


@pytest.mark.parametrize(
    "space", [" ", "\n", "\t", "\r\n", "  \n ", "&nbsp;", "&#x2003;", "\u2028", "&ensp;", "\u3000"]
)
def test_all_white_space_is_one_space(space):
    assert texts(f"<p>{space}one{space}two{space}</p>") == ["one two"]


def test_entities_are_decoded():
    assert texts("<p>Fish &amp; Chips &lt;5&#8364; &eacute;&#x1F41F; &hellip;") == ["Fish & Chips <5€ é🐟 …"]


@pytest.mark.parametrize(
    "character",
    ["\u200b", "\u00ad", "\ufeff", "\u2060", "\u200e", "\u200f", "\0", "\x07", "\x7f", "&shy;", "&#8203;"],
)
def test_characters_without_width_are_gone(character):
    assert texts(f"<p>wo{character}rd{character}</p>") == ["word"]


@pytest.mark.parametrize("character", ["\u200b", "\u00ad", "\ufeff", "&zwnj;"])
def test_a_block_of_nothing_visible_is_no_block(character):
    assert texts(f"<p>{character}</p><p> {character} {character} </p><p>x</p>") == ["x"]


def test_a_word_of_nothing_visible_leaves_one_space():
    assert texts("<p>one \u200b two</p>") == ["one two"]


def test_joiners_stay_where_they_are_spelling():
    persian, family, latin = "می\u200cخواهم", "👩\u200d👧", "wo\u200cr\u200dd"

    assert texts(f"<p>{persian}</p><p>{family}</p><p>{latin}</p>") == [persian, family, "word"]
    assert texts("<p>begin</p>\u200b\u200d<b>\u200b</b><p>\ufeff\u200c\ufeff</p><p>end</p>") == ["begin", "end"]


# Links


def test_two_links_side_by_side_are_two_words():
    assert texts("<p><a href=1>Home</a><a href=2>News</a><span><a href=3>Sport</a></span></p>") == ["Home News Sport"]


def test_a_link_inside_a_word_leaves_it_whole():
    assert texts("<p>un<a href=#>believ</a>able</p>") == ["unbelievable"]


def test_the_link_text_is_what_is_inside_links():
    assert link_words("<p>See <a href=#>our <b>full</b> story</a> and <a>more</a>, please</p>") == [
        ["our", "full", "story", "more"]
    ]


def test_the_link_text_of_a_block_is_its_own():
    assert link_words("<p><a href=#>one</a></p><p>two</p><p>three <a href=#>four</a></p>") == [["one"], [], ["four"]]


def test_a_link_around_blocks_links_each_of_them():
    assert link_words("<a href=#><h2>Title</h2><p>teaser text</p></a><p>free</p>") == [
        ["Title"],
        ["teaser", "text"],
        [],
    ]


def test_a_link_that_shows_nothing_is_no_link_text():
    [block] = extract("<h2>Getting started<a href=#start>&#8203;</a></h2>").blocks

    assert (block.text, block.link_density) == ("Getting started", 0.0)


# Unusual tags


def test_a_custom_tag_splits_the_text():
    assert block_tags("<my-app>one<x-card>two</x-card>three</my-app>") == [
        ("one", "my-app"),
        ("two", "x-card"),
        ("three", "my-app"),
    ]


def test_a_tag_with_a_prefix_does_not_split_the_text():
    assert texts("<p>one <o:p>two</o:p> <fb:like>three</fb:like></p>") == ["one two three"]


def test_an_xhtml_tree_with_a_namespace_is_read_like_html():
    root = etree.fromstring(
        f'<html xmlns="{XHTML}"><head><title>t</title></head><body><p>wor<b>ld</b></p><script>x</script>'
        "<p>one<br/><br/>two <a>three</a></p><pre>a\n b</pre></body></html>"
    )

    page = segment(root)

    assert page.texts == ["world", "one", "two three", "a", " b"]
    assert [page.tags[node] for node in page.block_nodes] == ["p", "p", "p", "pre", "pre"]
    assert page.link_texts[2].strip() == "three"


def test_a_prefixed_xhtml_tree_is_read_like_html():
    root = etree.fromstring(f'<h:div xmlns:h="{XHTML}"><h:p>wor<h:b>ld</h:b></h:p><h:style>x</h:style></h:div>')

    assert segment(root).texts == ["world"]


# The tree


def test_the_tree_is_never_changed():
    markup = (
        "<div> one <!-- c --><a>two</a><a>three</a>\u200b<script>s</script><pre>\n a\n</pre><br><br>"
        "<img alt=x><button>b</button><table><tr><td>4<td>5</table></div>"
    )
    root = html.fromstring(markup)
    before = etree.tostring(root)

    segment(root, image_alt=True)

    assert etree.tostring(root) == before


def test_elements_say_which_element_holds_them():
    page = segment(etree.fromstring("<div><ul><li>a</li><li>b <b>c</b></li></ul><p/></div>"))

    assert page.tags == ["div", "ul", "li", "li", "b", "p"]
    assert page.parents == [-1, 0, 1, 1, 3, 0]
    assert page.nearest({"ul"}) == [-1, 1, 1, 1, 1, -1]


def test_no_tree_has_no_blocks():
    page = segment(None)

    assert (page.texts, page.tags) == ([], [])


def deep_tree(tag: str, depth: int) -> etree._Element:
    """Built of pieces, as no parser goes this deep; adding element by element takes time that grows with the depth."""
    parser = etree.XMLParser(huge_tree=True)
    root = bottom = etree.Element(tag)
    for _ in range(depth // 1000):
        piece = etree.fromstring(f"<{tag}>" * 1000 + f"</{tag}>" * 1000, parser)
        bottom.append(piece)
        [bottom] = piece.xpath("descendant-or-self::*[not(*)]")
    bottom.text = "the bottom"
    return root


@pytest.mark.parametrize("tag", ["div", "span", "a", "pre"])
def test_a_tree_of_a_hundred_thousand_levels_is_walked_without_recursion(tag):
    root = deep_tree(tag, 100_000)
    limit = sys.getrecursionlimit()

    page = segment(root)

    assert page.texts == ["the bottom"]
    assert len(page.tags) == 100_001
    assert sys.getrecursionlimit() == limit


def test_the_label_of_a_button_behind_an_invisible_character_is_dropped_too():
    assert segment(to_tree("<p>begin</p>\xad<button>1<p></button>")).texts == ["begin"]
