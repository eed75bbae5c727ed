"""Reader comments and captions: told apart from other text, left out on request."""

from __future__ import annotations

from argparse import ArgumentParser
from functools import partial

import pytest
import scrapy

import scrapy_boilerplate
from scrapy_boilerplate.models.papers.trees import NumWords
from scrapy_boilerplate.options import PAGE_OPTIONS, Options, add_flags, with_flags
from scrapy_boilerplate.review.view import view_data
from scrapy_boilerplate.segment.text_nodes import segment_text_nodes

from ..conftest import data_url, spider_over
from ..pages import MAIN_TEXT, PARAGRAPHS

extract = partial(scrapy_boilerplate.extract, model="numwords")

ARTICLE = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS * 3)
REMARK = "I have been swimming there since I was five years old, and my children learned it in the small pool too."
CAPTION = "Councillor Maja Lind in front of the baths, which were built in 1912 and repaired four times since."


def kinds(page: str, **options) -> dict[str, str]:
    return {block.text: block.kind for block in extract(page, **options).blocks}


@pytest.mark.parametrize(
    "below",
    [
        f"<div class='comments'><p>{REMARK}</p></div>",
        f"<section id='articleComments'><div><p>{REMARK}</p></div></section>",
        f"<ol class='commentlist'><li>{REMARK}</li></ol>",
        f"<div id='disqus_thread'><h4>{REMARK}</h4></div>",
        f"<div class='lista-comentarios'><p>{REMARK}</p></div>",
        f"<div itemprop='comment'>{REMARK}</div>",
        f"<div itemscope itemtype='https://schema.org/Comment'><p>{REMARK}</p></div>",
        f"<x-comments><p>{REMARK}</p></x-comments>",
        f"<div><h3>12 Comments</h3></div><div><p>{REMARK}</p></div>",
        f"<h2>Kommentare (3)</h2><p>{REMARK}</p><h2>Mehr</h2>",
    ],
)
def test_what_is_marked_as_comments_below_an_article_is_comments(below):
    found = kinds(ARTICLE + below)

    assert found[REMARK] == "comment"
    assert {found[paragraph] for paragraph in PARAGRAPHS} == {"paragraph"}
    assert found.get("Mehr", "heading") == "heading"


@pytest.mark.parametrize(
    "page",
    [
        f"<div class='comments'>{ARTICLE}<p>{REMARK}</p></div>",
        f"<p>{PARAGRAPHS[0]}</p><div class='comments'><p>{REMARK}</p></div>",
        f"<div class='comments'><p>{REMARK}</p></div>{ARTICLE}",
        f"<body class='comments-open'>{ARTICLE}<p>{REMARK}</p>",
        f"{ARTICLE}<div class='no-comments'><p>{REMARK}</p></div>",
        f"{ARTICLE}<div class='political-commentary'><p>{REMARK}</p></div>",
        f'<script type=application/ld+json>{{"@type": "QAPage"}}</script>{ARTICLE}<ul class=comments><li>{REMARK}',
        f"<html itemtype='http://schema.org/DiscussionForumPosting'>{ARTICLE}<ul class=comments><li>{REMARK}</ul>",
        f"<body class='node-type-forum'>{ARTICLE}<ul class=comments><li>{REMARK}</ul>",
        f"{ARTICLE}<article class='message message--post' itemtype='http://schema.org/Comment'>{REMARK}</article>",
        f"<link rel=canonical href='https://a.example/forum/7'>{ARTICLE}<ul class=comments><li>{REMARK}</ul>",
        (ARTICLE + f"<p class=entry-comments>{REMARK}</p>") * 4,
    ],
    ids=[
        *("without an article", "below a few words", "above the article", "open for comments", "no comments"),
        *("commentary", "declared questions", "declared forum", "forum's class", "forum's post", "forum's address"),
        "comments on entries of a list",
    ],
)
def test_text_of_other_pages_is_no_comment(page):
    assert "comment" not in kinds(page).values()


def test_the_address_may_be_given():
    page = f"{ARTICLE}<ul class=comments><li>{REMARK}</ul>"

    assert kinds(page, url="https://a.example/news/baths")[REMARK] == "comment"
    assert kinds(page, url="https://a.example/threads/baths.7/")[REMARK] == "list item"


