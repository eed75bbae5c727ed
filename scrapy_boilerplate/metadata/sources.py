"""All places of a page that say something about it, each read once and only when it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from lxml import etree

from . import linked_data, visible
from .addresses import base_of, host_of, path_of
from .declared import Declared, read_declared
from .headline import choose_headline, similarity, words_of
from .linked_data import Node
from .names import key_of
from .surroundings import Piece, pieces_beside

_TITLES = ("og:title", "twitter:title", "citation_title", "dc.title", "sailthru.title", "parsely-title")
_PUBLISHERS = frozenset("organization newsmediaorganization corporation website educationalorganization".split())
_MANY = 3  # articles in the linked data of a page that lists them


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
        return base_of(self.declared.base, self.url)

    @cached_property
    def language(self) -> str | None:
        return self.declared.language or None

    @cached_property
    def node(self) -> Node:
        """The node of the linked data that describes the page; empty if there is none."""
        nodes = self.declared.nodes
        articles = [node for node in nodes if linked_data.is_article(node)]
        title = words_of(self.declared.title)
        if len(articles) > 1:
            fitting = [(similarity(words_of(linked_data.headline_of(node)), title), node) for node in articles]
            best, node = max(fitting, key=lambda one: one[0])
            if best >= 0.4 or len(articles) < _MANY:
                return node
        elif articles:
            return articles[0]
        return next((node for node in nodes if linked_data.is_work(node)), {})

    @property
    def has_article(self) -> bool:
        """Whether the linked data calls the page an article, a recipe, a question or the like."""
        return linked_data.is_article(self.node)

    @cached_property
    def site_names(self) -> list[str]:
        """What the site and its publisher are called, the surest first."""
        declared = self.declared
        named = [*declared.all("og:site_name", "application-name", "apple-mobile-web-app-title")]
        for node in declared.nodes:
            if any(name.lower() in _PUBLISHERS for name in linked_data.types_of(node)):
                named.append(linked_data.text_of(node))
        named += [linked_data.text_of(value) for value in self.values("publisher")]
        return [name for name in named if name]

    @cached_property
    def site_keys(self) -> frozenset[str]:
        """The names of the site as they are compared, those in its address too."""
        address = self.url or self.declared.first("og:url") or "".join(self.declared.links.get("canonical", [])[:1])
        host = host_of(address)
        labels = host.split(".")
        names = [*self.site_names, host, *labels[:-1], ".".join(labels[-2:])]
        return frozenset(key for name in names if len(key := key_of(name)) > 2)

    def values(self, name: str) -> Iterator[object]:
        """The values of a property of the page's node."""
        return linked_data.values_of(self.node, name, self._by_id)

    @cached_property
    def _by_id(self) -> dict[str, Node]:
        return {node["@id"]: node for node in self.declared.nodes if isinstance(node.get("@id"), str)}

    @cached_property
    def _headline(self) -> tuple[str | None, etree._Element | None]:
        own = linked_data.headline_of(self.node) if self.has_article else ""
        titles = [title for title in (own, *map(self.declared.first, _TITLES)) if title]
        return choose_headline(self.root, self.declared.headings, titles, self.declared.title, self.site_keys)

    @property
    def headline(self) -> str | None:
        return self._headline[0]

    @cached_property
    def pieces(self) -> list[Piece]:
        """The texts beside the headline."""
        heading = self._headline[1]
        if heading is None or self._is_home_page:
            return []
        pieces = pieces_beside(heading)
        return [] if not self.has_article and visible.lists_pages(pieces) else pieces

    @property
    def _is_home_page(self) -> bool:
        """Whether the address has no path: what stands there beside a headline is about other pages."""
        return bool(self.url) and not path_of(self.url)

    @cached_property
    def looks_like_an_article(self) -> bool:
        """Whether the page says in any way that somebody wrote it at some time."""
        from .publication import declared_dates

        return (
            self.has_article
            or self.declared.first("og:type").lower() == "article"
            or any(date for _, date in declared_dates(self))
            or visible.datelines(self.pieces, self.language) != (None, None)
        )
