"""Fields of page objects: mix these in, with or without Scrapy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from web_poet.fields import FieldsMixin, field

from ..clean import extract
from ..crawl.shapes import in_zyte_shape
from ..document import Document
from ..fields import FIELDS, values_of

# Our fields, and those of zyte-common-items' Article that they go into.
ARTICLE_FIELDS = {
    "headline": "headline",
    "main_text": "articleBody",
    "html": "articleBodyHtml",
    "authors": "authors",
    "date_published": "datePublished",
    "date_modified": "dateModified",
    "language": "inLanguage",
    "description": "description",
    "image": "mainImage",
    "canonical_url": "canonicalUrl",
}


class HasDocument(FieldsMixin):  # type: ignore[misc]  # web-poet may not be installed
    """A mixin that gives a page object its `document`, which is made of its `response`.

    A page object that asks for `document: Document` instead gets the crawl's own, which is scored once for all.
    """

    @cached_property
    def document(self) -> Document:
        response = getattr(self, "response", None)
        if response is None:
            raise TypeError(f"{type(self).__name__} needs a `response`, or a `document: Document`")
        response = getattr(response, "response", response)  # that of an AnyResponse
        html = getattr(response, "html", None)  # a browser's response has no body
        return extract(response) if html is None else extract(str(html), str(response.url))


def values_in(document: Document, names: Mapping[str, str]) -> dict[str, Any]:
    """The values of these fields, under their other names; None for empty ones."""
    values = values_of(document, names)
    return {other: None if values[name] in ("", []) else values[name] for name, other in names.items()}


def article_values(document: Document) -> dict[str, Any]:
    """The values of a document, as an Article of zyte-common-items holds them."""
    return {name: in_zyte_shape(name, value) for name, value in values_in(document, ARTICLE_FIELDS).items()}


def _fields(names: Mapping[str, str], value_of: Callable[[Any, str], Any]) -> dict[str, Any]:
    """Fields of web-poet with these names."""

    def made(name: str, other: str) -> Any:
        def method(self: Any) -> Any:
            return value_of(self, name)

        method.__name__ = other
        method.__doc__ = FIELDS[name].help
        return field(method)

    return {other: made(name, other) for name, other in names.items()}


def _value(page: HasDocument, name: str) -> Any:
    return values_in(page.document, {name: name})[name]


def _article_value(page: HasDocument, name: str) -> Any:
    return in_zyte_shape(ARTICLE_FIELDS[name], _value(page, name))


def page_fields(*names: str, **renamed: str) -> type[HasDocument]:
    """Make a mixin with these fields: `page_fields("main_text", "headline", markdown="body")`."""
    chosen = {name: name for name in names} | renamed
    unknown = chosen.keys() - FIELDS.keys()
    if unknown:
        raise ValueError(f"{', '.join(sorted(unknown))}: none of the fields {', '.join(FIELDS)}")
    return type("PageFields", (HasDocument,), _fields(chosen, _value))


class ArticleFields(HasDocument):
    """A mixin with the fields of zyte-common-items' Article: `class NewsPage(ArticleFields, ArticlePage)`."""

    vars().update(_fields(ARTICLE_FIELDS, _article_value))  # the body of a class is its namespace
