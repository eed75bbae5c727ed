"""The headline: what most of a page's own names for itself agree on."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from lxml import etree

_SEPARATOR = re.compile(r"\s+[|–—·•»«:/⋆-]{1,2}\s+|\s*[|»]\s*|:\s+(?=[^:]*$)")
_WORD = re.compile(r"\w+")
_LONGEST = 500
_MOST_HEADINGS = 20


def text_of(element: etree._Element) -> str:
    """The text of a heading, with blanks where a line ends."""
    pieces = []
    characters = 0
    for piece in islice(element.itertext(), 100):
        pieces.append(piece)
        characters += len(piece)
        if characters > 4 * _LONGEST:
            break
    return " ".join("".join(pieces)[: 4 * _LONGEST].split())[:_LONGEST].strip("¶# ")


def words_of(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.lower()))


def similarity(one: Counter[str], other: Counter[str]) -> float:
    """The share of words that two texts have in common, 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def without_site(title: str, site_names: Sequence[str], confirmed: Sequence[Counter[str]] = ()) -> str:
    """A title without the name of its site before or after it."""
    parts = _SEPARATOR.split(title)
    if len(parts) == 1:
        return title
    starts = [match.end() for match in _SEPARATOR.finditer(title)]
    ends = [match.start() for match in _SEPARATOR.finditer(title)]
    runs = [
        title[start:end].strip()
        for start in [0, *starts]
        for end in [*ends, len(title)]
        if start < end and (start == 0 or end == len(title))
    ]
    runs = [run for run in runs if run]
    best = max(runs, key=lambda run: max((similarity(words_of(run), words) for words in confirmed), default=0.0))
    if any(similarity(words_of(best), words) >= 0.8 for words in confirmed):
        return best
    first, last = 0, len(parts)
    while last - first > 1 and _is_site(parts[last - 1], site_names):
        last -= 1
    while last - first > 1 and _is_site(parts[first], site_names):
        first += 1
    if (first, last) == (0, len(parts)):
        last = 1 if len(words_of(parts[0])) > 1 else last
    start, end = [0, *starts][first], [*ends, len(title)][last - 1]
    return title[start:end].strip()


def _is_site(part: str, site_names: Sequence[str]) -> bool:
    key = "".join(filter(str.isalnum, part.casefold()))
    return not key or any(key == site or (len(key) > 3 and len(site) > 3 and (key in site or site in key)) for site in site_names)


def choose_headline(
    headings: Sequence[etree._Element],
    declared: Sequence[str],
    title: str,
    site_names: Sequence[str],
) -> tuple[str | None, etree._Element | None]:
    """The headline, and the element that shows it if there is one.

    `declared` are headlines that the page gives apart from its `<title>`, the surest first.
    """
    shown = [(element, text) for element in headings[:_MOST_HEADINGS] if (text := text_of(element))]
    words = [words_of(text) for _, text in shown]
    titles = [without_site(text[:_LONGEST], site_names, words) for text in (*declared, title) if text]
    counts = [words_of(text) for text in titles]
    best, support = None, 0.0
    for (element, text), own in zip(shown, words, strict=True):
        agreed = max((similarity(own, other) for other in counts), default=0.0)
        if agreed > support:
            best, support = (text, element), agreed
    if best and support >= 0.5:
        return best
    if titles:
        return titles[0], shown[0][0] if len(shown) == 1 else None
    if len(shown) == 1:
        return shown[0][1], shown[0][0]
    return None, None
