"""The walk in C against the walk in Python: whatever the page, they read the same."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree, html

from scrapy_boilerplate import _core
from scrapy_boilerplate.page import Page
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import read_page, segment
from scrapy_boilerplate.segment.walk import walk

from .quality import COLLECTIONS, pages
from .test_properties import many, markup

pytest.importorskip("scrapy_boilerplate._core.shim", reason="the core was not compiled where this was installed")

buttons = st.lists(
    st.sampled_from(
        "<button> </button> <button aria-expanded=true> <div> </div> <a> </a> <br> <pre> </pre> <img> <img\talt=view> "
        "text Éé \u00a0 \u200b & \n \r \r\n <span> </span> <!--c--> <input> <code> </code> </code><code> "
        "</span><span> <b> <wbr> <a\thref=/x> <math\talttext=x^2> </math> <img\tsrc=/x\talt=é> <span\tclass=katex> "
        "<script\ttype=math/tex>x</script> <li\tvalue=3> <code\tclass=lang-c> <img\tsrc=data:,\tdata-src=/y>".split(" ")
    ),
    max_size=30,
).map("".join)


def in_python(root: etree._Element, image_alt: bool) -> Page:
    return read_page(root, walk, image_alt)


def in_c(root: etree._Element, image_alt: bool) -> Page:
    """All lists of the page that the core reads, as a plain one."""
    page = segment(root, image_alt=image_alt)
    assert page.walked is not None
    return Page(**{field.name: getattr(page, field.name) for field in fields(Page)})


def assert_alike(root: etree._Element | None) -> None:
    if root is not None:
        for image_alt in (False, True):
            assert in_c(root, image_alt) == in_python(root, image_alt)


@pytest.mark.parametrize("collection", COLLECTIONS)
def test_real_pages_are_read_alike(collection):
    for page, _ in pages(collection):
        assert_alike(to_tree(page.read_bytes()))


@many
@given(markup)
def test_random_markup_is_read_alike(text):
    assert_alike(to_tree(text))


@many
@given(buttons)
@example("<p><code>one</code><code><b></b>two</code>")  # the text behind an empty element may begin a word, too
@example("<p>text<button>label<br></button><br>more</p>")  # the line break in the button goes with its label
@example("<div><button>a</button><button><div></div>b</button>more</div>")  # the space before b's label is gone
def test_buttons_line_breaks_and_links_are_read_alike(text):
    assert_alike(to_tree(f"<body>{text}</body>"))


@pytest.mark.parametrize(
    "text",
    [
        "<html xmlns='http://www.w3.org/1999/xhtml'><body>one<p id='x'>two<br/></p>four<script/></body></html>",
        "<a><b>one<![CDATA[ <two> ]]>three<?pi four?>five<!-- six -->seven</b>eight</a>",
        "<!DOCTYPE a [<!ENTITY e 'one'><!ENTITY f '&lt;p&gt;'>]><a class='&e;1'>one&e;two<p class='x&f;'>&f;</p></a>",
        "<x:a xmlns:x='u:x' xmlns:y='u:y' x:class='no' class='yes'><y:p y:id='no' id='yes'>text</y:p><p>t</p></x:a>",
    ],
)
@pytest.mark.parametrize("resolve_entities", [False, True])
def test_xml_is_read_alike(text, resolve_entities):
    parser = etree.XMLParser(resolve_entities=resolve_entities, strip_cdata=False)
    assert_alike(etree.fromstring(text, parser))


@pytest.mark.parametrize(
    "text",
    [
        "<p class='a' class='b' id='c' class='d'>text</p>",
        "<p style='a' role='b' style='c' hidden='' role='d'>text</p>",
        "<p x='1' x='2' id='3' x='4' id='5'>text</p>",
    ],
)
def test_attributes_that_are_repeated_in_broken_xml_are_read_alike(text):
    root = etree.fromstring(text, etree.XMLParser(recover=True))

    assert_alike(root)
    page = in_c(root, False)
    assert page.classes[0] in ("a c", "", "3")
    assert len(page.attributes) == len({name for _, name, _ in page.attributes})


@pytest.mark.parametrize("tag", ["img", "br", "input", "button"])
def test_an_element_without_text_of_its_own_as_root_is_read_alike(tag):
    assert_alike(html.fromstring(f"<div><{tag} alt=x></div>")[0])


def test_a_part_of_a_page_is_read_without_what_follows_it():
    root = html.fragment_fromstring("<div><p>one <b>two</b> three</p> four</div>")
    for element in root.iter():
        assert_alike(element)
    assert in_c(root[0], False).texts == ["one two three"]


def test_a_page_that_was_put_together_by_hand():
    root = etree.Element("div", {"class": "a", "hidden": ""})
    for number in range(300):  # more tags than are remembered at a time
        child = etree.SubElement(root, f"tag{number % 290}", id=str(number))
        child.text, child.tail = f"text {number}", "\u3000"
    root.append(etree.Comment("comment"))
    root[-1].tail = "behind"
    assert_alike(root)


def test_a_very_deep_page():
    root = element = etree.Element("div")
    for _ in range(5000):
        element = etree.SubElement(element, "div")
    element.text = "deep"
    assert_alike(root)


def test_only_elements_are_walked():
    for nothing in (None, "text", etree.ElementTree(etree.Element("p"))):
        with pytest.raises(TypeError):
            _core.read_page(nothing, False)
