"""Reader of the head: title, description, type, address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice

from lxml import etree

from ..page import Head
from .tags import without_invisible

_LINKED_DATA_TYPE = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"([A-Za-z]+)"')
_FACTS = {
    "description": "description",
    "og:description": "description",
    "og:type": "og_type",
    "og:url": "address",
    "article:published_time": "published",
}
FACT_NAMES = ("description", "og_type", "address", "published", "base")  # in the order of the core
_LONGEST_FACT = 1000  # characters
_MOST_ELEMENTS = 10_000
_MOST_READ = 50_000  # characters of linked data; the types stand at its beginning
_TITLE_OR_DRAWING = ("title", "{*}title", "svg", "{*}svg")


def read_head(root: etree._Element) -> Head:
    """Read what a page declares about itself, wherever in the page it stands.

    The title is that of the whole tree, even if `root` is a part of it.
    """
    found: dict[str, str] = {}
    linked_data: list[str] = []
    title = None if root.getparent() is None else _title(root)
    for element in islice(root.iter("{*}title", "meta", "link", "script", "base"), _MOST_ELEMENTS):
        tag = element.tag
        fact: str | None = None
        if tag == "meta":
            fact = _FACTS.get((element.get("property") or element.get("name") or "").lower())
            value = element.get("content") if fact else None
        elif tag == "link":
            fact = "address" if element.get("rel") == "canonical" else None
            value = element.get("href") if fact else None
        elif tag == "base":
            fact, value = "base", element.get("href")
        elif tag != "script":
            title = _title(root) if title is None else title
        elif element.get("type") == "application/ld+json":
            linked_data.append(element.text or "")
        if fact and value:
            found.setdefault(fact, value)
    return head_of(title or "", found, linked_data, _wrapper_url(root))


def head_of(title: str, found: Mapping[str, str], linked_data: Iterable[str], wrapper_url: str) -> Head:
    """Return the head with this title, these facts and texts of linked data, all as they came."""
    found = {name: fact[:_LONGEST_FACT] for name, fact in found.items()}
    types = {name for text in linked_data for name in _LINKED_DATA_TYPE.findall(text[:_MOST_READ])}
    return Head(
        title=" ".join(without_invisible(title).split()),
        description=" ".join(found.get("description", "").split()),
        og_type=found.get("og_type", "").lower(),
        address=found.get("address", ""),
        types=frozenset(map(str.lower, types)),
        base=found.get("base", ""),
        has_published_time="published" in found,
        wrapper_url=wrapper_url,
    )


def _title(root: etree._Element) -> str:
    """Return the text of the first `<title>` that is not the title of an SVG drawing."""
    drawings = 0  # how many are open
    for event, element in etree.iterwalk(root.getroottree(), ("start", "end"), _TITLE_OR_DRAWING):
        if etree.QName(element).localname == "svg":
            drawings += 1 if event == "start" else -1
        elif event == "start" and not drawings:
            return "".join(map(str, element.itertext()))
    return ""


def _wrapper_url(root: etree._Element) -> str:
    """Return the URL of a page from CleanEval, which wraps pages in `<text id="URL" ...>`."""
    body = next(root.iterchildren("body"), None)
    first = next(body.iterchildren("*"), None) if body is not None else None
    return first.get("id") or "" if first is not None and first.tag == "text" else ""
