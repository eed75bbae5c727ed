"""Who wrote a page, when, and how it is called: from what it declares and what stands beside its headline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lxml import etree

from . import dates
from .addresses import absolute, base_of, host_of
from .declared import Declared, one_line, read_declared
from .headline import choose_headline, similarity, words_of
from .linked_data import Node, is_article, is_work, text_of, types_of, values_of
from .names import declared_names, key_of
from .visible import byline, datelines, pieces_beside

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
    declared = read_declared(root)
    by_id = {node["@id"]: node for node in declared.nodes if isinstance(node.get("@id"), str)}
    site_names = names_of_site(declared, url)
    keys = [key_of(name) for name in site_names]
    node = main_node(declared.nodes, declared.title)
    m = declared.meta
    titles = [text_of(node.get("headline") or "")] + [declared.first(k) for k in ("og:title", "twitter:title", "dc.title", "citation_title", "sailthru.title", "parsely-title")]
    headline, heading = choose_headline(declared.headings, [t for t in titles if t], declared.title, keys)
    not_authors = frozenset(keys)
    authors = declared_names([text_of(v) for v in values_of(node, "author", by_id)], not_authors)
    authors = authors or declared_names(declared.all("author", "article:author", "parsely-author", "sailthru.author", "citation_author", "dc.creator", "dc.contributor", "byl", "og:author", "article:author_name"), not_authors)
    pieces = pieces_beside(heading) if heading is not None else []
    lang = declared.language or None
    if not authors:
        authors = byline(pieces, not_authors)
    published = dates.declared_date(text_of(node.get("datePublished")), lang)
    for k in ("article:published_time", "datepublished", "og:published_time", "parsely-pub-date", "sailthru.date", "citation_publication_date", "citation_date", "dc.date", "dc.date.issued", "dcterms.date", "date", "pubdate", "publishdate", "publish_date"):
        if published: break
        published = dates.declared_date(declared.first(k), lang)
    vp, vm = datelines(pieces, lang)
    published = published or vp or dates.date_in_address(url)
    return Metadata(headline=headline, authors=authors, date_published=published)


def names_of_site(declared, url):
    names = list(declared.all("og:site_name", "application-name"))
    for node in declared.nodes:
        if any(t in ("Organization", "WebSite", "NewsMediaOrganization", "Corporation") for t in types_of(node)):
            names.append(text_of(node))
    host = host_of(url)
    names.append(host)
    names += host.split(".")[:-1]
    return [n for n in names if n]

def main_node(nodes, title):
    arts = [n for n in nodes if is_article(n)]
    if arts:
        return arts[0]
    return next((n for n in nodes if is_work(n)), {})
