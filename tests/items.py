"""The item zoo: every item type that Scrapy supports, with and without the fields of the package."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import attrs
import pydantic
import scrapy


class Item(scrapy.Item):
    url = scrapy.Field()
    main_text = scrapy.Field()
    blocks = scrapy.Field()


@dataclass
class DataclassItem:
    url: str
    main_text: str | None = None
    blocks: list[dict[str, Any]] | None = None


@dataclass(slots=True)
class SlottedItem:
    url: str
    main_text: str = ""
    blocks: list[dict[str, Any]] | None = None


@attrs.define
class AttrsItem:
    url: str
    main_text: str | None = None
    blocks: list[dict[str, Any]] | None = None


class PydanticItem(pydantic.BaseModel):
    url: str
    main_text: str | None = None
    blocks: list[dict[str, Any]] | None = None


class BareItem(scrapy.Item):
    url = scrapy.Field()


@dataclass
class BareDataclassItem:
    url: str


@dataclass(slots=True)
class BareSlottedItem:
    url: str


@attrs.define
class BareAttrsItem:
    url: str


class BarePydanticItem(pydantic.BaseModel):
    url: str


@dataclass(frozen=True)
class FrozenItem:
    url: str
    main_text: str | None = None
    blocks: list[dict[str, Any]] | None = None


@attrs.frozen
class FrozenAttrsItem:
    url: str
    main_text: str | None = None
    blocks: list[dict[str, Any]] | None = None


class FrozenPydanticItem(pydantic.BaseModel, frozen=True):
    url: str
    main_text: str | None = None
    blocks: list[dict[str, Any]] | None = None


WITH_FIELDS = (dict, Item, DataclassItem, SlottedItem, AttrsItem, PydanticItem)
WITHOUT_FIELDS = (BareItem, BareDataclassItem, BareSlottedItem, BareAttrsItem, BarePydanticItem)
FROZEN = (FrozenItem, FrozenAttrsItem, FrozenPydanticItem)
