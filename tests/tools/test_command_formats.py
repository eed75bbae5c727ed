"""Formats of `scrapy boilerplate PAGE`."""

import json

from scrapy_boilerplate import extract

from ..pages import PARAGRAPHS
from .test_command import run

PAGE = f"""<title>Baths to stay open</title><h1>Baths to stay open</h1>
<p>{PARAGRAPHS[0]}</p><p>{PARAGRAPHS[1]} <a href=/letters>All letters</a></p><p>{PARAGRAPHS[2]}</p>"""


def test_markdown_and_html_are_printed(tmp_path):
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    document = extract(PAGE)

    assert run("page.html", "--markdown", cwd=tmp_path).stdout == document.markdown + "\n"
    assert run("page.html", "--html", cwd=tmp_path).stdout == document.html + "\n"


def test_the_headline_is_on_top_of_markdown_once(tmp_path):
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    printed = run("page.html", "--markdown", "--headline", cwd=tmp_path).stdout

    assert printed.startswith(f"# Baths to stay open\n\n{PARAGRAPHS[0]}")
    assert printed.count("Baths to stay open") == 1


def test_everything_is_in_json(tmp_path):
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    printed = json.loads(run("page.html", "--json", cwd=tmp_path).stdout)

    assert printed["headline"] == "Baths to stay open"
    assert printed["markdown"] == extract(PAGE).markdown
