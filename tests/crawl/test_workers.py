"""Pages scored in processes beside the crawl: the same items and stats, whatever becomes of the processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from base64 import b64encode
from threading import Thread
from typing import Any
from unittest import mock

import pytest
import scrapy

from scrapy_boilerplate.crawl import workers as pool
from scrapy_boilerplate.crawl.worker import Job, Scored, score
from scrapy_boilerplate.crawl.workers import NoWorker, WorkerPool
from scrapy_boilerplate.not_cleaned import NotCleaned
from scrapy_boilerplate.options import Options
from scrapy_boilerplate.threads import in_own_thread

from ..conftest import data_url, spider_over
from ..pages import MAIN_TEXT, PAGE, PARAGRAPHS, article, page_of_new_names
from ..processes import megabytes_of, needs_proc

ALL_FIELDS = {source: source for source in ("main_text", "blocks", "score", "title")}


def job(page: str, encoding: str | None = "utf-8", **options: Any) -> Job:
    return Job(page.encode(), encoding, Options(**({"model": "numwords"} | options)))


@pytest.fixture
def processes(monkeypatch):
    """The worker processes that were started, in order."""
    started = []

    class Recorded(subprocess.Popen):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            started.append(self)

    monkeypatch.setattr(pool.subprocess, "Popen", Recorded)
    return started


@pytest.fixture
def one_worker():
    workers = WorkerPool(1, timeout=30)
    yield workers
    workers.close()


def every_kind_of_page() -> list[scrapy.Request]:
    """Pages that are cleaned, and one for each reason not to."""
    latin = article(*PARAGRAPHS, "Die Bäder bleiben bis zum Frühjahr geöffnet, sagte die Bürgermeisterin am Dienstag.")
    urls = [
        *(data_url(article(*PARAGRAPHS[: 1 + number % 3], title=f"No. {number}")) for number in range(8)),
        f"data:text/html;charset=iso-8859-1;base64,{b64encode(latin.encode('latin-1')).decode()}",
        data_url(""),
        data_url("\x01\x02\x03\x04\x05\x06" * 50),
        data_url("{}", "application/json"),
        data_url("<title>No text</title>"),
    ]
    metas = [False, {"threshold": 1.0}, {"model": "densitometric"}, {"blocks": "scores"}, {"max_bytes": 10}, {"x": 1}]
    return [
        *(scrapy.Request(url) for url in urls),
        *(scrapy.Request(data_url(PAGE), meta={"boilerplate": meta}, dont_filter=True) for meta in metas),
    ]


class AllPages(scrapy.Spider):
    name = "all_pages"

    async def start(self):
        for number, request in enumerate(every_kind_of_page()):
            yield request.replace(cb_kwargs={"number": number})

    def parse(self, response, number):
        for part in range(2):
            yield {"number": number, "part": part}


@pytest.mark.parametrize("model", ["mlp", "numwords"])
def test_items_and_stats_are_those_of_a_crawl_without_workers(crawl, model):
    settings = {"BOILERPLATE_FIELDS": ALL_FIELDS, "BOILERPLATE_MODEL": model, "BOILERPLATE_FILTER": "main"}
    plain = crawl(AllPages, **settings)
    beside = crawl(AllPages, **settings, BOILERPLATE_WORKERS=2)

    def in_order(items):
        return [repr(item) for item in sorted(items, key=lambda item: (item["number"], item["part"]))]

    def own(stats):
        names = [name for name in stats if name.startswith("boilerplate/") and "workers" not in name]
        return {name: stats[name] for name in names if not name.endswith("/seconds")}

    assert in_order(beside.items) == in_order(plain.items)
    assert own(beside.stats) == own(plain.stats)
    assert len([name for name in own(plain.stats) if "skipped" in name]) == 6, "every reason but failure"
    assert beside.stat("workers/pages") == plain.stat("pages/scored")
    assert not [name for name in plain.stats if "workers" in name]


def test_a_page_is_sent_once_for_all_its_items(crawl, processes):
    def parse(self, response):
        for number in range(5):
            yield {"number": number}

    result = crawl(spider_over(PAGE, parse=parse), BOILERPLATE_WORKERS=2)

    assert [item["main_text"] for item in result.items] == [MAIN_TEXT] * 5
    assert result.stat("workers/pages") == result.stat("pages/scored") == 1
    assert len(processes) == 1, "one page needs one process"
    result.items[0]["blocks"][0]["text"] = "changed"
    assert result.items[1]["blocks"][0]["text"] == "Home"


def test_a_crawl_starts_as_many_processes_as_it_may_and_leaves_none_behind(crawl, processes):
    result = crawl(spider_over(*[PAGE] * 20), BOILERPLATE_WORKERS=2)

    assert len(result.items) == 20
    assert len(processes) == 2
    assert all(process.returncode is not None for process in processes)


def test_a_crawl_without_items_starts_no_process(crawl, processes):
    def parse(self, response):
        return []

    crawl(spider_over(PAGE, parse=parse), BOILERPLATE_WORKERS=2)

    assert not processes


def test_no_more_pages_are_downloaded_while_enough_of_them_wait_for_a_worker(crawl, monkeypatch):
    waiting: list[int] = []
    jobs: set[object] = set()
    plain_score = WorkerPool.score

    def counted_score(self, job):
        future = plain_score(self, job)
        jobs.add(future)
        future.add_done_callback(jobs.discard)
        waiting.append(len(jobs))
        return future

    monkeypatch.setattr(WorkerPool, "score", counted_score)
    five_pages = {"CONCURRENT_REQUESTS": 1, "SCRAPER_SLOT_MAX_ACTIVE_SIZE": 5 * 1024}  # as Scrapy counts small ones
    pages = (article(*PARAGRAPHS, title=f"No. {number}") for number in range(40))
    result = crawl(spider_over(*pages), BOILERPLATE_WORKERS=1, **five_pages)

    assert len(result.items) == 40
    assert 1 < max(waiting) < 10


def test_what_the_spider_fills_while_its_page_is_scored_is_not_overwritten(crawl):
    def parse(self, response):
        item = {"url": response.url}
        yield item
        item["main_text"] = "my own words"

    [item] = crawl(spider_over(PAGE, parse=parse), BOILERPLATE_WORKERS=1).items

    assert item["main_text"] == "my own words"
    assert len(item["blocks"]) == 6


@pytest.mark.parametrize("executable", ["/bin/false", "/there/is/no/python"])
def test_pages_are_scored_in_the_crawl_itself_where_no_worker_starts(crawl, caplog, monkeypatch, executable):
    monkeypatch.setattr(sys, "executable", executable)
    result = crawl(spider_over(*[PAGE] * 10), BOILERPLATE_WORKERS=2)

    assert [item["main_text"] for item in result.items] == [MAIN_TEXT] * 10
    assert result.stat("workers/not_started") == 10
    assert result.stat("pages/scored") == 10
    assert len([record for record in caplog.records if "in the crawl's own process" in record.message]) == 1


@pytest.mark.parametrize("started", [0, 1])
def test_pages_are_scored_where_the_system_has_no_more_threads(crawl, monkeypatch, started):
    plain_start, starts = Thread.start, []

    def start(self):
        if self.name == "boilerplate worker":
            starts.append(self)
            if len(starts) > started:
                raise RuntimeError("can't start new thread")
        plain_start(self)

    monkeypatch.setattr(Thread, "start", start)
    result = crawl(spider_over(*[PAGE] * 6), BOILERPLATE_WORKERS=2)

    assert [item["main_text"] for item in result.items] == [MAIN_TEXT] * 6
    assert result.stat("workers/pages") == (6 if started else None)
    assert result.stat("workers/not_started") == (None if started else 6)


def test_a_function_is_called_here_where_the_system_has_no_more_threads(monkeypatch):
    def start(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", start)

    assert in_own_thread(int, "7") == 7


FATAL = article(*PARAGRAPHS, "A word that is deadly for the process that reads it stands here: kill-the-worker.")
ENDLESS = article(*PARAGRAPHS, "A word that no process ever gets to the end of stands here: stop-the-worker.")


@pytest.fixture
def deadly_text(monkeypatch, tmp_path):
    """Lets FATAL end, and ENDLESS hold up, each worker that segments it; returns a folder with a file for each end."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys, time\n"
        "if 'scrapy_boilerplate.crawl.worker' in sys.orig_argv[-1]:\n"
        "    from scrapy_boilerplate.models.papers.trees import NumWords\n"
        "    plain = NumWords.segment\n"
        "    def segment(self, root, **options):\n"
        "        text = ''.join(root.itertext())\n"
        "        if 'kill-the-worker' in text:\n"
        f"            open(os.path.join({str(tmp_path / 'ends')!r}, str(os.getpid())), 'w').close()\n"
        "            os._exit(7)\n"
        "        if 'stop-the-worker' in text:\n"
        "            time.sleep(600)\n"
        "        return plain(self, root, **options)\n"
        "    NumWords.segment = segment\n"
    )
    (tmp_path / "ends").mkdir()
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *filter(None, [os.getenv("PYTHONPATH")])]))
    return tmp_path / "ends"


