"""The highlighted page: marks, markup, reasons, and the command that makes it. What a browser shows is in browser/."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html

from scrapy_boilerplate import extract
from scrapy_boilerplate.clean import clean
from scrapy_boilerplate.features import Features
from scrapy_boilerplate.models import MODELS, load_model
from scrapy_boilerplate.options import Options
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.review.numbering import number_texts, texts_of_blocks
from scrapy_boilerplate.review.reasons import MOST_REASONS, Reason, reasons
from scrapy_boilerplate.review.renderings import ranges
from scrapy_boilerplate.review.safe_css import safe_css
from scrapy_boilerplate.review.sheets import sheet_addresses, sheets_beside
from scrapy_boilerplate.review.view import highlighted, view_data
from scrapy_boilerplate.review.wording import in_words
from scrapy_boilerplate.segment import segment
from scrapy_boilerplate.segment.tags import without_invisible
from scrapy_boilerplate.segment.text_nodes import segment_text_nodes

from ..pages import PAGE, PARAGRAPHS, hostile_page

HERE = Path(__file__).parents[1]
PAGES = sorted([*HERE.glob("gold/other_sites/*.html"), *HERE.parent.glob("example_project/newsroom/site/*/*.html")])
ODD_PAGES = (
    "<p>one<br><br>two<br>three<p>a<b>b</b> <i>c</i>",
    "<pre>first\r\n  second\n\n\nfourth <b>bold\nand</b> on\n</pre>after",
    "<p>before <button>Share</button> after</p><button>Menu</button><button aria-expanded=false>Question?</button>",
    "<button><p>lots</p><p>of</p><p>text</p></button>",
    "<p>a&#8203;b&#173;c</p><p>&#8203;</p><p>\u200c</p>1 2 3<p> 4 </p>",
    "<select><option>1</option></select><textarea>2</textarea><svg><text>3</text></svg><p>4",
    "<table><tr><td>1<td>2 <p>3</table><dl><dt>4<dd>5</dl>6",
    "<o:p>7</o:p><my-card>8</my-card><noscript>9</noscript>",
    "<p>Ünïcödé <a href=x>eins</a><a href=y>zwei</a> 漢字",
    "<img alt='a picture'><p>text <img alt=' 5 '> more</p>",
)


def plain(text: str) -> str:
    """Without what has no width; whether a joiner counts as such depends on the texts around it."""
    return "".join(without_invisible(text).replace("\u200c", "").replace("\u200d", "").split())


def marked(page: str | bytes, split: object, image_alt: bool = False) -> list[str]:
    """For each block the texts that are marked as its own, put together."""
    root = to_tree(page)
    texts = number_texts(root, image_alt=image_alt)
    return [
        "".join(texts[number] for number in numbers) for numbers in texts_of_blocks(split(root, image_alt=image_alt))
    ]


@pytest.mark.parametrize("split", [segment, segment_text_nodes])
def test_the_texts_marked_as_a_block_are_the_text_of_the_block(split):
    pages = [*(path.read_bytes() for path in PAGES), *ODD_PAGES]
    assert len(pages) > 40
    for page in pages:
        for image_alt in (False, True):
            blocks = split(to_tree(page), image_alt=image_alt).texts
            assert list(map(plain, marked(page, split, image_alt))) == list(map(plain, blocks))


TAGS = st.sampled_from("p b a pre br button div li td img svg style select x-y o:p textarea".split())
TEXTS = st.text(alphabet="ab 1\n\r\t\u200b\u00ad\u200d\x0b\u0628<&", max_size=6)
PIECES = st.one_of(TEXTS, TAGS.map("<{}>".format), TAGS.map("</{}>".format))
MARKUP = st.lists(PIECES, max_size=25).map(lambda pieces: "<p>begin</p>" + "".join(pieces))


@given(MARKUP)
def test_texts_and_blocks_belong_together_on_any_markup(markup):
    for split in (segment, segment_text_nodes):
        assert list(map(plain, marked(markup, split))) == list(map(plain, split(to_tree(markup)).texts))


@given(MARKUP)
def test_every_text_in_the_markup_shown_is_the_one_of_its_number(markup):
    shown = lxml_html.document_fromstring(view_data(markup, "page", Options(model="numwords"), others=False)["html"])
    texts = {int(element.get("data-n")): element.text or "" for element in shown.iter("x-text")}
    expected = number_texts(to_tree(markup))
    assert {number: plain(text) for number, text in texts.items()}.items() <= dict(
        enumerate(map(plain, expected))
    ).items()


def test_every_model_and_its_scores_are_in_the_view():
    data = view_data(PAGE, "page.html", Options())

    assert [model["name"] for model in data["models"]] == list(MODELS)
    for model in data["models"]:
        document = extract(PAGE, model=model["name"])
        assert model["scores"] == [block.score for block in document.blocks]
        assert model["threshold"] == document.threshold
        blocks = data["segmentations"][model["segmentation"]]["blocks"]
        assert [block["text"] for block in blocks] == [block.text for block in document.blocks]


def test_models_that_split_pages_alike_share_their_blocks():
    assert len(view_data(PAGE, "page.html", Options())["segmentations"]) == len(
        {str(load_model(name).segment(to_tree(PAGE)).texts) for name in MODELS}
    )


def test_the_options_decide_what_is_shown_first():
    data = view_data(PAGE, "page", Options(model="numwords", threshold=0.7, filter="main"))

    assert (data["models"][0]["name"], data["threshold"], data["filter"]) == ("numwords", 0.7, "main")


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (b"", "is not an HTML page, or an empty one"),
        (b"\x89PNG\x01\x02\x03\x04\x05\x06\x07" * 9, "is not an HTML page, or an empty one"),
        (b"<html><body><script>var x = 1</script></body></html>", "has no text that could be shown"),
    ],
)
def test_a_page_without_anything_to_show_says_so(page, message):
    with pytest.raises(ValueError, match=f"here.html {message}"):
        highlighted(page, "here.html", Options())


def test_no_page_can_break_out_of_the_data_in_the_file():
    text = "</script><script>alert(1)</script><!-- {{script}} {{data}}"
    view = highlighted(f"<p>{PARAGRAPHS[0]}</p><pre>{text.replace('<', '&lt;')}</pre>", "</title><script>", Options())

    assert view.count("<script") == view.count("</script>") == 2
    [data] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', view, re.DOTALL)
    assert json.loads(data)["segmentations"][0]["blocks"][1]["text"] == text


def test_nothing_of_a_hostile_page_is_left_but_its_look():
    shown = view_data(hostile_page("http://evil.example"), "page", Options(), url="http://site.example/a/")["html"]
    tree = lxml_html.document_fromstring(shown)

    tags = {element.tag for element in tree.iter() if isinstance(element.tag, str)}
    assert not tags & set("script iframe object embed form link template video image use math foreignobject".split())
    names = {name for element in tree.find("body").iter() for name in element.keys()}  # noqa: SIM118
    assert not {name for name in names if name.startswith("on")}
    assert {name for name in names if name.startswith("aria")} <= {
        "aria-label",
        "aria-x",
    }  # old parsers cut names
    assert not names & set("srcset ping action formaction target background autofocus name is".split())
    assert {element.get("href") for element in tree.iter("a")} == {"about:blank"}
    assert not [element for element in tree.iter("img", "input") if element.get("src")]
    assert [element.get("http-equiv") for element in tree.iter("meta") if element.get("http-equiv")] == [
        "Content-Security-Policy",
        "x-dns-prefetch-control",
    ]
    assert "color: red" in shown
    assert re.findall(r"(?:url\(|@import|//evil)[^>]*", re.sub(r'<base[^>]*>| title="[^"]*"', "", shown)) == []


@pytest.mark.parametrize(
    ("css", "safe"),
    [
        ("p{background:url(x.png) red}", "p{background:none red}"),
        ("p{background:url('a)b.png')}", "p{background:none}"),
        ('@import "x.css";a{b:c}', "a{b:c}"),
        ("@IMPORT url(x.css) screen;a{b:c}", "a{b:c}"),
        ("@font-face{font-family:x;src:url(f.woff)}a{b:c}", "a{b:c}"),
        ("a{b:image-set('x.png' 1x) red}", "a{b:none red}"),
        ("a{b:-webkit-image-set(url(x.png) 1x, 'y.png' 2x)}", "a{b:none}"),
        ("a{behavior:url(x.htc)}", "a{x:none}"),
        (r"a{b:u\72l(x);c:\000075r\l(x);d:'\201C'}", "a{b:none;c:none;d:'\u201c'}"),
        (r"a{b:ur\\6c(x);c:\\75rl(x)}", r"a{b:ur\5c 6c(x);c:\5c 75rl(x)}"),
        (r"@\\69mport 'x.css';a{b:c}", r"@\5c 69mport 'x.css';a{b:c}"),
        (r"a{b:-webkit-image\-set('x' 1x);c:image('x')}", "a{b:none;c:none}"),
        ("@imp@font-face{}ort 'x.css';", "@imp ort 'x.css';"),
        ("@im\\\nport 'x.css';a{b:c}", "a{b:c}"),
        (r".md\:w-1\/2,.\32xl\:p{a:b}", r".md\3a w-1\2f 2,.\32 xl\3a p{a:b}"),
        (r"a{content:'\f101\0\d800\110000\a'}", "a{content:'\uf101\ufffd\ufffd\ufffd\\a '}"),
        ("@\\69mport 'x.css';a{b:c}", "a{b:c}"),
        ("</style><script>", "<\\/style><script>"),
        ("@media (width<=9px){a{b:c}}", "@media (width<=9px){a{b:c}}"),
        ("a{b:url( data:image/png;base64,AAAA )}", 'a{b:url("data:image/png;base64,AAAA")}'),
        ("a{b:url(data:image/svg+xml;base64,AAAA)}", "a{b:none}"),
    ],
)
def test_style_sheets_keep_their_rules_and_lose_their_addresses(css, safe):
    assert safe_css(css).strip() == safe


def test_sheets_that_are_at_hand_are_part_of_the_view(tmp_path):
    (tmp_path / "files").mkdir()
    (tmp_path / "files/a b.css").write_text("p { color: teal }")
    (tmp_path / "site.css").write_text("p { margin: 7px }")
    outside = tmp_path.parent / "outside.css"
    outside.write_text("p { color: pink }")
    page = (
        '<link rel=stylesheet href="files/a%20b.css?v=1"><link rel="alternate stylesheet" href="files/no.css">'
        f'<link rel=stylesheet href="../outside.css"><link rel=stylesheet href="{outside}">'
        '<link rel=stylesheet href="/site.css"><link rel=stylesheet href="//x.example/../../outside.css">'
        f"<p>{PARAGRAPHS[0]}"
    )

    sheets = sheets_beside(page, tmp_path / "page.html")

    assert sheets == {"files/a%20b.css?v=1": "p { color: teal }", "/site.css": "p { margin: 7px }"}
    shown = view_data(page, "page", Options(), sheets=sheets)["html"]
    assert shown.index("color: teal") < shown.index("margin: 7px")
    assert sheet_addresses(page, "https://site.example/news/")[0] == "https://site.example/news/files/a%20b.css?v=1"


@pytest.mark.parametrize(
    "address", ["a%00b.css", f"{'long' * 99}.css", "//[x.css", "/", "%2e%2e/%2e%2e/a.css", "\\.css"]
)
def test_an_address_that_can_be_no_file_s_is_passed_over(address, tmp_path):
    (tmp_path / "mine.css").write_text("p { color: teal }")
    page = f'<link rel=stylesheet href="{address}"><link rel=stylesheet href=mine.css><p>text'

    assert sheets_beside(page, tmp_path / "page.html") == {"mine.css": "p { color: teal }"}


def test_the_sheets_of_a_saved_page_that_names_its_site_are_found_beside_it(tmp_path):
    (tmp_path / "css").mkdir()
    (tmp_path / "css/site.css").write_text("p { color: teal }")
    page = '<base href="https://site.example/news/"><link rel=stylesheet href="/css/site.css"><p>text'

    assert sheets_beside(page, tmp_path / "page.html") == {"https://site.example/css/site.css": "p { color: teal }"}


def test_reasons_tell_which_feature_a_score_is_owed_to():
    long, short = " ".join(["word"] * 60), "word"
    page = segment(to_tree(f"<p>{long}</p>" + f"<p>{short}</p>" * 9))
    features = Features(page)
    model = load_model("numwords")

    found = reasons(model, features)

    matrix = features.matrix(model.feature_names)
    column = model.feature_names.index("words")
    matrix[:, column] = 1  # the median
    odds = [score / (1 - score) for score in (model.score(features)[0], model.predict(matrix)[0])]
    assert found[0][0].feature == "words"
    assert found[0][0].value == 60
    assert found[0][0].share == pytest.approx(np.log(odds[0] / odds[1]))
    assert odds[0] > 2 * odds[1]


def test_a_block_that_another_one_repeats_has_that_as_its_one_reason():
    again = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS[:2])
    page = segment(to_tree(PAGE.replace("</body>", f"<div>{again}</div></body>")))

    found = reasons(load_model("mlp"), Features(page))

    assert page.texts[-2:] == list(PARAGRAPHS[:2])
    for block in found[-2:]:
        assert [reason.feature for reason in block] == ["log_equal_texts"]
        assert block[0].share < 0


@pytest.mark.parametrize("name", ["numwords", "texrex"])
def test_a_score_of_0_that_no_other_block_is_the_cause_of_has_its_reasons(name):
    page = segment(to_tree((HERE / "gold/other_sites/blog.html").read_bytes()))
    features, model = Features(page), load_model(name)

    found = reasons(model, features)

    assert any(block for block, score in zip(found, model.score(features), strict=True) if score == 0)


@pytest.mark.parametrize(
    ("feature", "value", "median", "words"),
    [
        ("top_heading_distance", np.log1p(1), 0, "right below the main heading"),
        ("top_heading_distance", np.log1p(4), 0, "4 blocks below the main heading"),
        ("next_heading_distance", np.log1p(50), 0, "no heading near below it"),
        ("heading_distance", 0, 0, "itself a heading"),
        ("log_length", np.log1p(60), np.log1p(3), "words: 60, mostly 3"),
        ("linked_share", 1, 0.25, "share in links: 100 %, mostly 25 %"),
        ("outer1_linked", 0, 0.5, "share in links in the element around it: 0 %, mostly 50 %"),
        ("in_cue_navigation", 1, 0, "in a part named like “navigation”"),
        ("in_nav", 0, 1, "not inside of a <nav>"),
        ("ends_with_mark", 0, 1, "doesn’t end like a sentence"),
        ("texrex_ends_sentence", 0.5, 0, "texrex ends sentence: 0.5, mostly 0"),
    ],
)
def test_reasons_are_given_in_words(feature, value, median, words):
    assert in_words(Reason(feature, float(value), 1.0, float(median))) == words


@pytest.mark.parametrize("name", ["mlp", "news", "numwords", "densitometric"])
def test_every_feature_of_a_block_has_words_of_its_own(name):
    features = [feature for feature in load_model(name).feature_names if not feature.startswith("page_")]

    phrases = [in_words(Reason(feature, 1.0, 1.0, 0.0)).partition(":")[0] for feature in features]

    assert [phrase for feature, phrase in zip(features, phrases, strict=True) if "_" in phrase] == []
    assert [feature for feature, phrase in zip(features, phrases, strict=True) if "log" in phrase.split()] == []
    assert len({*phrases}) == len(phrases)


def test_the_texts_in_a_view_are_those_of_the_document():
    page = (HERE / "gold/other_sites/recipe.html").read_bytes()
    options = Options(headline=True, comments=False)
    data = view_data(page, "page", options, url="https://site.example/")

    def text(numbers: list[int], format: str) -> str:
        runs = data["texts"]["sets"][f"0:{ranges(numbers)}"][format]
        paragraphs = data["texts"]["paragraphs"]
        pairs = zip(runs[::2], runs[1::2], strict=True)
        return "\n\n".join(paragraphs[first + step] for first, count in pairs for step in range(count))

    for changes in ({}, {"threshold": 0.3}, {"filter": "main"}, {"model": "texrex", "threshold": 0.07}):
        document = clean(page, replace(options, **changes), url="https://site.example/")
        kept = [number for number, block in enumerate(document.blocks) if block.is_content]
        assert text(kept, "text") == document.main_text
        assert text(kept, "markdown") == document.markdown


def test_no_setting_of_a_view_keeps_what_other_pages_hold_or_drops_what_is_kept_by_hand():
    page = f"<nav>Menu</nav><p>{PARAGRAPHS[0]}<p>{PARAGRAPHS[1]}<p>{PARAGRAPHS[2]}"
    options = Options(model="numwords").for_page({"keep": "nav"})
    data = view_data(page, "page", options, others=False, other_pages={2: 14})

    assert [(block["other_pages"], block["by_hand"]) for block in data["segmentations"][0]["blocks"]] == [
        *((0, True), (0, False), (14, False), (0, False))
    ]
    assert {name: kept[0] for name, kept in data["models"][0]["own"].items()} == dict.fromkeys(
        ("", "ancestor", "largest", "main"), 0
    )
    assert not any(2 in kept for kept in data["models"][0]["own"].values())
    assert {"0:0", "0:0-1,3"} <= set(data["texts"]["sets"])
    assert PARAGRAPHS[1] not in data["texts"]["paragraphs"]


def test_a_large_page_has_the_texts_of_its_own_settings(monkeypatch):
    monkeypatch.setattr("scrapy_boilerplate.review.renderings._MOST_BLOCKS", 10)
    data = view_data(PAGE, "page", Options(model="numwords"))

    document = extract(PAGE, model="numwords")
    kept = [number for number, block in enumerate(document.blocks) if block.is_content]
    assert f"0:{ranges(kept)}" in data["texts"]["sets"]
    assert len(data["texts"]["sets"]) < 4


def test_another_threshold_and_filter_keep_what_a_new_document_would_keep():
    page = (HERE / "gold/other_sites/wiki.html").read_bytes()
    document = extract(page)
    for threshold in (None, 0.0, 0.4, 1.0):
        for name in (None, "ancestor", "largest", "main"):
            other = extract(page, threshold=threshold, filter=name)
            expected = [number for number, block in enumerate(other.blocks) if block.is_content]
            assert document.kept_with(threshold, name) == expected


def test_reasons_are_few_sorted_and_leave_the_features_as_they_are():
    page = segment(to_tree((HERE / "gold/other_sites/blog.html").read_bytes()))
    features, model = Features(page), load_model("mlp")
    before = model.score(features)

    found = reasons(model, features)

    assert len(found) == len(page.texts)
    assert any(found)
    for block in found:
        shares = [abs(reason.share) for reason in block]
        assert shares == sorted(shares, reverse=True)
        assert len(shares) <= MOST_REASONS
    assert np.array_equal(model.score(features), before)


def test_a_model_that_is_no_function_of_features_has_no_reasons():
    class Sequence(type(load_model("numwords"))):
        def score(self, features):
            return np.ones(len(features.page.texts))

    assert reasons(Sequence(), Features(segment(to_tree(PAGE)))) is None


def run(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrapy", "boilerplate", *arguments]
    return subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, timeout=60, check=False, env=os.environ | environment
    )


def test_the_command_saves_the_view(tmp_path):
    (tmp_path / "page.html").write_text(PAGE)

    finished = run("page.html", "--output", "view.html", "--filter", "main", cwd=tmp_path)

    assert (finished.stdout, finished.stderr, finished.returncode) == ("view.html\n", "", 0)
    view = (tmp_path / "view.html").read_text("utf-8")
    assert view.startswith("<!doctype html>")
    assert '"filter":"main"' in view


def test_the_command_opens_the_view_in_the_browser(tmp_path):
    (tmp_path / "page.html").write_text(PAGE)
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf %s "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)

    finished = run("page.html", "--view", cwd=tmp_path, BROWSER=f"{browser} %s", TMPDIR=str(tmp_path))

    path = Path(finished.stdout.strip())
    assert (tmp_path / "opened").read_text() == path.as_uri()
    assert path.is_file()


@pytest.mark.parametrize(
    ("body", "message"),
    [(b"\x00\x01\x02\x03" * 99, "is not an HTML page"), (b"<p> </p>", "has no text that could be shown")],
)
def test_the_command_says_what_is_wrong_with_a_page(body, message, tmp_path):
    (tmp_path / "page.html").write_bytes(body)

    finished = run("page.html", "--output", "view.html", cwd=tmp_path)

    assert message in finished.stderr
    assert "Traceback" not in finished.stderr
    assert finished.returncode == 1
    assert not (tmp_path / "view.html").exists()
