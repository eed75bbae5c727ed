"""README and documentation: their code runs, their tables are those of the code, and the site builds."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import fields
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import pytest

from scrapy_boilerplate import Block
from scrapy_boilerplate.commands import SUBCOMMANDS
from scrapy_boilerplate.fields import BLOCK_FIELDS, FIELDS
from scrapy_boilerplate.models import MODELS
from scrapy_boilerplate.not_cleaned import REASONS
from scrapy_boilerplate.options import DECLARATIONS, PREFIX, REQUEST_OPTIONS, Options

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = [README, *sorted(DOCS.rglob("*.md"))]
TABLES = runpy.run_path(str(DOCS / "tables.py"))

# A block of Python, the comment above it that says why it can't run, and the output below it.
PYTHON_BLOCK = re.compile(
    r"(?P<not_run><!-- not run: .+ -->\n)?^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)


def text_of(page: str) -> str:
    return (DOCS / page).read_text("utf-8")


def python_blocks(page: Path) -> Iterator[re.Match[str]]:
    return (block for block in PYTHON_BLOCK.finditer(page.read_text("utf-8")) if not block["not_run"])


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(python_blocks(page))], ids=lambda page: str(page.relative_to(ROOT))
)
def test_the_python_code_of_a_page_runs_and_prints_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if "scrapy_boilerplate.poet" in page.read_text("utf-8"):
        pytest.importorskip("web_poet")
    names: dict[str, Any] = {"__name__": "page"}
    for block in python_blocks(page):
        printed = StringIO()
        with redirect_stdout(printed):
            exec(compile(block["code"], str(page), "exec", dont_inherit=True), names)
        if block["output"]:
            assert printed.getvalue() == block["output"]
    Options.from_settings(names)


@contextmanager
def example_site() -> Iterator[str]:
    """Serve the example site, as the tutorial does, and yield its address."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(ROOT / "example_project" / "newsroom" / "site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_the_first_spider_gets_the_markdown_of_the_example_site(tmp_path):
    code = next(python_blocks(DOCS / "first-spider.md"))["code"]
    with example_site() as address:
        (tmp_path / "gazette.py").write_text(code.replace("http://127.0.0.1:8000/", address), "utf-8")
        command = [sys.executable, "-m", "scrapy", "runspider", "gazette.py", "-O", "gazette.jsonl"]
        crawl = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=True)
    articles = [json.loads(line) for line in (tmp_path / "gazette.jsonl").read_text("utf-8").splitlines()]
    assert f"'boilerplate/items/filled': {len(articles)}," in crawl.stderr
    assert f"'boilerplate/items/filled': {len(articles)}," in text_of("first-spider.md")
    assert all(article["headline"] and article["date_published"] and article["markdown"] for article in articles)
    assert any("| First vehicle | £52 |" in article["markdown"] for article in articles)


def test_the_command_of_the_first_spider_prints_what_the_page_says(tmp_path):
    command_and_output = r"boilerplate http://127.0.0.1:8000/(\S+) --markdown\n```.*?```text\n(.*?)```"
    [[path, printed]] = re.findall(command_and_output, text_of("first-spider.md"), re.DOTALL)
    page = ROOT / "example_project" / "newsroom" / "site" / path
    command = [sys.executable, "-m", "scrapy", "boilerplate", str(page), "--markdown"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=100, check=True)
    assert ran.stdout == printed


def test_the_settings_in_the_spiders_of_the_pages_are_valid():
    chosen = re.findall(r"custom_settings = (\{.*\})", "".join(page.read_text("utf-8") for page in PAGES))
    assert chosen
    for settings in chosen:
        Options.from_settings(eval(settings))


def test_the_readme_fits_on_few_screens_and_needs_nothing_beside_it():
    text = README.read_text("utf-8")
    assert len(text.splitlines()) <= 130
    links = re.findall(r"\]\((.*?)\)", text)
    assert all(link.startswith(("https://", "#")) for link in links)  # a package index has no other files


@pytest.mark.parametrize("ending", ["pytest -n auto", "news.jsonl"])
def test_the_readme_has_the_commands_that_the_checks_take_from_it(ending):
    assert re.search(rf"^python3 -m venv .*{ending}$", README.read_text("utf-8"), re.MULTILINE)


def test_the_settings_of_the_readme_have_the_defaults_that_it_says():
    rows = re.findall(rf"^\| `({PREFIX}\w+)` \| `(.*?)` \|", README.read_text("utf-8"), re.MULTILINE)
    assert len(rows) == 4
    chosen = Options.from_settings({name: eval(default) for name, default in rows})
    assert chosen == Options()


def test_nobody_is_told_to_install_the_package_of_the_same_name():
    others = [
        ROOT / "CONTRIBUTING.md",
        *(ROOT / "scrapy_boilerplate").rglob("*.py"),
        *(ROOT / ".github").rglob("*.yml"),
    ]
    for page in [*PAGES, *others]:
        assert not re.search(r"pip install [^\n]*scrapy-boilerplate\b(?!-removal)", page.read_text("utf-8")), page


