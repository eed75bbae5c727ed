"""Pages and archives in a real Spark session with two tasks at a time."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import scrapy_boilerplate.stored.spark.__main__ as job
from scrapy_boilerplate import SiteMemory, extract
from scrapy_boilerplate.options import Options
from scrapy_boilerplate.stored.cleaning import PageCleaner
from scrapy_boilerplate.stored.spark import add_main_text, clean_archives
from scrapy_boilerplate.stored.tables import BatchCleaner

from ..archives import answer, record, write_archive
from ..pages import MAIN_TEXT, article
from ..sites import NOTICE, site_page, url_of

pyspark = pytest.importorskip("pyspark", reason="the extra spark is not installed")
pytest.importorskip("fastwarc", reason="the extra spark is not installed")
if shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

SENTENCES = [
    f"The text of page {number} goes on for a while, so that nobody can take it for a menu, a teaser or a caption."
    for number in range(60)
]


@pytest.fixture(scope="module")
def session():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2,3]")  # two tasks at a time, three attempts at each
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "4",
    }.items():
        builder = builder.config(name, value)
    with builder.getOrCreate() as session:
        yield session


def by_number(frame) -> dict:
    return {row["number"]: row.asDict(recursive=True) for row in frame.collect()}


def test_partitions_have_the_same_results_as_one_process(session):
    pages = [(number, article(sentence, title=f"Page {number}")) for number, sentence in enumerate(SENTENCES)]
    frame = session.createDataFrame(pages, "number int, html string").repartition(6)
    rows = by_number(add_main_text(frame, blocks=True))

    assert len(rows) == len(pages)
    for number, html in pages:
        document = extract(html)
        row = rows[number]
        assert row["html"] == html
        assert (row["title"], row["main_text"], row["error"]) == (document.title, document.main_text, None)
        assert row["score"] == round(document.score, 4)
        assert [block["text"] for block in row["blocks"]] == [block.text for block in document.blocks]
        assert [block["xpath"] for block in row["blocks"]] == [block.xpath for block in document.blocks]


def test_options_reach_the_workers(session):
    frame = session.createDataFrame([(0, article())], "number int, page string")

    assert by_number(add_main_text(frame, html="page"))[0]["main_text"] == MAIN_TEXT
    assert by_number(add_main_text(frame, html="page", threshold=1.0, model="numwords"))[0]["main_text"] == ""


def test_bytes_are_read_in_the_encoding_of_their_row(session):
    text = SENTENCES[0].replace("page", "påge")
    pages = [(0, article(text).encode("utf-8"), None), (1, article(text).encode("latin-1"), "latin-1")]
    pages.append((2, article(text).encode("utf-16-be"), "utf-16-be"))
    frame = session.createDataFrame(pages, "number int, html binary, charset string")

    rows = by_number(add_main_text(frame, encoding="charset"))

    assert {row["main_text"] for row in rows.values()} == {text}


def test_bad_and_huge_pages_are_rows_with_a_reason_among_the_good_ones(session):
    huge = b"<p>" + b"word " * 4_000_000
    bad = {1: None, 2: b"", 3: b"\x89PNG\r\n\x1a\n" + bytes(range(32)) * 100, 4: huge, 5: b"<" * 100_000}
    pages = [(number, bad.get(number, article(sentence).encode())) for number, sentence in enumerate(SENTENCES[:12])]
    frame = session.createDataFrame(pages, "number int, html binary").coalesce(1)

    rows = by_number(add_main_text(frame))

    reasons = {number: row["error"].partition(":")[0] for number, row in rows.items() if row["error"]}
    assert reasons == {1: "empty", 2: "empty", 3: "not_text", 4: "too_large"}
    assert all(rows[number]["main_text"] is None for number in reasons)
    assert [rows[number]["main_text"] for number in range(6, 12)] == SENTENCES[6:12]
    assert len(rows) == 12


def test_a_killed_python_worker_is_replaced_and_its_rows_come_once(session, tmp_path):
    marker = tmp_path / "killed"
    cleaner = BatchCleaner(PageCleaner(Options()), "html")

    def dies_once(batches):
        for number, batch in enumerate(cleaner.clean(batches)):
            yield batch
            if number == 1 and not marker.exists():
                marker.touch()
                os.kill(os.getpid(), signal.SIGKILL)

    pages = [(number, article(sentence)) for number, sentence in enumerate(SENTENCES)]
    frame = session.createDataFrame(pages, "number int, html string").repartition(3)
    rows = frame.mapInArrow(dies_once, add_main_text(frame).schema).collect()

    assert marker.exists(), "a worker was killed in the middle of its partition"
    assert sorted((row["number"], row["main_text"]) for row in rows) == list(enumerate(SENTENCES))


def test_an_option_or_column_that_makes_no_sense_is_told_before_the_job(session):
    frame = session.createDataFrame([("", "")], "html string, title string")

    with pytest.raises(ValueError, match="there is a column 'title' already"):
        add_main_text(frame)
    with pytest.raises(ValueError, match="there is no column 'body'; there are: html, title"):
        add_main_text(frame, html="body")
    with pytest.raises(ValueError, match="threshold"):
        add_main_text(frame.drop("title"), threshold=7)


@pytest.fixture
def archives(tmp_path) -> list[str]:
    """One with a page that is too large, one by its URI and in zstd, one that is cut off, one that isn't there."""
    pages = [
        record(f"http://example.com/{number}", answer(article(sentence).encode()))
        for number, sentence in enumerate(SENTENCES)
    ]
    large = record("http://example.com/large", answer(b"<p>" + b"word " * 20_000))
    first = write_archive(tmp_path / "first.warc.gz", [*pages[:15], large, *pages[15:30]])
    second = write_archive(tmp_path / "second.warc.zst", pages[30:])
    third = write_archive(tmp_path / "third.warc", [record("http://example.com/lost", answer(b"lost"), length=9999)])
    return [str(first), second.as_uri(), str(third), str(tmp_path / "fourth.warc")]