def test_a_page_that_ends_its_worker_is_tried_once_more_and_then_passed_over(crawl, caplog, processes, deadly_text):
    def parse(self, response):
        yield {"fatal": "kill-the-worker" in response.text}

    result = crawl(spider_over(PAGE, FATAL, PAGE, parse=parse), BOILERPLATE_WORKERS=1)

    assert sorted(result.items, key=str) == [
        {"fatal": False, "main_text": MAIN_TEXT, "blocks": mock.ANY},
        {"fatal": False, "main_text": MAIN_TEXT, "blocks": mock.ANY},
        {"fatal": True, "main_text": None, "blocks": None},
    ]
    assert result.stat("pages/skipped/crash") == result.stat("workers/died") == 1
    assert result.stat("pages/scored") == 2
    assert len(list(deadly_text.iterdir())) == 2, "two processes, one after the other, and never the crawl's own"
    assert len(processes) in (2, 3), "the last page may have been the first one's"
    assert [record for record in caplog.records if "is not cleaned" in record.message and "status 7" in record.message]


def test_a_page_that_needs_too_much_memory_ends_its_worker(monkeypatch):
    monkeypatch.setattr("scrapy_boilerplate.crawl.worker.clean", mock.Mock(side_effect=MemoryError))

    with pytest.raises(MemoryError):
        score(job(PAGE))


