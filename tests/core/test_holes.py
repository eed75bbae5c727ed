"""Lists and tables without holes."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilerplate import extract
from scrapy_boilerplate.holes import without_holes
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment


def kept_of(markup: str, kept: str) -> str:
    """Which blocks are kept in the end, where a letter stands for a block that was and a dot for one that was not."""
    found = without_holes(segment(to_tree(markup)), np.array([mark != "." for mark in kept]))
    return "".join("x" if value else "." for value in found)


def items(count: int) -> str:
    return "<ul>" + "<li>a</li>" * count + "</ul>"


@pytest.mark.parametrize(
    ("markup", "kept", "without"),
    [
        (items(5), "xxxx.", "xxxxx"),
        (items(5), "xxx..", "xxx.."),
        (items(5), "x.x..", "xxx.."),
        (items(5), "x..x.", "x..x."),
        ("<p>a" * 5, "xxx.x", "xxx.x"),
        ("<p>a" + items(4) + "<p>b", "....x.", "....x."),
        (items(2) + items(2), "x.xx", "x.xx"),
        ("<ul><li>a<li><p>b<p>c<li>d<li>e<li>f</ul>", "x.xx..", "x.xx.."),
        ("<pre>" + "a\n" * 6 + "</pre>", "xx.xxx", "xxxxxx"),
    ],
)
def test_a_list_that_is_nearly_all_kept_is_kept_and_an_item_between_two_kept_ones(markup, kept, without):
    assert kept_of(markup, kept) == without


@pytest.mark.parametrize(
    ("cell", "kept", "without"),
    [
        ("th", "..xx..", "xxxx.."),
        ("th", "..x...", "..x..."),
        ("td", "..xx..", "..xx.."),
        ("th", "......", "......"),
        ("th", "..xxxx", "xxxxxx"),
    ],
)
def test_a_table_that_is_kept_for_the_most_part_keeps_its_header_row(cell, kept, without):
    row = "<tr><td>a<td>b"

    assert kept_of(f"<table><tr><{cell}>a<{cell}>b{row}{row}</table>", kept) == without


def test_a_threshold_of_the_user_is_exact():
    page = "<p>" + "The tide turns at half past six in the evening. " * 9 + items(9)
    document = extract(page, threshold=0.5)

    assert [block.is_content for block in document.blocks] == [block.score >= 0.5 for block in document.blocks]
