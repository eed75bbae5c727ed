"""Crawls that are stopped or killed in the middle: resumed from a folder, or shared by processes through Redis."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections import Counter, defaultdict
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread

import pytest

from ..processes import wait_until

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[2] / "example_project"
PAGES = [f"/{number}" for number in range(1, 61)]
IN_HAND = 4  # downloads that a process has under way at a time
SENTENCE = "The text of page {} goes on for a while, so that nobody can take it for a menu, a teaser or a caption."

needs_redis = pytest.mark.skipif(
    find_spec("scrapy_redis") is None or shutil.which("redis-server") is None,
    reason="needs redis-server and the extra [redis]",
)


def page(path: str) -> str:
    """An article with links to three others, so that the crawl finds its pages as it goes."""
    number = int(path.strip("/") or 0)
    links = "".join(f"<li><a href='/{3 * number + i}'>Page</a></li>" for i in (1, 2, 3) if 3 * number + i <= len(PAGES))
    text = f"<p>{SENTENCE.format(number)}</p>" * 3
    head = "<meta property='og:type' content='article'>" if number else ""
    return f"<html><head>{head}</head><body><ul>{links}</ul><h1>{number}</h1><div>{text}</div></body></html>"


class Handler(BaseHTTPRequestHandler):
    """Keeps the client called "stalled" waiting after its first 12 pages, so that it can be stopped in mid-crawl."""

    served: dict[str, Counter[str]]  # by client
    stalled: Event
    released: Event

    def do_GET(self) -> None:
        agent = self.headers["User-Agent"]
        if self.path == "/robots.txt":
            self.send_error(404)
            return
        self.served[agent][self.path] += 1
        if agent == "stalled" and self.served[agent].total() > 12:
            self.stalled.set()
            self.released.wait(60)
        with suppress(BrokenPipeError):  # the client was killed
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page(self.path).encode())

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def processes():
    """What is in this list does not outlive the test."""
    processes: list[subprocess.Popen[bytes]] = []
    yield processes
    for process in processes:
        process.kill()
        process.wait(10)


@pytest.fixture
def server():
    handler = type("StallingHandler", (Handler,), {"served": defaultdict(Counter)})
    handler.stalled, handler.released = Event(), Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    handler.released.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def redis(tmp_path, processes):
    """A client of a Redis server of our own."""
    from redis import Redis, exceptions

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path)]
    processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
    with Redis(port=port) as client:
        for _ in range(100):
            try:
                client.ping()
                break
            except exceptions.ConnectionError:
                time.sleep(0.05)
        yield client


@pytest.fixture
def crawl(server, processes, tmp_path):
    """`crawl(client, SETTING=value, ...)` starts a `scrapy crawl` of the example project under the client's name."""

    def crawl(client: str, project: str = "default", **settings: object) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "scrapy", "crawl", "news", "-a", f"url=http://127.0.0.1:{server.server_port}/"]
        settings |= {"USER_AGENT": client, "CONCURRENT_REQUESTS": IN_HAND, "LOG_FILE": tmp_path / f"{client}.log"}
        for name, value in settings.items():
            command += ["-s", f"{name}={value}"]
        environment = os.environ | {"SCRAPY_PROJECT": project}
        processes.append(subprocess.Popen(command, cwd=PROJECT, env=environment))
        return processes[-1]

    return crawl


def check_texts(items: list[dict]) -> None:
    for item in items:
        assert SENTENCE.format(item["headline"]) in item["main_text"], "each item has the text of its page"


def items_in(redis) -> list[dict]:
    return [json.loads(line) for line in redis.lrange("news:items", 0, -1)]


def pages_of(items: list[dict]) -> Counter[str]:
    return Counter(f"/{item['headline']}" for item in items)


@pytest.fixture
def two_crawls(server, redis, crawl):
    """Two processes that share a crawl; the first has finished twelve pages and waits for more that do not come."""
    handler = server.RequestHandlerClass
    settings = {"project": "shared", "REDIS_URL": f"redis://127.0.0.1:{redis.get_connection_kwargs()['port']}"}
    stalled = crawl("stalled", **settings)
    assert handler.stalled.wait(60)
    wait_until(lambda: sum(map(redis.llen, redis.scan_iter("news:requests:taken:*"))) == IN_HAND)
    steady = crawl("steady", **settings)
    wait_until(lambda: handler.served["steady"].total() >= 5)
    return stalled, steady


@needs_redis
def test_a_killed_process_loses_no_page_of_a_shared_crawl(server, redis, two_crawls):
    served = server.RequestHandlerClass.served
    killed, survivor = two_crawls
    killed.send_signal(signal.SIGKILL)
    assert survivor.wait(90) == 0

    pages = pages_of(items_in(redis))
    assert sorted(pages) == sorted(PAGES), "every page is in the output"
    again = served["stalled"].keys() & served["steady"].keys()
    assert len(again) == IN_HAND, "what the killed process had in hand was given on, and nothing else"
    assert {path for path, count in pages.items() if count > 1} <= again
    check_texts(items_in(redis))


@needs_redis
def test_a_process_that_is_stopped_hands_the_shared_crawl_over_in_order(server, redis, two_crawls):
    handler = server.RequestHandlerClass
    two_crawls[0].send_signal(signal.SIGINT)
    handler.released.set()
    assert [process.wait(90) for process in two_crawls] == [0, 0]

    assert pages_of(items_in(redis)) == Counter(PAGES), "every page once"
    assert handler.served["stalled"] + handler.served["steady"] == Counter(["/", *PAGES])
    assert not list(redis.scan_iter("news:requests:taken:*")), "nothing is left in anybody's hands"
    check_texts(items_in(redis))


def test_a_crawl_paused_with_jobdir_goes_on_where_it_was(server, crawl, tmp_path):
    handler = server.RequestHandlerClass
    output = tmp_path / "items.jsonl"
    settings = {"JOBDIR": tmp_path / "job", "FEEDS": json.dumps({str(output): {"format": "jsonlines"}})}
    paused = crawl("stalled", **settings)
    assert handler.stalled.wait(60)
    paused.send_signal(signal.SIGINT)
    handler.released.set()
    assert paused.wait(90) == 0
    before = len(output.read_text("utf-8").splitlines())
    assert crawl("steady", **settings).wait(90) == 0

    items = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert 0 < before < len(items), "it was in the middle"
    assert pages_of(items) == Counter(PAGES), "every page once"
    check_texts(items)
