"""Files for the scorers of public benchmarks."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

from scrapy_boilerplate import extract

from ..benchmarks.hand_in import main, without_annotations
from ..pages import MAIN_TEXT, PAGE, article

ANNOTATED = PAGE.replace("<div><p>", '<div cc-select="true" class="mark-selected" data-anno-uid="u-1"><p>', 1).replace(
    "<body>", "<body><marked-text data-anno-uid=u2>Bare text</marked-text>"
)


@pytest.fixture
def hand_in(monkeypatch, tmp_path):
    def run(*arguments: str | Path) -> Path:
        output = tmp_path / "output.json"
        monkeypatch.setattr(sys, "argv", ["hand_in", *map(str, arguments[:2]), str(output), *map(str, arguments[2:])])
        main()
        return output

    return run


def zipped(folder: Path, **pages: str) -> Path:
    (folder / "html").mkdir()
    for name, page in pages.items():
        (folder / "html" / f"{name}.html.gz").write_bytes(gzip.compress(page.encode()))
    return folder


def test_the_article_extraction_benchmark_gets_the_body_of_each_article(hand_in, tmp_path):
    output = hand_in("article-extraction", zipped(tmp_path, first=PAGE, second=article("One. " * 30)))

    handed_in = json.loads(output.read_text("utf-8"))
    assert handed_in.keys() == {"version", "output"}
    assert handed_in["output"] == {
        "first": {"articleBody": MAIN_TEXT},
        "second": {"articleBody": extract(article("One. " * 30)).main_text},
    }


def test_wcxb_gets_the_text_of_each_page(hand_in, tmp_path):
    folder = zipped(tmp_path, **{"0001": PAGE, "0002": PAGE})
    (folder / "ground-truth").mkdir()
    for name, record in {"0001": {"url": "https://example.com/"}, "0002": {}}.items():
        (folder / "ground-truth" / f"{name}.json").write_text(json.dumps(record), "utf-8")

    output = hand_in("wcxb", folder, "--model", "news", "--no-comments")

    assert json.loads(output.read_text("utf-8")) == {"0001": MAIN_TEXT, "0002": MAIN_TEXT}


def test_webmainbench_gets_its_records_back_with_our_markdown(hand_in, tmp_path):
    record = {"track_id": "a", "html": ANNOTATED, "url": "https://example.com/", "groundtruth_content": "gold"}
    source = tmp_path / "pages.jsonl"
    source.write_text(json.dumps(record) + "\n", "utf-8")

    [line] = hand_in("webmainbench", source).read_text("utf-8").splitlines()

    markdown = extract(without_annotations(ANNOTATED), record["url"]).markdown
    assert json.loads(line) == {**record, "llm_webkit_md": markdown}
    assert MAIN_TEXT in markdown


def test_nothing_of_the_annotations_of_webmainbench_is_left():
    page = without_annotations(ANNOTATED)

    assert page.replace(' class=""', "") == PAGE.replace("<body>", "<body>Bare text")


def test_a_source_without_pages_is_told(hand_in, tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        hand_in("article-extraction", tmp_path)

    assert "has no pages; give a checkout of scrapinghub/article-extraction-benchmark" in capsys.readouterr().err
