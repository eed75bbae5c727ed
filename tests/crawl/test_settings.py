"""Settings are read once, from Python or from the command line, and a wrong one stops the crawl by name."""

from __future__ import annotations

import pytest
from scrapy.settings import Settings

from scrapy_boilerplate.options import Options

from ..conftest import spider_over
from ..pages import PAGE


def options(**settings):
    return Options.from_settings(Settings(settings))


def test_without_any_setting_the_defaults_hold():
    assert options() == Options()
    assert Options().model == "mlp"
    assert Options().fields == {"main_text": "main_text", "blocks": "blocks"}


@pytest.mark.parametrize(
    ("setting", "value", "name", "expected"),
    [
        ("BOILERPLATE_ENABLED", "False", "enabled", False),
        ("BOILERPLATE_ENABLED", 1, "enabled", True),
        ("BOILERPLATE_MODEL", "densitometric", "model", "densitometric"),
        ("BOILERPLATE_THRESHOLD", "0.7", "threshold", 0.7),
        ("BOILERPLATE_THRESHOLD", 1, "threshold", 1.0),
        ("BOILERPLATE_THRESHOLD", "None", "threshold", None),
        ("BOILERPLATE_THRESHOLD", None, "threshold", None),
        ("BOILERPLATE_FILTER", "largest", "filter", "largest"),
        ("BOILERPLATE_FILTER", "None", "filter", None),
        ("BOILERPLATE_FILTER", "", "filter", None),
        ("BOILERPLATE_ANCESTOR_DEPTH", "3", "ancestor_depth", 3),
        ("BOILERPLATE_IMAGE_ALT", "true", "image_alt", True),
        ("BOILERPLATE_FIELDS", '{"main_text": "body"}', "fields", {"main_text": "body"}),
        ("BOILERPLATE_FIELDS", {}, "fields", {}),
        ("BOILERPLATE_BLOCKS", "scores", "blocks", "scores"),
        ("BOILERPLATE_MAX_BYTES", "1000", "max_bytes", 1000),
        ("BOILERPLATE_WORKERS", "2", "workers", 2),
        ("BOILERPLATE_WORKERS", 0, "workers", 0),
        ("BOILERPLATE_WORKER_TIMEOUT", "2.5", "worker_timeout", 2.5),
    ],
)
def test_a_setting_is_read_from_python_and_from_the_command_line(setting, value, name, expected):
    assert getattr(options(**{setting: value}), name) == expected


WRONG = [
    ("BOILERPLATE_ENABLED", "perhaps"),
    ("BOILERPLATE_MODEL", "nonsense"),
    ("BOILERPLATE_MODEL", None),
    pytest.param("BOILERPLATE_MODEL", "no" * 2000 + ".npz", id="a name too long for a file"),
    ("BOILERPLATE_THRESHOLD", 7),
    ("BOILERPLATE_THRESHOLD", -0.1),
    ("BOILERPLATE_THRESHOLD", "high"),
    ("BOILERPLATE_THRESHOLD", float("nan")),
    ("BOILERPLATE_THRESHOLD", True),
    ("BOILERPLATE_FILTER", "nonsense"),
    ("BOILERPLATE_FILTER", ["ancestor"]),
    ("BOILERPLATE_ANCESTOR_DEPTH", 0),
    ("BOILERPLATE_ANCESTOR_DEPTH", 6),
    ("BOILERPLATE_ANCESTOR_DEPTH", 2.5),
    ("BOILERPLATE_ANCESTOR_DEPTH", None),
    ("BOILERPLATE_IMAGE_ALT", "no idea"),
    ("BOILERPLATE_FIELDS", {"text": "main_text"}),
    ("BOILERPLATE_FIELDS", {"main_text": ""}),
    ("BOILERPLATE_FIELDS", {"main_text": None}),
    ("BOILERPLATE_FIELDS", {"main_text": "text", "blocks": "text"}),
    ("BOILERPLATE_FIELDS", "main_text,text"),
    ("BOILERPLATE_FIELDS", ["main_text", "text"]),
    ("BOILERPLATE_FIELDS", {"main_text"}),
    pytest.param("BOILERPLATE_FIELDS", "[" * 20_000, id="JSON too deep"),
    ("BOILERPLATE_BLOCKS", "some"),
    ("BOILERPLATE_MAX_BYTES", 0),
    ("BOILERPLATE_MAX_BYTES", 1.5),
    ("BOILERPLATE_MAX_BYTES", "5 MB"),
    ("BOILERPLATE_MAX_BYTES", float("inf")),
    ("BOILERPLATE_WORKERS", -1),
    ("BOILERPLATE_WORKERS", 1.5),
    ("BOILERPLATE_WORKERS", True),
    ("BOILERPLATE_WORKERS", "many"),
    ("BOILERPLATE_WORKERS", None),
    ("BOILERPLATE_WORKERS", float("inf")),
    ("BOILERPLATE_WORKER_TIMEOUT", 0),
    ("BOILERPLATE_WORKER_TIMEOUT", float("nan")),
    ("BOILERPLATE_WORKER_TIMEOUT", float("inf")),
    ("BOILERPLATE_WORKER_TIMEOUT", True),
    ("BOILERPLATE_WORKER_TIMEOUT", "long"),
    ("BOILERPLATE_WORKER_TIMEOUT", None),
    ("BOILERPLATE_TRESHOLD", 0.7),
]


@pytest.mark.parametrize(("setting", "value"), WRONG)
def test_a_wrong_setting_is_refused_with_its_name_and_value(setting, value):
    with pytest.raises(ValueError, match=setting) as raised:
        options(**{setting: value})
    assert repr(value) in str(raised.value)


@pytest.mark.parametrize(("setting", "value"), [("BOILERPLATE_THRESHOLD", 7), ("BOILERPLATE_TRESHOLD", 0.7)])
def test_a_wrong_setting_stops_the_crawl_at_its_start(crawl, setting, value):
    with pytest.raises(ValueError, match=setting):
        crawl(spider_over(PAGE), **{setting: value})


def test_a_page_can_change_how_it_is_cleaned_and_the_fields_of_its_items():
    assert Options().for_page({"threshold": 0.7, "filter": "main"}).threshold == 0.7
    assert Options().for_page({"fields": ["score"]}).fields == {"score": "score"}
    with pytest.raises(ValueError, match="'workers'"):
        Options().for_page({"workers": 1})


@pytest.mark.parametrize("overrides", [{"fields": ["blocks"], "blocks": None}, {"fields": ["nonsense"]}])
def test_wrong_fields_of_a_page_are_refused(overrides):
    with pytest.raises(ValueError, match=r'meta\["boilerplate"\]\["fields"\]'):
        Options().for_page(overrides)
