"""The quality gate: no shipped model gets worse on pages of our own without somebody lowering a floor by hand.

The pages are the example site's articles and one each of many other kinds (forum, shop, documentation, a layout of
2005, Greek, Chinese ...), with gold texts beside them; no model was trained on any of them.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from statistics import fmean

import pytest

from scrapy_boilerplate import extract
from scrapy_boilerplate.models import MODELS
from scrapy_boilerplate.train.figures import word_quality

GOLD = Path(__file__).parents[1] / "gold"
SITE = Path(__file__).parents[2] / "example_project" / "newsroom" / "site"

# Change it together with the floors: they are worth nothing for other pages.
DIGEST = "491eb716b976af2b0765217fd0f37bb4459aaa80e906de3a776960bc2bd0a4fc"

# Word F1, the mean over the pages, just below what the model reaches.
FLOORS = {
    "example_site": {
        "mlp": 0.96,
        "news": 0.96,
        "texrex": 0.66,
        "numwords": 0.77,
        "densitometric": 0.78,
        "victor": 0.75,
        "boilernet": 0.75,
    },
    "other_sites": {
        "mlp": 0.88,
        "news": 0.88,
        "texrex": 0.80,
        "numwords": 0.77,
        "densitometric": 0.76,
        "victor": 0.82,
        "boilernet": 0.83,
    },
}


def pages(collection: str) -> list[tuple[Path, Path]]:
    """Each page with its gold text."""
    golds = sorted((GOLD / collection).glob("*.txt"))
    if collection == "example_site":
        return [(SITE / (gold.stem.replace("--", "/") + ".html"), gold) for gold in golds]
    return [(gold.with_suffix(".html"), gold) for gold in golds]


@cache
def qualities(collection: str, model: str) -> dict[str, float]:
    return {
        gold.stem: word_quality(extract(page.read_bytes(), model=model).main_text, gold.read_text("utf-8")).f1
        for page, gold in pages(collection)
    }


def test_the_pages_are_those_that_the_floors_were_measured_on():
    digest = hashlib.sha256()
    for collection in FLOORS:
        for files in pages(collection):
            for file in files:
                digest.update(file.read_bytes())

    assert digest.hexdigest() == DIGEST


def test_every_shipped_model_has_its_floors():
    assert all(set(floors) == set(MODELS) for floors in FLOORS.values())


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("collection", FLOORS)
def test_a_model_is_as_good_as_it_was(collection, model):
    found = qualities(collection, model)

    assert fmean(found.values()) >= FLOORS[collection][model], sorted(found.items(), key=lambda item: item[1])[:5]