@pytest.mark.usefixtures("deadly_text")
def test_a_page_that_takes_too_long_is_passed_over_and_the_others_are_not(crawl):
    result = crawl(spider_over(PAGE, ENDLESS, PAGE, PAGE), BOILERPLATE_WORKERS=1, BOILERPLATE_WORKER_TIMEOUT=1)

    assert [item["url"] for item in result.items if item["main_text"] is None] == [data_url(ENDLESS)]
    assert len(result.items) == 4
    assert result.stat("pages/scored") == 3
    assert result.stat("pages/skipped/timeout") == result.stat("workers/timed_out") == 1


def test_a_worker_that_dies_is_replaced_and_its_page_goes_to_the_new_one(one_worker, processes):
    assert isinstance(one_worker.score(job(PAGE)).result().result, Scored)
    processes[0].kill()
    processes[0].wait()
    answer = one_worker.score(job(PAGE)).result()

    assert isinstance(answer.result, Scored)
    assert answer.second_try
    assert not one_worker.score(job(PAGE)).result().second_try
    assert len(processes) == 2


@pytest.mark.usefixtures("deadly_text")
def test_a_worker_that_is_stuck_is_ended_and_replaced(processes):
    workers = WorkerPool(1, timeout=1.5)
    result = workers.score(job(ENDLESS)).result().result
    assert isinstance(result, NotCleaned)
    assert str(result) == "timeout: it took more than 1.5 s"

    assert isinstance(workers.score(job(PAGE)).result().result, Scored)
    workers.close()
    assert len(processes) == 2


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be stopped here")
@pytest.mark.parametrize("page", [PAGE, PAGE + " " * 1_000_000], ids=["in the pipe", "more than a pipe holds"])
def test_a_worker_that_is_stopped_is_ended_and_replaced(processes, page):
    workers = WorkerPool(1, timeout=1)
    assert isinstance(workers.score(job(PAGE)).result(60).result, Scored)
    processes[0].send_signal(signal.SIGSTOP)
    os.waitpid(processes[0].pid, os.WUNTRACED)  # until it has stopped, which may take a moment on a busy machine
    result = workers.score(job(page)).result(60).result
    assert isinstance(result, NotCleaned)
    assert result.reason == "timeout"

    assert isinstance(workers.score(job(page)).result(60).result, Scored)
    assert processes[0].returncode == -signal.SIGKILL
    workers.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_a_worker_that_does_not_start_in_time_is_given_up(monkeypatch, processes, tmp_path):
    sleeper = tmp_path / "python"
    sleeper.write_text("#!/bin/sh\nexec sleep 600\n")
    sleeper.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(sleeper))
    monkeypatch.setattr(pool, "START_TIMEOUT", 0.1)
    workers = WorkerPool(1, timeout=30)
    for _ in range(5):
        with pytest.raises(NoWorker):
            workers.score(job(PAGE)).result(60)

    workers.close()
    assert len(processes) == 3, "after a few failures no more are started"
    assert all(process.returncode is not None for process in processes)


