"""When a page was published and modified."""

from __future__ import annotations

from collections.abc import Iterator

from . import visible
from .authors import read_authors
from .dates import date_in_address, declared_date
from .linked_data import text_of
from .sources import Sources

_PUBLISHED = (
    "article:published_time", "datepublished", "og:published_time", "og:article:published_time", "parsely-pub-date", "sailthru.date",
    "cxenseparse:recs:publishtime", "citation_publication_date", "citation_online_date", "citation_date", "dc.date.issued", "dcterms.issued", "dcterms.date", "dc.date", "dcterms.created", "dc.date.created",
    "date", "pubdate", "publishdate", "publish_date", "publish-date", "pub_date", "article.published", "originalpublicationdate", "datecreated", "rnews:datepublished", "bt:pubdate",
)
_MODIFIED = (
    "article:modified_time", "datemodified", "og:updated_time", "og:modified_time", "dcterms.modified", "dc.date.modified", "last-modified", "lastmod", "revised",
)


def declared_dates(sources: Sources) -> Iterator[tuple[str, str | None]]:
    """The dates of publication by each source, the surest first."""
    language = sources.language
    node = sources.node
    if sources.has_article:
        for name in ("datePublished", "dateCreated"):
            yield "linked data", declared_date(text_of(node.get(name)), language)
    for name in _PUBLISHED:
        if value := sources.declared.first(name):
            yield name, declared_date(value, language)
    for time in sources.declared.times:
        if time.get("itemprop") in ("datePublished", "dateCreated") or time.get("pubdate") is not None:
            yield "time", declared_date(time.get("datetime") or time.text or "", language)


def candidates(sources: Sources) -> Iterator[tuple[str, str | None]]:
    """The dates of publication by each source, the surest first."""
    language = sources.language
    yield from declared_dates(sources)
    published, modified = visible.datelines(sources.pieces, language)
    yield "visible", published
    yield "address", date_in_address(sources.url)
    if read_authors(sources):
        for node in sources.declared.nodes:
            yield "page", declared_date(text_of(node.get("datePublished")), language)
    yield "visible modified", modified


def read_published(sources: Sources) -> str | None:
    return next((date for _, date in candidates(sources) if date), None)
