"""`scrapy boilerplate evaluate`: the figures are those that one computes by hand, and bad data is named."""

from __future__ import annotations

import gzip
import json
import logging
from argparse import ArgumentParser
from importlib.metadata import version

import pytest
from scrapy.exceptions import UsageError

from scrapy_boilerplate.commands import evaluate as command
from scrapy_boilerplate.options import Options
from scrapy_boilerplate.train import evaluation, rivals
from scrapy_boilerplate.train.data import read_examples
from scrapy_boilerplate.train.evaluation import Contender, evaluate, summarise

from ..pages import MAIN_TEXT, PAGE, PARAGRAPHS

NUMWORDS = Contender("numwords", "numwords")


@pytest.fixture
def collection(tmp_path):
    """Two pages in the WCXB layout: one that numwords cleans perfectly, one whose gold is a third of what it keeps."""
    for folder in ("html", "ground-truth"):
        (tmp_path / folder).mkdir()
    truths = {
        "0001": {"main_content": MAIN_TEXT, "with": [PARAGRAPHS[0][:30]], "without": ["Imprint"]},
        "0002": {"main_content": PARAGRAPHS[0], "with": ["nowhere"], "without": [PARAGRAPHS[1][:30], "Home"]},
    }
    for name, truth in truths.items():
        (tmp_path / "html" / f"{name}.html.gz").write_bytes(gzip.compress(PAGE.encode()))
        record = {"url": f"https://{name}.example/", "ground_truth": truth}
        record["_internal"] = {"page_type": {"primary": "article" if name == "0001" else "listing"}}
        (tmp_path / "ground-truth" / f"{name}.json").write_text(json.dumps(record), "utf-8")
    return tmp_path


def run(*arguments: str) -> None:
    parser = ArgumentParser()
    command.add_options(parser)
    command.run([], parser.parse_args(arguments))


def test_the_summary_has_the_means_over_pages(collection):
    summary = summarise(evaluate([NUMWORDS], read_examples(collection)))["numwords"]

    words = [len(paragraph.split()) for paragraph in PARAGRAPHS]
    precision = words[0] / sum(words)
    assert summary["pages"] == 2
    assert summary["recall"] == 1.0
    assert summary["precision"] == pytest.approx((1 + precision) / 2, abs=0.01)
    assert summary["f1"] == pytest.approx((1 + 2 * precision / (1 + precision)) / 2, abs=0.01)
    assert summary["shingle_f1"] < summary["f1"]
    assert (summary["with"], summary["without"], summary["snippets"]) == (1 / 2, 2 / 3, 3 / 5)
    assert summary["blocks"] == pytest.approx((1 + 4 / 6) / 2)
    assert summary["empty"] == 0
    assert summary["f1_by_type"]["article"] == 1.0


def test_several_processes_give_the_same_figures(collection):
    alone, together = (
        summarise(evaluate([NUMWORDS, Contender("densitometric", "densitometric")], read_examples(collection), jobs))
        for jobs in (1, 2)
    )

    for summary in (*alone.values(), *together.values()):
        del summary["ms"]
    assert alone == together


def test_an_extractor_that_fails_on_a_page_counts_as_empty(collection, monkeypatch):
    def broken():
        def extract(page):
            raise RuntimeError("no")

        return extract

    monkeypatch.setitem(rivals.RIVALS, "broken", broken)
    summary = summarise(evaluate([Contender("broken")], read_examples(collection)))["broken"]

    assert summary["failed"] == summary["empty"] == 2
    assert summary["f1"] == 0


def test_every_extractor_is_warmed_up_and_begins_in_turn(collection, monkeypatch):
    calls: list[tuple[str, bytes]] = []

    def recording(name):
        return lambda: lambda page: calls.append((name, page)) or "text"

    for name in ("one", "two"):
        monkeypatch.setitem(rivals.RIVALS, name, recording(name))
    examples = read_examples(collection)
    results = list(evaluate([Contender("one"), Contender("two")], examples))

    pages = {example.read() for example in examples}
    assert [name for name, page in calls if page not in pages] == ["one", "two"]
    order = [name for name, page in calls if page in pages]
    assert sorted([order[:2], order[2:]]) == [["one", "two"], ["two", "one"]]
    assert [result.contender for result in results] == ["one", "two", "one", "two"]


