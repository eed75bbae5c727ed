"""Documents that callbacks and page objects have asked for, shared with the pipeline while the callback runs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ..options import Options
from .worker import Cleaned

if TYPE_CHECKING:
    from scrapy.http import Response


class SharedDocuments:
    """The documents of responses whose callback still runs, or is yet to be called.

    A document holds a tree, and a response often lives until the garbage collector's full round. So a document is
    dropped as soon as the callback has ended.
    """

    def __init__(self) -> None:
        self._documents: WeakKeyDictionary[Response, tuple[Cleaned, Options] | None] = WeakKeyDictionary()

    def open(self, response: Response) -> None:
        """Begin to share documents of this response."""
        self._documents.setdefault(response, None)

    def add(self, response: Response, cleaned: Cleaned, options: Options) -> None:
        self._documents[response] = cleaned, options

    def find(self, response: Response, options: Options) -> Cleaned | None:
        """Return the document of a response that was cleaned with the same options."""
        found = self._documents.get(response)
        return found[0] if found is not None and same_cleaning(found[1], options) else None

    def is_open(self, response: Response) -> bool:
        return response in self._documents

    def has_any(self, response: Response) -> bool:
        return self._documents.get(response) is not None

    def close(self, response: Response) -> None:
        self._documents.pop(response, None)


def same_cleaning(one: Options, other: Options) -> bool:
    """Whether a page is cleaned alike with both, whatever goes into items of it."""
    return _cleaning(one) == _cleaning(other)


def _cleaning(options: Options) -> Options:
    return replace(options, max_bytes=None, fields={}, blocks=None)
