"""One table of fields: a new row is known to settings, items, files, Spark and the command."""

import json

import pytest

from scrapy_boilerplate import extract
from scrapy_boilerplate.commands.formats import FORMATS
from scrapy_boilerplate.fields import FIELDS, Field, Type, values_of
from scrapy_boilerplate.options import Options
from scrapy_boilerplate.stored import columns
from scrapy_boilerplate.stored.cleaning import page_cleaner
from scrapy_boilerplate.stored.pages import StoredPage

from ..conftest import spider_over
from ..pages import PAGE


@pytest.fixture
def _new_field(monkeypatch):
    new = Field(Type.NUMBER, lambda document: float(len(document.blocks)), "how many blocks the page has")
    monkeypatch.setitem(FIELDS, "block_count", new)


@pytest.mark.usefixtures("_new_field")
def test_a_new_field_is_found_everywhere(crawl, capsys):
    count = float(len(extract(PAGE).blocks))

    assert Options.from_settings({"BOILERPLATE_FIELDS": ["block_count"]}).fields == {"block_count": "block_count"}
    assert crawl(spider_over(PAGE), BOILERPLATE_FIELDS="block_count").items[0]["block_count"] == count
    cleaner = page_cleaner(["block_count"], False, {})
    row = cleaner.row(StoredPage("https://a.example", body=PAGE.encode()))
    assert row == {"url": "https://a.example", "date": None, "block_count": count, "error": None}
    assert columns.spark_schema(cleaner.columns) == "url string, date string, block_count double, error string"
    assert str(columns.arrow_schema(cleaner.columns).field("block_count").type) == "double"
    assert json.loads(FORMATS["json"]("page", extract(PAGE)))["block_count"] == count


def test_every_field_has_a_value_of_its_type():
    values = values_of(extract(PAGE), FIELDS)

    kinds = {Type.TEXT: str, Type.TEXTS: list, Type.NUMBER: float, Type.TRUTH: bool, Type.BLOCKS: list}
    for name, field in FIELDS.items():
        assert values[name] is None or isinstance(values[name], kinds[field.type]), name


def test_lists_of_texts_and_blocks_have_types_of_their_own_in_files():
    assert columns.spark_schema(["authors", "blocks"]).startswith("authors array<string>, blocks array<struct<text: ")
    schema = columns.arrow_schema(["authors", "blocks"])
    assert str(schema.field("authors").type).startswith("list<")
    assert schema.field("blocks").type.value_type.field("is_content").type == "bool"


@pytest.mark.parametrize(
    "value", [["main_text", "score"], "main_text,score", " main_text , score", '["main_text", "score"]']
)
def test_fields_can_be_a_list_of_names(value):
    options = Options.from_settings({"BOILERPLATE_FIELDS": value})

    assert options.fields == {"main_text": "main_text", "score": "score"}


def test_no_blocks_leaves_them_out_of_items(crawl):
    [item] = crawl(spider_over(PAGE), BOILERPLATE_BLOCKS=None).items

    assert item["main_text"]
    assert "blocks" not in item


def test_no_blocks_and_a_field_for_them_stop_the_crawl():
    with pytest.raises(ValueError, match="BOILERPLATE_BLOCKS is None, but BOILERPLATE_FIELDS asks for blocks"):
        Options.from_settings({"BOILERPLATE_BLOCKS": None, "BOILERPLATE_FIELDS": ["blocks"]})


def test_blocks_have_the_number_of_other_pages_only_with_a_site_memory():
    pytest.importorskip("pyarrow", reason="the extra warc is not installed")

    assert "other_pages" not in columns.spark_schema(["blocks"])
    assert columns.spark_schema(["blocks"], True).endswith("other_pages: double>>")
    assert "other_pages" not in str(columns.arrow_schema(["blocks"]))
    assert "other_pages" in str(columns.arrow_schema(["blocks"], True))
