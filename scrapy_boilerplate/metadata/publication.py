"""When a page was published and modified."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .dates import date_in_address, declared_date, today
from .linked_data import text_of

if TYPE_CHECKING:
    from .sources import Sources

_PUBLISHED = (
    *("article:published_time", "datepublished", "og:published_time", "og:article:published_time", "parsely-pub-date"),
    *("sailthru.date", "cxenseparse:recs:publishtime", "citation_publication_date", "citation_online_date"),
    *("citation_date", "dc.date.issued", "dcterms.issued", "dcterms.date", "dcterms.created", "dc.date.created"),
    *("pubdate", "publishdate", "publish_date", "publish-date", "pub_date", "article.published"),
    *("originalpublicationdate", "datecreated", "rnews:datepublished", "date", "dc.date"),
)
_MOST_TIMES = 100
_PERHAPS_NOW = frozenset({"date", "dc.date", "dcterms.date"})  # some pages put the time of the request here
_MODIFIED = (
    *("article:modified_time", "datemodified", "og:updated_time", "og:modified_time", "og:article:modified_time"),
    *("dcterms.modified", "dc.date.modified", "last-modified", "lastmod", "revised", "ms.date"),
)


def date_published(sources: Sources) -> str | None:
    """The date of publication by the surest source that has one."""
    return next(filter(None, _published(sources)), None)


def declared_date_published(sources: Sources) -> str | None:
    """The date of publication that is declared in a tag."""
    return next(filter(None, _declared(sources)), None)


def date_modified(sources: Sources, published: str | None) -> str | None:
    """The date of the last change, if it isn't before the publication."""
    modified = next(filter(None, _modified(sources)), None)
    return None if modified and published and modified[:10] < published[:10] else modified


def _published(sources: Sources) -> Iterator[str | None]:
    yield from _declared(sources)
    published, modified = sources.dates_beside_headline
    yield published
    yield date_in_address(sources.url)
    if sources.authors:
        # Site builders date every page: that says something of pages only that somebody has written.
        for node in sources.declared.nodes:
            yield declared_date(text_of(node.get("datePublished")), sources.language)
    yield modified  # of pages that show no other date


def _declared(sources: Sources) -> Iterator[str | None]:
    language, declared = sources.language, sources.declared
    if sources.has_article:
        for name in ("datePublished", "dateCreated"):
            yield declared_date(text_of(sources.node.get(name)), language)
    for name in _PUBLISHED:
        for value in declared.meta.get(name, ())[:1]:
            found = declared_date(value, language)
            yield None if found and name in _PERHAPS_NOW and found[:10] == today().isoformat() else found
    for time in declared.times[:_MOST_TIMES]:
        if time.get("itemprop") in ("datePublished", "dateCreated") or time.get("pubdate") is not None:
            yield declared_date(time.get("datetime") or time.text or "", language)


def _modified(sources: Sources) -> Iterator[str | None]:
    language, declared = sources.language, sources.declared
    yield declared_date(text_of(sources.node.get("dateModified")), language)
    for name in _MODIFIED:
        for value in declared.meta.get(name, ())[:1]:
            yield declared_date(value, language)
    for time in declared.times[:_MOST_TIMES]:
        if time.get("itemprop") == "dateModified":
            yield declared_date(time.get("datetime") or time.text or "", language)
    if declared_date_published(sources) is None:
        yield sources.dates_beside_headline[1]
