"""The authors of a page: whom it declares, or whom its byline names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import visible
from .linked_data import text_of
from .names import declared_names, first_name_first

if TYPE_CHECKING:
    from .sources import Sources

_META = (
    *("author", "parsely-author", "sailthru.author", "article:author", "article:author_name", "dc.creator"),
    *("dcterms.creator", "byl", "cxenseparse:author", "og:author", "og:article:author", "creator"),
    *("dc.contributor", "page.author", "shareaholic:article_author_name"),
)
_BIBLIOGRAPHIC = ("citation_author", "citation_authors")  # last name first
_WRITTEN_BY = frozenset(
    """
    written by|écrit par|verfasst von|geschrieben von|escrito por|scritto da|geschreven door|skriven av|skrevet av
    |napisane przez|автор|執筆者|yazan|written by:|kirjoittanut|tekijä|skrevet af|napisal
    """.replace("\n    ", "").split("|")
)
_NEAR = 10  # texts beside the headline where a byline makes any page an article


def read_authors(sources: Sources) -> tuple[str, ...]:
    """The authors by the surest source that names any."""
    return next(filter(None, candidates(sources)), ())


def candidates(sources: Sources) -> Iterator[tuple[str, ...]]:
    """The authors by each source, the surest first."""
    site, declared = sources.site_keys, sources.declared
    if sources.has_article:
        yield _linked(sources, "author") or _linked(sources, "creator")
    yield declared_names(map(first_name_first, declared.all(*_BIBLIOGRAPHIC)), site)
    for name in _META:
        if name in declared.meta:
            yield declared_names(declared.all(name), site)
    yield declared_names(_labelled(sources), site)
    is_article = sources.looks_like_an_article
    yield visible.byline(sources.pieces if is_article else sources.pieces[:_NEAR], site)
    if is_article:
        yield visible.linked_author(sources.root, site)


def _linked(sources: Sources, name: str) -> tuple[str, ...]:
    return declared_names([text_of(value) for value in sources.values(name)], sources.site_keys)


def _labelled(sources: Sources) -> list[str]:
    """The author in the labels for link previews that WordPress writes."""
    first = sources.declared.first
    return [first(f"twitter:data{n}") for n in (1, 2) if first(f"twitter:label{n}").lower() in _WRITTEN_BY]
