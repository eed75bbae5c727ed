"""Pages in the engines for many of them: datatrove, Ray Data, pandas, Polars and DuckDB."""

from __future__ import annotations

import json
from importlib.util import find_spec

import pytest

from scrapy_boilerplate import extract, extract_many

from ..archives import answer, record, write_archive
from ..pages import article

pytest.importorskip("pyarrow", reason="the extra arrow is not installed")

SENTENCES = [
    f"The text of page {number} goes on for a while, so that nobody can take it for a menu, a teaser or a caption."
    for number in range(40)
]
PAGES = [article(sentence) for sentence in SENTENCES]
RAY_WARNINGS = "ignore::Warning"  # of Ray's own imports


def texts_of(steps, archives, folder):
    """The texts, and the counts of the first step, of a pipeline that reads archives with datatrove's own reader."""
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import WarcReader
    from datatrove.pipeline.writers import JsonlWriter

    output = folder / "texts"
    pipeline = [WarcReader(str(archives)), *steps, JsonlWriter(str(output), compression=None)]
    LocalPipelineExecutor(pipeline, tasks=2, workers=1, logging_dir=str(folder / "logs")).run()
    lines = [line for path in sorted(output.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    stats = json.loads((folder / "logs" / "stats.json").read_text("utf-8"))
    return {document["metadata"]["url"]: document["text"] for document in map(json.loads, lines)}, stats[1]["stats"]


@pytest.fixture
def archives(tmp_path):
    folder = tmp_path / "archives"
    folder.mkdir()
    for part in range(2):
        numbers = range(part * 20, part * 20 + 20)
        pages = [record(f"https://example.com/{number}", answer(PAGES[number].encode())) for number in numbers]
        empty = record(f"https://example.com/empty-{part}", answer(b"<!doctype html><html><body></body></html>"))
        write_archive(folder / f"{part}.warc.gz", [*pages, empty])
    return folder


@pytest.mark.slow
@pytest.mark.filterwarnings(RAY_WARNINGS)
@pytest.mark.parametrize("field", ["main_text", "markdown"])
def test_a_pipeline_of_datatrove_has_the_texts_of_an_archive(archives, tmp_path, field):
    pytest.importorskip("datatrove", reason="the extra datatrove is not installed")
    from scrapy_boilerplate.stored.datatrove import MainText

    texts, counts = texts_of([MainText(field, timeout=30)], archives, tmp_path)

    assert texts == {
        f"https://example.com/{number}": getattr(extract(page), field) for number, page in enumerate(PAGES)
    }
    assert (counts["total"], counts["forwarded"], counts["dropped"]) == (42, 40, 2)


@pytest.mark.slow
@pytest.mark.filterwarnings(RAY_WARNINGS)
def test_the_block_stands_in_for_datatroves_own(archives, tmp_path):
    pytest.importorskip("datatrove", reason="the extra datatrove is not installed")
    pytest.importorskip("trafilatura", reason="trafilatura is not installed")
    from datatrove.pipeline.extractors import Trafilatura

    from scrapy_boilerplate.stored.datatrove import MainText

    ours, _ = texts_of([MainText(timeout=30)], archives, tmp_path / "ours")
    theirs, _ = texts_of([Trafilatura(timeout=30)], archives, tmp_path / "theirs")

    assert ours.keys() == theirs.keys()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"field": "authors"}, "field = 'authors': must be one of title"), ({"threshold": 7}, "threshold = 7: must be")],
)
@pytest.mark.filterwarnings(RAY_WARNINGS)
def test_wrong_arguments_of_the_block_are_told_before_the_pipeline_runs(arguments, message):
    pytest.importorskip("datatrove", reason="the extra datatrove is not installed")
    from scrapy_boilerplate.stored.datatrove import MainText

    with pytest.raises(ValueError, match=message):
        MainText(**arguments)


@pytest.mark.skipif(find_spec("datatrove") is not None, reason="datatrove is installed")
def test_without_datatrove_the_block_says_what_to_install():
    with pytest.raises(ImportError, match=r'datatrove is not installed; .*"\.\[datatrove\]"'):
        import scrapy_boilerplate.stored.datatrove  # noqa: F401


@pytest.mark.slow
@pytest.mark.filterwarnings(RAY_WARNINGS)
def test_ray_data_maps_batches(tmp_path):
    ray = pytest.importorskip("ray", reason="ray is not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        pages = ray.data.from_items([{"number": number, "html": page} for number, page in enumerate(PAGES)])
        cleaned = pages.map_batches(
            extract_many, batch_format="pyarrow", batch_size=16, fn_kwargs={"fields": ["main_text", "score"]}
        )
        rows = {row["number"]: row["main_text"] for row in cleaned.take_all()}
    finally:
        ray.shutdown()

    assert rows == dict(enumerate(SENTENCES))


def test_a_dataframe_of_pandas_keeps_its_index():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame({"html": [*PAGES, None]}, index=[f"page {number}" for number in range(41)])

    cleaned = extract_many(frame).to_pandas()

    assert list(cleaned.index) == list(frame.index)
    assert list(cleaned["main_text"][:40]) == SENTENCES
    assert cleaned["error"].iloc[40].startswith("empty")


def test_a_column_of_pandas_is_a_collection_of_pages():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")

    table = extract_many(pandas.Series(PAGES))

    assert table.column("main_text").to_pylist() == SENTENCES


def test_a_dataframe_of_polars_and_its_columns_are_read():
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame = polars.DataFrame({"html": PAGES})

    assert polars.from_arrow(extract_many(frame))["main_text"].to_list() == SENTENCES
    assert extract_many(frame["html"]).column("main_text").to_pylist() == SENTENCES


def test_duckdb_queries_the_table():
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    connection = duckdb.connect()
    connection.execute("create table pages (number integer, html varchar)")
    connection.executemany("insert into pages values (?, ?)", list(enumerate(PAGES)))

    texts = extract_many(connection.sql("select * from pages order by number"))  # noqa: F841  the query reads it
    found = connection.sql("select main_text from texts where number >= 38 order by number").fetchall()

    assert found == [(text,) for text in SENTENCES[38:]]


def test_duckdb_calls_a_function_of_ours():
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    connection = duckdb.connect()
    connection.create_function(
        "main_text", lambda pages: extract_many(pages)["main_text"], ["VARCHAR"], "VARCHAR", type="arrow"
    )
    connection.execute("create table pages as select unnest($1) as html", [PAGES])

    found = connection.sql("select main_text(html) from pages").fetchall()

    assert sorted(found) == sorted((text,) for text in SENTENCES)
