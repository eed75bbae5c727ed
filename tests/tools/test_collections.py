"""CleanEval's and L3S-GN1's files: read as they come, and judged by figures that one computes by hand."""

from __future__ import annotations

import gzip
import json
import logging

import numpy as np
import pytest

from scrapy_boilerplate import extract, sequences
from scrapy_boilerplate.features import SHALLOW_NAMES
from scrapy_boilerplate.label.files import BlockLabel, PageLabels, digest_of, write_labels
from scrapy_boilerplate.train.annotations import annotated_paragraphs, without_annotations
from scrapy_boilerplate.train.classes import (
    BOILERPLATE,
    FULL_TEXT,
    HEADLINE,
    SUPPLEMENTAL,
    ClassifiedWords,
    area_under_curve,
    class_figures,
    classes_in_blocks,
    guessed_classes,
)
from scrapy_boilerplate.train.cleaneval import cleaneval_scores, plain_text
from scrapy_boilerplate.train.data import read_examples
from scrapy_boilerplate.train.evaluation import Contender, evaluate, summarise
from scrapy_boilerplate.train.figures import Quality
from scrapy_boilerplate.train.samples import make_sample

from ..core.test_kinds import TextNodes
from ..pages import MAIN_TEXT, PAGE, PARAGRAPHS
from .test_evaluation import run

NUMWORDS = Contender("numwords", "numwords")
PERFECT = Quality(1.0, 1.0, 1.0)


# CleanEval


@pytest.fixture
def cleaneval(tmp_path):
    """Two pages: one whose gold is what numwords keeps, one whose gold has a headline and a list more."""
    for folder in ("input", "GoldStandard"):
        (tmp_path / folder).mkdir()
    wrapped = f'<text id="http://two.example/" title="A > B" encoding="utf-8">\n{PAGE}\n</text>\n'
    (tmp_path / "input" / "1.html").write_text(PAGE, "utf-8")
    (tmp_path / "input" / "2.html").write_text(wrapped, "utf-8")
    marked = "\n\n".join(f"<p> {paragraph}" for paragraph in PARAGRAPHS)
    (tmp_path / "GoldStandard" / "1.txt").write_text(f" URL: http://one.example/\n\n{marked}\n", "utf-8")
    gold = f"URL: http://two.example/\r\n\r\n<H>Baths to stay open\r\n{marked}\r\n<l>Home\r\n<L>News"
    (tmp_path / "GoldStandard" / "2.txt").write_text(gold, "utf-8", newline="")
    return tmp_path


def test_cleanevals_layout_is_recognised(cleaneval):
    one, two = read_examples(cleaneval)

    assert (one.name, one.url, one.gold) == ("1", "http://one.example/", MAIN_TEXT.replace("\n\n", "\n"))
    assert one.read() == PAGE.encode()
    assert two.url == "http://two.example/"
    assert two.gold.splitlines() == ["Baths to stay open", *PARAGRAPHS, "Home", "News"]


def test_a_page_like_its_gold_has_full_marks_and_missing_segments_cost_recall(cleaneval):
    one, two = (result.cleaneval for result in evaluate([NUMWORDS], read_examples(cleaneval)))

    words = sum(len(paragraph.split()) for paragraph in PARAGRAPHS)
    assert one.text == one.labelled == one.unlabelled == one.labelled_marks == PERFECT
    assert (two.text.precision, two.text.recall) == (1.0, words / (words + 6))
    assert two.labelled == Quality(1.0, (words + 3) / (words + 12), 2 * (words + 3) / (2 * words + 15))
    assert two.labelled_marks == Quality(1.0, 0.5, 2 / 3)


def test_a_wrong_mark_costs_only_where_marks_are_told_apart():
    scores = cleaneval_scores("URL: x\n\n<p> Baths\n\n<l> open", "<h> Baths\n<l> open")

    assert scores.text == scores.unlabelled == scores.unlabelled_marks == PERFECT
    assert scores.labelled == Quality(3 / 4, 3 / 4, 3 / 4)
    assert scores.labelled_marks == Quality(1 / 2, 1 / 2, 1 / 2)


