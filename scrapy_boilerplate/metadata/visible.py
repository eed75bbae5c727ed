"""Bylines and datelines: the authors and dates that stand beside a headline for people to read."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import islice

from lxml import etree

from .bylines import names_no_author, without_by
from .dates import date_in_text, declared_date, today
from .marks import AUTHOR, USER, is_about_others
from .names import declared_names, is_no_name, is_person, looks_like_a_name
from .surroundings import Piece

_LONGEST_BYLINE = 200
_LONGEST_NAME = 100
_LONGEST_DATELINE = 80
_MOST_SHOWN = 12  # authors in a byline
_MOST_BETWEEN = 6  # texts between a headline and a name that nothing marks
_MOST_PARTS = 4  # of a text with bars or dots between its parts
_MOST_ANCESTORS = 8
_MOST_LINKS = 5_000
_MANY = 3  # linked headings, of pages that list others
_HEADINGS = frozenset({"h2", "h3", "h4", "h5"})

_FULL_NAME = re.compile(r"\S{2,20} (?:\S{1,2} )?\S{2,20}")
_BAR = re.compile(r"\s*[|•·]\s*")
_CONNECTOR = re.compile(r"\s*(?:,|&|\+|/|,?\s*(?:and|und|et|y|e|en|og|och|ja|i|и))\s*", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19|2[05])\d\d(?!\d)")
_MODIFIED = re.compile(
    r"updat|modif|edited|revis|aktualis|geändert|actuali[sz]|mis à jour|màj|aggiornat|atualizad|bijgewerkt|uppdaterad"
    r"|opdatere|oppdater|обновл|изменен|aktualizac|zaktual|更新|güncelle|diperbarui|reviewed|last checked",
    re.IGNORECASE,
)
_NOT_PUBLISHED = re.compile(
    r"©|\b(?:copyright|joined|registered|founded|born|deadline|expires?|(?:member )?since|until|valid)\b", re.IGNORECASE
)


def byline(pieces: list[Piece], not_authors: Collection[str]) -> tuple[str, ...]:
    """The authors that stand beside the headline; () if it isn't sure."""
    others = {
        number + offset for number, piece in enumerate(pieces) if names_no_author(piece.text) for offset in (0, 1)
    }
    for number, piece in enumerate(pieces):
        if number in others or len(piece.text) > _LONGEST_BYLINE:
            continue
        if found := _authors_at(pieces, number, not_authors):
            return found
    return _lone_name(
        [piece for number, piece in enumerate(pieces[:_MOST_BETWEEN]) if number not in others], not_authors
    )


def _authors_at(pieces: list[Piece], number: int, not_authors: Collection[str]) -> tuple[str, ...]:
    """The authors in a text, or in those after it if it says no more than "by"."""
    piece = pieces[number]
    rest, has_by = without_by(piece.text)
    if not has_by and (len(piece.text) > _LONGEST_NAME or piece.mark not in (USER, AUTHOR)):
        return ()
    if piece.is_foreign:
        return ()
    if not rest.strip(" :|-–—") and number + 1 < len(pieces):
        number += 1
        rest = pieces[number].text
    strict = USER not in (piece.mark, pieces[number].mark)
    found = _names(rest.lstrip(" :|-–—"), not_authors, strict)
    while found and number + 2 < len(pieces) and _CONNECTOR.fullmatch(pieces[number + 1].text):
        number += 2
        found += _names(pieces[number].text, not_authors, strict=True)
    return tuple(dict.fromkeys(found))


def _names(text: str, not_authors: Collection[str], strict: bool) -> tuple[str, ...]:
    """The names in a text; those that only stand near something need to be written like names."""
    for part in _BAR.split(text)[:_MOST_PARTS]:
        if names := _names_in(part, not_authors, strict):
            return names
    return ()


def _names_in(text: str, not_authors: Collection[str], strict: bool) -> tuple[str, ...]:
    names = declared_names([text], not_authors)[:_MOST_SHOWN]
    if not names or is_no_name(names[0]) or (" " in names[0] and names[0].islower()):
        return ()
    if strict and not looks_like_a_name(names[0]):
        return ()
    return names[:1] + tuple(name for name in names[1:] if looks_like_a_name(name) and " " in name)


def _lone_name(pieces: list[Piece], not_authors: Collection[str]) -> tuple[str, ...]:
    """A person's full name right below the headline, which nothing marks but its place."""
    for piece in pieces:
        first = _BAR.split(piece.text[:_LONGEST_BYLINE])[0]
        if _FULL_NAME.fullmatch(first) and is_person(first) and looks_like_a_name(first) and not piece.is_foreign:
            return declared_names([first], not_authors)
    return ()


def linked_author(root: etree._Element, not_authors: Collection[str]) -> tuple[str, ...]:
    """The author of the first link that leads to one, below the article for example."""
    for link in islice(root.iter("a"), _MOST_LINKS):
        is_declared = "author" in link.get("rel", "")
        if not is_declared and "/author" not in link.get("href", ""):
            continue
        if any(map(is_about_others, islice(link.iterancestors(), _MOST_ANCESTORS))):
            continue
        text = " ".join("".join(map(str, islice(link.itertext(), 30)))[:_LONGEST_BYLINE].split())
        found = _names(without_by(text)[0], not_authors, strict=False)
        if found and (is_declared or is_person(found[0])):
            return found
    return ()


def datelines(pieces: list[Piece], language: str | None) -> tuple[str | None, str | None]:
    """When the page was published and modified by the dates beside its headline."""
    published = modified = None
    label = ""
    for piece in pieces:
        text = piece.text
        found = _date_of(piece, language) if len(text) <= _LONGEST_DATELINE and _YEAR.search(text) else None
        if found is None or _NOT_PUBLISHED.search(label + text) or piece.is_foreign:
            label = text[:_LONGEST_DATELINE]
        elif _MODIFIED.search(label + text):
            modified, label = modified or found, ""
        else:
            published, label = published or found, ""
    return published, modified


def _date_of(piece: Piece, language: str | None) -> str | None:
    """The date of a text; today's date is no date of the page, but that of a clock."""
    found = declared_date(piece.text, language) if piece.is_date else date_in_text(piece.text, language)
    return None if found is None or found[:10] == today().isoformat() else found


def lists_pages(pieces: list[Piece]) -> bool:
    """Whether teasers of other pages follow the headline, each with its date and author."""
    linked = sum(1 for piece in pieces if _is_linked_heading(piece.element))
    if linked < _MANY:
        return False
    days = {day[:10] for piece in pieces if len(piece.text) <= _LONGEST_DATELINE and (day := _date_of(piece, None))}
    return len(days) >= 2


def _is_linked_heading(element: etree._Element) -> bool:
    parent = element.getparent()
    if element.tag == "a":
        return parent is not None and parent.tag in _HEADINGS
    return element.tag in _HEADINGS and element.find("a") is not None
