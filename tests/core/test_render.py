"""Kept blocks to text that reads like text."""

from __future__ import annotations

from functools import partial

import pytest

import scrapy_boilerplate

# With the model whose scores can be computed by hand.
extract = partial(scrapy_boilerplate.extract, model="numwords")


def main_text(markup: str) -> str:
    """The text of the whole page, whatever the scores."""
    return extract(markup, threshold=0).main_text


def test_paragraphs_are_apart_by_an_empty_line():
    assert main_text("<p>One.</p>\n\n\n<p>Two.</p><div>Three.</div>") == "One.\n\nTwo.\n\nThree."


def test_headings_stand_on_their_own():
    assert main_text("<h1>Title</h1><p>Text.</p><h2>More</h2>Loose text.") == "Title\n\nText.\n\nMore\n\nLoose text."


@pytest.mark.parametrize("tag", ["ul", "ol", "menu"])
def test_each_item_of_a_list_has_its_line(tag):
    markup = f"<p>Before.</p><{tag}><li>one</li><li>two</li><li>three</li></{tag}><p>Behind.</p>"

    assert main_text(markup) == "Before.\n\none\ntwo\nthree\n\nBehind."


def test_nested_lists_have_a_line_for_each_item():
    assert main_text("<ul><li>one<ul><li>two</li><li>three</li></ul></li><li>four</li></ul>") == "one\ntwo\nthree\nfour"


def test_a_definition_list_has_a_line_for_each_term_and_definition():
    assert main_text("<dl><dt>Ebb</dt><dd>Falling tide.</dd><dt>Flood</dt><dd>Rising tide.</dd></dl>") == (
        "Ebb\nFalling tide.\nFlood\nRising tide."
    )


def test_paragraphs_inside_a_list_item_are_paragraphs():
    assert main_text("<ul><li><p>One.</p><p>Two.</p></li></ul>") == "One.\n\nTwo."


def test_the_cells_of_a_row_are_apart_by_a_tab_and_rows_by_a_line_end():
    markup = """<p>Tides</p><table><thead><tr><th>Day</th><th>High</th></tr></thead>
    <tbody><tr><td>Monday</td><td>6.42</td></tr><tr><td>Tuesday</td><td>7.30</td></tr></tbody></table><p>End</p>"""

    assert main_text(markup) == "Tides\n\nDay\tHigh\nMonday\t6.42\nTuesday\t7.30\n\nEnd"


def test_two_tables_are_apart_by_an_empty_line():
    table = "<table><tr><td>a<td>b</table>"

    assert main_text(table + table) == "a\tb\n\na\tb"


def test_cells_without_a_space_between_them_are_two_words():
    assert main_text("<table><tr><td>a</td><td>b</td></tr></table>").split() == ["a", "b"]


def test_two_line_breaks_make_two_paragraphs_and_one_a_line():
    assert main_text("<p>One<br>two.<br><br>Three.</p>") == "One\ntwo.\n\nThree."


@pytest.mark.parametrize("model", ["numwords", "victor"])
@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>Harbour Office<br>\n Quay 7<br>\n <b>12345</b> Town<br></p>", "Harbour Office\nQuay 7\n12345 Town"),
        ("<p>&#8203;<br>soft&shy;ly<br>&#8203;the tide<br>turns", "softly\nthe tide\nturns"),
        ("<p>one<button>Send<br></button> two<br>three", "one two\nthree"),
        ("<p>one<button>Send<br></button></p><p>two<br>three", "one\n\ntwo\nthree"),
        ("<li>one<br>two</li><li>three</li>", "one\ntwo\nthree"),
    ],
)
def test_a_line_break_is_one_in_the_text_and_a_blank_in_the_block(model, markup, text):
    document = scrapy_boilerplate.extract(markup, model=model, threshold=0)

    assert document.main_text == text
    assert " ".join(block.text for block in document.blocks) == " ".join(text.split())


def test_line_breaks_are_read_in_time_that_grows_with_the_page():
    assert main_text("<p>" + "a<br>" * 20_000) == "\n".join("a" * 20_000)


@pytest.mark.parametrize("model", ["numwords", "victor"])
@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<code>name</code><code>string</code>", "name string"),
        ("<kbd>Ctrl</kbd><kbd>C</kbd>", "Ctrl C"),
        ("<time>2024</time><time>2025</time>", "2024 2025"),
        ("<code>f</code><code>()</code>", "f()"),
        ("<code>a</code><wbr><code>b</code>", "ab"),
        ("<code>a</code>b<code>c</code>", "abc"),
        ("<span>Henckel</span><span>President</span>", "Henckel President"),
        ("<span>Élodie</span><small>Émile</small>", "Élodie Émile"),
        ("<span><b>Henckel</b></span><strong><b>President</b></strong>", "Henckel President"),
        ("<span>W</span><span>orld</span>", "World"),
        ("<span>soft</span><wbr><span>Ware</span>", "softWare"),
        ("wor<b>ld</b> soft<wbr>ware i<span>Phone</span> <span>Mac</span>Book", "world software iPhone MacBook"),
        ("<span>Mac</span><span></span>Book", "MacBook"),
        ("<a href=x><span>Henckel</span><span>President</span></a>", "Henckel President"),
    ],
)
def test_elements_of_their_own_are_words_of_their_own(model, markup, text):
    assert scrapy_boilerplate.extract(f"<p>{markup}</p>", model=model, threshold=0).main_text == text


