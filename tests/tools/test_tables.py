"""Many pages at once, cleaned to Arrow tables."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scrapy_boilerplate import extract, extract_many

from ..pages import article

arrow = pytest.importorskip("pyarrow", reason="the extra arrow is not installed")

SENTENCES = [
    f"The text of page {number} goes on for a while, so that nobody can take it for a menu, a teaser or a caption."
    for number in range(40)
]
PAGES = [article(sentence) for sentence in SENTENCES]
LINK = '<p>The council has published <a href="/minutes">the minutes of its meeting</a> on Tuesday evening, it said.</p>'


def texts(table: arrow.Table) -> list[str | None]:
    return table.column("main_text").to_pylist()


def reasons(table: arrow.Table) -> list[str | None]:
    return [error and error.partition(":")[0] for error in table.column("error").to_pylist()]


@pytest.mark.parametrize("encoded", [False, True], ids=["text", "bytes"])
def test_pages_in_a_list_become_a_table_in_their_order(encoded):
    table = extract_many([page.encode() for page in PAGES] if encoded else PAGES)

    assert table.column_names == ["title", "main_text", "score", "error"]
    assert texts(table) == SENTENCES
    assert table.column("score").to_pylist() == [round(extract(page).score, 4) for page in PAGES]
    assert set(reasons(table)) == {None}


def test_several_processes_make_the_same_table():
    assert extract_many(iter(PAGES), processes=2).equals(extract_many(PAGES))


def test_columns_of_a_table_stay_beside_the_new_ones():
    pages = arrow.table({"number": range(len(PAGES)), "html": PAGES})

    table = extract_many(pages, fields=["main_text", "keywords"], processes=2)

    assert table.column_names == ["number", "html", "main_text", "keywords", "error"]
    assert table.drop_columns(["main_text", "keywords", "error"]).equals(pages)
    assert texts(table) == SENTENCES


@pytest.mark.parametrize(
    "pages",
    [
        {"html": PAGES},
        arrow.table({"html": arrow.array(PAGES, arrow.large_string())}),
        arrow.table({"html": arrow.array([page.encode() for page in PAGES], arrow.large_binary())}),
        arrow.RecordBatch.from_pydict({"html": PAGES}),
        {"html": arrow.array(PAGES).dictionary_encode()},
        arrow.array(PAGES),
        arrow.chunked_array([PAGES[:3], PAGES[3:]]),
    ],
    ids=["dict", "large text", "large bytes", "batch", "dictionary", "array", "chunks"],
)
def test_tables_and_arrays_of_all_kinds_are_read(pages):
    assert texts(extract_many(pages)) == SENTENCES


def test_the_address_of_a_page_completes_its_links():
    pages = {"html": [LINK], "address": ["https://example.com/news"]}

    [markdown] = extract_many(pages, url="address", fields=["markdown"]).column("markdown").to_pylist()

    assert "(https://example.com/minutes)" in markdown


def test_the_encoding_that_the_server_gave_is_used():
    pages = {"html": [PAGES[0].replace("a while", "a wh\xefle").encode("cp1252")], "charset": ["cp1252"]}

    assert texts(extract_many(pages, encoding="charset")) == [SENTENCES[0].replace("a while", "a wh\xefle")]


def test_pages_that_can_not_be_cleaned_have_a_reason_in_their_place():
    pages = [PAGES[0], None, "", float("nan"), 7, b"%PDF-1.7 " + b"\0" * 100, "\ud800" + PAGES[1]]

    table = extract_many(pages)

    assert reasons(table) == [None, "empty", "empty", "error", "error", "not_text", None]
    assert texts(table)[1:6] == [None] * 5


def test_a_page_above_the_limit_is_not_cleaned():
    assert reasons(extract_many(arrow.table({"html": PAGES[:1]}), max_bytes=20)) == ["too_large"]
    assert reasons(extract_many(PAGES[:1], max_bytes=20)) == ["too_large"]


def test_a_column_of_nothing_has_empty_pages_and_one_of_numbers_is_refused():
    assert reasons(extract_many({"html": [None, None]})) == ["empty", "empty"]
    with pytest.raises(ValueError, match="the column 'html' must hold text or bytes, not int64"):
        extract_many({"html": [1, 2]})


def test_no_pages_make_a_table_with_all_columns():
    assert extract_many([], blocks=True).column_names == ["title", "main_text", "score", "blocks", "error"]
    assert extract_many({"html": arrow.array([], "string")}).num_rows == 0


def test_options_are_those_of_a_page():
    assert texts(extract_many(PAGES[:1], threshold=1)) == [""]
    assert extract_many([PAGES[0]], model="numwords").column("score")[0].as_py() == round(
        extract(PAGES[0], model="numwords").score, 4
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"html": "body"}, "there is no column 'body'; there are: html, title"),
        ({"url": "address"}, "there is no column 'address'"),
        ({}, "there is a column 'title' already"),
        ({"fields": ["nonsense"]}, "'nonsense' is none of"),
        ({"blocks": "kept"}, "blocks = 'kept': must be True or False"),
        ({"processes": 0}, "processes = 0: must be a whole number"),
        ({"threshold": 7}, "threshold = 7: must be"),
        ({"nonsense": 1}, "unknown key 'nonsense'"),
    ],
)
def test_wrong_arguments_are_told_at_the_start(arguments, message):
    with pytest.raises(ValueError, match=message):
        extract_many({"html": PAGES, "title": SENTENCES}, **arguments)


@pytest.mark.parametrize("page", ["<p>A page", b"<p>A page", 7, None])
def test_a_single_page_is_no_collection(page):
    with pytest.raises(TypeError, match=r"an iterable of pages, not \w+; see extract\(\)"):
        extract_many(page)


@pytest.mark.slow
def test_a_script_without_a_guard_is_told_to_have_one(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("from scrapy_boilerplate import extract_many\nextract_many(['<p>A page'] * 99, processes=2)\n")

    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode == 1
    assert 'below `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]
