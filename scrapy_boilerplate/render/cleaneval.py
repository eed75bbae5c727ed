"""CleanEval's format: a line with the URL, then the text in segments, marked as headings, paragraphs and list items.

    URL: https://example.org/baths

    <h> Baths to stay open

    <p> The council voted on Tuesday evening to keep the old swimming baths open.

    <l> Repairs to the roof begin in March.

See M. Baroni, F. Chantree, A. Kilgarriff, S. Sharoff, "Cleaneval: a competition for cleaning web pages" (LREC 2008).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lxml import etree

from ..page import Page
from ..segment.kinds import CONTINUATION, HEADING, LIST_ITEM

_MARKS = {HEADING: "<h>", LIST_ITEM: "<l>"}  # all else is a paragraph
_MARK_IN_TEXT = re.compile(r"<(?=[hpl]>)", re.IGNORECASE)


def to_cleaneval(page: Page, kinds: Sequence[str], numbers: Sequence[int], url: str | None) -> str:
    """These blocks in CleanEval's format: a segment is one line, and an empty line stands before each.

    A continuation is put behind the text that it continues. `<p>` in a text becomes `< p>`: no text can begin a
    segment of its own.
    """
    beginnings = _beginnings(kinds)
    segments: list[tuple[str, str]] = []
    last = -1
    for number in numbers:
        text, beginning = page.texts[number], beginnings[number]
        if last >= 0 and beginning == beginnings[last]:
            mark, text_before = segments[-1]
            segments[-1] = mark, text_before + _space(page, last, number) + text
        else:
            segments.append((_MARKS.get(kinds[beginning], "<p>"), text))
        last = number
    lines = [f"{mark} {_MARK_IN_TEXT.sub('< ', _one_line(text))}" for mark, text in segments]
    return "\n\n".join([f"URL: {_one_line(url or '')}".rstrip(), *lines]) + "\n"


def _beginnings(kinds: Sequence[str]) -> list[int]:
    """For each block the one that begins its segment: itself, or the last before it that is no continuation."""
    beginnings: list[int] = []
    for number, kind in enumerate(kinds):
        beginnings.append(beginnings[-1] if kind == CONTINUATION and number else number)
    return beginnings


def _space(page: Page, above: int, below: int) -> str:
    """What stands between two parts of a segment; where a part is left out between them, a blank."""
    space = page.glue[below] if page.glue else None
    return space if space is not None and below == above + 1 else " "


def _one_line(text: str) -> str:
    return " ".join(text.split())


def wrapper_url(root: etree._Element | None) -> str | None:
    """The URL of a page as CleanEval hands it out: wrapped in `<text id="URL" ...>`."""
    body = root.find("body") if root is not None else None
    first = body.find("*") if body is not None else None
    return (first.get("id") or None) if first is not None and first.tag == "text" else None
