"""Everything that a page declares about itself in tags, collected in one scan of the tree."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import islice

from lxml import etree

from .linked_data import Node, read_nodes

_TAGS = ("title", "meta", "link", "script", "h1", "time", "base", "shreddit-post")
_MOST_ELEMENTS = 10_000
_LONGEST = 5_000  # characters of a value
_LONGEST_NAME = 200
_MOST_VALUES = 50  # under one name
_XML_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_RELATIONS = frozenset({"canonical", "image_src"})
_REDDIT = {"og:title": "post-title", "author": "author", "datepublished": "created-timestamp"}


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
        for name in names:
            if values := self.meta.get(name):
                return one_line(values[0])
        return ""

    def all(self, *names: str) -> list[str]:
        """All values under these names."""
        return [one_line(value) for name in names for value in self.meta.get(name, ())]


def read_declared(root: etree._Element) -> Declared:
    """Collect what the tree below this element declares."""
    declared = Declared(language=root.get("lang") or root.get(_XML_LANGUAGE) or "")
    scripts: list[str] = []
    for element in islice(root.iter(*_TAGS), _MOST_ELEMENTS):
        tag = element.tag
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
    get = element.get
    names = get("property") or get("name") or get("itemprop") or get("http-equiv")
    value = get("content")
    if names == "name" and (parent := element.getparent()) is not None:  # of an author, in microdata
        names = parent.get("itemprop") if "author" not in found else None
    if names and value and not value.isspace():
        names = names[:_LONGEST_NAME].lower()
        for name in names.split() if " " in names else (names,):
            _add(found, name, value)


def _add_link(found: dict[str, list[str]], element: etree._Element) -> None:
    rel = element.get("rel")
    if rel and (name := rel[:50].strip().lower()) in _RELATIONS and (address := element.get("href")):
        _add(found, name, address)


def _add(found: dict[str, list[str]], name: str, value: str) -> None:
    values = found.setdefault(name, [])
    if len(values) < _MOST_VALUES:
        values.append(value)


def one_line(text: str | None) -> str:
    """The beginning of a text with single blanks only."""
    return " ".join(text[:_LONGEST].split()) if text else ""
