"""Random trees, and everything that the core can be asked about one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from random import Random
from typing import Any

import numpy as np
from lxml import etree

from scrapy_boilerplate import extract
from scrapy_boilerplate.features import Features
from scrapy_boilerplate.holes import without_holes
from scrapy_boilerplate.models import load_model
from scrapy_boilerplate.page import Page
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.render.text import to_text
from scrapy_boilerplate.segment import read_page, segment
from scrapy_boilerplate.segment.walk import walk

from .mutations import mutated
from .seeds import SEEDS, WORDS

_TAGS = "div p a button br img pre span b table tr td th ul li h1 title meta script x:y {u:x}p svg input code".split()
_ATTRIBUTES = "class id href style role hidden itemprop aria-hidden type alt src name content {u:x}class".split()
_VALUES = (
    *("", " ", "nav", "navigation", "display:none", "a b", "description", "\u0130\u03a3", "x" * 3000),
    "\u200d/é",
)
_TEXTS = ("", " ", "word", "Two words. ", "\u200c\u200d", "\u6f22\u5b57\u3002", "\n\r\n", "A\u00ad", "word " * 60)


def trees(count: int, seed: int) -> Iterator[etree._Element]:
    """Random pages: of the HTML parser, of the XML parser, and changed by hand."""
    chance = Random(seed)
    for data in mutated(SEEDS["extract"](), WORDS["extract"], count, seed):
        kind = chance.randrange(4)
        root = _xml(data, chance) if kind == 0 else to_tree(data[1:])
        if root is None:
            root = etree.Element("div")
        if kind > 1:
            _change(root, chance)
        yield chance.choice(list(root.iter("*"))) if chance.random() < 0.1 else root


def _xml(data: bytes, chance: Random) -> etree._Element | None:
    parser = etree.XMLParser(
        recover=True, resolve_entities=chance.random() < 0.5, strip_cdata=chance.random() < 0.5, no_network=True
    )
    try:
        return etree.fromstring(b"<!DOCTYPE a [<!ENTITY e 'one'>]><a b='&e;1'>&e;" + data[1:] + b"</a>", parser)
    except etree.LxmlError:
        return None


def _change(root: etree._Element, chance: Random) -> None:
    """Change a tree in a few places, as a spider may."""
    for _ in range(chance.randrange(8)):
        elements = list(root.iter())[:200]
        element, other = chance.choice(elements), chance.choice(elements)
        change = chance.randrange(7)
        is_element = isinstance(element.tag, str)
        if change == 0:
            element.tail = chance.choice(_TEXTS)
        elif not is_element:
            continue
        elif change == 1:
            element.text = chance.choice(_TEXTS)
        elif change == 2:
            element.set(chance.choice(_ATTRIBUTES), chance.choice(_VALUES))
        elif change == 3:
            etree.SubElement(element, chance.choice([tag for tag in _TAGS if tag != "x:y"])).tail = chance.choice(
                _TEXTS
            )
        elif change == 4:
            element.append(chance.choice((etree.Comment, etree.ProcessingInstruction, etree.Entity))("c"))
        elif change == 5 and element is not root and element.getparent() is not None:
            element.getparent().remove(element)
        elif change == 6 and other is not element and other is not root and element not in other.iter():
            element.append(other)


def read_everything(shim: Any, root: etree._Element, chance: Random, starved: int, *, compared: bool) -> None:
    """Ask for all that there is; with `starved`, there is no memory after so many allocations."""
    if not isinstance(root.tag, str):
        return
    shim.fail_allocations_after(starved)
    try:
        _read(shim, root, chance)
    except MemoryError:
        if starved < 0:
            raise
    except UnicodeDecodeError:  # lone surrogates
        pass
    finally:
        shim.fail_allocations_after(-1)
    if compared:
        _compare(root)


def _read(shim: Any, root: etree._Element, chance: Random) -> None:
    skip = [element for element in root.iter("*") if chance.random() < 0.05]
    walked = shim.walk(root, chance.random() < 0.5, chance.choice((3, 20_000)), chance.choice((5, 200_000)), skip)
    walked.letter_hashes()
    shim.visible_characters(root, 250, 1000)
    page = segment(root, image_alt=chance.random() < 0.5)
    for field in fields(Page):
        getattr(page, field.name)
    features, model = Features(page), load_model(chance.choice(("mlp", "news")))
    scores = model.score(features)
    model.choose_threshold(scores, model.sizes(features))
    if page.texts:
        features.matrix(model.feature_names)
    kept = np.array([chance.random() < 0.7 for _ in page.texts], np.bool_)
    kept = without_holes(page, kept)
    to_text(page, np.flatnonzero(kept).tolist())


def _compare(root: etree._Element) -> None:
    try:
        plain, page = read_page(root, walk, False), segment(root)
    except UnicodeDecodeError:
        return
    for field in fields(Page):
        assert getattr(page, field.name) == getattr(plain, field.name), field.name
    model = load_model("mlp")
    if plain.texts:
        matrices = [Features(either).matrix(model.feature_names) for either in (page, plain)]
        np.testing.assert_allclose(*matrices, atol=1e-5)
    extract(root)
