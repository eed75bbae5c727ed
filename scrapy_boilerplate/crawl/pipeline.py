"""The item pipeline: fills main text and block scores into items of every type."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter

from .cleaner import Cleaner
from .shapes import in_shape

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)


class BoilerplatePipeline:
    """Fills the fields of `BOILERPLATE_FIELDS` from the page that an item came from.

    A field that the spider has filled is never overwritten. If an item has no page, or the page can't be cleaned, the
    item still goes through; a dict gets None, so that all items of a feed have the same fields.
    """

    def __init__(self, cleaner: Cleaner) -> None:
        self._cleaner = cleaner
        cleaner.has_pipeline = True
        self._undeclared: dict[type, frozenset[str]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BoilerplatePipeline:
        return cls(Cleaner.of(crawler))

    async def process_item(self, item: Any) -> Any:
        try:
            await self._fill(item)
        except Exception as error:  # the item must go through, whatever is wrong with our code
            self._cleaner.count_error(error, "Could not fill an item of %s; it goes on as it is", type(item).__name__)
        return item

    def close_spider(self) -> None:
        self._cleaner.close()

    async def _fill(self, item: Any) -> None:
        links = self._cleaner.links
        response = links.arrived(item) if links is not None else None  # called for every item, to release its link
        if not ItemAdapter.is_item(item):
            self._cleaner.count("items/unsupported")
            self._cleaner.log_once("unsupported", logging.WARNING, "No item that has fields: %r", type(item))
            return
        adapter = ItemAdapter(item)
        names = self._declared_fields(item)
        if not _empty_fields(adapter, names):
            return
        if response is None:
            response = self._response_by_url(adapter)
        if response is None:
            self._cleaner.count("items/unlinked")
        values = await self._cleaner.values_of(response) if response is not None else None
        empty = _empty_fields(adapter, names)  # again: the spider may have changed the item meanwhile
        if values is None:
            if isinstance(item, dict):
                for name in empty.values():
                    item.setdefault(name, None)
            return
        for source, name in empty.items():
            adapter[name] = in_shape(item, name, values[source])
        self._cleaner.count("items/filled")

    def _declared_fields(self, item: Any) -> dict[str, str]:
        """The wanted fields that this type of item declares."""
        cls, wanted = type(item), self._cleaner.options.fields
        if cls not in self._undeclared:
            declared = ItemAdapter.get_field_names_from_class(cls)  # None: every name is allowed
            missing = frozenset() if declared is None else frozenset(wanted.values()) - frozenset(declared)
            self._undeclared[cls] = missing
            if missing:
                message = "%s does not declare %s, so its items go without; declare it, or change BOILERPLATE_FIELDS"
                logger.warning(message, cls.__qualname__, " and ".join(sorted(missing)))
        missing = self._undeclared[cls]
        if missing:
            self._cleaner.count(f"items/field_undeclared/{cls.__qualname__}")
        return {source: name for source, name in wanted.items() if name not in missing}

    def _response_by_url(self, adapter: ItemAdapter) -> Response | None:
        """Find the response of an unknown item by its URL: a pipeline replaced it, or no middleware saw it."""
        links, recent_pages = self._cleaner.links, self._cleaner.recent_pages
        url = adapter.get("url")
        response = None
        if isinstance(url, str):
            response = links.response_for(url) if links is not None else None
            if response is None and recent_pages is not None:
                response = recent_pages.response_for(url)
        if response is None and links is not None and recent_pages:  # both exist only in `scrapy parse`
            response = recent_pages.only()
            if response is None:
                message = "`scrapy parse` passes items by the spider middlewares; those without 'url' get no text"
                self._cleaner.log_once("scrapy parse", logging.WARNING, message)
        return response


def _empty_fields(adapter: ItemAdapter, names: dict[str, str]) -> dict[str, str]:
    return {source: name for source, name in names.items() if _is_empty(adapter.get(name))}


def _is_empty(value: Any) -> bool:
    """Whether a field has no value yet: it is unset, or has the empty default of its class."""
    return value is None or (isinstance(value, (str, list, tuple, dict)) and not value)
