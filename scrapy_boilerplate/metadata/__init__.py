"""Metadata: headline, authors, dates and more, as a page declares or shows them."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from . import descriptions, publication
from .guessing import guessed_date
from .sources import Sources
from .trees import without_namespaces

__all__ = ["Metadata", "read_metadata"]


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of a page. None and () where it has none, or none that is sure."""

    headline: str | None = None
    authors: tuple[str, ...] = ()
    date_published: str | None = None  # ISO 8601, with time and zone if the page has them
    date_modified: str | None = None
    language: str | None = None  # ISO 639: "en" of "en-US"
    description: str | None = None
    image: str | None = None  # an absolute address, like canonical_url
    canonical_url: str | None = None
    site_name: str | None = None
    keywords: tuple[str, ...] = ()
    declared_type: str | None = None  # schema.org's, else OpenGraph's


def read_metadata(root: etree._Element | None, url: str | None = None, *, guess_dates: bool = False) -> Metadata:
    """Read what a page says about itself.

    `url` is the page's address. With `guess_dates` the package htmldate looks for a date of publication where the page
    gives none; it has to be installed then.
    """
    if root is None or not isinstance(root.tag, str):
        return Metadata()
    sources = Sources(without_namespaces(root), url)
    published = publication.date_published(sources)
    return Metadata(
        headline=sources.headline,
        authors=sources.authors,
        date_published=published or (guessed_date(sources) if guess_dates else None),
        date_modified=publication.date_modified(sources, published),
        language=sources.language,
        description=descriptions.description(sources),
        image=descriptions.image(sources),
        canonical_url=descriptions.canonical_url(sources),
        site_name=descriptions.site_name(sources),
        keywords=descriptions.keywords(sources),
        declared_type=descriptions.declared_type(sources),
    )
