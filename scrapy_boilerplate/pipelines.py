"""The item pipeline: main text and block scores into the items, whatever kind of item it is."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from itemadapter import ItemAdapter
from scrapy import signals

from .cleaner import Cleaner

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

_SPIDER_MIDDLEWARE_LINE = 'SPIDER_MIDDLEWARES = {"scrapy_boilerplate.BoilerplateSpiderMiddleware": 10}'


class BoilerplatePipeline:
    """Fills the fields of `BOILERPLATE_FIELDS` from the page that an item came from.

    A field that the spider has filled stays as it is. Where there is no page, or it can't be cleaned, the item goes on
    without (a dict with None, so that every item of a feed has the same fields).
    """

    def __init__(self, cleaner: Cleaner) -> None:
        self._cleaner = cleaner
        self._undeclared: dict[type, frozenset[str]] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> BoilerplatePipeline:
        pipeline = cls(Cleaner.of(crawler))
        crawler.signals.connect(pipeline._warn_of_missing_components, signals.spider_opened)
        return pipeline

    async def process_item(self, item: Any) -> Any:
        try:
            await self._fill(item)
        except Exception as error:  # an item never pays for our mistakes
            self._cleaner.count_error(error, "Could not fill an item of %s; it goes on as it is", type(item).__name__)
        return item

    def close_spider(self) -> None:
        self._cleaner.close()

    async def _fill(self, item: Any) -> None:
        if not ItemAdapter.is_item(item):
            self._cleaner.count("items/unsupported")
            self._cleaner.log_once("unsupported", logging.WARNING, "No item that has fields: %r", type(item))
            return
        adapter = ItemAdapter(item)
        names = self._declared_fields(item)
        if not _empty_fields(adapter, names):
            return
        response = self._response_of(item, adapter)
        if response is None:
            self._cleaner.count("items/unlinked")
        values_of = await self._cleaner.values_of(response) if response is not None else None
        empty = _empty_fields(adapter, names)  # by now; the spider may have gone on with the item meanwhile
        if values_of is None:
            if isinstance(item, dict):
                for name in empty.values():
                    item.setdefault(name, None)
            return
        values = values_of(empty)
        for source, name in empty.items():
            adapter[name] = values[source]
        self._cleaner.count("items/filled")

    def _declared_fields(self, item: Any) -> dict[str, str]:
        """Those of the wanted fields that this kind of item can take."""
        cls, wanted = type(item), self._cleaner.options.fields
        if cls not in self._undeclared:
            declared = ItemAdapter.get_field_names_from_class(cls)  # None: any name will do
            missing = frozenset() if declared is None else frozenset(wanted.values()) - frozenset(declared)
            self._undeclared[cls] = missing
            if missing:
                message = "%s does not declare %s, so its items go without; declare it, or change BOILERPLATE_FIELDS"
                logger.warning(message, cls.__qualname__, " and ".join(sorted(missing)))
        missing = self._undeclared[cls]
        if missing:
            self._cleaner.count(f"items/field_undeclared/{cls.__qualname__}")
        return {source: name for source, name in wanted.items() if name not in missing}

    def _response_of(self, item: Any, adapter: ItemAdapter) -> Response | None:
        url = adapter.get("url")
        url = url if isinstance(url, str) else None
        if self._cleaner.links is not None:
            return self._cleaner.links.response_of(item, url)
        if self._cleaner.recent_pages is not None:
            return self._cleaner.recent_pages.response_for(url)
        return None

    def _warn_of_missing_components(self) -> None:
        if self._cleaner.links is not None:
            return
        if self._cleaner.recent_pages is None:
            logger.warning("Items can't be linked to their pages; add to the settings: %s", _SPIDER_MIDDLEWARE_LINE)
        else:
            logger.warning(
                "Items are linked to their pages by their 'url' field only; to link them exactly, whatever they hold, "
                "add to the settings: %s",
                _SPIDER_MIDDLEWARE_LINE,
            )


def _empty_fields(adapter: ItemAdapter, names: dict[str, str]) -> dict[str, str]:
    return {source: name for source, name in names.items() if _is_empty(adapter.get(name))}


def _is_empty(value: Any) -> bool:
    """Whether a field is still to be filled: unset, or at the empty default of its class."""
    return value is None or (isinstance(value, (str, list, tuple, dict)) and not value)