def check_archive_rows(rows: list) -> None:
    pages = {row["url"]: row for row in rows if row["error"] is None}
    assert len(rows) == len(SENTENCES) + 3
    assert [pages[f"http://example.com/{number}"]["main_text"] for number in range(60)] == SENTENCES
    reasons = {Path(row["archive"]).name: row["error"].partition(":")[0] for row in rows if row["error"]}
    assert reasons == {"first.warc.gz": "too_large", "third.warc": "damaged", "fourth.warc": "missing"}


def test_archives_become_rows_and_nothing_in_them_is_lost(session, archives):
    frame = clean_archives(session, archives, max_bytes=50_000)

    assert frame.rdd.getNumPartitions() == len(archives)
    check_archive_rows(frame.collect())


def test_the_job_can_be_submitted(archives, tmp_path, session):
    """In a process and a session of its own; the session here reads what it wrote."""
    names = tmp_path / "names.txt"
    names.write_text("\n".join(archives))
    submit = [str(Path(pyspark.__file__).parent / "bin" / "spark-submit"), "--master", "local[2]"]
    submit += ["--conf", "spark.ui.enabled=false", "--conf", "spark.driver.host=127.0.0.1"]
    output = str(tmp_path / "pages.parquet")
    command = [*submit, job.__file__, f"@{names}", "-o", output, "--max-bytes", "50000"]
    finished = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)

    assert finished.returncode == 0, finished.stderr
    check_archive_rows(session.read.parquet(output).collect())


def test_the_job_says_what_is_wrong_with_its_options(session, capsys):
    with pytest.raises(SystemExit):
        job.main(["some.warc", "-o", "out", "--model", "nosuch"])

    assert "unknown model 'nosuch'" in capsys.readouterr().err


# Site memory


def by_url(frame) -> dict:
    return {row["url"]: row["main_text"] for row in frame.collect()}


def expected(numbers) -> dict:
    memory = SiteMemory(learns=False)
    for number in numbers:
        memory.learn(extract(site_page(number), url_of(number), model="numwords", site=memory).page_texts)
    return {
        url_of(number): extract(site_page(number), url_of(number), model="numwords", site=memory).main_text
        for number in numbers
    }


def test_pages_in_a_dataframe_are_judged_by_all_others_however_they_are_partitioned(session):
    pages = [(url_of(number), site_page(number)) for number in range(12)] + [(None, site_page(12)), ("x", None)]
    for partitions in (1, 5):
        frame = session.createDataFrame(pages, "url string, html string").repartition(partitions)
        cleaned = add_main_text(frame, url="url", site_memory=True, model="numwords")
        texts = by_url(cleaned)

        assert cleaned.columns == ["url", "html", "title", "main_text", "score", "error"]
        assert {url: texts[url] for url in expected(range(12))} == expected(range(12))
        assert NOTICE in texts[None]
        assert texts["x"] is None
        assert cleaned.count() == 14


def test_archives_are_judged_by_all_archives(session, tmp_path):
    archives = [
        write_archive(
            tmp_path / f"{name}.warc",
            [record(url_of(number), answer(site_page(number).encode())) for number in numbers],
        )
        for name, numbers in (("a", range(3)), ("b", range(3, 5)))
    ]
    names = [*map(str, archives), str(tmp_path / "missing.warc")]
    frame = clean_archives(session, names, site_memory=True, model="numwords", blocks=True)
    rows = [row.asDict(recursive=True) for row in frame.collect()]

    assert {row["url"]: row["main_text"] for row in rows if row["url"]} == expected(range(5))
    assert {row["blocks"][-1]["other_pages"] for row in rows if row["url"]} == {4.0}
    assert [row["archive"] for row in rows if row["error"]] == names[2:]


def test_a_site_memory_needs_addresses(session):
    frame = session.createDataFrame([(0, article())], "number int, html string")

    with pytest.raises(ValueError, match="site_memory needs the name of a column"):
        add_main_text(frame, site_memory=True)
