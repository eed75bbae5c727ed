"""Declared metadata besides headline, authors and dates."""

from __future__ import annotations

from collections.abc import Iterable

from .addresses import absolute
from .declared import one_line
from .linked_data import text_of, types_of
from .sources import Sources

_DESCRIPTIONS = ("description", "og:description", "twitter:description", "dc.description", "sailthru.description")
_IMAGES = (
    "og:image:secure_url",
    "og:image",
    "og:image:url",
    "twitter:image",
    "twitter:image:src",
    "image",
    "thumbnailurl",
)
_KEYWORDS = ("keywords", "news_keywords", "article:tag", "parsely-tags", "sailthru.tags", "citation_keywords")
_SITE_NAMES = ("og:site_name", "application-name", "apple-mobile-web-app-title")
_MOST_KEYWORDS = 50
_LONGEST_KEYWORD = 100


def description(sources: Sources) -> str | None:
    own = sources.node.get("description") if sources.has_article else None
    return sources.declared.first(*_DESCRIPTIONS) or one_line(text_of(own)) or None


def image(sources: Sources) -> str | None:
    declared = sources.declared
    own = sources.node.get("image")
    first = own[0] if isinstance(own, list) and own else own
    linked = (first.get("url") or first.get("contentUrl")) if isinstance(first, dict) else first
    return _first_address(sources, [*declared.all(*_IMAGES), text_of(linked), *declared.links.get("image_src", ())])


def canonical_url(sources: Sources) -> str | None:
    declared = sources.declared
    return _first_address(sources, [*declared.links.get("canonical", ()), *declared.all("og:url")])


def _first_address(sources: Sources, addresses: Iterable[str]) -> str | None:
    return next(filter(None, (absolute(address, sources.base) for address in addresses)), None)


def site_name(sources: Sources) -> str | None:
    return sources.declared.first(*_SITE_NAMES) or next(map(one_line, sources.site_names), None)


def keywords(sources: Sources) -> tuple[str, ...]:
    own = sources.node.get("keywords")
    linked = map(text_of, own[:_MOST_KEYWORDS]) if isinstance(own, list) else [text_of(own)]
    found: dict[str, str] = {}
    for values in (*sources.declared.all(*_KEYWORDS), *linked):
        for word in values.replace(";", ",").split(","):
            if (word := one_line(word)) and len(word) <= _LONGEST_KEYWORD and len(found) < _MOST_KEYWORDS:
                found.setdefault(word.casefold(), word)
    return tuple(found.values())


def declared_type(sources: Sources) -> str | None:
    types = types_of(sources.node)
    return one_line(types[0] if types else sources.item_type or sources.declared.first("og:type"))[:100] or None
