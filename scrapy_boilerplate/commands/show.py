"""`scrapy boilerplate URL-or-file --view`: show the page in the browser, with its blocks marked."""

from __future__ import annotations

import sys
import tempfile
import time
import webbrowser
from collections.abc import Mapping
from pathlib import Path

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response, TextResponse

from ..options import Options
from ..review.sheets import MOST_BYTES, sheet_addresses
from ..review.view import highlighted
from .mistakes import tell

_SHEETS_SECONDS = 15  # for all style sheets of a page


def show(
    name: str, page: bytes | Response, options: Options, output: str | None, sheets: Mapping[str, str] | None = None
) -> int:
    """Write the view to a file, and open it unless the user named the file. Return the exit code."""
    url = page.url if isinstance(page, Response) else None
    try:
        html = highlighted(page, name, options, url=url, sheets=sheets)
    except ValueError as error:
        tell(str(error))
        return 1
    path = Path(output) if output else Path(tempfile.mkdtemp(prefix="boilerplate-")) / "page.html"
    path.write_text(html, encoding="utf-8", errors="backslashreplace")
    print(path)
    if not output and not webbrowser.open(path.resolve().as_uri()):
        print("no browser was found: open the file yourself", file=sys.stderr)
    return 0


async def fetch_sheets(crawler: Crawler, response: Response) -> dict[str, str]:
    """Fetch the page's style sheets like the page itself, except those that fail or take too long."""
    assert crawler.engine is not None
    sheets: dict[str, str] = {}
    deadline = time.monotonic() + _SHEETS_SECONDS
    for address in sheet_addresses(response, response.url):
        left = deadline - time.monotonic()
        if left <= 0:
            break
        meta = {"download_timeout": left, "download_maxsize": MOST_BYTES, "dont_retry": True}
        try:
            sheet = await crawler.engine.download_async(Request(address, meta=meta, headers={"Referer": response.url}))
        except Exception:  # best-effort: the page can be shown without it
            continue
        if isinstance(sheet, TextResponse) and sheet.status == 200:
            sheets[address] = sheet.text
    return sheets