def test_the_order_of_words_counts():
    assert cleaneval_scores("<p> c a b", "<p> a b c").text == Quality(2 / 3, 2 / 3, 2 / 3)


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        ("", ""),
        ("URL: http://x.example/\n", ""),
        ("\n  URL http://x.example/ more\n<p>a b", "a b"),
        ("<p>a\n<p>b", "a\nb"),
        ("URL: http://x.example/\r\r<h>a\r<p>b", "a\nb"),
        ("before <h> a </h><L >b", "before\na\nb"),
        ("URLs are addresses", "URLs are addresses"),
        ("<l>", ""),
        ("a < b <pre> c", "a < b <pre> c"),
    ],
)
def test_golds_that_are_not_quite_in_the_format_are_read(gold, text):
    assert plain_text(gold) == text


def test_empty_texts_are_right_or_wrong():
    assert cleaneval_scores("URL: x\n", "URL: x\n").labelled == PERFECT
    assert cleaneval_scores("URL: x\n", "<p> a").text == Quality(0.0, 0.0, 0.0)
    assert cleaneval_scores("<p> a", "").labelled == Quality(0.0, 0.0, 0.0)


def test_a_text_without_marks_is_judged_by_its_words():
    scores = cleaneval_scores("a b", "<h> a <p> b", has_marks=False)

    assert scores.text == PERFECT
    assert (scores.labelled, scores.unlabelled, scores.labelled_marks) == (None, None, None)


def test_very_long_texts_are_compared_too(monkeypatch):
    monkeypatch.setattr(sequences, "_MOST_BITS", 0)

    assert cleaneval_scores("<p> x a b y", "<p> a b z").text == Quality(2 / 4, 2 / 3, 4 / 7)


def test_what_is_missing_or_broken_is_named_and_the_rest_is_read(cleaneval, caplog):
    (cleaneval / "GoldStandard" / "1.txt").unlink()
    (cleaneval / "GoldStandard" / "9.txt").write_text("<p>no page", "utf-8")
    (cleaneval / "input" / "3.html.gz").write_bytes(gzip.compress(PAGE.encode())[:-9])
    (cleaneval / "GoldStandard" / "3.txt").write_text("<p>a", "utf-8")

    with caplog.at_level(logging.WARNING):
        examples = read_examples(cleaneval)

    assert [example.name for example in examples] == ["2"]
    assert ["1.html" in caplog.text, "9.txt" in caplog.text, "3.html.gz" in caplog.text] == [True] * 3


def test_other_names_and_encodings_are_read(tmp_path):
    (tmp_path / "Input").mkdir()
    (tmp_path / "goldstandard").mkdir()
    for number, (suffix, gold) in enumerate(
        [
            (".htm", "<p>Zürich".encode("cp1252")),
            (".HTML", "<p>Zürich".encode("utf-16")),
            (".html", "\ufeff<p>Zürich".encode()),
        ]
    ):
        (tmp_path / "Input" / f"{number}{suffix}").write_text("<p>Zürich", "utf-8")
        (tmp_path / "goldstandard" / f"{number}-cleaned.txt").write_bytes(gold)

    assert [example.gold for example in read_examples(tmp_path)] == ["Zürich"] * 3


@pytest.mark.parametrize(
    ("pages", "golds", "suffix"),
    [
        ("finalrun-input", "GoldStandard", ""),
        ("en_original", "en_cleaned", "-cleaned"),
        ("zh-original", "zh-cleaned", "-cleaned"),
        ("orig", "clean", ""),
    ],
)
def test_the_folders_of_cleanevals_archives_are_recognised(pages, golds, suffix, tmp_path):
    (tmp_path / pages).mkdir()
    (tmp_path / golds).mkdir()
    (tmp_path / pages / "7.html").write_text('<text id="http://x.example/"><p>Hello</text>', "utf-8")
    (tmp_path / golds / f"7{suffix}.txt").write_text("<p>Hello", "utf-8")

    [example] = read_examples(tmp_path)

    assert (example.url, example.gold, example.cleaneval) == ("http://x.example/", "Hello", "<p>Hello")


def test_the_command_prints_cleanevals_scores(cleaneval, capsys):
    run("--data", str(cleaneval), "--model", "numwords")
    printed = capsys.readouterr().out
    run("--data", str(cleaneval), "--model", "numwords", "--json")
    content = json.loads(capsys.readouterr().out)

    assert "CleanEval, text only" in printed
    assert "numwords: marks alone" in printed
    assert content["summary"]["numwords"]["cleaneval"]["labelled_marks"]["recall"] == 0.75
    assert content["pages"][0]["cleaneval"]["text"]["f1"] == 1.0
    assert content["summary"]["numwords"]["classes"] is None


# L3S-GN1

