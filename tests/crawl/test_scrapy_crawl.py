"""Real `scrapy crawl` processes against a real HTTP server that redirects, fails, compresses and lies."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from ast import literal_eval
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from ..conftest import REACTORLESS

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[1] / "crawl_project"
SENTENCE = "The text of the page called {} goes on for a while, so that nobody can take it for a menu or a caption."


def page(name: str) -> str:
    paragraphs = "".join(f"<p>{SENTENCE.format(name)}</p>" for _ in range(3))
    return f"<html><body><ul><li><a href='/'>Home</a></li></ul><h1>{name}</h1><div>{paragraphs}</div></body></html>"


class Handler(BaseHTTPRequestHandler):
    """Each path is a page with a difficulty of its own."""

    seen: Counter[str]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.seen[self.path] += 1
        name = self.path.strip("/")
        if not name:
            self.answer(page("start").replace("</body>", "".join(f"<a href='/{path}'>{path}</a> " for path in PAGES)))
        elif name == "redirected":
            self.answer("", status=302, Location="/redirected-twice")
        elif name == "redirected-twice":
            self.answer("", status=301, Location="/target")
        elif name == "flaky" and self.seen[self.path] < 2:
            self.answer("sorry", status=503)
        elif name == "gzipped":
            self.answer(gzip.compress(page(name).encode()), **{"Content-Encoding": "gzip"})
        elif name == "latin":
            self.answer(page("latin é ü").encode("latin-1"), **{"Content-Type": "text/html; charset=iso-8859-1"})
        elif name == "json":
            self.answer('{"no": "page"}', **{"Content-Type": "application/json"})
        elif name == "missing":
            self.answer(page(name), status=404)
        elif name == "robots.txt":
            self.answer("User-agent: *\nDisallow: /forbidden", **{"Content-Type": "text/plain"})
        else:
            self.answer(page(name))

    def answer(self, body: str | bytes, status: int = 200, **headers: str) -> None:
        body = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        for name, value in ({"Content-Type": "text/html", "Content-Length": str(len(body))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        pass


PAGES = ("plain", "redirected", "flaky", "gzipped", "latin", "missing", "forbidden")
CRAWLED = {"plain", "target", "flaky", "gzipped", "latin é ü"}


@pytest.fixture
def server():
    handler = type("CountingHandler", (Handler,), {"seen": Counter()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def url_of(server: ThreadingHTTPServer) -> str:
    return f"http://127.0.0.1:{server.server_port}/"


def scrapy_crawl(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrapy", *arguments]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=120, check=False)


def crawl_pages(server: ThreadingHTTPServer, output: Path, *arguments: str, spider: str = "pages") -> list[dict]:
    finished = scrapy_crawl("crawl", spider, "-a", f"url={url_of(server)}", "-O", str(output), *arguments)
    assert finished.returncode == 0, finished.stderr
    return [json.loads(line) for line in output.read_text("utf-8").splitlines()]


def check_items(items: list[dict]) -> None:
    """One `first` and one `second` item from each page, each with the text of its own page and no other."""
    assert Counter(item["part"] for item in items) == {"first": len(CRAWLED), "second": len(CRAWLED)}
    assert {item["page"] for item in items} == CRAWLED
    for item in items:
        assert item["main_text"].endswith("\n\n".join([SENTENCE.format(item["page"])] * 3))
        assert "Home" not in item["main_text"]


REACTORS = [
    pytest.param([], id="default reactor"),
    pytest.param(
        ["--set=TWISTED_REACTOR=twisted.internet.selectreactor.SelectReactor", "-a", "wait=0"],
        id="reactor without asyncio",
    ),
    pytest.param(
        ["--set=TWISTED_REACTOR_ENABLED=False"],
        id="no reactor",
        marks=pytest.mark.skipif(not REACTORLESS, reason="needs Scrapy 2.15 or newer"),
    ),
]


@pytest.mark.parametrize("reactor", REACTORS)
def test_every_item_has_the_text_of_its_page(server, tmp_path, reactor):
    items = crawl_pages(server, tmp_path / "items.jsonl", *reactor)

    check_items(items)
    assert server.RequestHandlerClass.seen["/flaky"] == 2


@pytest.mark.parametrize("reactor", REACTORS)
def test_items_that_an_earlier_pipeline_replaces_have_the_text_of_their_page(server, tmp_path, reactor):
    pipelines = {"crawled.pipelines.Replaces": 50}
    pipelines |= {"crawled.pipelines.DropsSome": 300, "crawled.pipelines.FailsForSome": 400}

    check_items(
        crawl_pages(server, tmp_path / "items.jsonl", f"--set=ITEM_PIPELINES={json.dumps(pipelines)}", *reactor)
    )


PARSE_PIPELINES = {"crawled.pipelines.DropsSome": None, "crawled.pipelines.FailsForSome": None}


@pytest.mark.parametrize("callback", ["parse_page", "parse_bare"])
def test_scrapy_parse_shows_items_with_their_text(server, callback):
    url = f"{url_of(server)}plain"
    arguments = ["--spider", "pages", "-a", f"url={url}", "-c", callback, "--pipelines", "--nolinks", "--nocolour"]
    finished = scrapy_crawl("parse", url, *arguments, f"--set=ITEM_PIPELINES={json.dumps(PARSE_PIPELINES)}")

    items = literal_eval(finished.stdout.partition("# Scraped Items")[2].partition("\n")[2])
    assert len(items) == (4 if callback == "parse_page" else 1), finished.stderr
    assert all(SENTENCE.format("plain") in item["main_text"] for item in items)
    assert "boilerplate/items/unlinked" not in finished.stderr


def test_scrapy_parse_tells_of_items_whose_page_is_not_certain(server):
    arguments = [
        "--spider",
        "pages",
        "-a",
        "url=x",
        "-c",
        "parse_bare_list",
        "--depth",
        "2",
        "--pipelines",
        "--nocolour",
    ]
    arguments.append(f"--set=ITEM_PIPELINES={json.dumps(PARSE_PIPELINES)}")
    finished = scrapy_crawl("parse", url_of(server), *arguments)

    assert "those without 'url' get no text" in finished.stderr, finished.stderr


def test_the_http_cache_gives_the_same_items(server, tmp_path):
    cache = ["--set=HTTPCACHE_ENABLED=True", f"--set=HTTPCACHE_DIR={tmp_path / 'cache'}"]
    cache.append("--set=HTTPCACHE_IGNORE_HTTP_CODES=503")
    first = crawl_pages(server, tmp_path / "first.jsonl", *cache)
    requests = server.RequestHandlerClass.seen.total()
    second = crawl_pages(server, tmp_path / "second.jsonl", *cache)

    check_items(second)
    assert server.RequestHandlerClass.seen.total() == requests, "everything came from the cache"
    assert sorted(map(str, first)) == sorted(map(str, second))


def test_middleware_and_pipeline_alone_find_redirected_pages_by_url(server, tmp_path):
    pipelines = {"scrapy_boilerplate.BoilerplatePipeline": 100}
    pipelines |= {"crawled.pipelines.DropsSome": 300, "crawled.pipelines.FailsForSome": 400}
    two_components = {
        "ADDONS": {},
        "DOWNLOADER_MIDDLEWARES": {"scrapy_boilerplate.BoilerplateDownloaderMiddleware": 100},
        "ITEM_PIPELINES": pipelines,
    }
    settings = [f"--set={name}={json.dumps(value)}" for name, value in two_components.items()]

    check_items(crawl_pages(server, tmp_path / "items.jsonl", *settings))


def test_a_spider_has_settings_of_its_own_and_the_command_line_overrides_them(server, tmp_path):
    strict = crawl_pages(server, tmp_path / "strict.jsonl", spider="pages_strict")
    overridden = crawl_pages(
        server, tmp_path / "overridden.jsonl", "-s", "BOILERPLATE_THRESHOLD=0.5", spider="pages_strict"
    )

    assert {item["main_text"] for item in strict} == {""}
    check_items(overridden)


@pytest.mark.parametrize(
    ("setting", "message"),
    [("BOILERPLATE_THRESHOLD=7", "BOILERPLATE_THRESHOLD = '7'"), ("BOILERPLATE_MODEL=x", "BOILERPLATE_MODEL = 'x'")],
)
def test_a_wrong_setting_stops_the_crawl_before_its_first_request(server, setting, message):
    finished = scrapy_crawl("crawl", "pages", "-a", f"url={url_of(server)}", "-s", setting)

    assert finished.returncode != 0 or not REACTORLESS  # the oldest Scrapy does not tell the shell
    assert message in finished.stderr
    assert not server.RequestHandlerClass.seen


def test_the_stats_tell_what_happened(server, tmp_path):
    finished = scrapy_crawl("crawl", "pages", "-a", f"url={url_of(server)}", "-O", str(tmp_path / "items.jsonl"))

    assert f"'boilerplate/items/filled': {4 * len(CRAWLED)}" in finished.stderr
    assert f"'boilerplate/pages/scored': {len(CRAWLED)}" in finished.stderr
    assert "boilerplate/errors" not in finished.stderr
