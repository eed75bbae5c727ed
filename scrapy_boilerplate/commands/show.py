"""`scrapy boilerplate URL-or-file --view`: show the page in the browser, with its blocks marked."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from collections.abc import Mapping
from pathlib import Path

from scrapy.http import Response

from ..options import Options
from ..review.view import highlighted
from .mistakes import tell


def show(
    name: str,
    page: bytes | Response,
    options: Options,
    output: str | None,
    sheets: Mapping[str, str],
    url: str | None,
) -> int:
    """Write the view to a file, and open it unless the user named the file. Return the exit code."""
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
