"""Bylines and datelines: what stands beside a page's headline for people to read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from lxml import etree

from .dates import date_in_text, declared_date, today
from .names import OTHER_BY, declared_names, is_no_name, is_person, looks_like_a_name, without_by

_MOST_ELEMENTS = 200  # that are read after the headline, and before it
_MOST_PIECES = 60
_MOST_TEXT = 1_500  # characters after the headline; the byline stands before the article's text or nowhere
_MOST_ANCESTORS = 12
_LONGEST_BYLINE = 200
_LONGEST_NAME = 100
_LONGEST_DATELINE = 80
_MOST_SHOWN = 12  # authors in a byline
_MOST_BETWEEN = 6  # texts between a headline and a name that nothing marks
_HEADINGS = frozenset({"h2", "h3", "h4", "h5"})
_MANY = 3  # linked headings, of pages that list others
_SKIPPED = frozenset("script style svg nav noscript select form button template iframe textarea video audio".split())

USER, AUTHOR, DATE, DETAIL, OTHER = "user", "author", "date", "detail", "other"

_USER_CLASS = re.compile(r"user-?_?name|p-author|postauthor|author-?_?name|authorname|fn\b|nickname|screen-?name|post-?_?author\b", re.I)
_AUTHOR_CLASS = re.compile(r"author(?!i[sz]|ity)|byline|writer|posted-?_?by|creator|contributor|(?:^|[\s_-])by(?:$|[\s_-])|autor|auteur", re.I)
_DATE_CLASS = re.compile(r"date|publi(?:sh|c)|posted|pubdate|timestamp|(?:^|[\s_-])time(?:$|[\s_-])|fecha|datum", re.I)
_OTHER_CLASS = re.compile(r"comment|related|sidebar|widget|recommend|breadcrumb|newsletter|social|(?:^|[\s_-])(?:share|menu|nav|toc)", re.I)
# Beside a name in a byline, but not the name.
_DETAIL_CLASS = re.compile(
    r"avatar|categor|caption|reading|(?:^|[\s_-])(?:bio|desc|description|job|role|position|tags?|cat|excerpt|summary)(?:$|[\s_-])", re.I
)
_AUTHOR_ADDRESS = re.compile(
    r"/(?:authors?|autor(?:es|en)?|auteurs?|contributors?|people|profiles?|users?|members?|writers?|staff|columnists?|reporters?|bio|by|experts?)"
    r"/(?:[^/?#]+)/?(?:[?#]|$)|/@[\w.-]+/?(?:$|\?)|[?&]author=|[?;&]mode=viewprofile|member\.php\?|action=profile", re.I
)
# Profiles of the site, not of its authors.
_NETWORK = re.compile(
    r"(?:https?:)?//(?:[\w-]+\.)*(?:youtube|twitter|x|facebook|instagram|tiktok|threads|linkedin|pinterest|reddit|t|vimeo|flickr|github)\.\w+/"
    r"|(?:https?:)?//(?!(?:[\w-]+\.)*(?:medium|substack)\.com).*/@", re.I
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
    inside = [piece for piece in _pieces_list(heading)[1:] if piece.mark is not None and piece.element is not heading]
    return [*inside, *after, *before[:20]]


def lists_pages(pieces: list[Piece]) -> bool:
    """Whether teasers of other pages follow the headline, each with its date and author."""
    linked = sum(1 for piece in pieces if piece.element.tag in _HEADINGS and piece.element.find("a") is not None)
    linked += sum(1 for piece in pieces if piece.element.tag == "a" and _is_in_heading(piece.element))
    days = {found[:10] for piece in pieces if len(piece.text) <= _LONGEST_DATELINE and (found := _date_of(piece, None))}
    return linked >= _MANY and len(days) >= 2


def _is_in_heading(element: etree._Element) -> bool:
    parent = element.getparent()
    return parent is not None and parent.tag in _HEADINGS


def _following(element: etree._Element) -> Iterator[etree._Element]:
    for node in [element, *islice(element.iterancestors(), _MOST_ANCESTORS)]:
        yield from node.itersiblings()


def _preceding(element: etree._Element) -> Iterator[etree._Element]:
    for node in [element, *islice(element.iterancestors(), 6)]:
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
        if text and any(map(str.isalnum, text[:_MOST_TEXT])) and (text := " ".join(text[:_MOST_TEXT].split())):
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
            return USER if element.tag == "a" and _leads_to_an_author((get("href") or "")[:300]) else OTHER
        if _DETAIL_CLASS.search(names):
            return DETAIL
        if _AUTHOR_CLASS.search(names):
            return AUTHOR
        if _DATE_CLASS.search(names):
            return DATE
    if element.tag == "a" and (address := get("href")) and _leads_to_an_author(address[:300]):
        return USER
    return None


def _leads_to_an_author(address: str) -> bool:
    return bool(_AUTHOR_ADDRESS.search(address)) and not _NETWORK.match(address)


def byline(pieces: list[Piece], not_authors: Collection[str]) -> tuple[str, ...]:
    """The authors that stand beside the headline; () if it isn't sure."""
    skipped = -1
    for number, piece in enumerate(pieces):
        if OTHER_BY.match(piece.text):
            skipped = number + 1
        if number <= skipped or piece.mark == OTHER or len(piece.text) > _LONGEST_BYLINE:
            continue
        rest, has_by = without_by(piece.text)
        marked = piece.mark in (USER, AUTHOR)
        if not has_by and (not marked or len(piece.text) > _LONGEST_NAME):
            continue
        position = number
        if not rest.strip(" :|-–—") and number + 1 < len(pieces):  # the name is in the next element
            position, rest = number + 1, pieces[number + 1].text
        rest = rest.lstrip(" :|-–—")
        found = _names(rest, not_authors, strict=piece.mark != USER and pieces[position].mark != USER)
        if not found:
            continue
        while position + 2 < len(pieces) and _CONNECTOR.fullmatch(pieces[position + 1].text):
            position += 2
            found += _names(pieces[position].text, not_authors, strict=True)
        return tuple(dict.fromkeys(found))
    return _lone_name(pieces, not_authors)


