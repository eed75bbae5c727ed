"""The classifier of page types."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scrapy_boilerplate import extract
from scrapy_boilerplate.fields import values_of
from scrapy_boilerplate.models.page_types import PAGE_FEATURES, PAGE_TYPES, PageTypes, page_types

PAGES = Path(__file__).parents[1] / "gold" / "other_sites"


@pytest.mark.parametrize("name", ["forum", "documentation", "product", "listing"])
def test_the_type_of_a_page_is_found(name):
    document = extract((PAGES / f"{name}.html").read_bytes())

    assert document.page_type == name
    assert values_of(document, ["page_type"]) == {"page_type": name}


def test_the_probabilities_are_of_all_types_and_fall():
    shares = extract((PAGES / "blog.html").read_bytes()).page_types

    assert set(shares) == set(PAGE_TYPES)
    assert sum(shares.values()) == pytest.approx(1)
    assert list(shares.values()) == sorted(shares.values(), reverse=True)


@pytest.mark.parametrize("page", ["", "<p></p>", "<script>1</script>"])
def test_a_page_without_text_has_no_type(page):
    document = extract(page)

    assert document.page_type is None
    assert document.page_types == {}


def test_every_model_gives_the_same_type():
    page = (PAGES / "forum.html").read_bytes()

    assert extract(page, model="numwords").page_types == extract(page).page_types


def test_a_saved_classifier_gives_the_same_probabilities(tmp_path):
    rows = np.random.default_rng(0).normal(size=(5, len(PAGE_FEATURES)))

    page_types().save(tmp_path / "own.npz")

    assert (PageTypes.load(tmp_path / "own.npz").predict(rows) == page_types().predict(rows)).all()


def test_a_file_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="can't read weights"):
        PageTypes.load(PAGES.parents[2] / "scrapy_boilerplate" / "models" / "weights" / "texrex.npz")