@pytest.mark.parametrize(
    "caption",
    [
        f"<figure><img src=a.png><figcaption><p>{CAPTION}</p></figcaption></figure>",
        f"<table><caption>{CAPTION}</caption><tr><td>7</table>",
        f"<div class=wp-caption><a><img src=a.png></a><p class=wp-caption-text>{CAPTION}</p></div>",
        f"<div><div><img src=a.png></div><div itemprop=caption>{CAPTION}</div></div>",
    ],
)
def test_captions_of_images_and_tables_are_captions(caption):
    assert kinds(ARTICLE + caption)[CAPTION] == "caption"


@pytest.mark.parametrize(
    "text",
    [
        f"<div><p class=image-caption>{CAPTION}</p></div>",
        f"<img src=a.png><p class=text-caption>{CAPTION}</p>",
        f"<figure><img src=a.png><figcaption><h3>Baths</h3><p>{CAPTION}</p></figcaption></figure>",
        f"<figure><img src=a.png><figcaption>{CAPTION}</figcaption></figure>" * 20,
    ],
    ids=["no image", "a typeface", "a card", "a gallery"],
)
def test_text_that_only_looks_like_a_caption_is_none(text):
    assert "caption" not in kinds(ARTICLE + text).values()


PAGE = (
    f"<figure><img src=a.png><figcaption>{CAPTION}</figcaption></figure>{ARTICLE}"
    f"<div class=comments><ul><li>{REMARK}</li></ul></div>"
)


@pytest.mark.parametrize("comments", [True, False])
@pytest.mark.parametrize("captions", [True, False])
def test_comments_and_captions_are_left_out_on_request(comments, captions):
    document = extract(PAGE, threshold=0, comments=comments, captions=captions)

    kept = {block.text for block in document.blocks if block.is_content}
    assert (REMARK in document.main_text, REMARK in kept) == (comments, comments)
    assert (CAPTION in document.main_text, CAPTION in kept) == (captions, captions)
    assert MAIN_TEXT in document.main_text
    assert document.comments == REMARK


def test_a_comment_is_left_out_to_its_last_continuation():
    class TextNodes(NumWords):
        def segment(self, root, *, image_alt=False):
            return segment_text_nodes(root, image_alt=image_alt)

    page = f"{ARTICLE}<div class=comments><p>{REMARK} So <b>well</b> done!</p></div>"
    document = extract(page, model=TextNodes(), threshold=0, comments=False)

    assert document.main_text == "\n\n".join([MAIN_TEXT] * 3)
    assert document.comments == f"{REMARK} So well done!"


def test_comments_that_the_model_drops_are_not_in_the_comments():
    document = extract(f"{ARTICLE}<div class=comments><p>{REMARK}</p><p><a href=/>Reply</a></p></div>")

    assert document.comments == REMARK
    assert extract(ARTICLE).comments == ""
    assert extract("").comments == ""


def test_comments_and_captions_are_paragraphs_in_cleanevals_format():
    text = extract(PAGE, threshold=0).to_cleaneval()

    assert f"<p> {CAPTION}" in text
    assert f"<p> {REMARK}" in text


def test_a_setting_leaves_comments_out_of_items_and_a_request_may_want_them(crawl):
    async def start(self):
        for number, meta in enumerate([{}, {"comments": True}]):
            yield scrapy.Request(data_url(PAGE), meta={"boilerplate": meta, "number": number}, dont_filter=True)

    def parse(self, response):
        yield {"number": response.meta["number"]}

    settings = {"BOILERPLATE_MODEL": "numwords", "BOILERPLATE_FIELDS": "main_text,comments"}
    result = crawl(spider_over(start=start, parse=parse), BOILERPLATE_COMMENTS=False, **settings)

    first, second = sorted(result.items, key=lambda item: item["number"])
    assert (REMARK in first["main_text"], REMARK in second["main_text"]) == (False, True)
    assert first["comments"] == second["comments"] == REMARK


@pytest.mark.parametrize(("flags", "expected"), [([], True), (["--no-comments"], False), (["--comments"], True)])
def test_a_flag_of_the_command_leaves_comments_out(flags, expected):
    parser = ArgumentParser()
    add_flags(parser, PAGE_OPTIONS)

    options = with_flags(Options(), parser.parse_args(flags), PAGE_OPTIONS)

    assert options == Options(comments=expected)


def test_a_view_marks_what_is_left_out():
    data = view_data(PAGE, "page", Options(model="numwords", captions=False), others=False)

    [segmentation] = data["segmentations"]
    assert [block["text"] for block in segmentation["blocks"] if block["left_out"]] == [CAPTION]
