"""`scrapy check` and `scrapy shell`, as real processes in a project of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import scrapy_boilerplate

from ..pages import MAIN_TEXT, PAGE, PARAGRAPHS

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomli")

ROOT = Path(scrapy_boilerplate.__file__).parents[1]
SETTINGS = """
ADDONS = {"scrapy_boilerplate.Addon": 100}
SPIDER_MODULES = ["spiders"]
COMMANDS_MODULE = "scrapy_boilerplate.commands"  # as the entry points do, where the package is installed
BOILERPLATE_MODEL = "numwords"
"""
SPIDERS = '''
import scrapy

class Declared(scrapy.Item):
    url = scrapy.Field()
    main_text = scrapy.Field()

class Undeclared(scrapy.Item):
    url = scrapy.Field()

class NewsSpider(scrapy.Spider):
    name = "news"

    def parse_dict(self, response):
        """
        @url {page}
        @returns items 1
        @scrapes url main_text blocks
        """
        yield {{"url": response.url}}

    async def parse_item(self, response):
        """
        @url {page}
        @scrapes main_text
        """
        yield Declared(url=response.url)

    def parse_undeclared(self, response):
        """
        @url {page}
        @scrapes main_text
        """
        yield Undeclared(url=response.url)

    def parse_empty(self, response):
        """
        @url {empty}
        @scrapes main_text headline
        """
        yield {{"url": response.url}}

    def parse_switched_off(self, response):
        """
        @url {page}
        @meta {{"boilerplate": false}}
        @scrapes main_text
        """
        yield {{"url": response.url}}
'''


@pytest.fixture
def project(tmp_path):
    pages = {"page": PAGE, "empty": "<title>An app</title><div id=root></div>"}
    for name, page in pages.items():
        (tmp_path / f"{name}.html").write_text(page, "utf-8")
    urls = {name: (tmp_path / f"{name}.html").as_uri() for name in pages}
    (tmp_path / "settings.py").write_text(SETTINGS, "utf-8")
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = settings\n", "utf-8")
    (tmp_path / "spiders.py").write_text(SPIDERS.format(**urls), "utf-8")
    return tmp_path


def scrapy(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(project), str(ROOT)]), "COLUMNS": "200"}
    command = [sys.executable, "-m", "scrapy", *arguments]
    return subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.slow
def test_contracts_know_the_fields_that_the_pipeline_fills(project):
    done = scrapy(project, "check", "news")

    failed = {line.split("] ")[1].split(" ")[0] for line in done.stderr.splitlines() if line.startswith("FAIL: ")}
    assert failed == {"parse_undeclared", "parse_empty", "parse_switched_off"}, done.stderr
    assert done.stderr.count("Missing fields: main_text\n") == 2
    assert "Missing fields: main_text, headline" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "output"),
    [
        ("text()", MAIN_TEXT),
        ("text().splitlines()[0]", PARAGRAPHS[0]),
        ("repr(text(threshold=1.0))", ""),
        ("text(response.replace(body=b'<p>nothing'), model='densitometric')", ""),
    ],
)
def test_the_shell_has_a_shortcut_for_the_text_of_its_response(project, code, output):
    done = scrapy(project, "shell", "./page.html", "-c", code)

    assert done.stdout == f"{output}\n", done.stderr


@pytest.mark.slow
def test_the_shortcut_says_what_is_missing_without_a_response(project):
    assert "there is no response; fetch(URL) gets one" in scrapy(project, "shell", "-c", "text()").stderr


def test_the_entry_points_name_commands_that_exist():
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["scrapy.commands"]

    assert {"boilerplate", "shell"} <= scripts.keys()
    for place in scripts.values():
        module, _, name = place.partition(":")
        assert issubclass(getattr(import_module(module), name), import_module("scrapy.commands").ScrapyCommand)
