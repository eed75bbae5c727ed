"""The report of a crawl: what is in it, how much it keeps, and that no crawl suffers from it."""

from __future__ import annotations

import logging
import re
import shlex
from dataclasses import replace
from urllib.parse import unquote

import pytest
from lxml import html

from scrapy_boilerplate import extract
from scrapy_boilerplate.options import Options
from scrapy_boilerplate.review.report import CrawlReport
from scrapy_boilerplate.review.summary import PageSummary

from ..conftest import spider_over
from ..pages import PAGE, PARAGRAPHS, article

PAGES = (PAGE, article(*PARAGRAPHS[:1], title="Short &amp; &lt;sweet&gt;"), article("Word.", title="A word"))


def report_of(path) -> html.HtmlElement:
    return html.fromstring(path.read_text("utf-8"))


def rows(report) -> list[list[str]]:
    return [
        [" ".join(cell.text_content().split()) for cell in row] for row in report.xpath("//table[@class='pages']//tr")
    ][1:]


@pytest.mark.parametrize("workers", [0, 1])
def test_a_crawl_leaves_a_report_with_the_least_sure_page_first(crawl, tmp_path, workers):
    path = tmp_path / "new" / "report.html"

    result = crawl(spider_over(*PAGES), BOILERPLATE_REPORT=str(path), BOILERPLATE_WORKERS=workers)

    report = report_of(path)
    scores = [float(row[0]) for row in rows(report)]
    assert scores == sorted(round(extract(page, model="numwords").score, 2) for page in PAGES)
    assert {title.text for title in report.xpath("//td/a")} == {"Baths to stay open", "Short & <sweet>", "A word"}
    assert len(result.items) == result.stat("pages/scored") == 3
    assert report.xpath("//table[@class='stats']//tr[th='boilerplate/pages/scored']/td/text()") == ["3"]


def folder_of_month(values, spider):
    return values | {"folder": f"{spider.name}-{values['time'][:7]}"}


def test_the_report_s_path_has_the_placeholders_of_feeds(crawl, tmp_path):
    path = tmp_path / "100% %20 %(folder)s" / "#1 %(name)s %(edition)03d %(time)s %(batch_id)d.html"
    spider = spider_over(PAGE)
    spider.edition = 7

    crawl(spider, BOILERPLATE_REPORT=str(path), FEED_URI_PARAMS=folder_of_month)

    [folder] = tmp_path.iterdir()
    assert re.fullmatch(rf"100% %20 {spider.name}-\d{{4}}-\d\d", folder.name)
    report, views = sorted(folder.iterdir(), key=lambda entry: entry.suffix, reverse=True)
    time = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\+00-00"  # as in the names of feeds
    assert re.fullmatch(rf"#1 {spider.name} 007 {time} 1\.html", report.name)
    [link] = report_of(report).xpath("//td/a/@href")
    assert unquote(link) == f"{views.name}/0001.html"
    assert [row[1][:7] for row in rows(report_of(report))] == ["Baths t"]


@pytest.mark.parametrize("name", ["%(nothing)s.html", "%(name)d.html", "%(name)q.html"])
def test_a_placeholder_without_a_value_stops_the_crawl_at_its_start(crawl, tmp_path, name, caplog):
    with pytest.raises(ValueError, match=r"BOILERPLATE_REPORT.* placeholder"), caplog.at_level(logging.CRITICAL):
        crawl(spider_over(PAGE), BOILERPLATE_REPORT=str(tmp_path / name))


def test_each_page_has_its_highlighted_view(crawl, tmp_path):
    crawl(spider_over(*PAGES), BOILERPLATE_REPORT=str(tmp_path / "report.html"), BOILERPLATE_THRESHOLD=0.6)

    links = report_of(tmp_path / "report.html").xpath("//td/a")
    assert [link.get("href") for link in links] == [f"report_files/000{number}.html" for number in (1, 2, 3)]
    for link in links:
        view = (tmp_path / link.get("href")).read_text("utf-8")
        assert html.fromstring(view).findtext("head/title") == link.text
        assert '"threshold":0.6' in view


def test_the_distributions_count_all_pages_and_blocks(crawl, tmp_path):
    crawl(spider_over(*PAGES), BOILERPLATE_REPORT=str(tmp_path / "report.html"))

    charts = [chart.get("aria-label") for chart in report_of(tmp_path / "report.html").iter("svg")]
    counted = [sum(int(count) for count in re.findall(r": (\d+)", chart)) for chart in charts]
    blocks = sum(len(extract(page, model="numwords").blocks) for page in PAGES)
    assert counted == [3, 3, blocks]


