"""Every feed format holds the same text, and blocks that can be read back."""

from __future__ import annotations

import csv
import json

import pytest
from lxml import etree

from ..conftest import spider_over
from ..pages import article

TEXT = (
    'He said "no", and then, a little later; «oui» – 世界 & <so on>, '
    "with all of the control\x01 characters\x0b gone at last."
)
PAGE = article(*(TEXT.replace("&", "&amp;").replace("<", "&lt;") for _ in range(3)))
CLEAN = TEXT.replace("\x01", "").replace("\x0b", "")
MAIN_TEXT = "\n\n".join([CLEAN] * 3)


@pytest.fixture
def feed(crawl, tmp_path):
    def feed(format, pages=(PAGE,)):
        path = tmp_path / f"items.{format}"
        crawl(spider_over(*pages), FEEDS={path.as_uri(): {"format": format, "encoding": "utf-8"}})
        return path

    return feed


def check(main_text, blocks):
    assert main_text == MAIN_TEXT
    assert [block["is_content"] for block in blocks] == [False, False, True, True, True, False]
    assert blocks[2]["text"] == CLEAN
    assert list(blocks[2]) == ["text", "score", "is_content", "tag", "xpath", "kind"]


def test_json(feed):
    [item] = json.loads(feed("json").read_text("utf-8"))

    check(item["main_text"], item["blocks"])


def test_json_lines(feed):
    [line] = feed("jsonlines").read_text("utf-8").splitlines()

    check(json.loads(line)["main_text"], json.loads(line)["blocks"])


def test_csv_holds_the_blocks_as_json(feed):
    with feed("csv").open(encoding="utf-8", newline="") as file:
        [row] = csv.DictReader(file)

    check(row["main_text"], json.loads(row["blocks"]))


def test_csv_has_its_columns_even_if_the_first_page_is_not_cleaned(feed):
    with feed("csv", ["data:application/json,1", PAGE]).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    assert sorted(row["main_text"] for row in rows) == ["", MAIN_TEXT]


def test_xml(feed):
    root = etree.parse(feed("xml")).getroot()

    assert root.findtext("item/main_text") == MAIN_TEXT
    blocks = [{field.tag: field.text for field in block} for block in root.find("item/blocks")]
    assert [block["is_content"] for block in blocks] == ["False", "False", "True", "True", "True", "False"]
    assert blocks[2]["text"] == CLEAN
    assert float(blocks[2]["score"]) >= 0.5
