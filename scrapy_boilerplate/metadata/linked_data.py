"""JSON-LD, well-formed or broken, as a list of nodes, and the node that describes the page."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

Node = dict[str, Any]

_LONGEST_SCRIPT = 1_000_000  # characters; longer scripts are only searched for single values
_LONGEST_SEARCHED = 50_000  # characters of a broken script that are searched for single values
_MOST_NODES = 2_000
_MOST_VALUES = 50  # of one property

_CDATA = re.compile(r"(?:/\*|//)?[ \t]{0,9}(?:<!\[CDATA\[|\]\]>|<!--|-->)[ \t]{0,9}(?:\*/)?")
# A string is matched even if it never ends, so that each character is read once.
_STRING_OR_FAULT = re.compile(
    r"""("(?:[^"\\]|\\.)*"?) | //[^\n]* | /\*.*?(?:\*/|\Z) | ,(?=\s{0,99}[\]}])""", re.VERBOSE | re.DOTALL
)
_BETWEEN_VALUES = re.compile(r"[\s;,]*")
_SINGLE_VALUE = re.compile(
    r'"(headline|datePublished|dateCreated|dateModified|description|inLanguage)" ?: ?"((?:[^"\\]|\\.){1,1000})"'
)
_SINGLE_AUTHOR = re.compile(r'"author" ?: ?\[? ?(?:"([^"]{1,200})"|\{[^{}]{0,500}?"name" ?: ?"([^"]{1,200})")')
_SINGLE_TYPE = re.compile(r'"@type" ?: ?(?:\[ ?)?"(\w{1,50})"')
_DECODER = json.JSONDecoder(strict=False)  # line breaks in strings are common

# The properties that lead to the node of the page itself, not to something that the page mentions.
_WRAPPING = ("@graph", "mainEntity", "mainEntityOfPage", "mainentity")
_ARTICLES = frozenset(
    """
    article newsarticle blogposting report scholarlyarticle medicalscholarlyarticle techarticle apireference
    analysisnewsarticle askpublicnewsarticle backgroundnewsarticle opinionnewsarticle reportagenewsarticle
    reviewnewsarticle satiricalarticle advertisercontentarticle liveblogposting socialmediaposting
    discussionforumposting question recipe howto review criticreview
    """.split()
)
_WORKS = frozenset(
    """
    creativework webpage itempage aboutpage collectionpage contactpage faqpage profilepage qapage medicalwebpage
    searchresultspage checkoutpage realestatelisting product productgroup event book course dataset movie musicalbum
    podcastepisode softwareapplication softwaresourcecode videoobject jobposting learningresource digitaldocument
    presentationdigitaldocument blog guide localbusiness person
    """.split()
)
# Pages that nobody signs: the authors and dates on them are those of something else.
_UNSIGNED = frozenset(
    "product productgroup collectionpage searchresultspage itemlist localbusiness jobposting realestatelisting".split()
)


def read_nodes(scripts: Iterable[str]) -> list[Node]:
    """The nodes that describe the page or its site, in document order."""
    nodes: list[Node] = []
    for script in scripts:
        stack = list(reversed(_values(script)))
        while stack and len(nodes) < _MOST_NODES:
            value = stack.pop()
            if isinstance(value, list):
                stack.extend(reversed(value[:_MOST_NODES]))
            elif isinstance(value, dict):
                nodes.append(value)
                if "FAQPage" in types_of(value):  # its questions are part of a page about something else
                    continue
                stack.extend(value[key] for key in _WRAPPING if isinstance(value.get(key), (dict, list)))
    return nodes


def _values(script: str) -> list[Any]:
    if len(script) > _LONGEST_SCRIPT:
        return [_searched(script)]
    if (values := _decoded(script)) is not None:
        return values
    text = html.unescape(script) if "&quot;" in script or "&#34;" in script else script
    text = _STRING_OR_FAULT.sub(lambda match: match[1] or "", _CDATA.sub("", text))
    values = _decoded(text)
    return [_searched(script)] if values is None else values


def _decoded(text: str) -> list[Any] | None:
    """All values of a script, of which some have several in a row; None if it is broken."""
    values = []
    position = _BETWEEN_VALUES.match(text).end()  # type: ignore[union-attr]
    while position < len(text):
        try:
            value, position = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            return None
        values.append(value)
        position = _BETWEEN_VALUES.match(text, position).end()  # type: ignore[union-attr]
    return values


def _searched(script: str) -> Node:
    """A node of the values that can be told one by one in a script that can't be read as a whole."""
    text = " ".join(html.unescape(script[:_LONGEST_SEARCHED]).split())
    node: Node = {}
    for name, value in _SINGLE_VALUE.findall(text):
        node.setdefault(name, re.sub(r"\\(.)", r"\1", value))
    types = _SINGLE_TYPE.findall(text)
    node["@type"] = next((name for name in types if name.lower() in _ARTICLES), types[0] if types else None)
    if author := _SINGLE_AUTHOR.search(text):
        node["author"] = author[1] or author[2]
    return node


def types_of(node: Node) -> list[str]:
    """The schema.org types of a node, without their address."""
    declared = node.get("@type")
    names = declared if isinstance(declared, list) else [declared]
    return [name.rpartition("/")[2].rpartition(":")[2] for name in names[:_MOST_VALUES] if isinstance(name, str)]


def is_article(node: Node) -> bool:
    return any(name.lower() in _ARTICLES for name in types_of(node))


def is_page_type(name: str) -> bool:
    """Whether a schema.org type is one of pages, not of the things on them."""
    return name.lower() in _ARTICLES or name.lower() in _WORKS


def is_unsigned(node: Node) -> bool:
    """Whether a page of this kind has no author and no date of its own."""
    return any(name.lower() in _UNSIGNED for name in types_of(node))


def is_work(node: Node) -> bool:
    return any(name.lower() in _WORKS for name in types_of(node))


def values_of(node: Node, name: str, nodes: dict[str, Node]) -> Iterator[Any]:
    """The values of a property, with references to other nodes resolved."""
    value = node.get(name)
    for one in value[:_MOST_VALUES] if isinstance(value, list) else [value]:
        if isinstance(one, dict) and "name" not in one and isinstance(one.get("@id"), str):
            yield nodes.get(one["@id"], one)
        elif one is not None:
            yield one


def text_of(value: Any) -> str:
    """The text of a value: itself, or what it is called; "" if it has none."""
    for key in ("name", "@value", "url", "@id"):
        if not isinstance(value, dict):
            break
        if value.get(key):
            value = value[key]
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = str(value)[:40]
    return html.unescape(value[:_LONGEST_SEARCHED]) if isinstance(value, str) else ""


def headline_of(node: Node) -> str:
    return text_of(node.get("headline")) or text_of(node.get("name"))
