"""Victor's labels: from the markup, and from CleanEval's marks where a gold text has them."""

from __future__ import annotations

from scrapy_boilerplate.train.data import read_examples
from scrapy_boilerplate.train.structure import marked_labels
from scrapy_boilerplate.train.victor import make_victor_sample

PAGE = """<body><div>Menu</div><b>The mill</b><br><br>It stood <i>empty</i> for years.<br>Nobody knew why.<br><br>
Flour<br><br>Bread and cakes<br><br>Imprint"""
GOLD = """URL: http://example.org/

<h>The mill
<p>It stood empty for years. Nobody knew why.
<l>Flour
<l>Bread and cakes"""


def write(folder, gold: str) -> None:
    for name, suffix, content in (("input", "html", PAGE), ("GoldStandard", "txt", gold)):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / f"1.{suffix}").write_text(content, "utf-8")


def test_marks_say_what_the_markup_does_not(tmp_path):
    write(tmp_path, GOLD)
    [example] = read_examples(tmp_path)
    sample = make_victor_sample(example)

    assert dict(zip(sample.texts, sample.structure, strict=True)) == {
        "Menu": "other",
        "The mill": "header",
        "It stood": "paragraph",
        "empty": "continuation",
        "for years.": "continuation",
        "Nobody knew why.": "continuation",
        "Flour": "list",
        "Bread and cakes": "list",
        "Imprint": "other",
    }


def test_text_before_all_marks_is_a_paragraph_and_what_is_not_found_keeps_its_label():
    texts = ["One two three", "four five", "Six seven", "lost"]
    labels = ["header", "continuation", "list", "list"]

    assert marked_labels(texts, labels, "One two three four five <H>Six seven") == (
        "paragraph",
        "continuation",
        "header",
        "list",
    )


def test_boilerplate_stays_boilerplate():
    assert marked_labels(["One", "two"], ["other", "other"], "<p>One <p>two") == ("other", "other")
