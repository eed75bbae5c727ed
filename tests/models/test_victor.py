"""Victor: its features on snippets computed by hand, the model, and its training."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scrapy.exceptions import UsageError

from scrapy_boilerplate import extract
from scrapy_boilerplate.features import Features
from scrapy_boilerplate.models import WEIGHTS, load_model
from scrapy_boilerplate.models.papers.victor import LABELS, OFFSETS, Victor
from scrapy_boilerplate.models.papers.victor_features import VictorFeatures
from scrapy_boilerplate.models.papers.victor_values import VALUE_COUNTS, VALUES, VICTOR_NAMES
from scrapy_boilerplate.models.weights_file import load_weights, save_weights
from scrapy_boilerplate.page import Page
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment.limits import MOST_BLOCKS
from scrapy_boilerplate.segment.text_nodes import segment_text_nodes
from scrapy_boilerplate.train.aging import is_to_be_aged
from scrapy_boilerplate.train.align import label_text_nodes
from scrapy_boilerplate.train.cards import card_page
from scrapy_boilerplate.train.structure import structure_labels

from ..tools.test_train_texrex import run as train_by_command

PARAGRAPH = (
    "The council voted on Tuesday to keep the <b>old library</b> open, and the mayor said it would be repaired. "
)
PAGE = f"""<!DOCTYPE html><html><head><title>Library</title></head><body>
<ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li><li><a href="/about">About us</a></li></ul>
<div><h1>The library stays</h1><p>{PARAGRAPH * 3}</p><p>{PARAGRAPH * 4}</p><p>{PARAGRAPH * 2}</p></div>
<div><a href="/1">Read more</a> <a href="/2">Share</a></div><div>© 2026 The Paper</div></body></html>"""


def split(markup: str, *, image_alt: bool = False) -> Page:
    return segment_text_nodes(to_tree(markup), image_alt=image_alt)


def values(markup: str, name: str) -> list[float]:
    """A feature of each text node before it is put into categories."""
    page = split(markup)
    features = Features(page)
    numbers = features.family(VictorFeatures).values()[list(VALUES).index(name)]
    return np.broadcast_to(numbers, len(page.texts)).astype(float).round(4).tolist()


def categories(markup: str, name: str) -> list[int]:
    return Features(split(markup)).matrix([f"victor.{name}"])[:, 0].astype(int).tolist()


# Markup


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("container.p", [1, 1, 1, 0]),
        ("container.a", [0, 1, 0, 0]),
        ("container.class-bold", [0, 1, 1, 0]),
        ("container.class-header", [0, 0, 0, 1]),
        ("container.class-list", [0, 0, 0, 0]),
    ],
)
def test_a_block_is_in_all_elements_around_it(name, expected):
    assert categories("<p>See <b><a href=x>our website</a> now</b></p><h2>News</h2>", name) == expected


def test_list_items_and_forms_are_classes_of_tags():
    markup = "<ul><li>one</li></ul><dl><dd>two</dd></dl><form><label>three</label></form>"

    assert categories(markup, "container.class-list") == [1, 1, 0]
    assert categories(markup, "container.class-form") == [0, 0, 1]


def test_the_text_of_an_image_is_in_the_image():
    matrix = Features(split("<p>See <img alt='a boat'>", image_alt=True)).matrix(["victor.container.img"])

    assert matrix[:, 0].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("split.p", [1, 0, 0, 0, 2, 1]),
        ("split.br", [0, 0, 1, 2, 0, 0]),
        ("split.hr", [0, 0, 0, 0, 0, 1]),
        ("split.class-inline", [0, 2, 2, 0, 0, 0]),
        ("split.class-block", [2, 0, 0, 0, 0, 3]),
    ],
)
def test_opening_and_closing_tags_since_the_last_block_are_counted(name, expected):
    markup = "<html><body><p>a<b><i>b</i></b><br>c<br> <br>d</p><p>e</p><hr><div><span></span></div><div>f"
    expected = [*expected[:-1], 2] if name == "split.class-inline" else expected

    assert values(markup, name) == expected


# Text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("char.alpha-rel", 6 / 16),
        ("char.num-rel", 4 / 16),
        ("char.punct-rel", 1 / 16),
        ("char.white-rel", 4 / 16),
        ("char.other-rel", 1 / 16),
        ("token.alpha-rel", 2 / 5),
        ("token.num-rel", 1 / 5),
        ("token.mix-rel", 1 / 5),
        ("token.other-rel", 1 / 5),
        ("token.alpha-abs", 2),
        ("token.num-abs", 1),
        ("token.mix-abs", 1),
        ("token.other-abs", 1),
    ],
)
def test_characters_and_tokens_are_counted_by_class(name, expected):
    assert values("<p>abc 12 4d5 + no!</p>", name) == [pytest.approx(expected, abs=1e-4)]


def test_sentences_are_counted_by_their_marks():
    markup = "<p>One two. Three four five! At 3.14</p><p>no mark</p>"

    assert values(markup, "sentence.count") == [2, 0]
    assert values(markup, "sentence.avg-length") == [3.5, 2]


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        ("A whole one.", 1, 1),
        ("“Quoted?”", 1, 1),
        ("the middle of", 0, 0),
        ("and its end!", 0, 1),
        ("中文。", 1, 1),
        ("3 things", 0, 0),
    ],
)
def test_blocks_that_begin_and_end_a_sentence(text, begins, ends):
    assert (categories(text, "sentence-begin"), categories(text, "sentence-end")) == ([begins], [ends])


def test_duplicates_are_found_by_their_letters():
    markup = "<p>Read more…</p><p>Text</p><p>Read  more 2</p><p>text</p><p>Readmore</p>"

    assert values(markup, "duplicate-count") == [3, 1, 3, 1, 3]
    assert values(markup, "first-duplicate") == [1, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("text", "url", "date", "time"),
    [
        ("see http://example.org or www.example.org", 1, 0, 0),
        ("see www.example.org", 2, 0, 0),
        ("write to me@example.org", 3, 0, 0),
        ("on 2024-05-31 at 9:30", 0, 1, 1),
        ("(31.05.2024)", 0, 1, 0),
        ("Posted 31st May 2024", 0, 2, 0),
        ("Posted: May 31, 7 pm", 0, 3, 2),
        ("since 1998", 0, 4, 0),
        ("3 hours ago", 0, 0, 3),
        ("20240 people at 3", 0, 0, 0),
    ],
)
def test_the_number_of_the_first_expression_that_matches(text, url, date, time):
    markup = f"<p>Nothing here</p><p>{text}</p>"
    found = [values(markup, f"regexp.{name}")[1] for name in ("url", "date", "time")]

    assert found == [url, date, time]
    assert all(values(markup, f"regexp.{name}")[0] == 0 for name in ("url", "date", "time"))


def test_list_items_with_the_same_bullet_have_the_same_value():
    texts = ["1. one", "2. two", "a) three", "b) four", "- five", "• six", "Seven", "- 8) eight", "A dog", "(9) nine"]
    found = values("".join(f"<p>{text}</p>" for text in texts), "bullet")

    assert found == [18, 18, 12, 12, 1, 1, 0, 11, 0, 10]


# Groups and the document


def test_groups_are_the_direct_descendants_of_a_div():
    markup = "<div> a <div> b <b>c</b> </div> d <div> e <b>f</b> </div> g </div>"  # the paper's, its blocks apart

    assert values(markup, "div-group.word-ratio") == [0.4286, 0.2857, 0.2857, 0.4286, 0.2857, 0.2857, 0.4286]
    assert values(markup, "document.max-div-group") == [0.4286] * 7
    assert values(markup, "td-group.word-ratio") == [0] * 7


def test_only_words_outside_of_links_make_a_group():
    markup = "<table><tr><td>one two<td><a href=x>many linked words</a> three</table><p>four</p>"

    assert values(markup, "td-group.word-ratio") == [0.5, 0.25, 0.25, 0]
    assert values(markup, "document.max-td-group") == [0.5] * 4


def test_position_and_size_of_the_document():
    markup = "<p>One two.</p><p>Three</p><p>Four five six!</p><p>7</p>"

    assert values(markup, "position") == [0, 0.25, 0.5, 0.75]
    assert values(markup, "document.word-count") == [7] * 4
    assert values(markup, "document.sentence-count") == [2] * 4
    assert values(markup, "document.block-count") == [4] * 4


# Categories


def test_a_number_becomes_the_largest_value_that_is_less_or_equal():
    VALUES_OF_WORDS = VALUES["token.alpha-abs"]
    for words in (1, 6, 7, 14, 15, 500):
        [category] = categories("<p>" + "word " * words, "token.alpha-abs")
        assert VALUES_OF_WORDS[category] == max(value for value in VALUES_OF_WORDS if value <= words)


def test_a_share_has_as_many_values_as_its_scale():
    assert categories("<p>" + "</p><p>".join("abcdefghij" * 4), "position") == [number // 2 for number in range(40)]
    assert VALUE_COUNTS["victor.position"] == 20


def test_every_category_is_one_of_its_feature():
    matrix = Features(split(PAGE + "<p>1 2 3 <i>!</i><br>" * 300)).matrix(VICTOR_NAMES)

    assert (matrix >= 0).all()
    assert (matrix < list(VALUE_COUNTS.values())).all()
    assert len(VICTOR_NAMES) == 45


# The model


def own_model(names: tuple[str, ...] = VICTOR_NAMES, seed: int = 0) -> Victor:
    random = np.random.default_rng(seed)
    values = sum(VALUE_COUNTS[name] for name in names)
    states = random.normal(size=(len(OFFSETS), values, len(LABELS)))
    return Victor(names, states, random.normal(size=(5, 5)), 0.4, {"data": "none"})


def test_the_shipped_weights_find_the_article():
    document = extract(PAGE, model="victor")

    assert document.main_text.count("The council voted on Tuesday to keep the old library open") == 9
    assert "About us" not in document.main_text
    assert "Read more" not in document.main_text


def test_the_shipped_weights_say_how_they_were_made():
    card = load_model("victor").card

    assert {"folder": "wcxb-dev", "weight": 1.0, "pages": 1495} in card["data"]
    assert "CC BY 4.0" in card["credit"][0]
    assert card["cross_validation"]["folders"]["wcxb-dev"]["f1"] >= 0.81
    assert card["cross_validation"]["aged"]["aged"] >= 0.82


def test_the_readable_card_is_that_of_the_weights():
    assert (WEIGHTS / "victor.md").read_text("utf-8") == card_page("victor", load_model("victor"))


def test_labels_tell_the_structure_of_a_page():
    features = Features(split(PAGE))
    model = load_model("victor")
    labels = dict(zip(features.page.texts, model.labels(features), strict=True))

    assert labels["The library stays"] == "heading"
    assert labels["The council voted on Tuesday to keep the"] == "paragraph"
    assert labels["old library"] == "continuation"
    assert labels["About us"] == "other"


def test_other_models_know_no_structure():
    assert load_model("numwords").labels(Features(split(PAGE))) is None


def test_the_weights_of_all_values_and_neighbours_are_summed_up():
    names = ("victor.split.br", "victor.container.a", "victor.position")
    model = own_model(names)
    matrix = np.array([[3, 0, 1], [0, 1, 19], [1, 1, 0]], np.float32)
    rows = matrix.astype(int) + np.array([0, 4, 6])
    before, own, behind = (weights[rows].sum(axis=1) for weights in model.states)

    expected = [own[0] + behind[1], own[1] + before[0] + behind[2], own[2] + before[1]]
    assert model.state_scores(matrix) == pytest.approx(np.array(expected))


def test_many_rows_have_the_scores_that_a_few_have():
    model = own_model()
    matrix = np.random.default_rng(1).integers(0, list(VALUE_COUNTS.values()), (5000, 45)).astype(np.float32)

    assert model.state_scores(matrix)[2000:2100] == pytest.approx(model.state_scores(matrix[1999:2101])[1:-1])


def test_saved_weights_score_like_the_model(tmp_path):
    names = tuple(name for name in VICTOR_NAMES if name not in ("victor.regexp.url", "victor.document.word-count"))
    model = own_model(names)
    digest = model.save(tmp_path / "own.npz")
    again = load_model(str(tmp_path / "own.npz"))
    features = Features(split(PAGE))

    assert "victor.regexp.url" not in again.feature_names
    assert len(again.feature_names) == 43
    assert (again.score(features) == model.score(features)).all()
    assert (again.threshold, again.card, len(digest)) == (0.4, {"data": "none"}, 64)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"kind": "perceptron"}, "a model of kind 'perceptron', not 'crf'"),
        ({"feature_names": ["victor.colour", *VICTOR_NAMES[1:]]}, "unknown features: victor.colour"),
        ({"feature_names": VICTOR_NAMES[1:]}, "its features need"),
        ({"labels": ["content", "other"]}, "its labels are content, other"),
    ],
)
def test_weights_of_another_kind_are_refused(tmp_path, change, reason):
    path = tmp_path / "own.npz"
    own_model().save(path)
    arrays, metadata = load_weights(path)
    save_weights(path, arrays, {**metadata, **change})

    with pytest.raises(ValueError, match=rf"own.npz: .*{reason}"):
        Victor.load(path)


def test_damaged_weights_are_refused(tmp_path):
    path = tmp_path / "own.npz"
    own_model().save(path)
    arrays, metadata = load_weights(path)
    save_weights(path, {"states": arrays["states"]}, metadata)

    with pytest.raises(ValueError, match=r"own.npz: 'transitions'"):
        Victor.load(path)


@pytest.mark.parametrize(
    ("markup", "blocks"), [("", 0), ("<p>One", 1), ("<p>" + "word <b>bold</b> " * MOST_BLOCKS, MOST_BLOCKS)]
)
def test_pages_with_no_block_one_and_very_many(markup, blocks):
    document = extract(markup, model="victor")

    assert len(document.blocks) == blocks
    assert all(0 <= block.score < 1 for block in document.blocks)


def test_the_same_page_has_the_same_scores():
    first, second = (extract(PAGE, model="victor") for _ in range(2))

    assert first.blocks == second.blocks
    assert first.main_text == second.main_text


# Training


def test_a_paragraph_is_labelled_as_a_whole():
    page = split("<p>Read <a href=x>the</a> whole article here</p><p>the</p>")

    assert label_text_nodes(page, "Read the whole article here").tolist() == [1, 1, 1, 0]


def test_markup_gives_content_its_structure():
    page = split("<h1>Head <i>line</i></h1><ul><li>item <b>one</b></ul><div>text<br>more</div><p>noise <b>too</b></p>")
    is_content = np.array([True] * 6 + [False] * 2)

    assert structure_labels(page, is_content) == (
        "header",
        "continuation",
        "list",
        "continuation",
        "paragraph",
        "continuation",
        "other",
        "other",
    )


@pytest.fixture
def folder(tmp_path):
    """Pages of six sites and their gold texts."""
    pytest.importorskip("pycrfsuite")
    for number in range(6):
        (tmp_path / f"site{chr(97 + number)}.html").write_text(PAGE.replace("library", f"library {number}"), "utf-8")
        text = "The library stays\n" + PARAGRAPH.replace("<b>", "").replace("</b>", "") * 9
        (tmp_path / f"site{chr(97 + number)}.txt").write_text(text.replace("library", f"library {number}"), "utf-8")
    return tmp_path


def test_training_makes_the_same_weights_again_with_a_card(folder):
    for name in ("first", "second"):
        options = ("-o", folder / f"{name}.npz", "--folds", 2, "--epochs", 20)
        train_by_command("--kind", "victor", "--data", folder, *options)

    first, second = (Victor.load(folder / f"{name}.npz") for name in ("first", "second"))
    assert (first.states == second.states).all()
    assert first.card["cross_validation"]["folders"][str(folder)]["f1"] > 0.9
    assert first.threshold == max(first.card["cross_validation"]["thresholds"], key=lambda row: row["f1"])["threshold"]
    assert "45 features" in (folder / "second.md").read_text("utf-8")
    assert "The library stays" in extract(PAGE, model=first).main_text


def test_training_learns_from_aged_copies_and_the_card_has_their_figure(folder):
    recipe = f"""kind = "victor"
folds = 3
[[data]]
folder = "{folder.name}"
weight = 2
[augment]
aged = 1
[settings]
epochs = 20
"""
    (folder / "own.toml").write_text(recipe, "utf-8")

    train_by_command("--recipe", folder / "own.toml", "--data-root", folder.parent, "-o", folder / "own.npz")

    figures = Victor.load(folder / "own.npz").card["cross_validation"]["aged"]
    assert figures["pages"] == sum(is_to_be_aged(f"site{letter}") for letter in "abcdef") > 0
    assert figures["aged"] > 0.8
    assert f"In the markup of 2005, {figures['pages']} of these pages" in (folder / "own.md").read_text("utf-8")


def test_training_draws_no_plot(tmp_path):
    with pytest.raises(UsageError, match="the training of victor has no error curves"):
        train_by_command(
            "--kind", "victor", "--data", tmp_path, "-o", tmp_path / "own.npz", "--plot", tmp_path / "a.png"
        )


def test_training_without_crfsuite_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)

    with pytest.raises(UsageError, match=r'python-crfsuite is not installed; .*"\.\[train\]"'):
        train_by_command("--kind", "victor", "--data", tmp_path, "-o", tmp_path / "own.npz")
