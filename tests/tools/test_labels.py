"""Label files: what is written is read back, what is broken is refused, and another version of the page still fits."""

from __future__ import annotations

import json
import logging

import pytest

from scrapy_boilerplate import sequences
from scrapy_boilerplate.label import files as module
from scrapy_boilerplate.label.files import BlockLabel, PageLabels, digest_of, match, path_of, read_labels, write_labels
from scrapy_boilerplate.train.data import read_examples

LABELS = PageLabels(
    "baths.html",
    digest_of(b"<p>A page"),
    (
        BlockLabel("Home", "/html/body/ul/li", False),
        BlockLabel("Zürich’s baths", "/html/body/h1", True),
        BlockLabel("Perhaps", "/html/body/p[1]", None),
        BlockLabel("They stay  open.", "/html/body/p[2]", True),
    ),
    "https://example.org/baths",
    "utf-8",
    "mlp",
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "baths.html").write_bytes(b"<p>A page")
    write_labels(tmp_path / "baths.labels.json", LABELS)
    return tmp_path


def changed(folder, **fields):
    path = folder / "baths.labels.json"
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | fields), "utf-8")
    return path


def test_labels_are_read_back_as_they_were_written(folder):
    assert read_labels(folder / "baths.labels.json") == LABELS


def test_the_file_is_the_documented_json(folder):
    record = json.loads((folder / "baths.labels.json").read_text("utf-8"))

    assert list(record) == ["format", "page", "url", "encoding", "digest", "model", "blocks"]
    assert record["format"] == 1
    assert record["blocks"][2] == {"text": "Perhaps", "xpath": "/html/body/p[1]", "content": None}


@pytest.mark.parametrize("name", ["baths.html", "baths.htm", "baths.HTML", "baths.html.gz", "baths"])
def test_labels_stand_beside_their_page(tmp_path, name):
    assert path_of(tmp_path / name) == tmp_path / "baths.labels.json"


def test_a_write_that_fails_leaves_the_old_labels_and_nothing_else(folder, monkeypatch):
    before = sorted(folder.iterdir())

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(module.os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        write_labels(folder / "baths.labels.json", PageLabels("baths.html", LABELS.digest, ()))

    assert sorted(folder.iterdir()) == before
    assert read_labels(folder / "baths.labels.json") == LABELS


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"format": 2}, "its format is 2"),
        ({"page": "../../etc/passwd"}, "name of a file in the same folder"),
        ({"page": None}, "page must be a text"),
        ({"digest": "abc"}, "SHA-256"),
        ({"blocks": {}}, "blocks must be a list"),
        ({"blocks": ["Home"]}, "block 0 must be an object"),
        ({"blocks": [{"text": "Home", "xpath": "/html", "content": 1}]}, "content of block 0 must be true"),
        ({"blocks": [{"text": 7, "xpath": "/html", "content": True}]}, "block 0: text must be a text, not 7"),
        ({"url": 7}, "url must be a text, not 7"),
    ],
)
def test_a_file_with_a_mistake_is_refused_with_its_name_and_the_reason(folder, fields, reason):
    path = changed(folder, **fields)

    with pytest.raises(ValueError, match=reason) as refused:
        read_labels(path)
    assert str(path) in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b'{"blocks": []}', b"[" * 100_000])
def test_a_file_that_holds_something_else_is_refused(tmp_path, content):
    (tmp_path / "x.labels.json").write_bytes(content)

    with pytest.raises(ValueError, match=r"x\.labels\.json"):
        read_labels(tmp_path / "x.labels.json")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ValueError, match="No such file"):
        read_labels(tmp_path / "x.labels.json")


def test_every_block_of_the_same_page_gets_its_label():
    assert match(LABELS, [block.text for block in LABELS.blocks]) == ([False, True, None, True], [])


def test_another_version_of_the_page_is_matched_by_text_and_what_is_lost_is_reported():
    content, lost = match(LABELS, ["Cookies?", "Home", "News", "They stay open.", "The end"])

    assert content == [None, False, None, True, None]
    assert lost == [LABELS.blocks[1]]


def test_repeated_texts_are_matched_in_their_order():
    blocks = tuple(
        BlockLabel(text, "", text != "Reply" or number > 3) for number, text in enumerate("a Reply b c Reply".split())
    )
    labels = PageLabels("x.html", LABELS.digest, blocks)

    assert match(labels, ["Reply", "b", "c", "Reply"])[0] == [False, True, True, True]


def test_a_page_of_very_many_blocks_is_still_matched(monkeypatch):
    monkeypatch.setattr(sequences, "_MOST_BITS", 0)

    content, lost = match(LABELS, ["Home", "Another headline", "They stay open."])

    assert content == [False, None, True]
    assert lost == [LABELS.blocks[1]]


def test_a_folder_of_labels_is_a_collection(folder):
    [example] = read_examples(folder)

    assert (example.name, example.url, example.read()) == ("baths", LABELS.url, b"<p>A page")
    assert example.gold == "Zürich’s baths\n\nThey stay  open."
    assert example.labels == LABELS
    assert read_examples(folder / "baths.labels.json") == [example]


def test_label_files_that_say_nothing_or_have_no_page_are_named_and_left_out(folder, caplog):
    nothing = (BlockLabel("Home", "/html", None),)
    write_labels(folder / "nothing.labels.json", PageLabels("baths.html", LABELS.digest, nothing))
    write_labels(folder / "gone.labels.json", PageLabels("gone.html", LABELS.digest, LABELS.blocks))
    (folder / "broken.labels.json").write_text("{", "utf-8")

    with caplog.at_level(logging.WARNING):
        examples = read_examples(folder)

    assert [example.name for example in examples] == ["baths"]
    assert [name in caplog.text for name in ("broken", "gone", "no block is labelled")] == [True] * 3


def test_a_page_that_has_changed_since_is_named(folder, caplog):
    (folder / "baths.html").write_bytes(b"<p>Another page")

    with caplog.at_level(logging.WARNING):
        assert len(read_examples(folder)) == 1
    assert "not the version that was labelled" in caplog.text
