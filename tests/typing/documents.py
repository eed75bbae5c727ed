"""extract(), Document and Block."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lxml import etree, html
from parsel import Selector
from scrapy.http import HtmlResponse

from scrapy_boilerplate import Block, Document, extract
from scrapy_boilerplate.models import Model, load_model


def pages(response: HtmlResponse, selector: Selector, element: etree._Element) -> Iterator[Document]:
    yield extract("<p>A page")
    yield extract(b"<p>A page")
    yield extract(response)
    yield extract(selector)
    yield extract(element)
    yield extract(html.fromstring("<p>A page"))


def options(page: bytes, model: Model) -> Iterator[Document]:
    yield extract(page, model="news")
    yield extract(page, model=Path("own.npz"))
    yield extract(page, model=model)
    yield extract(page, model=load_model("mlp"))
    yield extract(page, threshold=0.5, filter="ancestor", ancestor_depth=3, image_alt=True)
    yield extract(page, threshold=None, filter=None)


def wrong_options(page: bytes) -> None:
    extract()  # type: ignore[call-arg]
    extract(page, model=1)  # type: ignore[arg-type]
    extract(page, threshold="0.5")  # type: ignore[arg-type]
    extract(page, filter=["main"])  # type: ignore[arg-type]
    extract(page, ancestor_depth="2")  # type: ignore[arg-type]
    extract(page, tresholds=0.5)  # type: ignore[call-arg]


def values(document: Document) -> tuple[str, float, float, str | None, tuple[Block, ...], bool]:
    return (
        document.main_text,
        document.score,
        document.threshold,
        document.title,
        document.blocks,
        document.truncated,
    )


def block_values(block: Block) -> tuple[str, float, bool, str, str, int, float, str]:
    return (
        block.text,
        block.score,
        block.is_content,
        block.tag,
        block.xpath,
        block.words,
        block.link_density,
        block.kind,
    )


def cleaneval(document: Document) -> str:
    return document.to_cleaneval() + document.to_cleaneval("https://news.example/")


def wrong_values(document: Document, block: Block) -> None:
    length: int = document.main_text  # type: ignore[assignment]
    document.title.upper()  # type: ignore[union-attr]
    document.text  # type: ignore[attr-defined]
    document.blocks.append(block)  # type: ignore[attr-defined]
    block.score = 1.0  # type: ignore[misc]
    Block("text")  # type: ignore[call-arg]