@needs_proc
def test_a_worker_does_not_grow_with_the_names_of_tags_and_attributes(one_worker, processes):
    """Which lxml keeps for as long as the thread lives in which it has met them."""
    megabytes = []
    for number in range(200):
        assert isinstance(one_worker.score(job(page_of_new_names(number))).result().result, Scored)
        if number in (49, 199):
            megabytes.append(megabytes_of(processes[0].pid))

    assert megabytes[1] - megabytes[0] < 20, "the names alone are more than that"


@pytest.mark.parametrize(
    ("page", "reason"),
    [(job(""), "empty: it has no body"), (job(PAGE, model="of the crawl only"), "error: ValueError: unknown model")],
    ids=["no text", "no model"],
)
def test_a_worker_says_why_a_page_is_not_cleaned(page, reason):
    result = score(page)

    assert isinstance(result, NotCleaned)
    assert str(result).startswith(reason)


def run_python(*lines: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)


def test_what_is_printed_in_a_worker_does_not_get_between_its_results():
    output = "with _own_output() as output: print('noise'); output.write(b'result')"
    finished = run_python("from scrapy_boilerplate.crawl.worker import _own_output", output)

    assert (finished.stdout, finished.stderr) == ("result", "noise\n")


def test_a_worker_needs_no_scrapy():
    finished = run_python(
        "import sys, scrapy_boilerplate.crawl.worker", "print({'scrapy', 'twisted'} & set(sys.modules))"
    )

    assert finished.stdout == "set()\n"


def test_the_garbage_collector_is_spared_what_was_there_before_once_in_a_process(monkeypatch):
    frozen = []
    monkeypatch.setattr(pool.gc, "freeze", lambda: frozen.append("now"))
    pool._spare_the_garbage_collector.cache_clear()

    WorkerPool(1, timeout=30).close()
    WorkerPool(1, timeout=30).close()

    assert frozen == ["now"]