ANNOTATED = (
    "<html><head><title>Baths to stay open - Gazette</title></head><body>"
    '<ul><li><a href="/">Home</a></ul>'
    '<div><SPAN CLASS="x-nc-sel1">Baths to stay open</SPAN>'
    '</div><div class="by">By <span class="x-nc-sel3">Maja <span class="b">Lind</span></span> today</div>'
    f'<span class="x-nc-sel2"><p>{PARAGRAPHS[0]}</p><p>{PARAGRAPHS[1]} <span class="x-nc-sel0">Advertisement</span></p>'
    f'</span><p>{PARAGRAPHS[2]}</p><div><a href="/1"><span class="x-nc-sel4">Another article</span></a></div>'
    '<p><span class="x-nc-sel5">First comment</span></p></body></html>'
)
ORIGINAL = without_annotations(ANNOTATED.encode())


def classes_of(page: str) -> list[tuple[str, int]]:
    return [pair for paragraph in annotated_paragraphs(page.encode()) for pair in paragraph]


@pytest.fixture
def news(tmp_path):
    for folder in ("original", "annotated"):
        (tmp_path / folder).mkdir()
    names = "0e1f2a3b-0000-0000-0000-00000000000a", "0e1f2a3b-0000-0000-0000-00000000000b"
    for name in names:
        (tmp_path / "original" / f"{name}.html").write_bytes(ORIGINAL)
        (tmp_path / "annotated" / f"{name}.html").write_text(ANNOTATED, "utf-8")
    (tmp_path / "url-mapping.txt").write_text(f"<urn:uuid:{names[0]}> http://gazette.example/baths\n", "utf-8")
    return tmp_path


def test_annotating_spans_are_taken_out_and_other_spans_stay():
    page = '<span>a<span class="x-nc-sel2">b<span class="c">c</span></span></span><Span class=x-nc-sel1>d</sPan >'

    assert without_annotations(page.encode()) == b'<span>ab<span class="c">c</span></span>d'


@pytest.mark.parametrize(
    "page",
    [
        "<!-- <span class='x-nc-sel1'> -->a<script>'<span class=\"x-nc-sel1\">'</script>",
        "</span></span>a",
        '<span class="x-nc-selection x-nc-sel9">a</span>',
        '<span title="x-nc-sel1">a</span>',
        "",
    ],
)
def test_what_only_looks_like_an_annotation_stays(page):
    assert without_annotations(page.encode()) == page.encode()
    assert {number for _, number in classes_of(page)} <= {0}


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ('<p>a <span class="x-nc-sel2">b</span> c</p>', [("a", 0), ("b", 2), ("c", 0)]),
        ('<p><span class="x-nc-sel2">a <span class="x-nc-sel3">b</span> c</span>', [("a", 2), ("b", 3), ("c", 2)]),
        ('<span class="x-nc-sel2"><p>a</p><p>b</p></span>c', [("a", 2), ("b", 2), ("c", 0)]),
        ('<p>a <span class="x-nc-sel2">b</p><p>c</span> d</p>', [("a", 0), ("b", 2), ("c", 2), ("d", 0)]),
        ('<p><span class="x-nc-sel2">a <span>b</span> c', [("a", 2), ("b", 2), ("c", 2)]),
        ('<p><span class="x x-nc-sel1 y">a</span></p>', [("a", 1)]),
        ('<span class="x-nc-sel2"><a>a</a></span><span class="x-nc-sel1"><a>b</a></span>', [("a", 2), ("b", 1)]),
    ],
)
def test_the_innermost_annotation_counts_across_all_elements(page, expected):
    assert classes_of(page) == expected


def test_the_collections_layout_is_recognised(news):
    first, second = read_examples(news)

    assert first.read() == ORIGINAL
    assert (first.url, second.url) == ("http://gazette.example/baths", None)
    assert first.gold.split("\n\n") == [
        "Baths to stay open",
        "Maja Lind",
        PARAGRAPHS[0],
        PARAGRAPHS[1],
        "First comment",
    ]
    assert dict(first.word_classes)["Another"] == 4


def test_annotated_pages_alone_are_read_without_their_annotations(tmp_path):
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(ANNOTATED.encode()))
    (tmp_path / "b.htm").write_text("<p>not a word of it is content", "utf-8")

    first, second = read_examples(tmp_path)

    assert first.read() == ORIGINAL
    assert {number for _, number in second.word_classes} == {0}


