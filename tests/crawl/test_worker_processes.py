"""Real `scrapy crawl` processes with workers: on every reactor, and when a signal hits them or one of their workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from ..processes import children_of, interrupt_children_until_the_end, is_running, needs_proc, wait_until
from .test_scrapy_crawl import PROJECT, REACTORS, SENTENCE, Handler, page, url_of

pytestmark = pytest.mark.slow

COUNT = 40


class SlowHandler(Handler):
    """A start page with links to many pages; the second half of them is held back until the test says so."""

    go_on: Event
    served: Counter[str]

    def do_GET(self) -> None:
        name = self.path.strip("/")
        self.served["page" in name] += 1
        if name == "robots.txt":
            self.answer("", status=404)
        elif not name:
            self.answer("".join(f"<a href='/page{number}'>{number}</a> " for number in range(COUNT)))
        else:
            if self.served[True] > COUNT / 2:
                self.go_on.wait(60)
            self.answer(page(name))


class SlowCrawl:
    """A `scrapy crawl` with two workers, in a process group of its own, as a shell starts it."""

    def __init__(self, folder: Path, *reactor: str) -> None:
        self.go_on = Event()
        self._output, self._log = folder / "items.jsonl", folder / "crawl.log"
        handler = type("Handler", (SlowHandler,), {"go_on": self.go_on, "served": Counter()})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        Thread(target=self._server.serve_forever, daemon=True).start()
        arguments = ["-a", f"url={url_of(self._server)}", "-O", str(self._output), "--set=BOILERPLATE_WORKERS=2"]
        command = [sys.executable, "-m", "scrapy", "crawl", "pages", *arguments, *reactor]
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(command, cwd=PROJECT, stderr=log, start_new_session=True)

    def workers(self) -> list[int]:
        """The two workers, when the first half of the pages is through."""
        # All of them, two items each: a worker that is still starting is neither counted as dead nor given up soon.
        wait_until(lambda: self.log().count("Scraped from") >= COUNT and len(children_of(self.process.pid)) == 2)
        return children_of(self.process.pid)

    def end(self) -> str:
        """Wait for the end; what was logged until then."""
        self.process.wait(60)
        return self.log()

    def log(self) -> str:
        return self._log.read_text("utf-8")

    def items(self) -> list[dict]:
        lines = self._output.read_text("utf-8").splitlines(keepends=True) if self._output.exists() else []
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def close(self) -> None:
        self.go_on.set()
        self.process.kill()
        self.process.wait()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def crawl(tmp_path, request):
    with closing(SlowCrawl(tmp_path, *getattr(request, "param", []))) as crawl:
        yield crawl


@pytest.mark.parametrize("crawl", REACTORS, indirect=True)
def test_workers_score_every_page_on_every_reactor(crawl):
    crawl.go_on.set()
    log = crawl.end()

    assert f"'boilerplate/workers/pages': {COUNT}," in log
    assert len(crawl.items()) == 2 * COUNT
    assert all(SENTENCE.format(item["page"]) in item["main_text"] for item in crawl.items())
    assert "boilerplate/errors" not in log


@needs_proc
def test_a_worker_that_is_killed_costs_nothing(crawl):
    os.kill(crawl.workers()[0], signal.SIGKILL)
    crawl.go_on.set()
    log = crawl.end()

    assert crawl.process.returncode == 0
    assert len(crawl.items()) == 2 * COUNT
    assert all(item["main_text"] for item in crawl.items())
    assert "'boilerplate/workers/died': 1," in log
    assert f"'boilerplate/workers/pages': {COUNT}," in log


@needs_proc
@pytest.mark.parametrize("crawl", REACTORS, indirect=True)
def test_ctrl_c_ends_crawl_and_workers_with_all_items_complete(crawl):
    workers = crawl.workers()
    os.killpg(crawl.process.pid, signal.SIGINT)
    wait_until(lambda: "SIGINT" in crawl.log())
    crawl.go_on.set()
    log = crawl.end()

    assert "'finish_reason': 'shutdown'" in log
    assert 0 < len(crawl.items()) < 2 * COUNT
    assert all(item["main_text"] for item in crawl.items())
    assert "boilerplate/workers/died" not in log
    assert "KeyboardInterrupt" not in log
    assert not any(map(is_running, workers))


@needs_proc
@pytest.mark.parametrize("crawl", [["--set=BOILERPLATE_WORKER_TIMEOUT=3"]], indirect=True)
def test_ctrl_c_ends_a_crawl_whose_workers_are_stopped(crawl):
    workers = crawl.workers()
    for worker in workers:
        os.kill(worker, signal.SIGSTOP)
    os.killpg(crawl.process.pid, signal.SIGINT)
    wait_until(lambda: "SIGINT" in crawl.log())
    crawl.go_on.set()
    log = crawl.end()

    assert "'finish_reason': 'shutdown'" in log
    assert "'boilerplate/pages/skipped/timeout': " in log
    assert "KeyboardInterrupt" not in log
    assert not any(map(is_running, workers))


@needs_proc
def test_workers_ignore_ctrl_c_from_their_very_start(crawl):
    crawl.go_on.set()
    interrupted = interrupt_children_until_the_end(crawl.process)
    log = crawl.log()

    assert len(interrupted) >= 2, "the workers, and what the interpreter may ask about the machine"
    assert f"'boilerplate/workers/pages': {COUNT}," in log
    assert "KeyboardInterrupt" not in log


@needs_proc
@pytest.mark.parametrize(
    "signals",
    [[signal.SIGINT, signal.SIGINT], [signal.SIGTERM, signal.SIGTERM], [signal.SIGKILL]],
    ids=["ctrl-c twice", "terminated twice", "killed"],
)
def test_a_crawl_that_is_stopped_the_hard_way_leaves_no_worker_behind(crawl, signals):
    workers = crawl.workers()
    if signal.SIGKILL not in signals:
        os.kill(workers[0], signal.SIGSTOP)  # nor one that can't notice it
    for number in signals:
        crawl.process.send_signal(number)
        time.sleep(0.1)
    crawl.end()

    wait_until(lambda: not any(map(is_running, workers)))


def test_a_script_needs_no_main_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import scrapy\n"
        "from scrapy.crawler import CrawlerProcess\n"
        "class Pages(scrapy.Spider):\n"
        "    name = 'pages'\n"
        "    start_urls = ['data:text/html,<p>Only a few words.</p>']\n"
        "    def parse(self, response):\n"
        "        yield {}\n"
        "process = CrawlerProcess({'ADDONS': {'scrapy_boilerplate.Addon': 100}, 'BOILERPLATE_WORKERS': 1})\n"
        "process.crawl(Pages)\n"
        "process.start()\n"
    )
    finished = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=False)

    assert "'boilerplate/workers/pages': 1," in finished.stderr
    assert finished.stderr.count("Spider opened") == 1