def test_a_report_lists_types_of_pages_where_they_are_known(tmp_path):
    for page_type, head in ((None, 4), ("article", 5)):
        report = CrawlReport(str(tmp_path / "report.html"))
        summary = replace(PageSummary.of(extract(PAGE)), page_type=page_type)
        report.add("http://x.example/", PAGE.encode(), "utf-8", summary, Options())
        report.write("test", {})
        assert len(report_of(tmp_path / "report.html").xpath("//table[@class='pages']/thead//th")) == head
    assert report_of(tmp_path / "report.html").xpath("//td[@data-type]/text()") == ["article"]


def test_a_report_says_how_to_label_its_first_pages(tmp_path):
    report = CrawlReport(str(tmp_path / "report.html"))
    summary = PageSummary.of(extract(PAGE))
    urls = [f"http://x.example/{number}?a=$(b)&c='" for number in range(12)]
    for url in ("data:text/html,x", "http://x.example/a b", "http://x.example/a\nb", *urls):
        report.add(url, PAGE.encode(), "utf-8", summary, Options())
    report.write("test", {})

    [command] = report_of(tmp_path / "report.html").xpath("//pre[@id='command']/text()")
    assert shlex.split(command) == ["scrapy", "boilerplate", "label", *urls[:10]]
    assert len(command.splitlines()) == 1


def test_views_lead_back_to_their_report(tmp_path):
    report = CrawlReport(str(tmp_path / "#1 a%20b.html"))
    report.add("http://x.example/", PAGE.encode(), "utf-8", PageSummary.of(extract(PAGE)), Options())
    report.write("test", {})

    view = (tmp_path / "#1 a%20b_files/0001.html").read_text("utf-8")
    assert '"back":"../%231%20a%2520b.html"' in view


def test_without_the_setting_there_is_no_report(crawl, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    crawl(spider_over(PAGE))

    assert list(tmp_path.iterdir()) == []


def test_a_report_that_can_t_be_written_costs_the_crawl_nothing(crawl, tmp_path, caplog):
    (tmp_path / "file").write_text("")

    result = crawl(spider_over(*PAGES), BOILERPLATE_REPORT=str(tmp_path / "file" / "report.html"))

    assert [bool(item["main_text"]) for item in result.items] == [True, False, False]
    assert sum(value for name, value in result.stats.items() if name.startswith("boilerplate/errors/")) == 1
    assert "Could not write the report" in caplog.text


def test_a_page_that_can_t_be_added_costs_no_item(crawl, tmp_path, monkeypatch, caplog):
    def fail(*arguments):
        raise RuntimeError("no room")

    monkeypatch.setattr(CrawlReport, "add", fail)

    result = crawl(spider_over(PAGE), BOILERPLATE_REPORT=str(tmp_path / "report.html"))

    assert result.items[0]["main_text"]
    assert result.stat("errors/RuntimeError") == 1


@pytest.mark.parametrize("value", [7, "."])
def test_a_report_that_is_no_file_stops_the_crawl_at_its_start(crawl, value, caplog):
    with pytest.raises(ValueError, match="BOILERPLATE_REPORT"), caplog.at_level(logging.CRITICAL):
        crawl(spider_over(PAGE), BOILERPLATE_REPORT=value)


def add(report: CrawlReport, number: int, words: int, filler: bytes = b"") -> None:
    page = f"<title>page {number}</title><p>{'word ' * words}</p>".encode()
    options = Options(model="numwords")
    report.add(f"http://x/{number}", page + filler, "utf-8", PageSummary.of(extract(page, model="numwords")), options)


def test_only_the_least_sure_pages_are_listed_and_kept(tmp_path):
    report = CrawlReport(str(tmp_path / "report.html"), listed=5, views=2)
    for number in range(20):
        add(report, number, words=100 - number)

    report.write("test", {})

    listed = rows(report_of(tmp_path / "report.html"))
    assert [row[1].split()[1] for row in listed] == [
        "19http://x/19",
        "18http://x/18",
        "17http://x/17",
        "16http://x/16",
        "15http://x/15",
    ]
    assert "20 pages cleaned; the 5 least sure are listed; 2 with a view." in (tmp_path / "report.html").read_text()
    assert sorted(path.name for path in (tmp_path / "report_files").iterdir()) == ["0001.html", "0002.html"]


def test_the_pages_kept_are_bounded_in_bytes_too(tmp_path):
    report = CrawlReport(str(tmp_path / "report.html"), most_bytes=1000)
    noise = bytes(range(32, 127)) * 9
    for number in range(50):
        add(report, number, words=100 - number, filler=noise)
        assert report._bytes == sum(len(entry[2].compressed) for entry in report._stored) <= 1000
    assert 1 <= len(report._stored) < 20


def test_a_page_without_text_is_listed_without_a_view(crawl, tmp_path):
    crawl(
        spider_over("<title>Nothing</title><script>1</script>", PAGE), BOILERPLATE_REPORT=str(tmp_path / "report.html")
    )

    report = report_of(tmp_path / "report.html")
    assert [row[1][:7] for row in rows(report)] == ["Nothing", "Baths t"]
    assert len(report.xpath("//td/a")) == 1
