"""`scrapy boilerplate`: inside and outside of a project, from a file and over HTTP."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from io import StringIO
from itertools import pairwise
from pathlib import Path
from threading import Thread

import pytest
import scrapy
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from scrapy_boilerplate import __version__, extract
from scrapy_boilerplate.commands import SUBCOMMANDS
from scrapy_boilerplate.commands.boilerplate import Command
from scrapy_boilerplate.commands.progress import progress
from scrapy_boilerplate.commands.urls import url_of
from scrapy_boilerplate.compiled import compiled

from ..pages import MAIN_TEXT, PAGE, PARAGRAPHS

pytestmark = pytest.mark.slow

EXAMPLE_PROJECT = Path(__file__).parents[2] / "example_project"
PYPROJECT = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
SCRIPTS = PYPROJECT.partition("[project.scripts]\n")[2].partition("\n\n")[0].splitlines()


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrapy", "boilerplate", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)


def call(*arguments: object) -> int:
    """The exit code of the command in this process, in which everything is imported already; for all but URLs."""
    command, parser = Command(), ArgumentParser(conflict_handler="resolve")
    command.settings = Settings()
    try:
        command.add_options(parser)
        opts, words = parser.parse_known_args(list(map(str, arguments)))
        command.process_options(words, opts)
        command.crawler_process = AsyncCrawlerRunner(command.settings)
        command.run(words, opts)
    except UsageError as error:
        parser.error(str(error))
    return command.exitcode


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
    facts = {"text", "score", "is_content", "tag", "xpath", "words", "link_density", "kind", "other_pages"}
    assert set(content["blocks"][0]) == facts


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
        ([], "name a URL or a file"),
        (["no-such-file.html"], "neither a URL nor a file: no-such-file.html"),
        (["trian"], "neither a URL nor a file: trian; did you mean train?"),
        (["no.such.html"], "neither a URL nor a file: no.such.html"),
        (["empty"], "empty is a folder without pages (.html, .html.gz, .htm, .htm.gz)"),
        (["page.html", "other.html"], "neither a URL nor a file: other.html"),
        (["page.html", "page.html", "--view"], "a view shows one page, not 2"),
        (["page.html", "page.html", "-o", "pages.html"], "a view shows one page, not 2"),
        (["page.html", "page.html", "--url", "http://x.example/"], "--url is for one page"),
        (["page.html", "--url", "x.example"], "--url x.example: must begin with http:// or https://"),
        (["-", "-"], "name it once"),
        (["page.html", "http://["], "http://[ is not a valid URL: Invalid IPv6 URL"),
        (["label", "example.com:99999"], "https://example.com:99999 is not a valid URL: Port out of range"),
        (["page.html", "--nope"], "unknown option --nope"),
        (["page.html", "--markdwon"], "unknown option --markdwon; did you mean --markdown?"),
        (["train", "--recipee=x"], "unknown option --recipee=x; did you mean --recipe?"),
        (["page.html", "-x"], "unknown option -x"),
        (["--nope=3", "page.html"], "unknown option --nope=3"),
        (["page.html", "--threshold", "7"], "--threshold = '7'"),
        (["page.html", "--model", "foo"], "--model = 'foo': unknown model 'foo'"),
        (["page.html", "--format", "nonsense"], "--format: invalid choice: 'nonsense'"),
        (["page.html", "--json", "--format", "text"], "not allowed with"),
        (["page.html", "--filter", "nonsense"], "--filter = 'nonsense'"),
        (["page.html", "--spider", "nope"], "--spider nope: there is no such spider"),
        (["page.html", "--loglevel", "nope"], "--loglevel nope"),
        (["page.html", "--pidfile", "no/such"], "no/such: No such file or directory"),
        (["page.html", "-s", "BOILERPLATE_TRESHOLD=0.7"], "unknown setting BOILERPLATE_TRESHOLD = '0.7'"),
        (["page.html", "-s", "BOILERPLATE_MODEL=foo"], "BOILERPLATE_MODEL = 'foo': unknown model"),
        (["page.html", "-s", "nonsense"], "NAME=VALUE"),
        (["page.html", "-s--"], "-s--: the option needs a value"),
        (["page.html", "--model=--"], "--model=--: the option needs a value"),
        (["warc", "page.html", "--nope"], "unknown option --nope"),
        (["warc", "page.html"], "-o is missing; usage: scrapy boilerplate warc"),
        (["warc", "page.html", "-o", "x.jsonl", "--model", "foo"], "--model = 'foo'"),
        (["--nolog", "warc", "page.html", "-o", "x.jsonl", "--jobs", "0"], "--jobs must be at least 1, not 0"),
        (["--model", "foo", "warc", "page.html", "-o", "x.jsonl"], "--model = 'foo'"),
        (["--output", "label", "no.html"], "neither a URL nor a file: no.html"),
        (["label"], "no page is named; usage: scrapy boilerplate label"),
        (["label", "page.html", "--model", "foo"], "--model = 'foo'"),
        (["label", "page.html", "--port", "70000"], "--port must be from 0 to 65535, not 70000"),
        (["label", "page.html", "--output", "page.html"], "--output page.html: File exists"),
        (["label", "page.html", "--spider", "nope"], "--spider nope"),
        (["evaluate", "pages"], "'pages' belongs to no option; usage: scrapy boilerplate evaluate"),
        (["evaluate", "--data", "pages", "--model", "foo"], "--model foo: unknown model"),
        (["compare"], "--data is missing; usage: scrapy boilerplate compare"),
        (["compare", "--data", "pages", "--pages", "0"], "--pages must be at least 1, not 0"),
        (["train", "-o", "x.npz"], "no pages are named; usage: scrapy boilerplate train"),
        (["train", "pages", "-o", "no/such.npz"], "-o no/such.npz: there is no such folder"),
        (["train", "pages", "-o", "."], "-o .: it is a folder"),
        (["train", "pages", "-o", "x.npz", "--folds", "1"], "--folds must be an integer, 0, or 2 or more, not 1"),
        (["train", "pages", "-o", "x.npz", "--epochs", "0"], "--epochs must be an integer, 1 or more, not 0"),
        (["train", "pages", "-o", "x.npz", "--seed", "-1"], "--seed must be an integer, from 0 to"),
        (["train", "pages", "-o", "x.npz", "--seed", "x"], "--seed: invalid int value: 'x'"),
    ],
)
def test_a_mistake_is_answered_in_one_line(page, tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()

    with pytest.raises(SystemExit) as stopped:
        call(*arguments)

    captured = capsys.readouterr()
    [line] = captured.err.splitlines()
    assert message in line
    assert stopped.value.code == 2
    assert captured.out == ""


def test_a_mistake_is_one_line_in_a_process_of_its_own_too(page, tmp_path):
    finished = run(str(page), "--model", "foo", cwd=tmp_path)

    [line] = finished.stderr.splitlines()
    assert line.startswith("scrapy boilerplate: --model = 'foo': unknown model 'foo'")
    assert (finished.stdout, finished.returncode) == ("", 2)


def test_a_bad_setting_of_a_project_is_one_line(tmp_path):
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = mysettings\n")
    (tmp_path / "mysettings.py").write_text(
        "ADDONS = {'scrapy_boilerplate.Addon': 100}\nBOILERPLATE_THRESHOLD = 'high'\n"
    )

    finished = run("http://127.0.0.1:9/", cwd=tmp_path)

    [line] = finished.stderr.splitlines()
    assert line == "scrapy boilerplate: BOILERPLATE_THRESHOLD = 'high': must be None or a number from 0 to 1"
    assert finished.returncode == 2


def test_a_file_whose_name_looks_like_an_option_is_read_after_two_dashes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("--page.html").write_text(PAGE, "utf-8")

    assert call("--", "--page.html") == 0
    assert capsys.readouterr().out == MAIN_TEXT + "\n"


def test_a_page_in_gzip_is_read(tmp_path, capsys):
    file = tmp_path / "page.html.gz"
    file.write_bytes(gzip.compress(PAGE.encode()))

    assert call(file) == 0
    assert capsys.readouterr().out == MAIN_TEXT + "\n"


def test_an_output_is_what_would_be_printed_and_the_view_only_where_it_is_asked_for(page, tmp_path, capsys):
    text, table, view, json_file = (tmp_path / name for name in ("out.txt", "out.table", "out.html", "json.html"))

    for arguments in ((text,), (table, "--blocks"), (view,), (json_file, "--json")):
        assert call(page, "--output", *arguments) == 0
    assert call(page, "--view", "--output", tmp_path / "view.txt") == 0

    assert text.read_text("utf-8") == MAIN_TEXT + "\n"
    assert table.read_text("utf-8").startswith("score   kept")
    assert view.read_text("utf-8").startswith("<!doctype html>")
    assert json.loads(json_file.read_text("utf-8"))["main_text"] == MAIN_TEXT
    assert (tmp_path / "view.txt").read_text("utf-8").startswith("<!doctype html>")
    assert capsys.readouterr().out.split() == [
        str(tmp_path / name) for name in ("out.txt", "out.table", "out.html", "json.html", "view.txt")
    ]


@pytest.mark.parametrize("name", ["such.txt", "such.html"])
def test_an_output_that_can_not_be_written_is_one_line(page, capsys, name):
    assert call(page, "--output", f"no/{name}") == 1

    assert capsys.readouterr().err == f"scrapy boilerplate: no/{name}: No such file or directory\n"


@pytest.fixture
def large_page(tmp_path):
    path = tmp_path / "large.html"
    path.write_text(PAGE.replace("<body>", "<body>" + f"<p>{PARAGRAPHS[0]}</p>" * 5000), "utf-8")
    return path


def test_a_reader_that_has_read_enough_ends_it_quietly(large_page, tmp_path):
    command = [sys.executable, "-m", "scrapy", "boilerplate", str(large_page), "--json"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "{\n"
    process.stdout.close()
    _, errors = process.communicate(timeout=60)

    assert errors == ""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line(page, tmp_path):
    with Path("/dev/full").open("w") as full:
        finished = subprocess.run(
            [sys.executable, "-m", "scrapy", "boilerplate", str(page)],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )

    assert finished.stderr == "scrapy boilerplate: No space left on device\n"
    assert finished.returncode == 1


def test_something_that_is_not_html_is_named(url, tmp_path):
    finished = run(f"{url}/image", cwd=tmp_path)

    assert finished.returncode == 1
    assert finished.stderr == f"scrapy boilerplate: {url}/image is not an HTML page (Content-Type: image/png)\n"


def test_an_error_page_is_shown_only_to_who_asks_for_it(url, tmp_path):
    refused = run(f"{url}/missing", cwd=tmp_path)
    asked_for = run(f"{url}/missing", "-s", "HTTPERROR_ALLOW_ALL=True", cwd=tmp_path)

    assert (refused.stdout, refused.returncode) == ("", 1)
    assert refused.stderr == f"scrapy boilerplate: {url}/missing answered 404\n"
    assert (asked_for.stdout, asked_for.returncode) == (MAIN_TEXT + "\n", 0)
    assert "answered 404; this is its error page" in asked_for.stderr


def test_a_page_that_cannot_be_fetched_says_why(tmp_path):
    finished = run("http://127.0.0.1:9/", "-s", "ROBOTSTXT_OBEY=True", cwd=tmp_path)

    [line] = finished.stderr.splitlines()
    assert line.startswith("scrapy boilerplate: http://127.0.0.1:9/ could not be fetched: ")
    assert finished.returncode == 1


def test_an_address_may_be_longer_than_the_name_of_a_file(url, tmp_path):
    assert run(f"{url}/{'a' * 500}", cwd=tmp_path).stdout == MAIN_TEXT + "\n"


def test_a_page_without_text_says_so(tmp_path):
    (tmp_path / "empty.html").write_bytes(b"")
    finished = run("empty.html", cwd=tmp_path)

    assert finished.returncode == 1
    assert finished.stdout == ""
    assert finished.stderr == "scrapy boilerplate: empty.html is not cleaned: it has no body\n"


def test_a_name_that_is_no_text_is_printed_as_far_as_it_can_be(tmp_path):
    name = os.fsdecode(b"gr\xfc\xdfe.html")
    (tmp_path / name).write_text(PAGE, "utf-8")

    finished = run(name, "--json", cwd=tmp_path)
    saved = run(name, "--output", name + ".txt", cwd=tmp_path)

    assert json.loads(finished.stdout)["main_text"] == MAIN_TEXT
    assert (finished.stderr, finished.returncode) == ("", 0)
    assert (tmp_path / f"{name}.txt").read_text("utf-8") == MAIN_TEXT + "\n"
    assert (saved.stderr, saved.returncode) == ("", 0)


@pytest.mark.parametrize(
    "arguments", [("damaged.html.gz",), ("evaluate", "--data", "."), ("compare", "--data", ".", "--model", "numwords")]
)
@pytest.mark.parametrize("content", [gzip.compress(PAGE.encode())[:100], PAGE.encode()], ids=["cut off", "no gzip"])
def test_a_damaged_page_is_named_in_one_line(arguments, content, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "damaged.html.gz").write_bytes(content)
    (tmp_path / "damaged.txt").write_text(MAIN_TEXT)

    assert call(*arguments) == 1

    captured = capsys.readouterr()
    [line] = captured.err.splitlines()
    assert line.startswith("scrapy boilerplate: damaged.html.gz: damaged gzip")
    assert captured.out == ""


def test_several_pages_have_their_names_above_them(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "b.html").write_text(PAGE, "utf-8")
    (folder / "a.html.gz").write_bytes(gzip.compress(PAGE.encode()))
    (folder / "notes.txt").write_text("no page")
    first, second = str(Path("pages/a.html.gz")), str(Path("pages/b.html"))

    assert call("page.html", "pages") == 0
    assert capsys.readouterr().out == "".join(
        f"==> {name} <==\n{MAIN_TEXT}\n\n" for name in ("page.html", first, second)
    )

    assert call("pages", "--markdown") == 0
    assert capsys.readouterr().out == "".join(f"<!-- {name} -->\n\n{MAIN_TEXT}\n\n" for name in (first, second))

    assert call("pages", "--json") == 0
    assert [page["page"] for page in json.loads(capsys.readouterr().out)] == [first, second]

    assert call("pages", "--jsonl") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line)["page"] for line in lines] == [first, second]


def test_urls_and_files_are_printed_in_the_order_in_which_they_are_named(url, page, tmp_path):
    finished = run(
        f"{url}/b", "page.html", f"{url.removeprefix('http://')}/a", f"{url}/missing", "--jsonl", cwd=tmp_path
    )

    names = [json.loads(line)["page"] for line in finished.stdout.splitlines()]
    assert names == [f"{url}/b", "page.html", f"{url}/a"]
    assert finished.stderr == f"scrapy boilerplate: {url}/missing answered 404\n"
    assert finished.returncode == 1


@pytest.mark.parametrize(
    ("argument", "url"),
    [
        ("example.com", "https://example.com"),
        ("www.example.co.uk/a/b.html?c=d#e", "https://www.example.co.uk/a/b.html?c=d#e"),
        ("bücher.example/x", "https://bücher.example/x"),
        ("example.com:8080/x", "https://example.com:8080/x"),
        ("localhost:8000/x", "http://localhost:8000/x"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://example.com/", "http://example.com/"),
        ("page.html", None),
        ("no/such.html", None),
        ("README.md", None),
        ("v1.2/page.html", None),
        ("train", None),
        ("a b.com", None),
    ],
)
def test_a_url_needs_no_scheme(argument, url):
    assert url_of(argument) == url


def test_a_file_with_the_name_of_a_site_is_a_file(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("example.com").write_text(PAGE, "utf-8")

    assert call("example.com") == 0
    assert capsys.readouterr().out == MAIN_TEXT + "\n"


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["html", "gzip"])
def test_a_page_comes_from_standard_input(pack, tmp_path):
    command = [sys.executable, "-m", "scrapy", "boilerplate", "-", "--markdown", "--url", "https://site.example/news/"]
    page = pack(PAGE.replace("<h1>", '<h1><a href="x.html">').encode())

    finished = subprocess.run(command, cwd=tmp_path, input=page, capture_output=True, timeout=60, check=False)

    assert finished.stdout.decode().split() == extract(page_of(page), "https://site.example/news/").markdown.split()
    assert (finished.stderr, finished.returncode) == (b"", 0)


def page_of(body: bytes) -> bytes:
    return gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body


@pytest.mark.parametrize(("name", "format"), [("a.md", "markdown"), ("a.json", "json"), ("a.JSONL", "jsonl")])
def test_the_ending_of_the_output_chooses_the_format(page, tmp_path, capsys, name, format):
    assert call(page, f"--{format}") == 0
    printed = capsys.readouterr().out

    assert call(page, "-o", tmp_path / name) == 0
    assert (tmp_path / name).read_text("utf-8") == printed


def test_a_page_without_text_is_a_failure_for_who_asks_for_it(tmp_path, page, capsys):
    menu = tmp_path / "menu.html"
    menu.write_text("<ul><li><a href=a>Home</a><li><a href=b>News</a></ul>")

    assert call(menu) == 0
    assert call(menu, page, "--fail") == 1
    assert call(page, "--fail") == 0
    assert capsys.readouterr().err.count("menu.html: no main text found in 2 blocks") == 2


def test_options_may_stand_before_the_sub_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        call("--data", "no-such-folder", "evaluate")
    assert "no-such-folder" in capsys.readouterr().err

    Path("page.html").write_text(PAGE, "utf-8")
    assert call("--output", "label", "page.html") == 0  # here it is the name of a file
    assert Path("label").read_text("utf-8") == MAIN_TEXT + "\n"


def test_the_help_lists_the_sub_commands_a_line_each(tmp_path):
    lines = run("-h", cwd=tmp_path).stdout.splitlines()

    for name, line in SUBCOMMANDS.items():
        assert f"  {name:8}  {line}" in lines


def test_the_version_tells_what_is_compiled(capsys):
    with pytest.raises(SystemExit) as stopped:
        call("--version")

    rows = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert stopped.value.code == 0
    assert rows["scrapy_boilerplate"] == __version__
    assert rows["Scrapy"] == scrapy.__version__
    assert {"lxml", "numpy"} <= set(rows)
    assert rows["Running"].startswith("compiled" if all(compiled().values()) else "in plain Python")


def test_it_runs_as_a_module_and_messages_say_so(page, tmp_path):
    def run_module(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "scrapy_boilerplate", *arguments]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False
        )

    assert run_module(str(page)).stdout == MAIN_TEXT + "\n"
    refused = run_module("nope")
    assert refused.stderr == "python -m scrapy_boilerplate: neither a URL nor a file: nope\n"
    assert refused.returncode == 2


def test_the_script_runs_the_command(page, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["/usr/bin/scrapy-boilerplate", str(page), "--nope"])
    [script] = [entry for entry in SCRIPTS if entry.startswith("scrapy-boilerplate = ")]
    module, _, function = script.split('"')[1].partition(":")

    with pytest.raises(SystemExit):
        getattr(import_module(module), function)()

    assert capsys.readouterr().err.startswith("scrapy-boilerplate: unknown option --nope")


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_progress_bar_is_shown_after_two_seconds_and_taken_away(monkeypatch):
    seconds = iter([0.0, 1.9, 2.0, 4.0])
    monkeypatch.setattr("time.monotonic", lambda: next(seconds))
    monkeypatch.setattr("sys.stderr", Terminal())

    with progress(4, "pages") as advance:
        advance(1)
        assert sys.stderr.getvalue() == ""
        advance(2)
        assert sys.stderr.getvalue() == f"\r\033[K[{'#' * 15}{'.' * 15}] 2/4 pages, 2 s left "

    assert sys.stderr.getvalue().endswith("\r\033[K")


@pytest.mark.parametrize("subcommand", ["", "compare", "evaluate", "label", "train", "warc"])
def test_no_line_of_the_help_becomes_a_heading(subcommand, monkeypatch, tmp_path):
    for columns in ("60", "80"):
        monkeypatch.setenv("COLUMNS", columns)
        lines = run(*subcommand.split(), "-h", cwd=tmp_path).stdout.splitlines()
        headings = [above for above, line in pairwise(lines) if line and set(line) <= {"=", "-"}]
        described = [] if subcommand else ["Examples", "Sub-commands"]
        assert headings == ["Usage", *described, "Options", "Global Options"]
