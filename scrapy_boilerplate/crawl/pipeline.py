"""The item pipeline: fills main text and block scores into items of every type."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter

from .cleaner import Cleaner
from .shapes import in_shape

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response


class BoilerplatePipeline:
    """Fills the fields of `BOILERPLATE_FIELDS` from the page that an item came from.

    A field that the spider has filled is never overwritten. If an item has no page, or the page can't be cleaned, the
    item still goes through; a dict gets None, so that all items of a feed have the same fields.
    """

    def __init__(self, cleaner: Cleaner) -> None:
        self._cleaner = cleaner
        cleaner.has_pipeline = True
        self._fills = True
        self._declared: dict[type, frozenset[str] | None] = {}  # None: every name is allowed
        self._frozen: dict[type, str] = {}  # item classes that refuse values, and the exceptions that say so

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BoilerplatePipeline:
        pipeline = cls(Cleaner.of(crawler))
        # `scrapy savefixture` of scrapy-poet stores a page object's item after the pipelines, and wants it unchanged.
        pipeline._fills = not crawler.settings.getbool("_SCRAPY_POET_SAVEFIXTURE")
        return pipeline

    async def process_item(self, item: Any) -> Any:
        if not self._fills:
            return item
        try:
            await self._fill(item)
        except Exception as error:  # the item must go through, whatever is wrong with our code
            if _says_frozen(error):
                self._pass_by(type(item), type(error).__name__)
            else:
                message = "Could not fill an item of %s; it goes on as it is"
                self._cleaner.count_error(error, message, type(item).__name__)
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
        if response is None and _empty_fields(adapter, self._declared_names(item, self._cleaner.options.fields)):
            response = self._response_by_url(adapter)
        wanted = self._cleaner.options.fields if response is None else self._cleaner.fields_of(response)
        names = self._declared_names(item, wanted)
        if len(names) < len(wanted):
            self._count_undeclared(type(item), set(wanted.values()) - set(names.values()))
        if not _empty_fields(adapter, names):
            return
        if type(item) in self._frozen:
            self._pass_by(type(item), self._frozen[type(item)])
            return
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

    def _declared_names(self, item: Any, wanted: Mapping[str, str]) -> dict[str, str]:
        """The wanted fields that this type of item declares."""
        cls = type(item)
        if cls not in self._declared:
            names = ItemAdapter.get_field_names_from_class(cls)
            self._declared[cls] = None if names is None else frozenset(names)
        declared = self._declared[cls]
        return {source: name for source, name in wanted.items() if declared is None or name in declared}

    def _count_undeclared(self, cls: type, missing: Iterable[str]) -> None:
        """Count an item of a class that doesn't declare these fields; the first one is a warning."""
        names = " and ".join(sorted(missing))
        message = "%s does not declare %s, so its items go without; declare it, or change BOILERPLATE_FIELDS"
        self._cleaner.log_once(f"undeclared {cls} {names}", logging.WARNING, message, cls.__qualname__, names)
        self._cleaner.count(f"items/field_undeclared/{cls.__qualname__}")

    def _pass_by(self, cls: type, exception: str) -> None:
        """Count an item of a frozen class, which goes on as it is."""
        self._frozen[cls] = exception
        self._cleaner.count(f"errors/{exception}")
        message = "Items of %s are frozen and go without text; unfreeze the class, or call extract() in the callback"
        self._cleaner.log_once(f"frozen {cls}", logging.WARNING, message, cls.__qualname__)

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


def _says_frozen(error: Exception) -> bool:
    """Whether an item of dataclasses, attrs or pydantic has refused a value because its class is frozen."""
    if type(error).__module__.startswith("pydantic"):
        return "frozen_instance" in str(error)
    return type(error).__name__ == "FrozenInstanceError"
