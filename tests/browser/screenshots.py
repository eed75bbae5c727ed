"""The screenshots of the documentation: `python -m tests.browser.screenshots docs/how-to`."""

from __future__ import annotations

import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from scrapy_boilerplate import extract
from scrapy_boilerplate.options import Options
from scrapy_boilerplate.review.report import CrawlReport
from scrapy_boilerplate.review.summary import PageSummary
from scrapy_boilerplate.review.view import highlighted

from .conftest import CHROMIUM

SITE = Path(__file__).parents[2] / "example_project/newsroom/site"
ADDRESS = "https://gazette.example/"
SIZE = {"width": 1200, "height": 760}
COLOURS = 256  # half of the bytes


def view(path: Path) -> None:
    """The view of a page of the example project, with its style sheet."""
    file = SITE / "news/ferry-timetable.html"
    sheets = {f"{ADDRESS}style.css": (SITE / "style.css").read_text("utf-8")}
    url = ADDRESS + file.relative_to(SITE).as_posix()
    path.write_text(highlighted(file.read_bytes(), url, Options(), url=url, sheets=sheets), "utf-8")


def report(path: Path) -> None:
    """The report of a crawl of the example project's site."""
    pages = CrawlReport(str(path))
    for file in sorted(SITE.glob("*/*.html")):
        body = file.read_bytes()
        url = ADDRESS + file.relative_to(SITE).as_posix()
        pages.add(url, body, None, PageSummary.of(extract(body)), Options())
    pages.write("news", {})


def shoot(browser: Browser, page: Path, picture: Path) -> None:
    tab = browser.new_page(viewport=SIZE)
    tab.goto(page.as_uri())
    tab.wait_for_timeout(1000)  # until the page in its frame is shown
    shown = Image.open(BytesIO(tab.screenshot()))
    shown.quantize(COLOURS).save(picture, optimize=True)
    tab.close()


def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as made, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM)
        for make in (view, report):
            page = Path(made) / f"{make.__name__}.html"
            make(page)
            shoot(browser, page, folder / f"{make.__name__}.png")
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
