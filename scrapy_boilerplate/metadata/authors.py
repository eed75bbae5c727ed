"""The authors of a page: whom it declares, or whom its byline names."""

from __future__ import annotations

from collections.abc import Iterator

from . import visible
from .linked_data import text_of, types_of
from .names import declared_names, first_name_first
from .sources import Sources

_META = (
    "author", "parsely-author", "sailthru.author", "article:author", "article:author_name", "dc.creator", "dcterms.creator", "byl",
    "cxenseparse:author", "og:author", "og:article:author", "twitter:creator:name", "dc.contributor", "page.author", "shareaholic:article_author_name",
)
_NEAR = 10  # texts beside the headline where a byline makes any page an article
_WRITTEN_BY = "written by|écrit par|verfasst von|geschrieben von|escrito por|scritto da|geschreven door|skriven av|skrevet av|napisane przez|автор|執筆者|yazan".split("|")


def read_authors(sources: Sources) -> tuple[str, ...]:
    """The authors by the first source that names any."""
    return next((names for _, names in candidates(sources) if names), ())


def candidates(sources: Sources) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The authors by each source, the surest first."""
    site = sources.site_keys
    declared = sources.declared
    if sources.has_article:
        yield "linked data", _linked(sources, "author") or _linked(sources, "creator")
    yield "citation", declared_names(map(first_name_first, declared.all("citation_author", "citation_authors")), site)
    for name in _META:
        yield name, declared_names(declared.all(name), site)
    yield "twitter", declared_names(_labelled(sources), site)
    is_article = sources.looks_like_an_article
    yield "byline", visible.byline(sources.pieces if is_article else sources.pieces[:_NEAR], site)
    if is_article:
        yield "linked", visible.linked_author(sources.root, site)


def _linked(sources: Sources, name: str) -> tuple[str, ...]:
    return declared_names([text_of(value) for value in sources.values(name)], sources.site_keys)


def _labelled(sources: Sources) -> list[str]:
    """The author in the labels that WordPress writes for link previews."""
    first = sources.declared.first
    return [
        first(f"twitter:data{number}")
        for number in (1, 2)
        if first(f"twitter:label{number}").lower() in _WRITTEN_BY
    ]
