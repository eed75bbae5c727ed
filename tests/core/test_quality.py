"""The quality gate: no shipped model gets worse on pages of our own without somebody lowering a floor on purpose."""

from __future__ import annotations

import json
from statistics import fmean

import pytest

from scrapy_boilerplate.models import MODELS

from . import quality

STORED = json.loads(quality.FLOORS.read_text("utf-8"))
FLOORS = STORED["floors"]


def test_the_pages_are_those_that_the_floors_were_measured_on():
    assert quality.digest_of_pages() == STORED["digest"]


def test_every_shipped_model_has_its_floors():
    assert set(FLOORS) == set(quality.COLLECTIONS)
    assert all(set(floors) == set(MODELS) for floors in FLOORS.values())


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("collection", quality.COLLECTIONS)
def test_a_model_is_as_good_as_it_was(collection, model):
    found = quality.qualities(collection, model)

    assert fmean(found.values()) >= FLOORS[collection][model], sorted(found.items(), key=lambda item: item[1])[:5]


@pytest.fixture
def floors(tmp_path, monkeypatch):
    """A file with floors of 0.8 for two models that reach 0.857 and 0.793."""
    monkeypatch.setattr(quality, "reached", lambda: {"pages": {"better": 0.857, "worse": 0.793}})
    file = tmp_path / "floors.json"
    file.write_text(json.dumps({"digest": "", "floors": {"pages": {"better": 0.8, "worse": 0.8}}}))
    return file


def test_floors_change_only_when_asked_to(floors, capsys):
    before = floors.read_text()

    assert quality.main([], floors) == 0
    assert floors.read_text() == before
    assert "worse" in capsys.readouterr().out


def test_an_update_never_lowers_a_floor_by_itself(floors, capsys):
    before = floors.read_text()

    assert quality.main(["--update"], floors) == 1
    assert floors.read_text() == before
    assert "pages, worse: 0.8 would become 0.79" in capsys.readouterr().out


def test_a_floor_is_lowered_on_purpose(floors):
    assert quality.main(["--update", "--lower"], floors) == 0

    stored = json.loads(floors.read_text())
    assert stored == {"digest": quality.digest_of_pages(), "floors": {"pages": {"better": 0.85, "worse": 0.79}}}
