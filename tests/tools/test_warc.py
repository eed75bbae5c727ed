"""`scrapy boilerplate warc`: stored crawls to rows, whatever is in them, and whatever happens on the way."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import tracemalloc
import zlib
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path

import pytest
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from scrapy_boilerplate import extract
from scrapy_boilerplate.commands import warc
from scrapy_boilerplate.not_cleaned import NotCleaned
from scrapy_boilerplate.options import Options
from scrapy_boilerplate.stored import cleaning, output
from scrapy_boilerplate.stored import warc as warc_reader
from scrapy_boilerplate.stored.cleaning import DEFAULT_FIELDS, PageCleaner
from scrapy_boilerplate.stored.pages import Damage, StoredPage, unpacked
from scrapy_boilerplate.stored.run import StoredCrawls
from scrapy_boilerplate.stored.warc import read_warc

from ..archives import DATE, PACKERS, answer, record, write_archive, write_cache
from ..pages import MAIN_TEXT, PAGE, page_of_new_names
from ..processes import interrupt_children_until_the_end, megabytes_of, needs_proc, wait_until
from ..sites import NOTICE, site_page
from ..sites import url_of as site_url

pytest.importorskip("fastwarc", reason="the extra warc is not installed")

NUMWORDS = Options(model="numwords")
URL = "http://example.com/{}"


def numbered_page(number: int) -> bytes:
    return PAGE.replace("</title>", f" {number}</title>").encode()


def numbered_records(count: int) -> list[bytes]:
    return [record(URL.format(number), answer(numbered_page(number))) for number in range(count)]


def clean(sources, out: Path, *, jobs: int = 1, options: Options = NUMWORDS, with_blocks: bool = False):
    """The counts and the warnings of a run."""
    warnings: list[str] = []
    sources = [sources] if isinstance(sources, Path) else sources
    crawls = StoredCrawls(
        sources, out, PageCleaner(options, (*DEFAULT_FIELDS, "blocks") if with_blocks else DEFAULT_FIELDS)
    )
    return crawls.run(jobs, lambda _: None, warnings.append), warnings


def rows_of(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def run_command(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrapy", "boilerplate", "warc", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False)


def call(*arguments: object, **settings: object) -> int:
    """The command in this process, in which everything is imported already."""
    parser = ArgumentParser()
    warc.add_options(parser)
    opts, files = parser.parse_known_args(list(map(str, arguments)))
    opts.settings = Settings(settings)
    return warc.run(files, opts)


# What is read


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_response_becomes_the_row_that_extract_makes_of_its_page(suffix, tmp_path):
    archive = write_archive(tmp_path / f"crawl.warc{suffix}", [record(URL.format(1), answer(PAGE.encode()))])

    counts, warnings = clean(archive, tmp_path / "out.jsonl")

    document = extract(PAGE, model="numwords")
    assert rows_of(tmp_path / "out.jsonl") == [
        {
            "url": URL.format(1),
            "date": DATE,
            "title": document.title,
            "main_text": document.main_text,
            "score": round(document.score, 4),
            "error": None,
        }
    ]
    assert counts["pages"] == 1
    assert warnings == []


def test_pages_of_which_only_the_beginning_is_read_are_counted(tmp_path):
    records = [
        record(URL.format(number), answer(page)) for number, page in enumerate([PAGE.encode(), b"<p>x" * 20_010])
    ]

    counts, _ = clean(write_archive(tmp_path / "crawl.warc.gz", records), tmp_path / "out.jsonl")

    assert (counts["pages"], counts["truncated"]) == (2, 1)
    first, second = rows_of(tmp_path / "out.jsonl")
    assert first.keys() == second.keys()


def test_an_archive_in_one_piece_of_gzip_is_read_to_its_end(tmp_path):
    archive = tmp_path / "crawl.warc.gz"
    archive.write_bytes(gzip.compress(b"".join(numbered_records(40))))

    clean(archive, tmp_path / "out.jsonl")

    assert [row["url"] for row in rows_of(tmp_path / "out.jsonl")] == [URL.format(number) for number in range(40)]


def test_what_is_no_page_is_counted_and_left_out(tmp_path):
    records = [
        record(URL.format("info"), b"software: test", kind="warcinfo", content_type="application/warc-fields"),
        record(URL.format("request"), b"GET / HTTP/1.1\r\n\r\n", kind="request"),
        record(URL.format("png"), answer(b"\x89PNG", content_type="image/png")),
        record(URL.format("gone"), answer(PAGE.encode(), status="404 Not Found")),
        record(URL.format("again"), answer(b""), kind="revisit"),
        record("dns:example.com", b"20240101 1.2.3.4", content_type="text/dns"),
        record(URL.format("page"), answer(PAGE.encode())),
    ]

    counts, _ = clean(write_archive(tmp_path / "crawl.warc.gz", records), tmp_path / "out.jsonl")

    assert [row["url"] for row in rows_of(tmp_path / "out.jsonl")] == [URL.format("page")]
    assert +counts == Counter({"pages": 1, "skipped/not_html": 2, "skipped/not_ok": 1, "skipped/revisit": 1})


def test_a_conversion_to_text_is_kept_as_it_is_and_one_to_html_is_cleaned(tmp_path):
    records = [
        record("<http://a.example/>", "Ein Gruß.\n".encode(), kind="conversion", content_type="text/plain"),
        record("http://b.example/", PAGE.encode(), kind="conversion", content_type="text/html"),
    ]

    clean(write_archive(tmp_path / "crawl.warc.wet.gz", records), tmp_path / "out.jsonl")

    text, page = rows_of(tmp_path / "out.jsonl")
    assert (text["url"], text["main_text"], text["score"]) == ("http://a.example/", "Ein Gruß.", None)
    assert page["main_text"] == MAIN_TEXT


def test_a_page_that_can_not_be_cleaned_is_a_row_with_the_reason(tmp_path):
    records = [
        record("http://a.example/empty", answer(b" ")),
        record("http://a.example/image", answer(b"\x89PNG\r\n\x1a\n" + bytes(range(32)) * 20)),
        record("http://a.example/large", answer(b"<p>" + b"x" * 3000)),
        record("http://a.example/bomb", answer(gzip.compress(b"x" * 3000), "Content-Encoding: gzip")),
        record("http://a.example/garbage", b"no head"),
    ]

    counts, _ = clean(
        write_archive(tmp_path / "crawl.warc.gz", records),
        tmp_path / "out.jsonl",
        options=Options(model="numwords", max_bytes=2000),
    )

    rows = rows_of(tmp_path / "out.jsonl")
    assert [row["error"].partition(":")[0] for row in rows] == [
        "empty",
        "not_text",
        "too_large",
        "too_large",
        "no_http",
    ]
    assert [row["main_text"] for row in rows] == [None] * 5
    assert counts["failed/too_large"] == 2


def test_blocks_are_there_when_they_are_asked_for(tmp_path):
    archive = write_archive(tmp_path / "crawl.warc", [record(URL.format(1), answer(PAGE.encode()))])

    clean(archive, tmp_path / "out.jsonl", with_blocks=True)

    [row] = rows_of(tmp_path / "out.jsonl")
    blocks = extract(PAGE, model="numwords").blocks
    assert [block["text"] for block in row["blocks"]] == [block.text for block in blocks]
    assert set(row["blocks"][0]) == {"text", "score", "is_content", "tag", "xpath", "kind"}


def chunked(body: bytes) -> bytes:
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (body[:7], body[7:])) + b"0\r\n\r\n"


def brotli(body: bytes) -> bytes:
    return pytest.importorskip("brotli").compress(body)


def raw_deflate(body: bytes) -> bytes:
    compressor = zlib.compressobj(wbits=-15)
    return compressor.compress(body) + compressor.flush()


@pytest.mark.parametrize(
    ("headers", "pack"),
    [
        ({"content-encoding": "gzip"}, gzip.compress),
        ({"content-encoding": "x-gzip"}, lambda body: gzip.compress(body[:10]) + gzip.compress(body[10:])),
        ({"content-encoding": "deflate"}, zlib.compress),
        ({"content-encoding": "deflate"}, raw_deflate),
        ({"content-encoding": "br"}, brotli),
        ({"content-encoding": "zstd"}, PACKERS[".zst"]),
        ({"transfer-encoding": "chunked"}, chunked),
        ({"transfer-encoding": "chunked", "content-encoding": "GZIP"}, lambda body: chunked(gzip.compress(body))),
        ({"content-encoding": "deflate, gzip"}, lambda body: gzip.compress(zlib.compress(body))),
        ({"content-encoding": "none"}, bytes),
        # Many archives hold the body unpacked below the headers that it came with.
        ({"content-encoding": "gzip"}, bytes),
        ({"content-encoding": "br"}, bytes),
        ({"content-encoding": "deflate"}, bytes),
        ({"transfer-encoding": "chunked"}, bytes),
    ],
)
def test_bodies_are_unpacked_as_their_headers_say_unless_they_lie(headers, pack):
    body = PAGE.encode()

    assert unpacked(StoredPage("", headers=headers, body=pack(body)), 1_000_000).body == body


def test_of_a_body_that_is_cut_off_the_beginning_is_read():
    body = os.urandom(100_000)
    page = StoredPage("", headers={"content-encoding": "gzip"}, body=gzip.compress(body)[:80_000])

    assert len(unpacked(page, 1_000_000).body) > 70_000
    assert body.startswith(unpacked(page, 1_000_000).body)


def test_a_body_is_not_unpacked_beyond_the_limit():
    page = StoredPage("", headers={"content-encoding": "gzip"}, body=gzip.compress(bytes(50_000_000)))

    tracemalloc.start()
    with pytest.raises(NotCleaned, match="too_large"):
        unpacked(page, 1_000_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert peak < 5_000_000


@pytest.mark.parametrize("compress", [False, True])
def test_the_http_cache_of_scrapy_is_read(compress, tmp_path):
    pages = {
        "http://a.example/1": PAGE.encode(),
        "http://a.example/2": PAGE.encode(),
        "http://a.example/missing": PAGE.encode(),
        "http://a.example/logo.png": b"\x89PNG",
    }
    cache = write_cache(tmp_path / "httpcache", pages, HTTPCACHE_GZIP=compress)

    counts, warnings = clean(cache, tmp_path / "out.jsonl")

    rows = rows_of(tmp_path / "out.jsonl")
    assert sorted((row["url"], row["main_text"]) for row in rows) == [
        ("http://a.example/1", MAIN_TEXT),
        ("http://a.example/2", MAIN_TEXT),
    ]
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", rows[0]["date"])
    assert counts["skipped/not_html"] == counts["skipped/not_ok"] == 1
    assert warnings == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@pytest.mark.parametrize("name", ["meta", "response_headers", "response_body"])
def test_a_named_pipe_in_the_cache_is_named_and_not_waited_for(tmp_path, name):
    cache = write_cache(tmp_path / "httpcache", {f"http://a.example/{n}": PAGE.encode() for n in range(3)})
    pipe = sorted(cache.rglob(name))[1]
    pipe.unlink()
    os.mkfifo(pipe)
    counts, warnings = clean(cache, tmp_path / "out.jsonl")

    assert counts["pages"] == 2
    assert [f"{name} is not a regular file" in warning for warning in warnings] == [True]


def test_an_entry_of_the_cache_that_leads_nowhere_is_named(tmp_path):
    cache = write_cache(tmp_path / "httpcache", {f"http://a.example/{n}": PAGE.encode() for n in range(3)})
    body = sorted(cache.rglob("response_body"))[1]
    body.unlink()
    body.symlink_to(tmp_path / "nothing")
    counts, warnings = clean(cache, tmp_path / "out.jsonl")

    assert counts["pages"] == 2
    assert len(warnings) == 1


@pytest.mark.parametrize(
    "meta", ["__import__('os').abort()", "{{}: 1}", "", "[" * 1000, "{'url': 'http://a.example/'}"]
)
def test_a_damaged_entry_of_the_cache_is_named_and_the_others_are_read(tmp_path, meta):
    cache = write_cache(tmp_path / "httpcache", {f"http://a.example/{n}": PAGE.encode() for n in range(3)})
    broken = sorted(cache.rglob("meta"))[1]
    broken.write_text(meta)

    counts, warnings = clean(cache, tmp_path / "out.jsonl")

    assert counts["pages"] == 2
    assert counts["unreadable"] == 1
    assert broken.parent.name in warnings[0]


# What is damaged


def found_in(path: Path) -> list[str]:
    return [
        found.url if isinstance(found, StoredPage) else type(found).__name__ for found, _ in read_warc(path, 1_000_000)
    ]


@pytest.mark.parametrize("suffix", PACKERS)
def test_behind_a_damaged_record_the_reading_goes_on(suffix, tmp_path):
    records = [PACKERS[suffix](one) for one in numbered_records(5)]
    packed = bytearray(records[2])
    packed[:9] = b"damaged!!"
    archive = tmp_path / f"crawl.warc{suffix}"
    archive.write_bytes(b"".join([*records[:2], packed, *records[3:]]))

    assert found_in(archive) == [URL.format(0), URL.format(1), "Damage", URL.format(3), URL.format(4)]


@pytest.mark.parametrize("suffix", PACKERS)
def test_an_archive_that_is_cut_off_is_damaged_and_what_comes_before_is_read(suffix, tmp_path):
    body = b"<p>" + os.urandom(3000).hex().encode()
    records = [PACKERS[suffix](record(URL.format(number), answer(body))) for number in range(2)]
    archive = tmp_path / f"crawl.warc{suffix}"
    archive.write_bytes(records[0] + records[1][: len(records[1]) // 2])

    assert found_in(archive) == [URL.format(0), "Damage"]


@pytest.mark.parametrize(
    "content",
    [b"", b"<html>no archive</html>" * 100, gzip.compress(b"no archive" * 100, mtime=0), b"PK\x03\x04" + bytes(100)],
)
def test_what_is_no_archive_is_called_so(content, tmp_path):
    file = tmp_path / "page.warc.gz"
    file.write_bytes(content)

    [(damage, _)] = read_warc(file, 1_000_000)

    assert isinstance(damage, Damage)
    assert damage.message.startswith("no WARC archive")


def test_a_length_that_lies_costs_only_the_records_that_it_covers(tmp_path):
    liar = record(URL.format("liar"), answer(PAGE.encode()), length=len(PAGE) * 2)
    archive = write_archive(tmp_path / "crawl.warc.gz", [*numbered_records(2), liar, *numbered_records(5)])

    found = found_in(archive)

    assert "Damage" in found
    assert found[:2] == [URL.format(0), URL.format(1)]
    assert found[-2:] == [URL.format(3), URL.format(4)]


def test_one_damaged_file_does_not_stop_the_others(tmp_path):
    good = write_archive(tmp_path / "good.warc.gz", numbered_records(2))
    bad = tmp_path / "bad.warc.gz"
    bad.write_bytes(b"")

    finished = run_command(bad, good, "-o", "out.jsonl", "--model", "numwords", "--jobs", 1, cwd=tmp_path)

    assert finished.returncode == 1
    assert "bad.warc.gz: no WARC archive" in finished.stderr
    assert "2 pages in out.jsonl (unreadable 1)" in finished.stderr
    assert len(rows_of(tmp_path / "out.jsonl")) == 2


# How it is run


def test_two_processes_write_the_same_bytes_as_one(tmp_path):
    archive = write_archive(tmp_path / "crawl.warc.gz", numbered_records(100))
    other = write_archive(tmp_path / "other.warc.zst", numbered_records(3))

    one = clean([archive, other], tmp_path / "one.jsonl", with_blocks=True)
    two = clean([archive, other], tmp_path / "two.jsonl", with_blocks=True, jobs=2)

    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    assert len(rows_of(tmp_path / "one.jsonl")) == 103
    assert one == two


def test_parquet_holds_the_same_rows_as_json_lines_in_several_files(tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(output, "_MOST_ROW_BYTES", 50_000)
    archive = write_archive(tmp_path / "crawl.warc.gz", numbered_records(100))

    clean(archive, tmp_path / "out.jsonl", with_blocks=True)
    clean(archive, tmp_path / "one.parquet", with_blocks=True)
    clean(archive, tmp_path / "two.parquet", with_blocks=True, jobs=2)

    assert parquet.read_table(tmp_path / "one.parquet").to_pylist() == rows_of(tmp_path / "out.jsonl")
    files = {file.name: file.read_bytes() for file in (tmp_path / "one.parquet").iterdir()}
    assert len(files) > 2
    assert {file.name: file.read_bytes() for file in (tmp_path / "two.parquet").iterdir()} == files


def test_parquet_without_any_page_has_its_columns(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    archive = write_archive(tmp_path / "crawl.warc", [record(URL.format(1), answer(b"", status="404 Not Found"))])

    clean(archive, tmp_path / "out.parquet")

    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.column_names == ["url", "date", "title", "main_text", "score", "error"]
    assert table.num_rows == 0


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
@pytest.mark.parametrize("last", [0, 1, 37, 80])
def test_a_run_that_breaks_off_anywhere_is_gone_on_with_to_the_same_output(suffix, last, tmp_path, monkeypatch):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    monkeypatch.setattr(output, "_SECONDS_BETWEEN_COMMITS", 0)
    monkeypatch.setattr(output, "_MOST_ROW_BYTES", 10_000)
    sources = [write_archive(tmp_path / f"{n}.warc.gz", numbered_records(30)) for n in range(3)]
    clean(sources, tmp_path / f"whole{suffix}")
    row, cleaned = PageCleaner.row, []

    def breaks_off(self, page, not_cleaned=None):
        cleaned.append(page)
        if len(cleaned) > last:
            raise KeyboardInterrupt
        return row(self, page, not_cleaned)

    monkeypatch.setattr(PageCleaner, "row", breaks_off)
    with pytest.raises(KeyboardInterrupt):
        clean(sources, tmp_path / f"out{suffix}")
    assert not (tmp_path / f"out{suffix}").exists()
    monkeypatch.setattr(PageCleaner, "row", row)
    counts, _ = clean(sources, tmp_path / f"out{suffix}", jobs=1)

    assert counts["pages"] == 90
    assert contents(tmp_path / f"out{suffix}") == contents(tmp_path / f"whole{suffix}")
    assert not list(tmp_path.glob("*.part")) + list(tmp_path.glob("*.state*"))


def contents(path: Path) -> object:
    return {file.name: file.read_bytes() for file in path.iterdir()} if path.is_dir() else path.read_bytes()


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_a_killed_run_is_gone_on_with_and_leaves_no_process_behind(suffix, tmp_path):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    # Slow enough to be killed in the middle.
    (tmp_path / "program.py").write_text(
        "import sys, time\n"
        "from pathlib import Path\n"
        "from scrapy_boilerplate.options import Options\n"
        "from scrapy_boilerplate.stored import output\n"
        "from scrapy_boilerplate.stored.cleaning import PageCleaner\n"
        "from scrapy_boilerplate.stored.run import StoredCrawls\n"
        "output._SECONDS_BETWEEN_COMMITS = 0\n"
        "output._MOST_ROW_BYTES = 50_000\n"
        "if __name__ == '__main__':\n"
        "    crawls = StoredCrawls([Path(sys.argv[1])], Path(sys.argv[2]), PageCleaner(Options(model='numwords')))\n"
        "    crawls.run(2, lambda _: time.sleep(float(sys.argv[3])), print)\n"
    )
    archive = write_archive(tmp_path / "crawl.warc.gz", numbered_records(600))
    out, state = tmp_path / f"out{suffix}", tmp_path / f"out{suffix}.state"
    arguments = [sys.executable, tmp_path / "program.py", archive, out]

    running = subprocess.Popen([*arguments, "0.3"], start_new_session=True)
    wait_until(lambda: state.exists() and json.loads(state.read_bytes())["records"] > 100)
    running.kill()
    running.wait()
    assert not out.exists()
    assert 100 < json.loads(state.read_bytes())["records"] < 600
    wait_until(lambda: not group_exists(running.pid))
    subprocess.run([*arguments, "0"], check=True, timeout=120)

    if suffix == ".jsonl":
        urls = [row["url"] for row in rows_of(out)]
    else:
        urls = pytest.importorskip("pyarrow.parquet").read_table(out).column("url").to_pylist()
    assert urls == [URL.format(number) for number in range(600)]


def group_exists(process: int) -> bool:
    try:
        os.killpg(process, signal.SIG_DFL)
    except ProcessLookupError:
        return False
    return True


def test_a_finished_output_is_not_written_over_unless_asked_for(tmp_path):
    archive = write_archive(tmp_path / "crawl.warc.gz", numbered_records(2))
    out = tmp_path / "out.jsonl"
    out.write_text("precious\n")

    with pytest.raises(UsageError, match="is there already; --restart writes it anew"):
        call(archive, "-o", out, "--jobs", 1)
    assert out.read_text() == "precious\n"

    assert call(archive, "-o", out, "--jobs", 1, "--restart") == 0
    assert len(rows_of(out)) == 2


def test_a_run_is_not_gone_on_with_by_one_with_other_options(tmp_path, monkeypatch):
    monkeypatch.setattr(output, "_SECONDS_BETWEEN_COMMITS", 0)
    archive = write_archive(tmp_path / "crawl.warc.gz", numbered_records(40))
    monkeypatch.setattr(Path, "replace", failing_for(Path.replace, "out.jsonl.part"))
    with pytest.raises(OSError, match="the disk is full"):
        clean(archive, tmp_path / "out.jsonl")
    monkeypatch.undo()

    with pytest.raises(ValueError, match="begun with other files, options"):
        clean(archive, tmp_path / "out.jsonl", options=Options(model="densitometric"))


@pytest.fixture(params=[".jsonl", ".parquet"])
def stopped(request, tmp_path, monkeypatch):
    """The archive and the output of a run that was stopped in the middle."""
    if request.param == ".parquet":
        pytest.importorskip("pyarrow")
    monkeypatch.setattr(output, "_SECONDS_BETWEEN_COMMITS", 0)
    monkeypatch.setattr(output, "_MOST_ROW_BYTES", 1000)
    archive = write_archive(tmp_path / "crawl.warc.gz", numbered_records(80))
    row, cleaned = PageCleaner.row, []

    def breaks_off(self, page, not_cleaned=None):
        cleaned.append(page)
        if len(cleaned) > 40:
            raise KeyboardInterrupt
        return row(self, page, not_cleaned)

    with monkeypatch.context() as patch:
        patch.setattr(PageCleaner, "row", breaks_off)
        with pytest.raises(KeyboardInterrupt):
            clean(archive, tmp_path / f"out{request.param}")
    return archive, tmp_path / f"out{request.param}"


def files_of(part: Path) -> list[Path]:
    return sorted(part.iterdir()) if part.is_dir() else [part]


def change_one_byte(part: Path) -> None:
    file = files_of(part)[0]
    content = bytearray(file.read_bytes())
    content[len(content) // 3] ^= 1
    file.write_bytes(content)


def cut_off(part: Path) -> None:
    file = files_of(part)[0]
    file.write_bytes(file.read_bytes()[:100])


def swap_with_itself_reversed(part: Path) -> None:
    file = files_of(part)[-1]
    file.write_bytes(b"".join(reversed(file.read_bytes().splitlines(keepends=True))))


@pytest.mark.parametrize("tamper", [change_one_byte, cut_off, swap_with_itself_reversed])
def test_an_output_that_was_tampered_with_is_not_gone_on_with(tamper, stopped):
    archive, out = stopped
    tamper(out.with_name(f"{out.name}.part"))

    with pytest.raises(ValueError, match=r"\.part.* --restart begins anew"):
        clean(archive, out)


def test_a_part_of_the_output_that_is_gone_is_named(stopped):
    archive, out = stopped
    part = out.with_name(f"{out.name}.part")
    if part.is_file():
        pytest.skip("JSON lines are one file")
    (part / "part-000000.parquet").unlink()

    with pytest.raises(ValueError, match=r"part-000000\.parquet is gone; --restart begins anew"):
        clean(archive, out)


@pytest.mark.parametrize(
    "changes",
    [
        {"records": 64},
        {"records": 10**9},
        {"records": -1},
        {"records": "48"},
        {"source": 1},
        {"source": -1},
        {"mark": {"size": 1, "digest": ""}},
        {"mark": {"size": 0, "digest": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}},
        {"mark": None},
        {"counts": {"pages": 1}},
        {"counts": []},
        {"run": None},
        {"digest": "0" * 64},
        {"more": 1},
    ],
    ids=str,
)
def test_a_state_that_was_tampered_with_is_not_gone_on_with(changes, stopped):
    archive, out = stopped
    state = out.with_name(f"{out.name}.state")
    state.write_text(json.dumps(json.loads(state.read_bytes()) | changes))

    with pytest.raises(ValueError, match=r"\.state can't be read or has changed .*; --restart begins anew"):
        clean(archive, out)


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"run": {}}'])
def test_a_state_that_is_none_is_not_gone_on_with(content, stopped):
    archive, out = stopped
    out.with_name(f"{out.name}.state").write_bytes(content)

    with pytest.raises(ValueError, match=r"\.state can't be read .*; --restart begins anew"):
        clean(archive, out)


@pytest.mark.parametrize("lost", ["part", "state"])
def test_without_output_or_state_a_run_begins_anew(lost, stopped):
    archive, out = stopped
    output.remove(out.with_name(f"{out.name}.{lost}"))

    counts, _ = clean(archive, out)

    assert counts["pages"] == 80
    assert [path.name for path in out.parent.iterdir() if path.name.startswith("out")] == [out.name]


def test_a_full_disk_is_told_in_one_line_and_the_run_can_go_on(stopped, monkeypatch, capsys):
    archive, out = stopped

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        code = call(archive, "-o", out, "--jobs", 1, "--model", "numwords")

    assert code == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line == f"{out}: No space left on device; run the same command again to continue"
    assert call(archive, "-o", out, "--jobs", 1, "--model", "numwords") == 0
    assert "80 pages" in capsys.readouterr().err


def test_a_file_that_may_not_be_read_is_unreadable(tmp_path, monkeypatch):
    archive = write_archive(tmp_path / "crawl.warc.gz", numbered_records(1))

    def refused(self: Path, *_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(warc_reader, "_magic", refused)
    counts, warnings = clean(archive, tmp_path / "out.jsonl")

    assert counts["unreadable"] == 1
    assert warnings == [f"{archive}: Permission denied"]


def failing_for(replace, name: str):
    def failing(self: Path, target: Path) -> Path:
        if self.name == name:
            raise OSError("the disk is full")
        return replace(self, target)

    return failing


def test_memory_does_not_grow_with_the_archive(tmp_path):
    text = b"Some words of a text. " * 2000
    peaks = []
    for count in (100, 1000):
        archive = tmp_path / f"{count}.warc"
        archive.write_bytes(record(URL.format(1), text, kind="conversion", content_type="text/plain") * count)
        tracemalloc.start()
        clean(archive, tmp_path / f"{count}.jsonl")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    assert archive.stat().st_size > 40_000_000
    assert peaks[1] < peaks[0] * 1.2 < 10_000_000


@needs_proc
def test_memory_does_not_grow_with_the_names_of_tags_and_attributes(tmp_path):
    """Which lxml keeps for as long as the thread lives in which it has met them."""
    megabytes = []
    for count in (50, 150):
        records = (record(URL.format(n), answer(page_of_new_names(count + n).encode())) for n in range(count))
        archive = write_archive(tmp_path / f"{count}.warc", list(records))
        clean(archive, tmp_path / f"{count}.jsonl")
        megabytes.append(megabytes_of(os.getpid()))

    assert megabytes[1] - megabytes[0] < 20, "the names alone are more than that"


def test_no_more_pages_are_read_than_the_processes_need(monkeypatch):
    taken = []

    def chunks():
        for number in range(50):
            taken.append(number)
            yield [StoredPage(URL.format(number), body=b"text", is_text=True)]

    results = cleaning.clean_in_order(chunks(), lambda chunk: chunk, PageCleaner(NUMWORDS), jobs=2)
    next(results)

    assert len(taken) == 4
    results.close()


def test_a_page_that_kills_its_process_is_named_and_the_others_are_cleaned(tmp_path):
    write_archive(tmp_path / "crawl.warc.gz", [*numbered_records(20), record("http://a.example/", answer(b"die"))])
    # The program stands in for what a fault in a library would do: the worker is gone without a word.
    program = tmp_path / "program.py"
    program.write_text(
        "import os\n"
        "from pathlib import Path\n"
        "from scrapy_boilerplate.options import Options\n"
        "from scrapy_boilerplate.stored.cleaning import PageCleaner\n"
        "from scrapy_boilerplate.stored.run import StoredCrawls\n"
        "class Fatal(PageCleaner):\n"
        "    def row(self, page, not_cleaned=None):\n"
        "        if page.body == b'die' and not not_cleaned:\n"
        "            os._exit(9)\n"
        "        return super().row(page, not_cleaned)\n"
        "if __name__ == '__main__':\n"
        "    crawls = StoredCrawls([Path('crawl.warc.gz')], Path('out.jsonl'), Fatal(Options(model='numwords')))\n"
        "    crawls.run(2, lambda _: None, print)\n"
    )

    subprocess.run([sys.executable, program], cwd=tmp_path, check=True, timeout=120)

    *others, last = rows_of(tmp_path / "out.jsonl")
    assert [row["error"] for row in others] == [None] * 20
    assert last["error"] == "crash: it crashed the process that cleaned it, and then a new one that did nothing else"


@pytest.fixture
def running(tmp_path):
    """`running(count)` is the command with two processes, of a group of its own, on an archive of so many pages."""

    def start(count: int) -> subprocess.Popen[str]:
        archive = write_archive(tmp_path / "crawl.warc.gz", numbered_records(count))
        # Whoever runs the tests in the background has SIGINT ignored, and that is inherited.
        program = (
            "import signal, sys; from scrapy.cmdline import execute;"
            "signal.signal(signal.SIGINT, signal.default_int_handler);"
            "execute(['scrapy', 'boilerplate', 'warc', *sys.argv[1:]])"
        )
        return subprocess.Popen(
            [sys.executable, "-c", program, archive, "-o", "out.jsonl", "--jobs", "2", "--blocks"],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    return start


def test_ctrl_c_says_how_to_go_on(running, tmp_path):
    process = running(count=2000)
    wait_until(lambda: (tmp_path / "out.jsonl.part").exists() and (tmp_path / "out.jsonl.part").stat().st_size)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=120)

    assert errors.splitlines() == ["stopped; run the same command again to continue"]
    assert process.returncode == 130
    assert not (tmp_path / "out.jsonl").exists()


@needs_proc
def test_the_processes_that_clean_ignore_ctrl_c_from_their_very_start(running):
    process = running(count=40)
    interrupted = interrupt_children_until_the_end(process)
    _, errors = process.communicate()

    assert len(interrupted) >= 2
    assert errors.splitlines() == ["40 pages in out.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["crawl.warc"], "usage: scrapy boilerplate warc"),
        (["-o", "out.jsonl"], "usage: scrapy boilerplate warc"),
        (["crawl.warc", "-o", "out.csv"], "must end with .jsonl or .parquet"),
        (["missing.warc", "-o", "out.jsonl"], "there is no file or folder missing.warc"),
        (["empty", "-o", "out.jsonl"], "empty is not a folder of an HTTP cache"),
        (["crawl.warc", "-o", "out.jsonl", "--jobs", "0"], "--jobs must be at least 1"),
        (["crawl.warc", "-o", "out.jsonl", "--model", "nonsense"], "unknown model"),
    ],
)
def test_a_mistake_is_told_in_words(arguments, complaint, tmp_path, monkeypatch):
    write_archive(tmp_path / "crawl.warc", numbered_records(1))
    (tmp_path / "empty").mkdir()

    monkeypatch.chdir(tmp_path)

    with pytest.raises(UsageError, match=complaint):
        call(*arguments)

    assert not list(tmp_path.glob("out*"))


def test_the_settings_of_the_project_hold_here_too(tmp_path):
    archive = write_archive(tmp_path / "crawl.warc", [record(URL.format(1), answer(PAGE.encode()))])

    with pytest.raises(UsageError, match="BOILERPLATE_MAX_BYTES = 0"):
        call(archive, "-o", tmp_path / "out.jsonl", BOILERPLATE_MAX_BYTES=0)
    call(archive, "-o", tmp_path / "out.jsonl", "--jobs", 1, BOILERPLATE_MAX_BYTES=100)

    [row] = rows_of(tmp_path / "out.jsonl")
    assert row["error"].startswith("too_large")


def test_without_the_library_it_says_what_to_install(tmp_path):
    write_archive(tmp_path / "crawl.warc", numbered_records(1))
    (tmp_path / "fastwarc.py").write_text("raise ImportError")

    finished = run_command("crawl.warc", "-o", "out.jsonl", cwd=tmp_path)

    assert finished.returncode == 2
    assert 'fastwarc is not installed; pip install fastwarc, or in a checkout: pip install ".[warc]"' in finished.stderr


# Two passes


def site_archive(path: Path, *numbers: int) -> Path:
    return write_archive(path, [record(site_url(number), answer(site_page(number).encode())) for number in numbers])


def test_with_a_site_memory_all_pages_are_judged_by_all_others(tmp_path):
    archives = [site_archive(tmp_path / "a.warc", 1, 2), site_archive(tmp_path / "b.warc", 3)]
    out = tmp_path / "out.jsonl"

    call(*archives, "-o", out, "--site-memory", "--blocks", "--model", "numwords", "--jobs", 1)

    rows = rows_of(out)
    assert [NOTICE in row["main_text"] for row in rows] == [False, False, False]
    assert [row["blocks"][-1]["other_pages"] for row in rows] == [2, 2, 2]


def test_with_a_site_memory_two_processes_write_the_same_bytes_as_one(tmp_path):
    archive = site_archive(tmp_path / "a.warc.gz", *range(60), *range(5))
    outputs = [tmp_path / f"{jobs}.jsonl" for jobs in (1, 2)]
    for jobs, out in enumerate(outputs, 1):
        call(archive, "-o", out, "--site-memory", "--blocks", "--model", "numwords", "--jobs", jobs)

    assert outputs[0].read_bytes() == outputs[1].read_bytes()
    assert not any(NOTICE in row["main_text"] for row in rows_of(outputs[0]))


def test_pages_that_can_not_be_cleaned_teach_nothing_and_are_rows_as_ever(tmp_path):
    bodies = [site_page(1).encode(), b"", b"%PDF-1.4 no page", site_page(2).encode()]
    archive = write_archive(
        tmp_path / "a.warc", [record(site_url(number), answer(body)) for number, body in enumerate(bodies)]
    )
    call(archive, "-o", tmp_path / "out.jsonl", "--site-memory", "--model", "numwords", "--jobs", 1)

    rows = rows_of(tmp_path / "out.jsonl")
    assert [row["error"] is None for row in rows] == [True, False, False, True]
    assert NOTICE not in rows[-1]["main_text"]
