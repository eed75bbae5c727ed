"""Kept blocks as Markdown that reads back."""

from __future__ import annotations

import os
from functools import partial

import pytest
from hypothesis import given, settings

import scrapy_boilerplate
from scrapy_boilerplate.render.markdown import to_markdown

from .markdown_pages import joined, paragraphs, structured, texts_of
from .test_properties import many

# With the model whose scores can be computed by hand.
extract = partial(scrapy_boilerplate.extract, model="numwords")


@pytest.mark.parametrize("model", ["numwords", "victor"])
@pytest.mark.parametrize("images", [False, True])
@pytest.mark.parametrize("markup", [paragraphs, structured], ids=["paragraphs", "structured"])
def test_markdown_reads_back_as_the_kept_blocks_in_their_order(markup, model, images):
    @settings(many, max_examples=int(os.environ.get("N", "200")), derandomize="N" not in os.environ)
    @given(markup)
    def check(page: str) -> None:
        document = scrapy_boilerplate.extract(f"<body>{page}", model=model, threshold=0)
        numbers = range(len(document.page.texts))
        markdown = to_markdown(document.page, numbers, images=images, formulas=False)

        assert joined(texts_of(markdown)) == joined([document.main_text]), markdown

    check()
