"""Who wrote a page, when, and how it is called: from what it declares and what stands beside its headline."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import etree

from .authors import read_authors
from .publication import read_published
from .sources import Sources

__all__ = ["Metadata", "read_metadata"]


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a page says about itself; None and () where it says nothing, or nothing that is sure."""

    headline: str | None = None
    authors: tuple[str, ...] = ()
    date_published: str | None = None  # ISO 8601, with time and zone if they are known
    date_modified: str | None = None
    language: str | None = None
    description: str | None = None
    image: str | None = None  # an absolute address, as is canonical_url
    canonical_url: str | None = None
    site_name: str | None = None
    keywords: tuple[str, ...] = ()
    page_type: str | None = None  # as declared: of schema.org, or else of OpenGraph


def read_metadata(root: etree._Element | None, url: str | None = None, *, guess_dates: bool = False) -> Metadata:
    """Read what a page says about itself."""
    if root is None:
        return Metadata()
    s = Sources(root, url)
    return Metadata(headline=s.headline, authors=read_authors(s), date_published=read_published(s))
