"""`scrapy boilerplate`: inside and outside of a project, from a file and over HTTP."""

from __future__ import annotations

import json
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from .pages import MAIN_TEXT, PAGE, PARAGRAPHS

EXAMPLE_PROJECT = Path(__file__).parent.parent / "example_project"


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrapy", "boilerplate", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    path.write_text(PAGE, "utf-8")
    return path


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind = "image/png" if self.path == "/image" else "text/html"
        self.send_response(404 if self.path == "/missing" else 200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(b"\x89PNG" if self.path == "/image" else PAGE.encode())

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def url():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_it_prints_the_main_text_of_a_file(page, tmp_path):
    finished = run(str(page), cwd=tmp_path)

    assert finished.stdout == MAIN_TEXT + "\n"
    assert finished.returncode == 0


def test_it_fetches_a_page_over_http(url, tmp_path):
    finished = run(f"{url}/", cwd=tmp_path)

    assert finished.stdout == MAIN_TEXT + "\n"
    assert finished.stderr == ""


def test_it_uses_the_settings_of_the_project_it_is_called_in(tmp_path):
    article = str(EXAMPLE_PROJECT / "newsroom/site/news/seagull-bins.html")

    numwords = ["--model", "numwords"]
    inside, outside = run(article, cwd=EXAMPLE_PROJECT).stdout, run(article, *numwords, cwd=tmp_path).stdout

    assert "cookies" in outside
    assert "cookies" not in inside
    assert run(article, "--model", "news", "-s", "BOILERPLATE_THRESHOLD=0.6", cwd=tmp_path).stdout == inside
    assert run(article, *numwords, "--threshold", "0.5", cwd=EXAMPLE_PROJECT).stdout == outside


def test_it_uses_the_settings_of_a_spider(tmp_path):
    article = str(EXAMPLE_PROJECT / "newsroom/site/news/seagull-bins.html")

    strict = run(article, "--spider", "news_strict", cwd=EXAMPLE_PROJECT).stdout

    options = ["--model", "news", "--threshold", "0.7", "--filter", "largest"]
    assert strict == run(article, *options, cwd=tmp_path).stdout


def test_it_prints_a_table_of_blocks(page, tmp_path):
    lines = run(str(page), "--blocks", "--model", "numwords", cwd=tmp_path).stdout.splitlines()

    assert lines[0].split() == ["score", "kept", "tag", "kind", "text"]
    assert lines[1].split() == ["0.0000", "-", "li", "list", "item", "Home"]
    assert lines[3].startswith("0.5278  keep  p    paragraph  The council voted")
    assert len(lines) == 7


def test_it_prints_json(page, tmp_path):
    content = json.loads(run(str(page), "--json", "--model", "densitometric", cwd=tmp_path).stdout)

    assert content["title"] == "Baths to stay open"
    assert content["main_text"].endswith(PARAGRAPHS[1] + "\n\n" + PARAGRAPHS[2])
    assert content["blocks"][2]["words"] == 19
    assert {"text", "score", "is_content", "tag", "xpath", "words", "link_density", "kind"} == set(content["blocks"][0])


def test_it_prints_cleanevals_format(page, url, tmp_path):
    from_file = run(str(page), "--format", "cleaneval", cwd=tmp_path).stdout
    fetched = run(f"{url}/", "--format", "cleaneval", cwd=tmp_path).stdout

    segments = "\n\n".join(f"<p> {paragraph}" for paragraph in PARAGRAPHS)
    assert from_file == f"URL:\n\n{segments}\n"
    assert fetched == f"URL: {url}/\n\n{segments}\n"


@pytest.mark.parametrize("name", ["json", "blocks"])
def test_short_options_are_the_same_as_formats(page, tmp_path, name):
    assert run(str(page), f"--{name}", cwd=tmp_path).stdout == run(str(page), "--format", name, cwd=tmp_path).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no-such-file.html"], "neither a URL nor a file: no-such-file.html"),
        (["{page}", "--threshold", "7"], "'7'"),
        (["{page}", "--model", "nonsense"], "unknown model 'nonsense'"),
        (["{page}", "--format", "nonsense"], "'nonsense'"),
        (["{page}", "--json", "--format", "text"], "not allowed with"),
        (["{page}", "--filter", "nonsense"], "'nonsense'"),
        (["{page}", "-s", "BOILERPLATE_TRESHOLD=0.7"], "BOILERPLATE_TRESHOLD"),
    ],
)
def test_a_mistake_is_answered_in_one_line(page, tmp_path, arguments, message):
    finished = run(*(argument.format(page=page) for argument in arguments), cwd=tmp_path)

    assert finished.returncode == 2
    assert message in finished.stdout + finished.stderr
    assert "Traceback" not in finished.stderr


def test_something_that_is_not_html_is_named(url, tmp_path):
    finished = run(f"{url}/image", cwd=tmp_path)

    assert finished.returncode == 1
    assert "not an HTML page (Content-Type: image/png)" in finished.stderr


def test_an_error_page_is_shown_as_such(url, tmp_path):
    finished = run(f"{url}/missing", cwd=tmp_path)

    assert finished.stdout == MAIN_TEXT + "\n"
    assert "answered 404" in finished.stderr


def test_a_page_that_cannot_be_fetched_says_why(tmp_path):
    finished = run("http://127.0.0.1:9/", "-s", "RETRY_ENABLED=False", cwd=tmp_path)

    assert finished.returncode == 1
    assert "could not fetch the page" in finished.stderr


def test_a_page_without_text_says_so(tmp_path):
    (tmp_path / "empty.html").write_bytes(b"")
    finished = run("empty.html", cwd=tmp_path)

    assert finished.stdout == "\n"
    assert "no main text found in 0 blocks" in finished.stderr