def test_pages_without_annotations_and_broken_ones_are_named(news, caplog):
    (news / "original" / "c.html").write_text("<p>a", "utf-8")
    (news / "annotated" / "d.html.gz").write_bytes(b"nonsense")

    with caplog.at_level(logging.WARNING):
        assert len(read_examples(news)) == 2
    assert ["c.html" in caplog.text, "d.html.gz" in caplog.text] == [True, True]


def test_annotated_copies_may_differ_a_little_from_their_pages():
    annotated = [("Home", 0), ("The", 2), ("concil", 2), ("voted", 2), ("Imprint", 0), ("All", 0)]

    counts = classes_in_blocks(["Home News", "The council voted today", "Imprint — All"], annotated)

    assert counts[:, 0].tolist() == [2, 1, 2]  # "today" stands between a word of the article and one of the footer
    assert counts[:, 2].tolist() == [0, 3, 0]


@pytest.mark.parametrize("texts", [[], [""], ["a", "–"]])
def test_pages_without_an_annotated_word_are_not_content(texts):
    assert classes_in_blocks(texts, []).sum(0).tolist()[1:] == [0] * 5


def test_four_classes_are_guessed_from_what_is_kept():
    page = f"""<title>Baths to stay open - Gazette</title><h2>Local news</h2><div>Baths to stay open</div>
    <p>{PARAGRAPHS[0]}</p><h2>What next</h2><figure><figcaption>The old baths</figcaption></figure>
    <p>{PARAGRAPHS[1]}</p><table><tr><td>Depth<td>2 m</table>"""
    document = extract(page, model="numwords", threshold=0)

    expected = [HEADLINE, HEADLINE, FULL_TEXT, FULL_TEXT, SUPPLEMENTAL, FULL_TEXT, SUPPLEMENTAL, SUPPLEMENTAL]
    assert guessed_classes(document) == expected
    assert set(guessed_classes(extract(page, model="numwords", threshold=1))) == {BOILERPLATE}


def test_parts_of_a_paragraph_are_guessed_alike():
    page = f"<h1>Baths <b>to</b> stay</h1><p>{PARAGRAPHS[0]} <b>Really</b></p><h1>And <i>so</i> on</h1>"
    document = extract(page, model=TextNodes(), threshold=0)

    assert guessed_classes(document) == [HEADLINE] * 3 + [FULL_TEXT] * 5


def test_figures_count_words_and_weight_classes_by_their_size():
    cells = [
        ClassifiedWords(words=60, truth=2, guess=FULL_TEXT, score=0.9),
        ClassifiedWords(words=10, truth=4, guess=BOILERPLATE, score=0.2),
        ClassifiedWords(words=10, truth=1, guess=FULL_TEXT, score=0.9),
        ClassifiedWords(words=20, truth=0, guess=BOILERPLATE, score=0.1),
    ]
    figures = class_figures(cells)

    paper, other = figures["two_classes"].values()
    assert figures["words"] == 100
    assert (paper["accuracy"], other["accuracy"]) == (0.9, 1.0)
    assert paper["classes"]["content"] == {
        "words": 80, "precision": 1.0, "recall": 7 / 8, "f1": 14 / 15, "fp_rate": 0.0
    }  # fmt: skip
    assert paper["precision"] == pytest.approx(0.8 * 1 + 0.2 * 2 / 3)
    assert paper["recall"] == pytest.approx(paper["accuracy"])
    assert paper["fp_rate"] == pytest.approx(0.2 * 10 / 80)
    assert (paper["auc"], other["auc"]) == (1.0, 1.0)
    four = figures["four_classes"]["as in the paper"]
    assert four["accuracy"] == 0.8
    assert four["classes"]["headline"]["recall"] == 0.0
    assert four["classes"]["full text"]["precision"] == 6 / 7
    assert figures["confusion"]["related"] == [10, 0, 0, 0]


def test_the_area_under_the_curve_weights_words_and_halves_ties():
    scores, truths = np.array([0.9, 0.5, 0.5, 0.1]), np.array([True, True, False, False])

    assert area_under_curve(scores, truths, np.array([1, 1, 1, 1])) == 7 / 8
    assert area_under_curve(scores, truths, np.array([3, 1, 1, 1])) == (6 + 1.5) / 8
    assert area_under_curve(scores, truths, np.array([0, 1, 3, 1])) == (1.5 + 1) / 4
    assert area_under_curve(scores, np.ones(4, np.bool_), np.ones(4)) is None


