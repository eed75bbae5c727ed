"""Snapshots of the trees that responses share with their spider, taken before it can change them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ..options import Options
from ..snapshot import Snapshot, read_snapshot
from .documents import same_cleaning

if TYPE_CHECKING:
    from scrapy.http import Response

    from ..page import Page


class Snapshots:
    """The blocks of responses that may yet be cleaned. They are smaller than the tree that the response holds."""

    def __init__(self) -> None:
        # Without the response, which a snapshot holds: it would keep itself alive.
        self._pages: WeakKeyDictionary[Response, tuple[Page, Options]] = WeakKeyDictionary()

    def take(self, response: Response, options: Options) -> None:
        """Read the blocks, if our own parse would give the same ones."""
        page = read_snapshot(response, options)
        if page is not None:
            self._pages[response] = page, options

    def find(self, response: Response, options: Options) -> Snapshot | None:
        """Return the snapshot of a response that was taken for the same options."""
        page, taken_for = self._pages.get(response, (None, None))
        if page is None or taken_for is None or not same_cleaning(taken_for, options):
            return None
        return Snapshot(page, response)

    def drop(self, response: Response) -> None:
        self._pages.pop(response, None)
