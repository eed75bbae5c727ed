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

from ..page import Page
from ..segment.kinds import CONTINUATION, HEADING, LIST_ITEM

_MARKS = {HEADING: "<h>", LIST_ITEM: "<l>"}  # all else is a paragraph
_MARK_IN_TEXT = re.compile(r"<(?=[hpl]>)", re.IGNORECASE)


def to_cleaneval(page: Page, kinds: Sequence[str], numbers: Sequence[int], url: str | None) -> str:
    """Return these blocks in CleanEval's format: each segment is one line, with an empty line before it.

    A continuation is appended to the text that it continues. `<p>` in a text becomes `< p>`, so that no text can begin
    a segment.
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
    """Map each block to the one that begins its segment: itself, or the last one that is no continuation."""
    beginnings: list[int] = []
    for number, kind in enumerate(kinds):
        beginnings.append(beginnings[-1] if kind == CONTINUATION and number else number)
    return beginnings


def _space(page: Page, above: int, below: int) -> str:
    """Return the white space between two parts of a segment; a blank if a part is left out between them."""
    space = page.glue[below] if page.glue else None
    return space if space is not None and below == above + 1 else " "


def _one_line(text: str) -> str:
    return " ".join(text.split())
