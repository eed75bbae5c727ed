"""Tags with so many attributes that libxml2 takes minutes: it compares each attribute of a tag with all before it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

MOST_COMPARISONS = 50_000_000  # half a second: those of one tag with 10,000 attributes

_SHORT = 30_000  # bytes; a shorter page has no room for so many attributes
_SHORTEST = 3  # bytes of an attribute on average, where there are thousands
_LONG = 1024  # bytes of a tag; shorter ones have too few attributes to matter, however many tags there are
_STEP, _IRREGULARITY = 8192, 977  # bytes from one sample of a page to the next
_BEFORE_VALUE = b"= \t\r\n\f"  # one of these stands before the quote that begins a value

_TAG = re.compile(rb"<[a-z]", re.IGNORECASE)
_REST = rb"""[^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*"""  # of a tag, up to the end; it never fails, and never goes back
# A comment, code, or a tag; the last two with what stands behind the tag's name.
_PIECE = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(?:script|style)\b(" + _REST + rb").*?(?:</(?:script|style)|\Z)|<[a-z](" + _REST + rb")",
    re.DOTALL | re.IGNORECASE,
)
_WORD = re.compile(rb"([^\s=/>]+)")
_ATTRIBUTE = re.compile(_WORD.pattern + rb"""(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"']*))?""")
_MOST_READ = 200_000  # attributes of one tag, with those that are there twice


def has_too_many_attributes(body: bytes) -> bool:
    """Whether parsing the page would take too many comparisons of attributes.

    A few samples of the page tell whether there can be such tags. Only then are all long tags looked for, and only if
    there is room in those is the page read tag by tag.
    """
    if len(body) < _SHORT or not _samples_are_suspect(body):
        return False
    stretches = _stretches(body)
    if not _have_room(np.diff(stretches)):
        return False
    suspects = list(_suspects(body, stretches.tolist()))
    if not _have_room(np.array([len(suspect) for suspect in suspects], np.int64)):
        return False
    return _are_too_many(suspects, _WORD) and _are_too_many(_long_tags(body), _ATTRIBUTE)


def _samples_are_suspect(body: bytes) -> bool:
    """Whether the samples in which no tag ends may be of tags with too many attributes.

    The steps between the samples are irregular, so that no repeated tag fits between them.
    """
    comparisons = 0.0
    place = last_end = 0
    while place < len(body):
        step = _STEP + place % _IRREGULARITY
        end = _end_of_tag(body, place, place + _LONG)
        if end < 0:
            begin = max(body.rfind(b">", last_end, place), last_end)
            if not _ends_tag(body, begin, last_end):
                begin = last_end
            end = _end_of_tag(body, place, len(body))
            end = len(body) if end < 0 else end
            tag = _TAG.search(body, begin, end)
            length = end - tag.start() if tag else 0
            # A short one was met by chance: there may be as many as steps.
            comparisons += (length // _SHORTEST) ** 2 / 2 * max(step / max(length, 1), 1)
            if comparisons > MOST_COMPARISONS:
                return True
            place = max(place, end - step)
        last_end = end
        place += step
    return False


def _end_of_tag(body: bytes, start: int, stop: int) -> int:
    """The first ">" of this part that may end a tag; -1 if there is none."""
    end = body.find(b">", start, stop)
    while end >= 0 and not _ends_tag(body, end, start):
        end = body.find(b">", end + 1, stop)
    return end


def _ends_tag(body: bytes, end: int, start: int) -> bool:
    """Whether a ">" may end a tag: it does not if the quote before it begins a value."""
    start = max(start, end - _LONG)
    quote = max(body.rfind(b'"', start, end), body.rfind(b"'", start, end))
    return quote <= 0 or body[quote - 1] not in _BEFORE_VALUE


def _have_room(lengths: NDArray[np.int64]) -> bool:
    """Whether in tags of these lengths there can be too many attributes."""
    return int(np.square(lengths // _SHORTEST).sum()) // 2 > MOST_COMPARISONS


def _are_too_many(tags: Iterable[bytes], name: re.Pattern[bytes]) -> bool:
    comparisons = 0
    for tag in tags:
        names = {match[1] for match in islice(name.finditer(tag), _MOST_READ)}
        comparisons += len(names) * (len(names) - 1) // 2
        if comparisons > MOST_COMPARISONS:
            return True
    return False


def _stretches(body: bytes) -> NDArray[np.int64]:
    """The page's beginning, each ">" that may end a tag, and the page's end; no tag goes beyond one of them."""
    characters = np.frombuffer(body, np.uint8)
    ends = np.flatnonzero(characters == ord(">"))
    for quote in b"\"'":
        quotes = np.flatnonzero(characters == quote)
        if quotes.size:
            is_opening = np.isin(characters[np.maximum(quotes - 1, 0)], list(_BEFORE_VALUE))
            last = quotes.searchsorted(ends) - 1
            ends = ends[(last < 0) | ~is_opening[last]]
    return np.concatenate(([0], ends, [len(body)]))


def _suspects(body: bytes, stretches: list[int]) -> Iterator[bytes]:
    """The long stretches, from where something like a tag begins in them."""
    for begin, end in pairwise(stretches):
        tag = _TAG.search(body, begin, end) if end - begin > _LONG else None
        if tag:
            yield body[tag.end() : end]


def _long_tags(body: bytes) -> Iterator[bytes]:
    """What stands behind the first letter in each tag; what looks like a tag in comments and code is none."""
    for match in _PIECE.finditer(body):
        if match.end() - match.start() > _LONG:
            yield match[1] or match[2] or b""
