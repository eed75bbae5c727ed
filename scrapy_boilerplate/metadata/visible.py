"""Bylines and datelines: what stands beside a page's headline for people to read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from lxml import etree

from .dates import date_in_text, declared_date, today
from .names import declared_names, is_name, looks_like_a_name, without_by

_MOST_ELEMENTS = 200  # that are read after the headline, and before it
_MOST_PIECES = 60
_MOST_TEXT = 1_500  # characters after the headline; the byline stands before the article's text or nowhere
_MOST_ANCESTORS = 12
_LONGEST_BYLINE = 200
_LONGEST_DATELINE = 80
_SKIPPED = frozenset("script style svg nav noscript select form button template iframe textarea video audio".split())

USER, AUTHOR, DATE, OTHER = "user", "author", "date", "other"

_USER_CLASS = re.compile(r"user-?_?name|p-author|author-?_?name|authorname|fn\b|nickname|screen-?name|post-?_?author\b", re.I)
_AUTHOR_CLASS = re.compile(r"author|byline|writer|posted-?_?by|creator|contributor|(?:^|[\s_-])by(?:$|[\s_-])|autor|auteur", re.I)
_DATE_CLASS = re.compile(r"date|publi(?:sh|c)|posted|pubdate|timestamp|(?:^|[\s_-])time(?:$|[\s_-])|fecha|datum", re.I)
_OTHER_CLASS = re.compile(
    r"comment|related|share|social|avatar|bio|breadcrumb|categor|sidebar|widget|newsletter|recommend|caption|"
    r"desc|job|role|position|reading|(?:^|[\s_-])(?:tags?|menu|nav|cat|toc)(?:$|[\s_-])",
    re.I,
)
_AUTHOR_ADDRESS = re.compile(
    r"/(?:authors?|autor(?:es|en)?|auteurs?|contributors?|people|profiles?|users?|members?|writers?|staff|columnists?|reporters?|bio|by|experts?)"
    r"/(?:[^/?#]+)/?(?:[?#]|$)|/@[\w.-]+/?(?:$|\?)|[?&]author=", re.I
)
_CONNECTOR = re.compile(r"\s*(?:,|&|\+|/|,?\s*(?:and|und|et|y|e|en|og|och|ja|i|и))\s*", re.I)
_MODIFIED = re.compile(
    r"updat|modif|edited|revis|aktualis|geändert|actuali[sz]|mis à jour|màj|aggiornat|atualizad|bijgewerkt|uppdaterad|opdatere|oppdater"
    r"|обновл|изменен|aktualizac|zaktual|更新|güncelle|diperbarui|reviewed|last checked", re.I
)
_NOT_PUBLISHED = re.compile(r"©|\bcopyright\b|\bjoined\b|\bborn\b|\bdeadline\b|\bexpires?\b|\bmember since\b|\buntil\b|\bvalid\b", re.I)


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text, and what the elements around it say that it is."""

    text: str
    mark: str | None
    element: etree._Element


def pieces_beside(heading: etree._Element) -> list[Piece]:
    """The texts after a headline, then those before it, nearest first."""
    after = _limited(chain.from_iterable(map(_pieces, islice(_following(heading), _MOST_ELEMENTS))))
    before = _limited(chain.from_iterable(reversed(_pieces_list(node)) for node in _preceding(heading)))
    return [*after, *before[:20]]


def _following(element: etree._Element) -> Iterator[etree._Element]:
    for node in [element, *islice(element.iterancestors(), _MOST_ANCESTORS)]:
        yield from node.itersiblings()


def _preceding(element: etree._Element) -> Iterator[etree._Element]:
    for node in [element, *islice(element.iterancestors(), 3)]:
        yield from islice(node.itersiblings(preceding=True), 5)


def _pieces_list(element: etree._Element) -> list[Piece]:
    return list(islice(_pieces(element), _MOST_PIECES))


