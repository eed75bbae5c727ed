"""The XPath of a block finds its element again."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree, html
from parsel import Selector

from scrapy_boilerplate import extract
from scrapy_boilerplate.fields import FIELDS, values_of
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment
from scrapy_boilerplate.segment.tags import effect_of, without_invisible
from scrapy_boilerplate.segment.xpaths import DEEPEST_PATH, xpaths

from .test_properties import few, many, repeatable

SITE = Path(__file__).parents[2] / "example_project" / "newsroom" / "site"
PAGES = sorted(SITE.rglob("*.html"))


def block_xpaths(root: etree._Element) -> list[str]:
    return [block.xpath for block in extract(root, threshold=0).blocks]


def elements_by_path(root: etree._Element) -> dict[str, etree._Element]:
    tree = root.getroottree()
    return {tree.getpath(element): element for element in root.iter(etree.Element)}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(SITE).as_posix())
def test_on_real_pages_the_xpaths_are_those_of_lxml(path):
    root = to_tree(path.read_bytes())
    elements = elements_by_path(root)

    blocks = extract(root).blocks

    assert blocks
    for block in blocks:
        assert elements[block.xpath].tag == block.tag
        assert root.xpath(block.xpath) == [elements[block.xpath]]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(SITE).as_posix())
def test_on_real_pages_the_element_holds_the_text_of_its_block(path):
    root = to_tree(path.read_bytes())

    for block in extract(root).blocks:
        [element] = root.xpath(block.xpath)
        assert block.text.split()[0] in "".join(element.itertext())


def test_an_only_child_has_no_number_and_siblings_are_counted_by_name():
    root = html.document_fromstring("<div><p>1</p><h2>2</h2><p>3</p></div><p>4</p>")

    assert block_xpaths(root) == ["/html/body/div/p[1]", "/html/body/div/h2", "/html/body/div/p[2]", "/html/body/p"]


def test_siblings_without_text_count_too():
    root = html.document_fromstring("<p></p><button>x</button><button aria-expanded=true>1</button><p>2</p>")

    paths = block_xpaths(root)

    assert paths == ["/html/body/button[2]", "/html/body/p[2]"]
    assert [root.xpath(path)[0].text for path in paths] == ["1", "2"]


@pytest.mark.parametrize(
    "markup",
    [
        "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>1</p><div><p>2</p><p>3</p></div></body></html>",
        "<h:html xmlns:h='http://www.w3.org/1999/xhtml'><h:body><h:p>1</h:p><h:p>2</h:p></h:body></h:html>",
        "<root><p xmlns='http://www.w3.org/1999/xhtml'>1</p><p>2</p><x:p xmlns:x='urn:x'>3</x:p></root>",
        "<feed xmlns='http://www.w3.org/2005/Atom'><div xmlns='http://www.w3.org/1999/xhtml'>1<p>2</p></div></feed>",
    ],
    ids=["default namespace", "prefix", "mixed", "nested"],
)
def test_elements_with_a_namespace_are_found_again(markup):
    root = etree.fromstring(markup)

    for number, path in enumerate(block_xpaths(root), 1):
        [element] = root.xpath(path)
        assert element.text == str(number)


@pytest.mark.parametrize(
    "markup",
    [
        "<div><o:p><p>1</p></o:p><o:p><p>2</p></o:p></div>",
        "<my-app><x-card>1</x-card><x-card>2</x-card></my-app>",
        "<div><x.y>1</x.y><x_y>2</x_y></div>",
        "<div><p'q>1</p'q></div>",
        "<div><p[1]>1</p[1]></div>",
        "<div><x'y:z><p>1</p></x'y:z></div>",
        '<div><x"y:z><p>1</p></x"y:z></div>',
        "<div><p(>1</p(><p)>2</p)></div>",
        "<div><p³>1</p³><p=one>2</p=one><p-é>3</p-é></div>",
        "<p\x01>1</p\x01><p\x02>2</p\x02><p>3</p><script></script><p\x01>4</p\x01>",
        "<x\x01><p>1</p></x\x01><x\x02><p>2</p><y\x01>3",
    ],
)
def test_elements_with_unusual_names_are_found_again(markup):
    root = to_tree(markup)

    for number, path in enumerate(block_xpaths(root), 1):
        [element] = root.xpath(path)
        assert element.text == str(number)


@pytest.mark.parametrize("tag", ["p³", "p=one", "p\x01", "o:p"])
def test_an_element_with_an_unusual_name_is_a_page_too(tag):
    root = to_tree(f"<div><b></b><{tag}>1</{tag}></div>").find(".//div")[1]

    [path] = block_xpaths(root)

    assert root.xpath(path) == [root]


NAMES = st.text("abop\x01\x1f\x7f³é=:.-_'\"[]()*@{}&;,1\ufffd\ufffe\u200b", max_size=3).map("p".__add__)
attribute_values = st.text("ab \x02\ufffe\"'", max_size=3)
odd_pieces = (
    st.builds("<{}>".format, NAMES)
    | st.builds("<{} class='{}'>".format, NAMES, attribute_values)
    | st.builds("</{}>".format, NAMES)
    | st.sampled_from(
        ["word", "w\x02\ufffe", "&#1;&#xfffe;", "<br>", "<pre>a\x03\nb", "<title>T\x04</title>", "<p>", "</p>"]
    )
)
xml_names = st.sampled_from(["p", "é", "{u:x}p", "{u:y}p", "{u:x}é", "p.", "p-q", "div", "mod", "script", "br"])
xml_trees = st.recursive(xml_names, lambda inner: st.tuples(xml_names, st.lists(inner, max_size=5)), max_leaves=20)


def built(tree: str | tuple) -> etree._Element:
    """A tree made through lxml's API, with a text in every element and behind it."""
    name, children = (tree, []) if isinstance(tree, str) else tree
    element = etree.Element(name)
    element.text, element.tail = " inside ", " behind "
    for child in children:
        element.extend((etree.Comment("comment"), built(child)))
    return element


