"""Everything that a page declares about itself in tags, collected in one scan of the tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice

from lxml import etree

from .linked_data import Node, read_nodes

_TAGS = ("title", "meta", "link", "script", "h1", "time", "base", "shreddit-post")
_MOST_ELEMENTS = 10_000
_LONGEST = 5_000  # characters of a value
_MOST_VALUES = 50  # under one name
_REDDIT = {"og:title": "post-title", "author": "author", "datepublished": "created-timestamp"}
_MOST_SCRIPTS = 10_000_000  # characters of linked data, all scripts together


@dataclass(slots=True)
class Declared:
    """The tags that say something about the page, by their names in lower case."""

    meta: dict[str, list[str]] = field(default_factory=dict)  # by property, name or itemprop
    links: dict[str, list[str]] = field(default_factory=dict)  # addresses by rel
    title: str = ""
    base: str = ""
    language: str = ""
    nodes: list[Node] = field(default_factory=list)  # of the linked data
    headings: list[etree._Element] = field(default_factory=list)  # <h1>
    times: list[etree._Element] = field(default_factory=list)

    def first(self, *names: str) -> str:
        """The first value under the first of these names that has one."""
        return next(self.all(*names), "")

    def all(self, *names: str):  # type: ignore[no-untyped-def]
        return (value for name in names for value in self.meta.get(name, ()))


def read_declared(root: etree._Element) -> Declared:
    """Collect what the tree below this element declares."""
    declared = Declared(language=root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "")
    scripts: list[str] = []
    prefix = "{*}" if str(root.tag).startswith("{") else ""
    for element in islice(root.iter(*(prefix + tag for tag in _TAGS)), _MOST_ELEMENTS):
        tag = element.tag.rpartition("}")[2]
        if tag == "meta":
            _add_meta(declared.meta, element)
        elif tag == "link":
            _add_link(declared.links, element)
        elif tag == "script":
            if "ld+json" in (element.get("type") or "") and element.text:
                scripts.append(element.text)
        elif tag == "h1":
            declared.headings.append(element)
        elif tag == "time":
            declared.times.append(element)
        elif tag == "title":
            declared.title = declared.title or one_line(element.text)
        elif tag == "shreddit-post":  # all that Reddit says about a thread is in attributes
            for name, attribute in _REDDIT.items():
                if value := one_line(element.get(attribute)):
                    _add(declared.meta, name, value)
        elif tag == "base":
            declared.base = declared.base or element.get("href") or ""
    declared.nodes = read_nodes(scripts)
    return declared


def _add_meta(found: dict[str, list[str]], element: etree._Element) -> None:
    names = element.get("property") or element.get("name") or element.get("itemprop")
    value = one_line(element.get("content"))
    if names and value:
        for name in names[:200].lower().split():
            _add(found, name, value)


def _add_link(found: dict[str, list[str]], element: etree._Element) -> None:
    address = element.get("href")
    for name in (element.get("rel") or "")[:200].lower().split():
        if address and name in ("canonical", "author", "image_src"):
            _add(found, name, address)


def _add(found: dict[str, list[str]], name: str, value: str) -> None:
    values = found.setdefault(name, [])
    if len(values) < _MOST_VALUES:
        values.append(value)


def one_line(text: str | None) -> str:
    """The beginning of a text with single blanks only."""
    return " ".join(text[:_LONGEST].split()) if text else ""
