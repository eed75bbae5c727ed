"""Tags with so many attributes that libxml2 takes minutes, because it compares each one with all others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from .. import _core

MOST_COMPARISONS = 50_000_000  # half a second: those of one tag with 10,000 attributes

_SHORT = 30_000  # bytes; a shorter page has no room for so many attributes
_SHORTEST = 3  # bytes of an attribute on average, where there are thousands
_LONG = 1024  # bytes of a tag; shorter ones have too few attributes to matter, however many tags there are
_STEP, _IRREGULARITY = 8192, 977  # bytes from one sample of a page to the next
_BEFORE_VALUE = b"= \t\r\n\f"  # one of these stands before the quote that begins a value

_TAG = re.compile(rb"<[a-z]", re.IGNORECASE)
_REST = rb"""[^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*"""  # the rest of a tag; this never fails and never backtracks
# A comment, a script, or a tag; groups 1 and 2 are the attributes.
_PIECE = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(?:script|style)\b(" + _REST + rb").*?(?:</(?:script|style)|\Z)|<[a-z](" + _REST + rb")",
    re.DOTALL | re.IGNORECASE,
)
_SEPARATED = bytes.maketrans(b"=/>\"'", b"     ")  # leaves at least as many words as there are attributes
_ATTRIBUTE = re.compile(rb"""([^\s=/>]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"']*))?""")
_MOST_READ = 200_000  # attributes of one tag, with those that are there twice


def has_too_many_attributes(body: bytes) -> bool:
    """Whether parsing this page would compare too many attributes.

    A few samples rule out most pages. For the rest all long tags are found, and only if these have room for too many
    attributes are the attributes counted.
    """
    if len(body) < _SHORT:
        return False
    if _core.is_ready():
        if not _core.shim.may_have_too_many_attributes(body):
            return False
    elif not _samples_are_suspect(body):
        return False
    stretches = _stretches(body)
    if not _have_room(np.diff(stretches)):
        return False
    suspects = list(_suspects(body, stretches.tolist()))
    if not _have_room(np.array([len(suspect) for suspect in suspects], np.int64)):
        return False
    words = (len(set(suspect.translate(_SEPARATED).split())) for suspect in suspects)
    return _are_too_many(words) and _are_too_many(map(_count_attributes, _long_tags(body)))


def _samples_are_suspect(body: bytes) -> bool:
    """Whether samples in which no tag ends may belong to tags with too many attributes.

    The steps between samples are irregular, so that a page of equal tags can't hide them.
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
            # Short tags are sampled by chance: assume that the whole step is full of them.
            comparisons += (length // _SHORTEST) ** 2 / 2 * max(step / max(length, 1), 1)
            if comparisons > MOST_COMPARISONS:
                return True
            place = max(place, end - step)
        last_end = end
        place += step
    return False


def _end_of_tag(body: bytes, start: int, stop: int) -> int:
    """Find the first ">" between two places that may end a tag; -1 if there is none."""
    end = body.find(b">", start, stop)
    while end >= 0 and not _ends_tag(body, end, start):
        end = body.find(b">", end + 1, stop)
    return end


def _ends_tag(body: bytes, end: int, start: int) -> bool:
    """Whether this ">" may end a tag: not if the quote before it begins a value."""
    start = max(start, end - _LONG)
    quote = max(body.rfind(b'"', start, end), body.rfind(b"'", start, end))
    return quote <= 0 or body[quote - 1] not in _BEFORE_VALUE


def _have_room(lengths: NDArray[np.int64]) -> bool:
    """Whether tags of these lengths have room for too many attributes."""
    return int(np.square(lengths // _SHORTEST).sum()) // 2 > MOST_COMPARISONS


def _are_too_many(counts: Iterable[int]) -> bool:
    """Whether tags with so many different attributes take too many comparisons."""
    comparisons = 0
    for count in counts:
        comparisons += count * (count - 1) // 2
        if comparisons > MOST_COMPARISONS:
            return True
    return False


def _count_attributes(tag: bytes) -> int:
    return len({match[1] for match in islice(_ATTRIBUTE.finditer(tag), _MOST_READ)})


def _stretches(body: bytes) -> NDArray[np.int64]:
    """The places of the page's start, of each ">" that may end a tag, and of the page's end."""
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
    """Long stretches without the end of a tag, from their first tag on."""
    for begin, end in pairwise(stretches):
        tag = _TAG.search(body, begin, end) if end - begin > _LONG else None
        if tag:
            yield body[tag.end() : end]


def _long_tags(body: bytes) -> Iterator[bytes]:
    """The attributes of each long tag; tags in comments and scripts don't count."""
    for match in _PIECE.finditer(body):
        if match.end() - match.start() > _LONG:
            yield match[1] or match[2] or b""