def test_victors_labels_are_judged_where_a_gold_text_has_marks(tmp_path, capsys):
    page = "<h1>The mill</h1><p>It stood empty for years.</p><div>It was sold on Monday.</div><p>Imprint</p>"
    gold = "<h>The mill\n<p>It stood empty for years.\n<h>It was sold on Monday."
    for folder, suffix, content in (("input", "html", page), ("GoldStandard", "txt", gold)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"1.{suffix}").write_text(content, "utf-8")
    summary = summarise(evaluate([Contender("all", "numwords", Options(threshold=0.0))], read_examples(tmp_path)))[
        "all"
    ]

    assert summary["blocks"] == 3 / 4
    assert summary["labels"] == 2 / 4  # the third is no heading in the page

    run("--data", str(tmp_path), "--model", "numwords", "--threshold", "0")
    row = capsys.readouterr().out.partition("as in Victor's paper")[2].splitlines()[2].split()
    markup, text = (summary["cleaneval"][name]["f1"] for name in ("labelled_marks", "text"))
    assert row[1:] == [f"{value:.3f}" for value in (0.5, 0.75, markup, text, (markup + text) / 2)]


def test_extractors_that_are_not_installed_are_named(monkeypatch):
    def missing():
        raise ImportError

    monkeypatch.setattr(rivals, "RIVALS", {"here": lambda: str, "gone": missing})

    assert rivals.installed() == (["here"], ["gone"])


def test_the_command_prints_tables(collection, capsys):
    run("--data", str(collection), "--model", "numwords", "--model", "densitometric", "--worst", "1")

    printed = capsys.readouterr().out
    assert "f1 by type" in printed
    assert "worst of numwords" in printed
    assert "0002" in printed
    assert "0001" not in printed.partition("worst of densitometric")[0].partition("worst of numwords")[2]


def test_the_command_prints_json(collection, capsys):
    run("--data", str(collection), "--model", "numwords", "--json", "--filter", "largest", "--threshold", "0.5")

    content = json.loads(capsys.readouterr().out)
    assert content["summary"]["numwords"]["pages"] == 2
    assert [page["page"] for page in content["pages"]] == ["0001", "0002"]


def test_the_versions_of_other_extractors_are_named(collection, capsys, monkeypatch):
    others = dict.fromkeys(("parsel", "parsel, otherwise"), lambda: bytes.decode)
    for module in (rivals, evaluation):
        monkeypatch.setattr(module, "RIVALS", others)
    run("--data", str(collection), "--others")

    assert f"versions: parsel {version('parsel')}\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "usage"),
        (["--data", "no-such-folder"], "no-such-folder"),
        (["--data", "{data}", "--model", "nonsense"], "--model nonsense: unknown model"),
        (["--data", "{data}", "--jobs", "0"], "--jobs must be at least 1, not 0"),
        (["--data", "{data}", "--worst", "-1"], "--worst must be 0 or more, not -1"),
        (["--data", "{data}", "--threshold", "7"], "threshold"),
        (["--data", "{data}", "--filter", "nonsense"], "nonsense"),
    ],
)
def test_a_mistake_stops_the_command_before_it_starts(collection, arguments, message):
    with pytest.raises(UsageError, match=message):
        run(*(argument.format(data=collection) for argument in arguments))


def test_pages_without_gold_are_named_and_left_out(collection, caplog):
    (collection / "ground-truth" / "0001.json").write_text("{", "utf-8")
    (collection / "html" / "0003.html.gz").write_bytes(gzip.compress(b"<p>no gold"))

    with caplog.at_level(logging.WARNING):
        examples = read_examples(collection)

    assert [example.name for example in examples] == ["0002"]
    assert ["0001" in caplog.records[0].message, "0003" in caplog.records[1].message] == [True, True]


@pytest.mark.parametrize(
    "content",
    [
        '{"ground_truth": {"main_content": 5}}',
        '{"ground_truth": {"with": [5]}}',
        '{"url": [], "ground_truth": {"main_content": "text"}}',
        "[" * 100_000,
    ],
    ids=["a number for a text", "a number for a snippet", "a list for an address", "too deep"],
)
def test_gold_of_other_kinds_is_left_out(collection, content):
    (collection / "ground-truth" / "0001.json").write_text(content, "utf-8")

    assert [example.name for example in read_examples(collection)] == ["0002"]


def test_pairs_of_page_and_text_are_read(tmp_path):
    (tmp_path / "one.html").write_text(PAGE, "utf-8")
    (tmp_path / "one.txt").write_text(MAIN_TEXT, "utf-8")

    [example] = read_examples(tmp_path)

    assert (example.name, example.gold, example.read()) == ("one", MAIN_TEXT, PAGE.encode())


def test_a_folder_without_any_gold_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no page with a gold text"):
        read_examples(tmp_path)


def test_all_options_of_a_page_can_be_judged(collection, capsys):
    def f1(*flags: str) -> float:
        run("--data", str(collection), "--model", "numwords", "--json", *flags)
        return sum(page["f1"] for page in json.loads(capsys.readouterr().out)["pages"])

    assert f1("--threshold", "1") < f1()
    assert f1("--headline", "--no-comments", "--filter", "ancestor", "--ancestor-depth", "3") != f1()