def test_the_areas_are_scikit_learns():
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(0)
    scores, truths, weights = random.integers(0, 9, 200), random.random(200) > 0.4, random.integers(1, 30, 200)

    expected = metrics.roc_auc_score(truths, scores, sample_weight=weights)
    assert area_under_curve(scores, truths, weights) == pytest.approx(expected)


def test_words_of_one_block_may_be_of_several_classes(news):
    summary = summarise(evaluate([NUMWORDS], read_examples(news)))["numwords"]["classes"]

    assert summary["words"] == 2 * (1 + 8 + sum(len(paragraph.split()) for paragraph in PARAGRAPHS) + 1 + 2 + 2)
    assert sum(summary["confusion"]["headline"]) == 8
    assert sum(summary["confusion"]["supplemental"]) == 4
    assert summary["confusion"]["full text"][FULL_TEXT] > 60


def test_the_command_prints_both_tasks(news, capsys):
    run("--data", str(news), "--model", "numwords", "--model", "densitometric")
    printed = capsys.readouterr().out
    run("--data", str(news), "--model", "numwords", "--json")
    content = json.loads(capsys.readouterr().out)

    for part in ("two classes, by words", "numwords, related as boilerplate"):
        assert part in printed
    assert "words, classified by densitometric as" in printed
    assert "densitometric: supplemental" in printed
    assert content["summary"]["numwords"]["classes"]["words"] > 100


# Our own labels


def test_labels_judge_blocks_and_leave_out_what_nobody_has_labelled(tmp_path):
    (tmp_path / "a.html").write_text(PAGE, "utf-8")
    content = {PARAGRAPHS[0]: True, PARAGRAPHS[1]: None, PARAGRAPHS[2]: False, "Home": False}
    blocks = tuple(BlockLabel(text, "", label) for text, label in content.items())
    write_labels(tmp_path / "a.labels.json", PageLabels("a.html", digest_of(PAGE.encode()), blocks))

    summary = summarise(evaluate([NUMWORDS], read_examples(tmp_path)))["numwords"]

    kept = [len(PARAGRAPHS[number].split()) for number in (0, 2)]
    assert summary["precision"] == pytest.approx(kept[0] / sum(kept))
    assert summary["recall"] == 1.0
    assert summary["blocks"] == pytest.approx(1 / 2)


def test_labels_that_find_no_block_are_named(tmp_path, caplog):
    (tmp_path / "a.html").write_text(PAGE, "utf-8")
    blocks = BlockLabel(PARAGRAPHS[0], "", True), BlockLabel("Gone", "", False)
    write_labels(tmp_path / "a.labels.json", PageLabels("a.html", digest_of(PAGE.encode()), blocks))

    with caplog.at_level(logging.WARNING):
        summary = summarise(evaluate([NUMWORDS], read_examples(tmp_path)))["numwords"]

    assert summary["blocks"] == 1.0
    assert "a: 1 labels match no block, such as 'Gone'" in caplog.text


def test_training_learns_from_labels_alone(tmp_path, caplog):
    (tmp_path / "a.html").write_text(PAGE, "utf-8")
    content = {"Home": False, PARAGRAPHS[0]: True, PARAGRAPHS[1]: None, "Gone": True}
    blocks = tuple(BlockLabel(text, "", label) for text, label in content.items())
    write_labels(tmp_path / "a.labels.json", PageLabels("a.html", digest_of(PAGE.encode()), blocks))

    [example] = read_examples(tmp_path)
    with caplog.at_level(logging.WARNING):
        sample = make_sample(example, SHALLOW_NAMES)

    assert sample.texts[:4] == ["Home", "News", *PARAGRAPHS[:2]]
    assert sample.labels.tolist() == [0, 0, 1, 0, 0, 0]
    assert sample.known.tolist() == [1, 0, 1, 0, 0, 0]
    assert "1 of 4 labels match no block, such as 'Gone'" in caplog.text


def test_the_command_reads_single_label_files(tmp_path, capsys):
    (tmp_path / "a.html").write_text(PAGE, "utf-8")
    blocks = tuple(BlockLabel(paragraph, "", True) for paragraph in PARAGRAPHS)
    write_labels(tmp_path / "a.labels.json", PageLabels("a.html", digest_of(PAGE.encode()), blocks))

    run("--data", str(tmp_path / "a.labels.json"), "--model", "numwords", "--json")

    assert json.loads(capsys.readouterr().out)["summary"]["numwords"]["f1"] == 1.0