def _names(text: str, not_authors: Collection[str], strict: bool) -> tuple[str, ...]:
    """The names in a text; those that only stand near something need to be written like names."""
    names = declared_names([text], not_authors)[:_MOST_SHOWN]
    if not names or is_no_name(names[0]) or (" " in names[0] and names[0].islower()):
        return ()
    if strict and not looks_like_a_name(names[0]):
        return ()
    return names[:1] + tuple(name for name in names[1:] if looks_like_a_name(name) and " " in name)


def _lone_name(pieces: list[Piece], not_authors: Collection[str]) -> tuple[str, ...]:
    """A person's full name right below the headline, which nothing marks but its place."""
    for piece in pieces[:_MOST_BETWEEN]:
        first = re.split(r"\s*[|•·]\s*", piece.text)[0]
        if piece.mark != OTHER and len(first) <= 50 and is_person(first) and looks_like_a_name(first):
            return declared_names([first], not_authors)
    return ()


def datelines(pieces: list[Piece], language: str | None) -> tuple[str | None, str | None]:
    """When the page was published and modified by the dates beside its headline."""
    published = modified = None
    label = ""
    for piece in pieces:
        text = piece.text
        if piece.mark == OTHER or len(text) > _LONGEST_DATELINE:
            label = ""
            continue
        found = _date_of(piece, language)
        if found is None or _NOT_PUBLISHED.search(label + text):
            label = text
        elif _MODIFIED.search(label + text):
            modified, label = modified or found, ""
        else:
            published, label = published or found, ""
    return published, modified


def _date_of(piece: Piece, language: str | None) -> str | None:
    """The date of a text; a date of today is what shows the time on every page."""
    is_time = piece.element.tag == "time" and piece.mark == DATE
    found = declared_date(piece.text, language) if is_time else date_in_text(piece.text, language)
    return None if found is None or found[:10] == today().isoformat() else found


def labelled_date(root: etree._Element, language: str | None) -> str | None:
    """The first date of the page that is called the date of publication, below the article for example."""
    for element in islice(root.iter(*_DATE_PLACES), _MOST_PLACES):
        text = element.text
        if not text or len(text) > 200 or not _PUBLISHED.match(text):
            continue
        text = " ".join("".join(islice(element.getparent().itertext() if element.getparent() is not None else element.itertext(), 12))[:400].split())
        start = text.find(element.text.strip()[:10])
        if found := date_in_text(text[max(start, 0) :][:_LONGEST_DATELINE], language):
            return None if found == today().isoformat() or _is_about_others(element) else found
    return None


_DATE_PLACES = ("span", "p", "div", "li", "small", "em", "i", "td", "h4", "h6", "strong", "b")
_PUBLISHED = re.compile(
    r"\s*(?:first )?(?:published|posted|publication date|date published|veröffentlicht|publié|publicado|pubblicato|gepubliceerd|publicerad|"
    r"опубликовано|дата публикации|发布|公開日)\b", re.I
)
_PLACES = ("article", "shreddit-post", "a", "span", "div", "p", "address", "td", "dt", "li", "strong", "cite", "h2", "h3", "h4", "h5", "h6")
_MOST_PLACES = 20_000


def marked_author(root: etree._Element, not_authors: Collection[str]) -> tuple[str, ...]:
    """The first author that is marked as one anywhere on the page, below the article for example."""
    for element in islice(root.iter(*_PLACES), _MOST_PLACES):
        names = element.get("class") or ""
        author = element.get("data-author")
        if author and (found := _names(author, not_authors, strict=False)):
            return found
        if not ("uthor" in names or "user" in names or "riter" in names or element.tag == "a" or element.get("rel") or element.get("itemprop")):
            if not ((text := element.text) and "y" in text[:60] and len(text) < 100 and (rest := without_by(text))[1] and is_person(rest[0].strip())):
                continue
            if found := _names(rest[0], not_authors, strict=True):
                return found
            continue
        mark = mark_of(element)
        if mark not in (USER, AUTHOR) or _is_about_others(element):
            continue
        pieces = [text.strip() for text in islice(element.itertext(), 30) if text.strip()]
        text = " ".join("".join(pieces[:1] if mark == AUTHOR else pieces)[:_LONGEST_BYLINE].split())
        rest = without_by(text)[0] or (pieces[1][:_LONGEST_BYLINE] if len(pieces) > 1 else "")
        found = _names(rest, not_authors, strict=mark == AUTHOR)
        if found and (mark == USER or is_person(found[0])):
            return found
    return ()


def _is_about_others(element: etree._Element) -> bool:
    return any(
        ancestor.tag in ("nav", "aside") or re.search(r"comment|related|sidebar|widget|recommend|card|teaser|menu", (ancestor.get("class") or "")[:300], re.I)
        for ancestor in islice(element.iterancestors(), 8)
    )