@pytest.mark.parametrize("model", ["numwords", "boilernet"])
def test_all_of_a_cell_stays_in_its_row(model):
    markup = """<table><tr><th>Day<th>Tides<th>Where</tr>
    <tr><td>Monday<td><p>low 6.42</p><p>high 12.50</p><td>Quay 7<br>Town</tr>
    <tr><td>Tuesday<td><ul><li>low 7.30<li>high 13.35</ul><td>Beach</tr></table>"""

    assert scrapy_boilerplate.extract(markup, model=model, threshold=0).main_text == (
        "Day\tTides\tWhere\nMonday\tlow 6.42 high 12.50\tQuay 7 Town\nTuesday\tlow 7.30 high 13.35\tBeach"
    )


@pytest.mark.parametrize("model", ["numwords", "boilernet"])
def test_lines_of_a_pre_in_a_cell_stay_lines(model):
    markup = "<table><tr><td><pre>1\n2</pre><td><pre>def f():\n    pass</pre></table>"

    assert scrapy_boilerplate.extract(markup, model=model, threshold=0).main_text == "1\n2\n\ndef f():\n    pass"


@pytest.mark.parametrize(
    "table",
    [
        "<tr><td><p>{0}</p><p>{0}</p></td></tr>",
        "<tr><td>Menu</td><td><p>{1}</p><p>{1}</p></td></tr>",
        "<tr><td>Code</td><td><pre>{0}\n\n{0}</pre></td></tr>",
    ],
)
def test_cells_for_layout_hold_paragraphs(table):
    text = main_text("<table>" + table.format("a short text", "a longer text " * 20) + "</table>")

    assert "\t" not in text
    assert "text\n\na" in text


def test_the_lines_of_a_pre_are_kept_with_indentation_and_an_empty_line():
    markup = "<p>Code:</p><pre>def f():\n    return 1\n\n\n\nf()\n</pre><p>Done.</p>"

    assert main_text(markup) == "Code:\n\ndef f():\n    return 1\n\nf()\n\nDone."


def test_two_pre_elements_are_apart_by_an_empty_line():
    assert main_text("<pre>a\nb</pre><pre>c</pre>") == "a\nb\n\nc"


def test_the_lines_of_a_highlighted_pre_are_kept():
    markup = "<pre><code><span class=k>if</span> x:\n    <span>y</span>()</code></pre>"

    assert main_text(markup) == "if x:\n    y()"


def test_blocks_inside_a_pre_have_lines_of_their_own():
    assert main_text("<pre><div>one</div><div>two</div>three<div>four</div></pre>") == "one\ntwo\nthree\nfour"


def test_a_block_with_several_lines_inside_a_pre_does_not_swallow_what_follows():
    assert main_text("<pre>one<div>two\nthree</div>four</pre>") == "one\ntwo\nthree\nfour"


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<p>wor<b>ld</b></p>", "world"),
        ("<p>Hello, <b>world</b>!</p>", "Hello, world!"),
        ("<p>one<b> two </b>three</p>", "one two three"),
        ("<p>(<a>link</a>)</p>", "(link)"),
        ("<p>H<sub>2</sub>O and E=mc<sup>2</sup></p>", "H2O and E=mc2"),
        ("<p>one\n  two\t three</p>", "one two three"),
        ("<p>“<em>quoted</em>”</p>", "“quoted”"),
    ],
)
def test_inline_spacing_is_that_of_the_page(markup, expected):
    assert main_text(markup) == expected


def test_there_is_no_white_space_at_the_edges():
    text = main_text("\n <p> a </p> <ul> <li> b </li> </ul> \n")

    assert text == text.strip() == "a\n\nb"


def test_only_kept_blocks_are_in_the_text():
    long = " ".join(["word"] * 50)
    markup = f"<p>{long}</p><p><a>a link</a></p><p><a>a link</a></p><p>{long}</p>"

    assert extract(markup).main_text == f"{long}\n\n{long}"


def test_the_text_of_nothing_is_empty():
    assert main_text("") == ""
    assert extract("<p>short</p>").main_text == ""


def test_the_text_is_that_of_the_blocks_in_their_order():
    markup = "<h1>a</h1><ul><li>b<li>c</ul><table><tr><td>d<td>e<tr><td>f</table><pre>g\n\nh</pre>i<br><br>j"
    document = extract(markup, threshold=0)

    assert document.main_text.split() == [block.text for block in document.blocks] == list("abcdefghij")
