"""Where in the texts of a page its inline markup stands."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from scrapy_boilerplate.page import Page
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import read_page, segment
from scrapy_boilerplate.segment.inline import Inline
from scrapy_boilerplate.segment.tags import MARKED_TAGS, without_invisible
from scrapy_boilerplate.segment.text_nodes import segment_text_nodes
from scrapy_boilerplate.segment.walk import walk

from .test_properties import many

pieces = st.sampled_from(
    "<p> </p> <div> </div> <a\thref=/x> </a> <b> </b> <em> </em> <i> </i> <code> </code> <span> </span> <sup> </sup> "
    "<math> </math> <mi> </mi> <span\tclass=katex> <br> <img\tsrc=/i> <pre> </pre> <!--c--> <li> word Two, 日本 नहीं "
    "क्\u200dष ن\u200cی a\u200db \u00a0 \u3000 \u200b zero\u200bwidth \u00ad \n \t é".split(" ")
)
inline_markup = st.lists(pieces | st.just(" "), max_size=40).map("".join)


def page_by_walk(root: etree._Element) -> Page:
    return read_page(root, walk, False)


def marked(markup: str, read=segment) -> list[list[tuple[str, str]]]:
    """For each block the tags and texts of its spans."""
    page = read(to_tree(markup))
    inline = Inline(page)
    return [
        [(page.tags[node], text[start:end]) for start, end, node in inline.spans(block)]
        for block, text in enumerate(page.texts)
    ]


def ink(text: str) -> str:
    """The visible characters; of the joiners, which may be spelling, none."""
    return "".join(without_invisible(text).replace("\u200c", "").replace("\u200d", "").split())


@pytest.mark.parametrize("read", [segment, page_by_walk, segment_text_nodes])
def test_spans_cover_the_text_of_their_elements_whatever_the_markup(read):
    @many
    @given(inline_markup)
    @example("<p>one <b>two<div>three</div>four</b> five")
    @example("<p>\u200b<b>a</b>\u200db")
    def check(markup: str) -> None:
        root = to_tree(f"<body>{markup}</body>")
        page = read(root)
        inline = Inline(page)
        texts = dict.fromkeys(range(len(page.tags)), "")
        for block, text in enumerate(page.texts):
            spans = inline.spans(block)
            assert spans == sorted(spans, key=lambda span: (span.start, -span.end))
            for span in spans:
                assert 0 <= span.start < span.end <= len(text)
                assert text[span.start : span.end].strip() == text[span.start : span.end]
                texts[span.element] += text[span.start : span.end]
                assert all(
                    other.end <= span.start or other.start >= span.end or nest(span, other) or nest(other, span)
                    for other in spans
                )
        unread = {"br", "img"} if read is not segment_text_nodes else set()
        elements = [element for element in root.iter(etree.Element) if element.tag not in unread]
        assert [element.tag for element in elements] == page.tags
        for number, element in enumerate(elements):
            expected = ink("".join(element.itertext("*"))) if element.tag in MARKED_TAGS else ""
            assert ink(texts[number]) == expected

    check()


def nest(outer, inner) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


@pytest.mark.parametrize("read", [segment, page_by_walk])
@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>no markup <span>at all</span>", [[]]),
        ("<p><a href=/>all of it</a> \n", [[("a", "all of it")]]),
        ("<p>one <b> two </b>three", [[("b", "two")]]),
        ("<p>wor<b>ld</b>, un<i>believ</i>able", [[("b", "ld"), ("i", "believ")]]),
        ("<p>x <a>one <em>two</em></a>", [[("a", "one two"), ("em", "two")]]),
        ("<p><b>nothing</b> <b> </b><b></b><b><img></b> more", [[("b", "nothing")]]),
        ("<a><h2>one</h2><p>two</p></a>", [[("a", "one")], [("a", "two")]]),
        ("<div>0 <b>one<div>two</div>three</b> four</div>", [[("b", "one")], [("b", "two")], [("b", "three")]]),
        ("<p>a <b>b<button><i>c</i></button> d</b>", [[("b", "b d")]]),
        ("<pre>\n a <b>b\n c</b> d</pre>", [[("b", "b")], [("b", "c")]]),
        ("<p>एक <b>दो\u200d</b> तीन", [[("b", "दो")]]),
    ],
)
def test_a_span_is_the_text_of_an_element_in_a_block(markup, expected, read):
    assert marked(markup, read) == expected


def test_of_a_page_that_is_split_at_every_tag_a_span_is_a_whole_text():
    assert marked("<p>one <a>two <b>three</b></a>", segment_text_nodes) == [
        [],
        [("a", "two")],
        [("a", "three"), ("b", "three")],
    ]


@pytest.mark.parametrize("read", [segment, page_by_walk, segment_text_nodes])
def test_addresses_of_links_are_kept_as_they_came(read):
    long = "/" + "x" * 3000
    page = read(
        to_tree(
            "<a href='/a?b=1&amp;c'>1</a> <a href=#d>2</a> <a>3</a> <a href=' JavaScript:x()'>4</a>"
            f"<a href={long}>5</a><a href=mailto:a@example.org>6</a> <a href='data:text/html,x'>7</a> <a href>8</a>"
        )
    )

    links = [node for node, tag in enumerate(page.tags) if tag == "a"]
    assert [page.hrefs.get(node) for node in links] == [
        *("/a?b=1&c", "#d", None, None, None),
        *("mailto:a@example.org", None, None),
    ]


@pytest.mark.parametrize("read", [segment, page_by_walk, segment_text_nodes])
def test_attributes_of_lists_and_cells_are_kept(read):
    page = read(
        to_tree(
            "<ol start=3 reversed type=a class=x><li value=7>a</ol>"
            "<table><tr><td colspan=2 rowspan=3 hidden style=x>b<td>c</table>"
        )
    )

    found = {page.tags[node]: values for node, values in page.layout.items()}
    assert found == {
        "ol": {"start": "3", "reversed": "", "type": "a"},
        "li": {"value": "7"},
        "td": {"colspan": "2", "rowspan": "3"},
    }


@pytest.mark.parametrize("read", [segment, page_by_walk, segment_text_nodes])
@pytest.mark.parametrize(
    ("markup", "language"),
    [
        ("<pre>x</pre>", ""),
        ("<pre class='prettyprint'>x</pre>", ""),
        ("<pre class='code language-c++ x'>x</pre>", "c++"),
        ("<pre><code class='hljs lang-py'>x</code></pre>", "py"),
        ("<pre data-lang=go><code>x</code></pre>", "go"),
        ("<pre class='brush: js'>x</pre>", "js"),
    ],
)
def test_the_language_of_code_is_the_declared_one(markup, language, read):
    assert Inline(read(to_tree(markup))).language(0) == language


def test_the_language_of_code_may_stand_at_the_element_around_it():
    page = segment(to_tree("<div class='highlight highlight-source-shell'><pre>x\ny</pre></div>"))

    assert [Inline(page).language(block) for block in (0, 1)] == ["shell", "shell"]


def images(markup: str, read=segment) -> list[tuple[list[str], str, list[str]]]:
    """For each block the images before it, its text with images in it, and for the end those behind the last one."""
    page = read(to_tree(markup))
    inline = Inline(page)
    found = []
    for block, text in enumerate([*page.texts, ""]):
        before = [page.image_sources[number] for number in inline.images_before(block)]
        for offset, number in reversed(inline.images(block)):
            text = f"{text[:offset]}[{page.image_sources[number]}]{text[offset:]}"
        found.append((before, text))
    return found


@pytest.mark.parametrize("read", [segment, page_by_walk])
@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>one</p><img src=/a><p>two</p>", [([], "one"), (["/a"], "two"), ([], "")]),
        ("<p>one <img src=/a> two</p>", [([], "one [/a]two"), ([], "")]),
        ("<p>one<img src=/a> two<img src=/b></p>", [([], "one[/a] two[/b]"), ([], "")]),
        ("<p><img src=/a>one</p><img src=/b>", [(["/a"], "one"), (["/b"], "")]),
        ("<p>é \u200b ü<img src=/a>x</p>", [([], "é ü[/a]x"), ([], "")]),
        ("<p>\u200b<img src=/a></p><p>one", [(["/a"], "one"), ([], "")]),
        ("<p>one<button>x<img src=/a></button></p><p>two", [([], "one"), ([], "two"), ([], "")]),
        ("<p><button><p>label</p><img src=/a></button>one", [([], "one"), ([], "")]),
    ],
)
def test_images_stand_in_a_text_or_before_a_block(markup, expected, read):
    assert images(markup, read) == expected


def test_images_are_texts_of_their_own_in_pages_split_at_every_tag():
    found = images("<p>one <img src=/a> two<button>x<img src=/b></button><img src=/c>", segment_text_nodes)

    assert found == [([], "one"), (["/a"], "two"), (["/c"], "")]


@pytest.mark.parametrize("read", [segment, page_by_walk, segment_text_nodes])
def test_the_address_of_an_image_is_one_that_can_be_fetched(read):
    page = read(
        to_tree(
            "<p><img src=/a alt=' A '><img alt=B><img src='data:image/gif;base64,AA' data-src=/c>"
            f"<img src=data:, alt={'x' * 3000}>"
        )
    )

    assert page.image_sources == ["/a", "", "/c", ""]
    assert page.image_texts == [" A ", "B", "", ""]


TEX = "<semantics><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></semantics>"


@pytest.mark.parametrize("read", [segment, page_by_walk])
@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        (f"<p>so <math>{TEX}</math> is", [("x", "x^2", False)]),
        (f"<p>so <math display=block>{TEX}</math> is", [("x", "x^2", True)]),
        ("<p><math alttext='a+b'><mi>a</mi><mo>+</mo><mi>b</mi></math>", [("a+b", "a+b", False)]),
        (f"<p>so <math alttext='x^2'>{TEX}</math> is", [("x", "x^2", False)]),
        (
            f"<p><span class=katex><span class=katex-mathml><math>{TEX}</math></span><span>x2</span></span> is",
            [("xx2", "x^2", False)],
        ),
        ("<p>so <script type='math/tex; mode=display'>x^2</script> is", [("", "x^2", True)]),
        ("<p>so <script>x^2</script><math><mi>x</mi></math> is", []),
    ],
)
def test_formulas_have_their_latex_and_the_text_that_it_can_replace(markup, expected, read):
    page = read(to_tree(markup))

    found = Inline(page).formulas(0)

    assert [(page.texts[0][start:end], latex, display) for start, end, latex, display in found] == expected


def test_two_formulas_without_an_element_around_them_are_two():
    page = segment(to_tree("<p>so <script type=math/tex>x</script> and <script type=math/tex>y</script>"))

    assert [(formula.start, formula.latex) for formula in Inline(page).formulas(0)] == [(3, "x"), (6, "y")]


def test_of_very_many_elements_around_a_block_the_inner_ones_count():
    page = segment(etree.fromstring("<div>" + "<b>" * 200 + "<p>x</p>" * 2000 + "</b>" * 200 + "</div>"))

    inline = Inline(page)

    assert [len(inline.spans(block)) for block in range(2000)] == [100] * 2000