def _limited(pieces: Iterator[Piece]) -> list[Piece]:
    kept: list[Piece] = []
    characters = 0
    for piece in islice(pieces, _MOST_PIECES):
        kept.append(piece)
        characters += len(piece.text)
        if characters > _MOST_TEXT:
            break
    return kept


def _pieces(root: etree._Element) -> Iterator[Piece]:
    """The texts of an element and its tail, in document order."""
    marks: list[str | None] = [None]
    walker = etree.iterwalk(root, events=("start", "end"))
    for count, (event, node) in enumerate(walker):
        if count > 2 * _MOST_ELEMENTS:
            return
        if event == "start":
            if node.tag in _SKIPPED:
                walker.skip_subtree()
                marks.append(OTHER)
                continue
            marks.append(mark_of(node) or marks[-1])
            text = node.text
            if node.tag == "time" and node.get("datetime"):
                yield Piece(node.get("datetime")[:100], DATE, node)
        else:
            marks.pop()
            text = node.tail
        if text and (text := " ".join(text[:_MOST_TEXT].split())):
            yield Piece(text, marks[-1], node)


def mark_of(element: etree._Element) -> str | None:
    """What an element's attributes say that it holds."""
    get = element.get
    if element.tag == "time":
        return DATE
    rel, itemprop = get("rel"), get("itemprop")
    if (rel and "author" in rel.lower().split()) or itemprop in ("author", "creator"):
        return USER
    if itemprop in ("datePublished", "dateCreated", "dateModified"):
        return DATE
    names = (get("class") or "") + " " + (get("id") or "") + " " + (get("data-testid") or "")
    if len(names) > 2:
        names = names[:300]
        if _USER_CLASS.search(names):
            return USER
        if _OTHER_CLASS.search(names):
            return OTHER
        if _AUTHOR_CLASS.search(names):
            return AUTHOR
        if _DATE_CLASS.search(names):
            return DATE
    if element.tag == "a" and _AUTHOR_ADDRESS.search((get("href") or "")[:300]):
        return USER
    return None


def byline(pieces: list[Piece], not_authors: Collection[str]) -> tuple[str, ...]:
    """The authors that stand beside the headline; () if it isn't sure."""
    for number, piece in enumerate(pieces):
        if piece.mark == OTHER or len(piece.text) > _LONGEST_BYLINE:
            continue
        rest, has_by = without_by(piece.text)
        marked = piece.mark in (USER, AUTHOR)
        if not has_by and not marked:
            continue
        position = number
        if not rest.strip(" :|-–—") and number + 1 < len(pieces):  # the name is in the next element
            position, rest = number + 1, pieces[number + 1].text
            if pieces[position].mark == OTHER:
                continue
        found = _names(rest, not_authors, strict=piece.mark != USER and pieces[position].mark != USER)
        if not found:
            continue
        while position + 2 < len(pieces) and _CONNECTOR.fullmatch(pieces[position + 1].text):
            position += 2
            found += _names(pieces[position].text, not_authors, strict=True)
        return tuple(dict.fromkeys(found))
    return ()


def _names(text: str, not_authors: Collection[str], strict: bool) -> tuple[str, ...]:
    names = declared_names([text], not_authors)
    if strict:
        names = tuple(name for name in names[:1] if looks_like_a_name(name)) + tuple(
            name for name in names[1:] if looks_like_a_name(name) and len(name.split()) > 1
        )
    return tuple(name for name in names if is_name(name, not_authors))


def datelines(pieces: list[Piece], language: str | None) -> tuple[str | None, str | None]:
    """When the page was published and modified by the dates beside its headline."""
    published = modified = None
    label = ""
    for piece in pieces:
        text = piece.text
        if piece.mark == OTHER or len(text) > _LONGEST_DATELINE or _NOT_PUBLISHED.search(text):
            label = ""
            continue
        is_time = piece.element.tag == "time" and piece.mark == DATE
        found = declared_date(text, language) if is_time else date_in_text(text, language)
        if found and found[:10] != today().isoformat():
            if _MODIFIED.search(label + text):
                modified = modified or found
            else:
                published = published or found
        label = text if not found else ""
    return published, modified
