"""The trainer of the classifier of page types."""

from __future__ import annotations

import json

import numpy as np
import pytest

from scrapy_boilerplate.models.page_types import PAGE_FEATURES, PAGE_TYPES
from scrapy_boilerplate.train.cards import card_page
from scrapy_boilerplate.train.page_types import PageTypeSettings, PageTypeTrainer, Rows, train
from scrapy_boilerplate.train.recipe import Recipe, Source

SHOP = "<h1>Blue kettle</h1><p>Add to cart for $ 20. In stock, free shipping and returns.</p>"
FORUM = "<h1>Leaking kettle</h1><p>My kettle leaks. Has anybody repaired one?</p><p>Posted by Ann</p><p>Reply</p>"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "html").mkdir()
    (tmp_path / "ground-truth").mkdir()
    pages = [(kind, text) for _ in range(6) for kind, text in (("product", SHOP), ("forum", FORUM))]
    for number, (kind, text) in enumerate([*pages, ("article", ""), ("poem", SHOP)]):
        (tmp_path / "html" / f"{number}.html").write_text(text)
        record = {
            "url": f"https://site{number}.org/",
            "ground_truth": {"main_content": text},
            "_internal": {"page_type": {"primary": kind}},
        }
        (tmp_path / "ground-truth" / f"{number}.json").write_text(json.dumps(record))
    return tmp_path


def recipe(folder, **changes) -> Recipe:
    return Recipe("page types", data=(Source(str(folder)),), folds=3, **changes)


def test_a_classifier_is_trained_and_judged_by_site(folder, caplog):
    model = PageTypeTrainer(recipe(folder, settings={"epochs": 100})).make()

    figures = model.card["accuracy"]
    assert figures["pages"] == 12, "a page of an unknown type and one without text are left out"
    assert figures["right"] == 1
    assert "12.html left out: it has no text" in caplog.text
    assert "12 pages of" in card_page("own", model)


def test_the_same_rows_give_the_same_weights():
    generator = np.random.default_rng(0)
    types = np.arange(20) % len(PAGE_TYPES)
    rows = Rows(generator.normal(size=(20, len(PAGE_FEATURES))).astype(np.float32), types, np.ones(20, np.float32))

    first, second = (train(rows, PageTypeSettings(epochs=3)) for _ in range(2))

    assert all((first.weights[name] == second.weights[name]).all() for name in first.weights)


def test_a_type_with_a_single_page_does_no_harm(folder):
    truth = folder / "ground-truth" / "0.json"
    truth.write_text(truth.read_text().replace('"product"', '"service"'))

    figures = PageTypeTrainer(recipe(folder, settings={"epochs": 100})).make().card["accuracy"]

    assert sum(figures["table"][PAGE_TYPES.index("service")]) == 1


def test_folders_without_types_are_refused(tmp_path):
    (tmp_path / "page.html").write_text(SHOP)
    (tmp_path / "page.txt").write_text("Blue kettle")

    with pytest.raises(ValueError, match="no page has one of the types article, service"):
        PageTypeTrainer(recipe(tmp_path)).make()


def test_settings_of_networks_of_blocks_are_refused(folder):
    with pytest.raises(ValueError, match="takes no page_type, augment or label_smoothing"):
        PageTypeTrainer(recipe(folder, label_smoothing=0.2))
