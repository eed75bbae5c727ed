"""The labelling page's server: who is let in, what may be written, and what is told when something is wrong."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from argparse import ArgumentParser
from http.server import ThreadingHTTPServer
from threading import Thread

import pytest
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.settings import Settings

from scrapy_boilerplate import extract
from scrapy_boilerplate.commands import label as label_command
from scrapy_boilerplate.commands.project import Project
from scrapy_boilerplate.label.files import digest_of, path_of, read_labels
from scrapy_boilerplate.label.server import MOST_BYTES, LabelServer
from scrapy_boilerplate.label.store import LabelFolder
from scrapy_boilerplate.options import Options

from ..pages import PAGE, article
from .test_command import Handler

OPTIONS = Options(model="numwords")
COUNT = len(extract(PAGE, model="numwords").blocks)
DIGEST = digest_of(PAGE.encode())


@pytest.fixture
def server(tmp_path):
    folder = LabelFolder(tmp_path / "labels", "numwords")
    pages = [folder.add(PAGE.encode(), "one"), folder.add(article(title="Two").encode(), "two")]
    with LabelServer(folder, pages, OPTIONS) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def message(self) -> str:
        return json.loads(self.body)["message"]


def ask(server, method: str, path: str, body: str | bytes | None = None, **headers: str) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        connection.request(method, path, body, sent)
        return Answer(connection.getresponse())
    finally:
        connection.close()


def origin(server) -> str:
    return f"http://127.0.0.1:{server.server_port}"


@pytest.fixture
def cookie(server):
    answer = ask(server, "GET", f"/?token={server.token}")
    assert answer.status == 303
    assert answer.headers["Location"] == "/page/1"
    return answer.headers["Set-Cookie"].split(";")[0]


def put(server, cookie: str | None, labels: object, page: int = 1, **headers: str) -> Answer:
    sent = {"Content_Type": "application/json", "Origin": origin(server), "Cookie": cookie or ""} | headers
    return ask(server, "PUT", f"/labels/{page}", labels if isinstance(labels, bytes) else json.dumps(labels), **sent)


def labels_of(server, page: int = 0) -> list[bool | None]:
    return [block.content for block in read_labels(path_of(server.pages[page].path)).blocks]


def revision_of(server, page: int = 0) -> str:
    return server.folder.labels(server.pages[page]).revision


def test_it_listens_on_the_loopback_address_alone(server):
    assert server.socket.getsockname()[0] == "127.0.0.1"


def test_the_token_is_exchanged_once_for_a_cookie_that_no_other_site_can_use(server):
    url = f"/?token={server.token}"
    first, second = ask(server, "GET", url), ask(server, "GET", url)

    assert first.status == 303
    assert {"HttpOnly", "SameSite=Strict"} <= set(first.headers["Set-Cookie"].split("; "))
    assert second.status == 403
    assert second.headers["Set-Cookie"] is None
    assert "it works once" in second.message


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong", "/page/1", "/labels/1"])
def test_without_token_or_cookie_nothing_is_shown(path, server):
    assert ask(server, "GET", path).status == 403
    assert ask(server, "GET", path, Cookie=f"{server.cookie}=wrong").status == 403
    assert server.token is not None


def test_with_the_cookie_the_page_is_shown(server, cookie):
    answer = ask(server, "GET", "/page/2", Cookie=cookie)

    assert answer.status == 200
    assert b"<title>Two</title>" in answer.body
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"


def test_cookies_of_other_programs_on_this_machine_do_no_harm(server, cookie):
    assert ask(server, "GET", "/page/1", Cookie=f'odd{{"="x; {cookie}; other=1').status == 200


def test_no_answer_is_stored_framed_or_guessed_at(server, cookie):
    for answer in (ask(server, "GET", "/page/1", Cookie=cookie), ask(server, "GET", "/page/1")):
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'none'"
        assert answer.headers["Access-Control-Allow-Origin"] is None


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "[::1]:{port}", "evil.example:{port}"]
)
def test_a_foreign_host_is_refused_even_with_the_cookie(host, server, cookie):
    answer = ask(server, "GET", "/page/1", Cookie=cookie, Host=host.format(port=server.server_port))

    assert answer.status == 403
    assert answer.message == "this server answers to its own address only"


def test_localhost_is_a_name_of_its_own(server, cookie):
    assert ask(server, "GET", "/page/1", Cookie=cookie, Host=f"localhost:{server.server_port}").status == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", "https://127.0.0.1:{port}", "http://127.0.0.1:1"]
)
def test_a_foreign_origin_is_refused_even_with_the_cookie(origin, server, cookie):
    origin = origin.format(port=server.server_port)
    labels = {"page": "one.html", "digest": DIGEST, "content": [True] * COUNT, "revision": revision_of(server)}

    assert put(server, cookie, labels, Origin=origin).status == 403
    assert ask(server, "GET", "/page/1", Cookie=cookie, Origin=origin).status == 403
    assert labels_of(server) == [None] * COUNT


def test_writing_needs_an_origin_and_a_request_from_the_page_itself(server, cookie):
    labels = json.dumps(
        {"page": "one.html", "digest": DIGEST, "content": [True] * COUNT, "revision": revision_of(server)}
    )
    sent = {"Content_Type": "application/json", "Cookie": cookie}

    assert ask(server, "PUT", "/labels/1", labels, **sent).status == 403
    own = origin(server)
    assert ask(server, "PUT", "/labels/1", labels, **sent, Origin=own, Sec_Fetch_Site="same-site").status == 403
    assert labels_of(server) == [None] * COUNT
    assert ask(server, "PUT", "/labels/1", labels, **sent, Origin=own, Sec_Fetch_Site="same-origin").status == 200


def test_labels_are_written_beside_the_page(server, cookie):
    content = [True] * (COUNT - 1) + [None]

    answer = put(
        server, cookie, {"page": "one.html", "digest": DIGEST, "content": content, "revision": revision_of(server)}
    )

    assert answer.status == 200
    assert json.loads(answer.body)["revision"] == revision_of(server)
    assert labels_of(server) == content
    assert labels_of(server, 1) == [None] * COUNT


def test_writing_without_the_cookie_is_refused(server):
    assert (
        put(
            server,
            None,
            {"page": "one.html", "digest": DIGEST, "content": [True] * COUNT, "revision": revision_of(server)},
        ).status
        == 403
    )
    assert labels_of(server) == [None] * COUNT


def test_labels_that_somebody_else_has_changed_are_a_conflict(server, cookie):
    seen = revision_of(server)
    put(server, cookie, {"page": "one.html", "digest": DIGEST, "content": [True] * COUNT, "revision": seen})

    answer = put(server, cookie, {"page": "one.html", "digest": DIGEST, "content": [False] * COUNT, "revision": seen})

    assert answer.status == 409
    assert answer.message == "somebody else has changed the labels of one.html"
    assert json.loads(answer.body)["revision"] == revision_of(server)
    assert labels_of(server) == [True] * COUNT


@pytest.mark.parametrize(
    "labels",
    [
        b"",
        b"nonsense",
        b"[" * 100_000,
        [],
        {"page": "one.html", "digest": "", "content": [True] * COUNT},
        {"page": "one.html", "digest": "", "content": "true", "revision": ""},
        {"page": "one.html", "digest": "", "content": [1] * COUNT, "revision": ""},
        {"page": "one.html", "digest": "", "content": [True] * COUNT, "revision": 7},
        {"page": "one.html", "digest": None, "content": [True] * COUNT, "revision": ""},
        {"page": "one.html", "content": [True] * COUNT, "revision": ""},
        {"page": 1, "digest": "", "content": [True] * COUNT, "revision": ""},
        {"digest": "", "content": [True] * COUNT, "revision": ""},
    ],
)
def test_what_is_no_labels_is_refused_in_words(labels, server, cookie):
    answer = put(server, cookie, labels)

    assert (answer.status, answer.message) == (400, "these are not valid labels")


def test_labels_for_another_number_of_blocks_are_refused(server, cookie):
    answer = put(
        server, cookie, {"page": "one.html", "digest": DIGEST, "content": [True], "revision": revision_of(server)}
    )

    assert answer.status == 400
    assert answer.message == f"one.html has {COUNT} blocks, not 1"


def test_labels_of_a_page_that_had_this_number_in_an_earlier_run_are_refused(server, cookie):
    answer = put(
        server,
        cookie,
        {"page": "one.html", "digest": DIGEST, "content": [True] * COUNT, "revision": revision_of(server, 1)},
        page=2,
    )

    assert (answer.status, answer.message) == (404, "this page isn't labelled here any more")
    assert labels_of(server, 1) == [None] * COUNT


def test_labels_given_to_one_page_are_refused_for_another_that_is_its_copy(tmp_path):
    """Same blocks, same digest, and no label yet: the name alone tells them apart."""
    folder = LabelFolder(tmp_path, "numwords")
    paths = [tmp_path / "a.html", tmp_path / "b.html"]
    for path in paths:
        path.write_text(PAGE)
    with LabelServer(folder, [folder.open(path) for path in paths], OPTIONS) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        cookie = ask(server, "GET", f"/?token={server.token}").headers["Set-Cookie"].split(";")[0]
        labels = {"page": "a.html", "digest": DIGEST, "content": [True] * COUNT, "revision": revision_of(server)}

        assert put(server, cookie, labels, page=2).status == 404
        assert revision_of(server, 1) == ""
        assert put(server, cookie, labels, page=1).status == 200
        server.shutdown()


def test_a_request_that_is_too_large_is_not_read(server, cookie):
    answer = put(server, cookie, b"x", Content_Length=str(MOST_BYTES + 1))

    assert (answer.status, answer.message) == (413, "the request is too large for labels")
    assert put(server, cookie, b"x", Content_Length="-1").status == 411
    assert put(server, cookie, b"x", Content_Type="text/plain").status == 415


@pytest.mark.parametrize("path", ["/page/0", "/page/3", "/page/1/../2", "/page/..%2f", "/favicon.ico", "/page/"])
def test_other_addresses_lead_nowhere(path, server, cookie):
    assert ask(server, "GET", path, Cookie=cookie).status == 404
    assert ask(server, "POST", "/page/1", Cookie=cookie, Origin=origin(server)).status == 501


def test_a_port_that_is_taken_is_left_alone(server, tmp_path):
    with LabelServer(server.folder, server.pages, OPTIONS, port=server.server_port) as second:
        assert second.server_port not in (0, server.server_port)


class Labelling:
    """`scrapy boilerplate label` as a program."""

    def __init__(self, *arguments: str, cwd) -> None:
        command = [sys.executable, "-m", "scrapy", "boilerplate", "label", *arguments, "--no-browser"]
        self.process = subprocess.Popen(
            command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def wait_for_url(self) -> str:
        for line in self.process.stdout:
            match = re.search(r"http://\S+", line)
            if match:
                return match[0]
        raise AssertionError(self.process.stderr.read())

    def interrupt(self) -> tuple[str, str]:
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=60)


@pytest.fixture
def site():
    site = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{site.server_port}"
    site.shutdown()
    site.server_close()


@pytest.mark.skipif(os.name == "nt", reason="signals are other ones there")
def test_the_command_stores_pages_serves_them_and_ends_cleanly(site, tmp_path):
    (tmp_path / "mine.html").write_text(PAGE)
    (tmp_path / "empty.html").write_text("<p> </p>")
    taken = socket.create_server(("127.0.0.1", 0))
    port = taken.getsockname()[1]
    urls = (f"{site}/page", f"{site}/image", f"{site}/missing", "http://127.0.0.1:9/")
    options = ("--model", "numwords", "--port", str(port))

    program = Labelling("mine.html", "empty.html", *urls, "nowhere", *options, cwd=tmp_path)
    url = program.wait_for_url()
    connection = http.client.HTTPConnection(url.split("/")[2])
    connection.request("GET", "/" + url.split("/")[3])
    assert connection.getresponse().status == 303
    connection.close()
    output, errors = program.interrupt()
    taken.close()

    assert program.process.returncode == 0
    assert "0 of 2 pages are labelled" in output
    assert f"port {port} is taken; using " in errors
    assert "empty.html: it has no text, or is not an HTML page" in errors
    assert "/image: is not an HTML page (Content-Type: image/png)" in errors
    assert "/missing: answered 404" in errors
    assert "http://127.0.0.1:9/: could not be fetched: " in errors
    assert "nowhere: neither a URL nor a file" in errors
    assert "Traceback" not in errors
    files = sorted(path.name for path in (tmp_path / "labels").iterdir() if not path.name.startswith("."))
    assert [re.sub(r"127.0.0.1-\d+", "host", name) for name in files] == [
        "127.0.0.1-page.html",
        "127.0.0.1-page.labels.json",
        "mine.html",
        "mine.labels.json",
    ]


@pytest.mark.skipif(os.name == "nt", reason="signals are other ones there")
def test_a_killed_program_loses_nothing_and_goes_on_where_it_was(tmp_path):
    (tmp_path / "page.html").write_text(PAGE)
    program = Labelling("page.html", "--model", "numwords", "--output", "mine", "--port", "0", cwd=tmp_path)
    url = program.wait_for_url()
    host, path = url.split("/")[2:4]
    connection = http.client.HTTPConnection(host)
    connection.request("GET", f"/{path}")
    answer = connection.getresponse()
    cookie = answer.headers["Set-Cookie"].split(";")[0]
    answer.read()
    folder = LabelFolder(tmp_path / "mine", "numwords")
    page = folder.open(tmp_path / "mine/page.html")
    body = json.dumps(
        {"page": "page.html", "digest": DIGEST, "content": [True] * COUNT, "revision": folder.labels(page).revision}
    )
    headers = {"Content-Type": "application/json", "Origin": f"http://{host}", "Cookie": cookie}
    connection.request("PUT", "/labels/1", body, headers)
    assert connection.getresponse().status == 200
    connection.close()
    program.process.kill()
    program.process.communicate()

    assert folder.labels(page).content == [True] * COUNT
    again = Labelling("mine", "--model", "numwords", "--output", "mine", "--port", "0", cwd=tmp_path)
    again.wait_for_url()
    time.sleep(0.1)
    output, _ = again.interrupt()
    assert "1 of 1 pages are labelled" in output


def test_without_any_page_the_command_says_so(tmp_path):
    program = Labelling("nowhere", cwd=tmp_path)
    _, errors = program.process.communicate(timeout=60)

    assert program.process.returncode == 1
    assert errors == "nowhere: neither a URL nor a file\nno page to label\n"


def test_pages_in_gzip_are_labelled_too(tmp_path, capsys, monkeypatch):
    (tmp_path / "page.html.gz").write_bytes(gzip.compress(PAGE.encode()))
    (tmp_path / "damaged.html.gz").write_bytes(gzip.compress(PAGE.encode())[:100])
    (tmp_path / "other.html").write_text(PAGE)
    labels = tmp_path / "labels"
    parser = ArgumentParser()
    label_command.add_options(parser)
    opts = parser.parse_args(["--output", str(labels), "--no-browser", "--port", "0"])

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(LabelServer, "serve_forever", interrupted)
    monkeypatch.setattr(label_command.signal, "signal", lambda *_: None)
    opts.project = Project(AsyncCrawlerRunner(Settings()), opts, quiet=True)
    assert label_command.run([str(tmp_path), "x" * 5000], opts) == 0

    assert sorted(path.name for path in labels.glob("*.html")) == ["other.html", "page.html"]
    assert all(path.read_bytes() == PAGE.encode() for path in labels.glob("*.html"))
    damaged, unknown = capsys.readouterr().err.splitlines()
    assert damaged.startswith(f"{tmp_path / 'damaged.html.gz'}: damaged gzip")
    assert unknown.endswith("x: neither a URL nor a file")
