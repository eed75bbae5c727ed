"""Kept and dropped by hand: what a selector finds, whatever the scores."""

from __future__ import annotations

from dataclasses import fields

import pytest
from lxml import etree, html

from scrapy_boilerplate import extract
from scrapy_boilerplate.page import Page
from scrapy_boilerplate.segment import read_page, segment, walk
from scrapy_boilerplate.segment.text_nodes import segment_text_nodes

from ..pages import MAIN_TEXT, PARAGRAPHS

PAGE = f"""<html><head><title>Baths</title></head><body>
<nav class="menu"><a href="/">Home</a></nav>
<div id="article"><p class="lead">In short</p>{"".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)}
<aside class="related">A teaser <b>in many words</b> that looks like a text of its own and yet is none at all</aside>
<p>By <span class="author">Kim</span>of the paper</p></div></body></html>"""


def texts(page=PAGE, **options) -> list[str]:
    return [block.text for block in extract(page, model="numwords", **options).blocks]


def kept(page=PAGE, **options) -> list[str]:
    return [block.text for block in extract(page, model="numwords", **options).blocks if block.is_content]


@pytest.mark.parametrize("drop", ["aside", ".related", "xpath://aside", ["nav a", "#article > aside"], ("aside",)])
def test_what_is_dropped_is_not_read(drop):
    assert not any("teaser" in text for text in texts(drop=drop))
    assert MAIN_TEXT in "\n\n".join(kept(drop=drop))


def test_the_text_after_what_is_dropped_is_read():
    assert texts(drop="span")[-1] == "By of the paper"


@pytest.mark.parametrize("model", ["mlp", "texrex", "victor", "boilernet", "numwords", "densitometric"])
def test_every_model_reads_a_page_as_if_what_is_dropped_were_empty(model):
    emptied = html.document_fromstring(PAGE)
    for element in emptied.xpath("//aside | //nav"):
        element[:] = []
        element.text = None
        element.attrib.clear()

    assert extract(PAGE, model=model, drop="aside, nav").blocks == extract(emptied, model=model).blocks


def test_the_score_of_a_block_does_not_depend_on_what_is_dropped():
    dropped = PAGE.replace("A teaser", "Quite another teaser, and a longer one, which no model sees,")

    assert extract(PAGE, drop="aside").blocks == extract(dropped, drop="aside").blocks


def test_xpaths_still_find_their_elements():
    page = f"<div>{PARAGRAPHS[0]}</div><div class=ad>An ad</div><div>{PARAGRAPHS[1]}</div>"
    tree = html.document_fromstring(page)

    for block in extract(tree, drop=".ad").blocks:
        [element] = tree.xpath(block.xpath)
        assert element.text_content() == block.text


def test_a_tree_is_never_changed():
    tree = html.document_fromstring(PAGE)
    before = etree.tostring(tree)
    extract(tree, drop="aside, p", keep="nav")

    assert etree.tostring(tree) == before


def test_blocks_within_what_is_kept_are_kept_whatever_their_scores():
    assert "Home" not in kept()
    assert "Home" in kept(keep="xpath://nav")
    assert kept(keep="body") == texts()
    assert kept(keep=".lead", threshold=1.0) == ["In short"]


def test_a_filter_and_other_options_take_nothing_away_that_is_kept_by_hand():
    page = PAGE.replace("<nav", "<figure><figcaption>A view</figcaption></figure><nav")

    assert "A view" in kept(page, keep="figcaption", captions=False, filter="main")


def test_what_is_dropped_within_what_is_kept_is_dropped():
    assert not any("teaser" in text for text in kept(keep="#article", drop="aside"))


@pytest.mark.parametrize("model", ["mlp", "boilernet"])
@pytest.mark.parametrize("namespace", ["", ' xmlns="http://www.w3.org/1999/xhtml"'])
def test_blocks_are_found_in_trees_of_every_kind(model, namespace):
    page = f"<html{namespace}><body><p>one</p><p>two</p><ul><li>a</li><li><b>b</b></li></ul></body></html>"
    tree = etree.fromstring(page)
    blocks = extract(tree, model=model, keep="xpath://*[local-name()='li'][2]", threshold=1.0).blocks

    assert [block.text for block in blocks if block.is_content] == ["b"]


