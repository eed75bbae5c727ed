"""Owners of pages: the crawl that a response belongs to, as `extract()` sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol
from weakref import ReferenceType, WeakKeyDictionary

from .document import Document
from .options import Options


class Owner(Protocol):
    """A crawl, which has options for its pages and cleans each of them once."""

    def options_for_callback(self, page: Any) -> Options:
        """Return the options of a page."""

    def document_of(self, page: Any, options: Options) -> Document:
        """Clean a page, or return the document that was made of it before. Raises NotCleaned."""


@dataclass(frozen=True, slots=True)
class StandIn:
    """The owner of an object that stands for a page, such as the response of a page object.

    It doesn't keep the page alive, which may itself hold that object. When the page is gone, nobody else asks for it.
    """

    owner: Owner
    page: ReferenceType[Any]

    def options_for_callback(self, stand_in: Any) -> Options:
        page = self.page()
        return self.owner.options_for_callback(stand_in if page is None else page)

    def document_of(self, stand_in: Any, options: Options) -> Document:
        page = self.page()
        return self.owner.document_of(stand_in if page is None else page, options)


_owners: WeakKeyDictionary[Any, Owner] = WeakKeyDictionary()


def set_owner(page: Any, owner: Owner) -> None:
    _owners[page] = owner


def owner_of(page: Any) -> Owner | None:
    """The owner of this very object; None if it has none, as a str or an element."""
    try:
        return _owners.get(page)
    except TypeError:  # it can't be referred to weakly, or has no hash
        return None
