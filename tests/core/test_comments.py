"""Reader comments and captions: told apart from other text."""

from __future__ import annotations

from functools import partial

import pytest

import scrapy_boilerplate

from ..pages import PARAGRAPHS

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


def test_comments_and_captions_are_paragraphs_in_cleanevals_format():
    text = extract(PAGE, threshold=0).to_cleaneval()

    assert f"<p> {CAPTION}" in text
    assert f"<p> {REMARK}" in text
