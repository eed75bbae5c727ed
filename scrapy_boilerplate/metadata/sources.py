"""All places of a page that say something about it, each read once and only when it is needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from lxml import etree

from . import authors, headline, linked_data, publication, visible
from .addresses import base_of, host_of, path_of
from .declared import Declared, read_declared
from .linked_data import Node
from .names import key_of
from .surroundings import Piece, pieces_beside

_TITLES = ("og:title", "headline", "twitter:title", "citation_title", "dc.title", "sailthru.title", "parsely-title")
_LANGUAGES = ("content-language", "language", "dc.language", "og:locale", "inlanguage")
_LANGUAGE = re.compile(r"\s*([A-Za-z]{2,3})(?![A-Za-z])")
_PUBLISHERS = frozenset("organization newsmediaorganization corporation website educationalorganization".split())
_MANY = 3  # articles in the linked data of a page that lists them
_FITTING = 0.4  # the least likeness of the page's title and its article's headline, where there are many
_SHORTEST_SITE = 3  # letters; shorter parts of an address are no names


class Sources:
    """A page's tree and address, and what is read from them."""

    def __init__(self, root: etree._Element, url: str | None) -> None:
        self.root = root
        self.url = url

    @cached_property
    def declared(self) -> Declared:
        return read_declared(self.root)

    @cached_property
    def base(self) -> str | None:
        """The address that relative ones refer to."""
        return base_of(self.declared.base, self.url)

    @cached_property
    def language(self) -> str | None:
        declared = self.declared
        for value in (declared.language, *declared.all(*_LANGUAGES), linked_data.text_of(self.node.get("inLanguage"))):
            if match := _LANGUAGE.match(value):
                return match[1].lower()
        return None

    @cached_property
    def node(self) -> Node:
        """The node of the linked data that describes the page; empty if there is none."""
        nodes = self.declared.nodes
        articles = [node for node in nodes if linked_data.is_article(node)]
        if len(articles) == 1:
            return articles[0]
        if articles:
            title = headline.words_of(self.declared.title)
            likeness = [
                headline.similarity(headline.words_of(linked_data.headline_of(node)), title) for node in articles
            ]
            if max(likeness) >= _FITTING or len(articles) < _MANY:
                return articles[likeness.index(max(likeness))]
        return next((node for node in nodes if linked_data.is_work(node)), {})

    @cached_property
    def has_article(self) -> bool:
        """Whether the linked data calls the page an article, a recipe, a question or the like."""
        return linked_data.is_article(self.node)

    def values(self, name: str) -> Iterator[Any]:
        """The values of a property of the page's node."""
        return linked_data.values_of(self.node, name, self._by_id)

    @cached_property
    def _by_id(self) -> dict[str, Node]:
        return {node["@id"]: node for node in self.declared.nodes if isinstance(node.get("@id"), str)}

    @cached_property
    def site_names(self) -> list[str]:
        """The names of the site and of its publisher."""
        named = self.declared.all("og:site_name", "application-name", "apple-mobile-web-app-title", "publisher")
        for node in self.declared.nodes:
            if any(name.lower() in _PUBLISHERS for name in linked_data.types_of(node)):
                named.append(linked_data.text_of(node.get("name")))
        named += [linked_data.text_of(value) for value in self.values("publisher")]
        return [name for name in named if name]

    @cached_property
    def site_keys(self) -> frozenset[str]:
        """The names of the site as they are compared, with those in its address."""
        declared = self.declared
        host = host_of(self.url or declared.first("og:url") or next(iter(declared.links.get("canonical", ())), None))
        labels = host.split(".")
        keys = map(key_of, [*self.site_names, host, *labels[:-1], ".".join(labels[-2:])])
        return frozenset(key for key in keys if len(key) >= _SHORTEST_SITE)

    @cached_property
    def _headline(self) -> tuple[str | None, etree._Element | None]:
        own = linked_data.headline_of(self.node) if self.has_article else ""
        titles = [title for title in dict.fromkeys((own, *map(self.declared.first, _TITLES))) if title]
        declared = self.declared
        return headline.choose_headline(self.root, declared.headings, titles, declared.title, self.site_keys)

    @property
    def headline(self) -> str | None:
        return self._headline[0]

    @cached_property
    def item_type(self) -> str | None:
        """The schema.org type of the microdata around the headline."""
        heading = self._headline[1]
        if heading is None:
            return None
        addresses = (ancestor.get("itemtype", "") for ancestor in heading.iterancestors())
        types = (address[:200].strip().rstrip("/").rpartition("/")[2] for address in addresses)
        return next(filter(linked_data.is_page_type, types), None)

    @cached_property
    def pieces(self) -> list[Piece]:
        """The texts beside the headline; none where they are about other pages."""
        heading = self._headline[1]
        if heading is None or self._is_home_page or linked_data.is_unsigned(self.node):
            return []
        pieces = pieces_beside(heading, self.root)
        return [] if not self.has_article and visible.lists_pages(pieces) else pieces

    @property
    def _is_home_page(self) -> bool:
        return bool(self.url) and not path_of(self.url)

    @cached_property
    def authors(self) -> tuple[str, ...]:
        return authors.read_authors(self)

    @cached_property
    def dates_beside_headline(self) -> tuple[str | None, str | None]:
        """When the page was published and modified by what stands beside its headline."""
        return visible.datelines(self.pieces, self.language)

    @cached_property
    def looks_like_an_article(self) -> bool:
        """Whether the page says in any way that somebody wrote it at some time."""
        return (
            self.has_article
            or self.declared.first("og:type").lower() == "article"
            or publication.declared_date_published(self) is not None
            or self.dates_beside_headline != (None, None)
        )