def test_the_page_of_settings_has_a_row_for_each_option():
    table = TABLES["filled"](text_of("reference/settings.md"))
    assert re.findall(rf"^\| `{PREFIX}(\w+)`", table, re.MULTILINE) == [name.upper() for name in DECLARATIONS]


@pytest.fixture
def _htmldate(monkeypatch):
    """The examples are those of somebody who has the extra `dates`."""
    monkeypatch.setitem(sys.modules, "htmldate", ModuleType("htmldate"))


@pytest.mark.usefixtures("_htmldate")
def test_the_examples_of_settings_are_valid():
    rows = re.findall(rf"^\| `({PREFIX}\w+)` .* \| `(.*)` \|$", TABLES["settings"](), re.MULTILINE)
    assert len(rows) == len(DECLARATIONS)
    for name, example in rows:
        Options.from_settings({name: eval(example)})


@pytest.mark.usefixtures("_htmldate")
def test_the_page_of_request_meta_has_a_row_for_each_option_of_a_page():
    table = TABLES["filled"](text_of("reference/request-meta.md"))
    assert re.findall(r"^\| `(\w+)` .* \| `(.*)` \|$", table, re.MULTILINE) == [
        (name, example) for name, example in zip(REQUEST_OPTIONS, meta_examples(table), strict=True)
    ]
    for example in meta_examples(table):
        Options().for_page(eval(example))


def meta_examples(table: str) -> list[str]:
    return re.findall(r"^\| `\w+` .* \| `(\{.*\})` \|$", table, re.MULTILINE)


def test_the_page_of_fields_has_a_row_for_each_field_and_tells_of_each_key_of_a_block():
    page = TABLES["filled"](text_of("reference/fields.md"))
    assert re.findall(r"^\| `(\w+)`", page, re.MULTILINE) == [*FIELDS, *BLOCK_FIELDS]
    told = re.findall(r"`(\w+)`", "".join(re.findall(r"^- .*$", page, re.MULTILINE)))
    assert set(BLOCK_FIELDS) <= set(told)


def test_the_python_api_has_a_row_for_each_attribute_of_a_block():
    rows = re.findall(r"^\| `(\w+)`", text_of("reference/python-api.md"), re.MULTILINE)
    assert rows == [attribute.name for attribute in fields(Block)]


def test_the_page_of_stats_has_all_reasons_and_all_counts_of_a_crawl():
    page = TABLES["filled"](text_of("reference/stats.md"))
    assert all(f"\n| `{reason}` |" in page for reason in REASONS)
    code = "".join(path.read_text("utf-8") for path in (ROOT / "scrapy_boilerplate" / "crawl").glob("*.py"))
    counted = re.findall(r'\bcount\(f?"([\w/]+)', code)
    assert "pages/scored" in counted
    assert all(f"\n| `boilerplate/{name}" in page for name in counted)


def test_all_models_are_in_the_readme_and_on_the_page_of_models():
    for text in (README.read_text("utf-8"), text_of("models/index.md")):
        assert all(f"`{name}`" in text for name in MODELS)


def test_the_page_of_commands_has_a_section_for_each_command():
    page = text_of("reference/commands.md")
    assert all(f"\n## {name}\n" in page and f"\n{{{{ help {name} }}}}\n" in page for name in SUBCOMMANDS)


def test_the_page_on_architecture_names_every_part_of_the_package():
    page = text_of("architecture.md")
    package = ROOT / "scrapy_boilerplate"
    parts = [path.name for path in package.glob("*.py")] + [f"{path.parent.name}/" for path in package.glob("*/*.py")]
    assert {part for part in parts if f"{part}`" not in page} == set()


def test_the_comparison_has_the_figures_of_the_pages_on_accuracy_and_speed():
    table, page = TABLES["comparison"](), TABLES["filled"](text_of("comparison.md"))
    assert table in page
    measured = text_of("accuracy.md") + text_of("speed.md")
    rows = [line.split(" | ") for line in table.splitlines()[2:]]
    assert [row[0].strip("| ") for row in rows] == list(TABLES["COMPARED"])
    assert all(re.fullmatch(r"\d+\.\d+", cell) for cell in " ".join(rows[0][1:]).strip(" |").split())
    assert {figure for figure in re.findall(r"\d+\.\d+", page) if figure not in measured} == set()
    assert all(row[1:].count("") < 4 for row in rows)


def test_the_options_of_a_command_come_from_its_help():
    assert "--restart" in TABLES["command_options"]("warc")


@pytest.mark.skipif(find_spec("sphinx") is None, reason="needs the extra docs")
def test_the_site_builds_without_warnings(tmp_path):
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-d", "doctrees", str(DOCS), "site"]
    built = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "site" / "reference" / "settings.html").is_file()