@pytest.mark.parametrize(
    ("url", "is_dropped"),
    [
        ("https://example.com/a", True),
        ("https://www.example.com/a", True),
        ("https://notexample.com/a", False),
        ("https://example.org/a", False),
        (None, False),
    ],
)
def test_selectors_can_be_those_of_a_host(url, is_dropped):
    drop = {"Example.com": "aside", "example.org": ["nav"]}

    assert any("teaser" in text for text in texts(url=url, drop=drop)) != is_dropped


def test_a_star_stands_for_all_hosts():
    assert not any("teaser" in text for text in texts(drop={"*": "aside", "example.com": "nav"}))


@pytest.mark.parametrize(
    "selector", ["p[", "..", "xpath:p[", "xpath:1 + 1", "xpath:string(//p)", "xpath:x:p", "xpath:", "", "p::text"]
)
def test_a_wrong_selector_is_named(selector):
    with pytest.raises(ValueError, match=r"^drop = .* is no selector|selects no elements"):
        extract(PAGE, drop=selector)


@pytest.mark.parametrize("value", [5, [5], {"example.com": 5}, {"a/b": "p"}, {"": "p"}, {5: "p"}])
def test_something_that_holds_no_selectors_is_refused(value):
    with pytest.raises(ValueError, match="keep = "):
        extract(PAGE, keep=value)


def test_a_selector_that_gives_no_elements_of_a_page_drops_nothing():
    assert texts(drop="xpath://aside/text()") == texts(drop="xpath://aside/@class") == texts()


def test_everything_can_be_dropped():
    assert extract(PAGE, drop="html").main_text == extract(PAGE, drop="*").main_text == ""


def test_a_selector_may_use_regular_expressions():
    assert not any("teaser" in text for text in texts(drop="xpath://*[re:test(@class, '^rel')]"))


ODD = """<body>one<div id=x>two</div>three<span id=x>four</span>five<a href=/ id=x>six</a><button id=x>seven</button>
<img id=x src=a alt=eight><input id=x><br id=x>nine<pre id=x>ten\n eleven</pre>twelve
<math id=x alttext=x><mi>x</mi></math>
<script type="math/tex" id=x>y</script>thirteen<table id=x><tr><td>fourteen</table>fifteen</body>"""


def test_the_walk_in_c_skips_what_the_walk_in_python_skips():
    pytest.importorskip("scrapy_boilerplate._core.shim", reason="the core was not compiled")
    tree = html.document_fromstring(ODD)
    for selector in ("[id=x]", "div", "span", "a", "button", "img", "pre", "table, br", "math", "script"):
        skip = frozenset(tree.cssselect(selector))
        compiled, plain = segment(tree, image_alt=True, skip=skip), read_page(tree, walk.walk, True, skip)
        assert compiled.walked is not None
        assert {field.name: getattr(compiled, field.name) for field in fields(Page)} == {
            field.name: getattr(plain, field.name) for field in fields(Page)
        }


@pytest.mark.parametrize("read", [segment, segment_text_nodes])
def test_nothing_of_what_is_skipped_is_in_the_page(read):
    tree = html.document_fromstring(ODD)
    page = read(tree, skip=frozenset(tree.xpath("//*[@id='x']")))

    assert "".join("".join(page.texts).split()) == "onethreefiveninetwelvethirteenfifteen"
    assert not page.images
    assert not page.controls
    assert not page.hrefs
    assert not page.formulas


def test_another_threshold_keeps_what_is_kept_by_hand():
    document = extract(PAGE, model="numwords", keep="nav, .author", comments=False)

    assert document.kept_with(1.0, "largest") == sorted(document.kept_by_hand) != []