def assert_paths_lead_back(root: etree._Element) -> None:
    """Each path finds one element, which has the block's tag and among its texts that of the block."""
    document = extract(root, threshold=0)
    page = segment(root)
    paths = xpaths(page, range(len(page.tags)))
    found = [root.xpath(path) for path in paths.values()]
    assert all(len(matches) == 1 for matches in found)
    assert len({matches[0] for matches in found}) == len(paths)
    for block in document.blocks:
        [element] = root.xpath(block.xpath)
        assert effect_of(element.tag, set())[1] == block.tag
        assert block.text.split()[0] in without_invisible("".join(element.itertext()))


@many
@given(st.lists(odd_pieces, max_size=25).map("".join))
def test_every_path_leads_to_its_element_whatever_the_names(text):
    root = to_tree(f"<body>{text}")

    assert_paths_lead_back(root)
    assert_paths_lead_back(root[-1])


@few
@given(xml_trees)
def test_every_path_leads_to_its_element_in_trees_of_ones_own(tree):
    root = built(tree)

    assert_paths_lead_back(root)
    if len(root):
        assert_paths_lead_back(root[-1])
    selector = Selector(text=etree.tostring(root, encoding="unicode", with_tail=False), type="xml")
    for part in selector.xpath("//*"):
        assert_paths_lead_back(part.root)


@repeatable
@given(st.lists(odd_pieces, max_size=25).map("".join))
def test_no_item_holds_what_xml_forbids(text):
    for model in ("numwords", "victor"):
        document = extract(text, threshold=0, model=model)
        values = values_of(document, FIELDS)
        strings = [values["main_text"], values["title"] or "", str(values["blocks"])]
        strings += [str(value) for block in values["blocks"] for value in block.values()]
        for string in strings:
            etree.Element("item").text = string  # lxml takes no other characters than XML's


def test_paths_of_a_part_of_a_page_start_at_the_root_of_the_page():
    root = html.document_fromstring("<div><p>a</p></div><div><p>b</p><p>c</p></div>")

    assert block_xpaths(root.xpath("//div")[1]) == ["/html/body/div[2]/p[1]", "/html/body/div[2]/p[2]"]


def test_only_the_elements_asked_for_and_those_above_them_have_a_path():
    root = etree.fromstring("<a><b><c>1</c></b><d>2</d></a>")
    page = segment(root)

    paths = xpaths(page, [page.tags.index("c")])

    assert {page.tags[node]: path for node, path in paths.items()} == {"a": "/a", "b": "/a/b", "c": "/a/b/c"}


def test_the_path_of_a_very_deep_element_is_that_of_an_element_above_it():
    depth = 2 * DEEPEST_PATH
    root = to_tree("<div>" * depth + "the bottom")

    [path] = block_xpaths(root)

    [element] = root.xpath(path)
    assert path.count("/") == DEEPEST_PATH + 1
    assert "".join(element.itertext()) == "the bottom"


def test_the_paths_of_a_deep_page_with_text_at_every_level_stay_short():
    root = to_tree("".join(f"<div>{level}" for level in range(1900)))

    paths = block_xpaths(root)

    assert len(paths) == 1900
    assert max(map(len, paths)) < 10 * DEEPEST_PATH


def test_twenty_thousand_siblings_take_linear_time():
    def seconds(siblings: int) -> float:
        root = to_tree("<p>x</p>" * siblings)
        page = segment(root)
        start = time.process_time()
        paths = xpaths(page, page.block_nodes)
        assert len(set(paths.values())) == siblings + 2  # html and body have one too
        return time.process_time() - start

    small = min(seconds(2_000) for _ in range(3))

    assert seconds(20_000) < 40 * small + 0.05  # lxml's getpath() would take a hundred times as long
