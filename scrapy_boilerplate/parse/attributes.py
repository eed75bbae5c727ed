"""Tags with so many attributes that libxml2 takes minutes: it compares each attribute of a tag with all before it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

MOST_COMPARISONS = 50_000_000  # half a second: those of one tag with 10,000 attributes

_SHORT = 30_000  # bytes; a shorter page has no room for so many attributes
_SHORTEST = 3  # bytes of an attribute on average, where there are thousands
# So often a page is looked at, and so far: where a tag ends within the window, the place is in no long tag.
_STEP, _WINDOW = 8192, 1024

_TAG = re.compile(rb"<[a-z]", re.IGNORECASE)
_REST = rb"""[^"'>]*(?:(?:"[^"]*"|'[^']*')[^"'>]*)*"""  # of a tag, up to the end; it never fails, and never goes back
# A comment, code, or a tag; the last two with what stands behind the tag's name.
_PIECE = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(?:script|style)\b(" + _REST + rb").*?(?:</(?:script|style)|\Z)|<[a-z](" + _REST + rb")",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(rb"""([^\s=/"']+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"']*))?""")
_MOST_READ = 200_000  # attributes of one tag, with those that are there twice


def has_too_many_attributes(body: bytes) -> bool:
    """Whether parsing the page would take too many comparisons of attributes.

    A cheap look finds what may be such tags; only where there are any, the page is read tag by tag. A tag in which
    there is a ">" every few hundred bytes, in the values of attributes, is not found.
    """
    if len(body) < _SHORT:
        return False
    suspects = list(_suspects(body))
    if sum((len(suspect) // _SHORTEST) ** 2 for suspect in suspects) // 2 <= MOST_COMPARISONS:
        return False
    return _are_too_many(suspects) and _are_too_many(_long_tags(body))


def _are_too_many(tags: Iterable[bytes]) -> bool:
    comparisons = 0
    for tag in tags:
        names = {match[1] for match in islice(_ATTRIBUTE.finditer(tag), _MOST_READ)}
        comparisons += len(names) * (len(names) - 1) // 2
        if comparisons > MOST_COMPARISONS:
            return True
    return False


def _suspects(body: bytes) -> Iterator[bytes]:
    """Long stretches without a ">", from where something like a tag begins in them."""
    place = begin = 0
    while place < len(body):
        if body.find(b">", place, place + _WINDOW) < 0:
            begin = max(begin, body.rfind(b">", begin, place) + 1)
            end = body.find(b">", place)
            end = len(body) if end < 0 else end
            tag = _TAG.search(body, begin, end)
            if tag and end - tag.start() > _WINDOW:
                yield body[tag.end() : end]
            place = begin = end
        place += _STEP


def _long_tags(body: bytes) -> Iterator[bytes]:
    """What stands behind the first letter in each tag; what looks like a tag in comments and code is none."""
    for match in _PIECE.finditer(body):
        if match.end() - match.start() > _WINDOW:
            yield match[1] or match[2] or b""
