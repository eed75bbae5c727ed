"""Recovery of pages whose text is swallowed by an element, a comment or a quote that never ends."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from itertools import islice
from typing import Any

from lxml import etree

from .. import _core
from ..segment.limits import MOST_ELEMENTS
from ..segment.tags import CONTROL, DROPPED, effect_of

_HARDLY_ANY = 250  # characters
_LEAST = 60  # characters that the second tree must have at least
_TIMES_MORE = 4

# Elements whose content is raw text, and tags that occur in there only if the end is missing.
_RAW_TEXT = re.compile(rb"<(title|style|script|textarea|iframe|noembed)\b[^<>]*>", re.IGNORECASE)
_RAW_TEXT_ENDS = {
    name: re.compile(rb"<(/?)" + name + rb"\b", re.IGNORECASE)
    for name in (b"title", b"style", b"script", b"textarea", b"iframe", b"noembed")
}
_ANY_TAG = re.compile(rb"</?[a-z]", re.IGNORECASE)
_BLOCKS = rb"header|main|article|section|nav|div|center|p|h[1-6]|table|ul|ol|form"
_PAGE_TAG = re.compile(rb"</?(?:html|head|body|meta|link|script|style|" + _BLOCKS + rb")(?:[\s/>]|\Z)", re.IGNORECASE)
# Elements that are skipped with all their content.
_PASSED_OVER = re.compile(
    rb"<(/?)(audio|canvas|datalist|map|meter|object|optgroup|option|progress|select|svg|template|video)\b[^<>]*>",
    re.IGNORECASE,
)
_BODY_BEGINS = re.compile(
    rb"<(script|style|title|textarea|template|svg|select|object|video|audio)\b.*?(?:</\1|\Z)|<!--.*?(?:-->|\Z)"
    rb"|(?P<tag><(?:body|" + _BLOCKS + rb")[\s/>])",
    re.IGNORECASE | re.DOTALL,
)
_FRAME_TAGS = re.compile(rb"</?(?:frameset|frame|noframes)\b[^<>]*>", re.IGNORECASE)
_OUTER_TAGS = re.compile(rb"<(?:html|/?head)\b[^<>]*>?", re.IGNORECASE)
_BODY_TAG = re.compile(rb"<body\b[^<>]*>?", re.IGNORECASE)
_MARKUP = re.compile(rb"<(script|style)\b.*?(?:</\1|\Z)|<!--.*?(?:-->|\Z)|<[^<>]*>|\s+", re.IGNORECASE | re.DOTALL)


def has_hardly_any_text(root: etree._Element | None, body: bytes) -> bool:
    """Whether the tree has hardly any text although the page has bytes enough for more."""
    return len(body) > _LEAST and _characters(root, _HARDLY_ANY) < _HARDLY_ANY


def without_swallowers(body: bytes) -> bytes | None:
    """Remove what may have swallowed the text of a page; None if there is no text to recover.

    Unclosed elements and comments are closed or lose their tags. The tags of `<html>` and `<head>` are removed, and the
    head ends where the body or the first block begins.
    """
    body = _with_comments_ended(body)
    body = _with_raw_text_ended(body)
    body = _without_unbalanced(body)
    body = _FRAME_TAGS.sub(b"", body)
    body = _OUTER_TAGS.sub(b"", body)
    body = _BODY_TAG.sub(_without_open_quote, body)
    body = _with_head_ended(body)
    return body if len(_MARKUP.sub(b"", body)) >= _LEAST else None


def is_better(again: etree._Element | None, root: etree._Element | None) -> bool:
    """Whether the second tree has so much more text that the first one must have lost it."""
    wanted = max(_LEAST, _TIMES_MORE * _characters(root, _HARDLY_ANY))
    return _characters(again, wanted) >= wanted


def _characters(root: etree._Element | None, most: int) -> int:
    """Count visible characters up to `most`, which on most pages takes a few texts only.

    Elements count that would be read later: the first ones of a page that is too long.
    """
    if root is None:
        return 0
    if _core.is_ready():
        with suppress(UnicodeDecodeError):  # lone surrogates; lxml can't read them either
            return _core.shim.visible_characters(root, most, 2 * MOST_ELEMENTS)
    count = 0
    walk: Any = etree.iterwalk(root, events=("start", "end", "comment", "pi"))  # the stubs lack skip_subtree()
    for event, element in islice(walk, 2 * MOST_ELEMENTS):  # a start and an end each
        if event != "start":
            text = element.tail
        elif effect_of(element.tag, set())[0] in (CONTROL, DROPPED):
            walk.skip_subtree()
            continue
        else:
            text = element.text
        if text:
            count += len("".join(text[: 4 * most].split()))
            if count >= most:
                return most
    return count


def _with_comments_ended(body: bytes) -> bytes:
    last_end = max(body.rfind(b"-->"), body.rfind(b"--!>"), 0)
    return body[:last_end] + body[last_end:].replace(b"<!--", b"")


def _with_raw_text_ended(body: bytes) -> bytes:
    """Close each unclosed raw text element before the next tag that belongs to the page.

    A title contains no tags. Others may contain some, if they end before another one of their name begins.
    """
    pieces: list[bytes] = []
    done = place = 0
    while element := _RAW_TEXT.search(body, place):
        name = element[1].lower()
        next_tag = _RAW_TEXT_ENDS[name].search(body, element.end())
        place = next_tag.start() if next_tag else len(body)
        is_ended = next_tag is not None and next_tag[1] == b"/"
        if name == b"title":
            swallowed = _ANY_TAG.search(body, element.end())
        else:
            swallowed = None if is_ended else _PAGE_TAG.search(body, element.end(), place)
        if swallowed:
            place = swallowed.start()
            pieces += body[done:place], b"</" + name + b">"
            done = place
    return b"".join((*pieces, body[done:]))


def _without_unbalanced(body: bytes) -> bytes:
    open_tags: Counter[bytes] = Counter()
    for tag in _PASSED_OVER.finditer(body):
        if not tag[0].endswith(b"/>"):
            open_tags[tag[2].lower()] += -1 if tag[1] else 1
    return _PASSED_OVER.sub(lambda tag: b"" if open_tags[tag[2].lower()] > 0 else tag[0], body)


def _with_head_ended(body: bytes) -> bytes:
    for match in _BODY_BEGINS.finditer(body):
        if match["tag"]:
            return body[: match.start()] + b"</head>" + body[match.start() :]
    return body


def _without_open_quote(tag: re.Match[bytes]) -> bytes:
    return b"<body>" if tag[0].count(b'"') % 2 or tag[0].count(b"'") % 2 or not tag[0].endswith(b">") else tag[0]
