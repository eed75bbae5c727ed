"""What a page says about itself in its head: title, description, type, address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice

from lxml import etree

_LINKED_DATA_TYPE = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"([A-Za-z]+)"')
_FACTS = {
    "description": "description",
    "og:description": "description",
    "og:type": "og_type",
    "og:url": "address",
    "article:published_time": "published",
}
_LONGEST_FACT = 1000  # characters that are read of a title or an address; the title is looked for in every block
_MOST_ELEMENTS = 10_000
_MOST_READ = 50_000  # characters of linked data; the types stand at its beginning


@dataclass(frozen=True, slots=True)
class Head:
    """What was found; empty strings and sets where a page says nothing."""

    title: str = ""
    description: str = ""
    og_type: str = ""
    address: str = ""  # of the page, as it gives it itself
    types: frozenset[str] = frozenset()  # schema.org, in lower case
    has_published_time: bool = False


def read_head(root: etree._Element | None) -> Head:
    """Read what a page says about itself; linked data is looked for in the whole of it."""
    if root is None:
        return Head()
    found: dict[str, str] = {}
    types: set[str] = set()
    for element in islice(root.iter("title", "meta", "link", "script"), _MOST_ELEMENTS):
        tag = element.tag
        if tag == "meta":
            fact = _FACTS.get((element.get("property") or element.get("name") or "").lower())
            value = element.get("content") if fact else None
        elif tag == "script":
            fact = value = None
            if element.get("type") == "application/ld+json":
                text = (element.text or "")[:_MOST_READ]
                types.update(name.lower() for name in _LINKED_DATA_TYPE.findall(text))
        elif tag == "title":
            fact, value = "title", element.text
        else:
            fact = "address" if element.get("rel") == "canonical" else None
            value = element.get("href") if fact else None
        if fact and value:
            found.setdefault(fact, value[:_LONGEST_FACT])
    return Head(
        title=" ".join(found.get("title", "").split()),
        description=" ".join(found.get("description", "").split()),
        og_type=found.get("og_type", "").lower(),
        address=found.get("address", ""),
        types=frozenset(types),
        has_published_time="published" in found,
    )
