"""A crawled page as inert markup: without scripts, loads, forms and working links.

Only the elements and attributes that are listed here are written; any others are left out or become plain elements. As
a second defence, the frame that shows the markup is sandboxed, and its policy forbids scripts and loads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any
from urllib.parse import urljoin

from lxml import etree

from ..segment.tags import DROPPED, INLINE_TAGS, WORD, effect_of
from .numbering import NUMBER
from .safe_css import EMBEDDED_IMAGE, safe_css

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'"
TEXT_TAG = "x-text"  # the element around each numbered text; no page has a style for this name

_VOID = frozenset("br hr img input wbr".split())
_PLAIN = INLINE_TAGS - {"data", "label", "output", "picture", "slot", "source", "track"} | frozenset(
    """
    a address article aside blockquote br button caption center dd details dialog dir div dl dt fieldset figcaption
    figure footer h1 h2 h3 h4 h5 h6 header hgroup hr img input legend li main menu nav ol p pre search section select
    summary table tbody td textarea tfoot th thead tr ul
    """.split()
)
_RENAMED = {"listing": "pre", "xmp": "pre", "plaintext": "pre"}  # the browser would read these as raw text
_EMPTY = _VOID | {"select", "textarea"}  # written without their content
_DRAWING = frozenset("circle ellipse g line path polygon polyline rect svg".split())
_CUSTOM = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")

_ATTRIBUTES = frozenset(
    """
    align alt bgcolor border cellpadding cellspacing class color colspan dir face height hidden id lang nowrap open
    reversed role rowspan size span start style title valign width
    """.split()
)
_DRAWING_ATTRIBUTES = frozenset(
    """
    class clip-rule cx cy d fill fill-rule height points r rx ry stroke stroke-linecap stroke-linejoin stroke-width
    style transform viewbox width x x1 x2 y y1 y2
    """.split()
)
_STYLING = (_DRAWING_ATTRIBUTES - _ATTRIBUTES) | {"style"}  # browsers read their values as CSS
_ARIA = re.compile("aria-[a-z]+")
_INPUT_TYPES = frozenset({"button", "checkbox", "radio", "reset", "search", "submit", "text"})


def safe_page(
    root: etree._Element,
    texts: list[str],
    *,
    url: str | None,
    image_alt: bool,
    style: str,
    sheets: Mapping[str, str],
) -> str:
    """Return the markup of a page whose texts were numbered, with each text in an element that has its number.

    `sheets` are the available style sheets, by address. Declarations in `style` that are `!important` override those
    of the page whatever their selectors, because `style` is the first cascade layer.
    """
    base = base_of(root, url)
    head = [
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">',
        '<meta http-equiv="x-dns-prefetch-control" content="off"><meta name="referrer" content="no-referrer">',
        f'<base href="{escape(base)}">' if base else "",
        f"<style>@layer marks {{{style}}}</style>",
        *_styles(root, base, sheets),
    ]
    html, body = _first(root, "html"), _first(root, "body")
    return (
        f"<!doctype html><html{_attributes(html, '', None)}><head>{''.join(head)}</head>"
        f"<body{_attributes(body, '', None)}>{_Writer(texts, base, image_alt).write(root)}</body></html>"
    )


class _Writer:
    def __init__(self, texts: list[str], base: str | None, image_alt: bool) -> None:
        self._texts = texts
        self._base = base
        self._image_alt = image_alt

    def write(self, root: etree._Element) -> str:
        pieces: list[str] = []
        walk: Any = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
        drawings = 0  # number of open <svg> elements, whose texts are not shown
        for event, element in walk:
            name = _name(element.tag, drawings > 0)
            if event == "start":
                drawings += name == "svg"
                if name:
                    pieces.append(f"<{name}{_attributes(element, name, self._base)}{self._number(element, name)}>")
                if name is None or name in _EMPTY:
                    walk.skip_subtree()
                elif element.text and not drawings:
                    pieces.append(self._shown(element.text))
            else:
                if event == "end" and name and name not in _VOID:
                    pieces.append(f"</{name}>")
                drawings -= event == "end" and name == "svg"
                if element.tail and element is not root and not drawings:
                    pieces.append(self._shown(element.tail))
        return "".join(pieces)

    def _number(self, element: etree._Element, name: str) -> str:
        """Return the attributes of an image's alternative text if it counts as text, otherwise ""."""
        match = NUMBER.fullmatch(element.get("alt", "")) if name == "img" and self._image_alt else None
        return f' alt="{escape(self._texts[int(match[1])])}" data-n="{match[1]}"' if match else ""

    def _shown(self, text: str) -> str:
        pieces = []
        for place, piece in enumerate(NUMBER.split(text)):  # alternately white space and a number
            shown = escape(self._texts[int(piece)] if place % 2 else piece)
            pieces.append(f'<{TEXT_TAG} data-n="{piece}">{shown}</{TEXT_TAG}>' if place % 2 else shown)
        return "".join(pieces)


def _name(tag: object, in_drawing: bool) -> str | None:
    """Return the name that an element is written with; "" for its content alone, None to leave it out."""
    if not isinstance(tag, str):
        return None
    tag = tag.rpartition("}")[2].lower()
    if in_drawing or tag == "svg":
        return tag if tag in _DRAWING else None
    effect = effect_of(tag, set())[0]
    if effect == DROPPED:
        return None
    if tag in ("html", "body"):
        return ""
    if tag in _PLAIN or _CUSTOM.fullmatch(tag):
        return tag
    return _RENAMED.get(tag, "span" if effect <= WORD else "div")


def _attributes(element: etree._Element | None, name: str, base: str | None) -> str:
    if element is None:
        return ""
    pairs: Any = element.items()
    attributes = {str(key).lower(): str(value) for key, value in pairs}
    allowed = _DRAWING_ATTRIBUTES if name in _DRAWING else _ATTRIBUTES
    written = {
        key: safe_css(value) if key in _STYLING else value
        for key, value in attributes.items()
        if key in allowed or _ARIA.fullmatch(key)
    }
    if name == "a" and "href" in attributes:
        written["href"] = "about:blank"  # looks like a link, but leads nowhere, and browsers don't preconnect to it
        written.setdefault("title", _absolute(base, attributes["href"]))
    if name == "img":
        if EMBEDDED_IMAGE.fullmatch(attributes.get("src", "")):
            written["src"] = attributes["src"]
        if NUMBER.fullmatch(written.get("alt", "")):
            del written["alt"]
    if name == "input":
        kind = attributes.get("type", "text").lower()
        written["type"] = kind if kind in _INPUT_TYPES else "hidden" if kind == "hidden" else "text"
        written["value"] = attributes.get("value", "") if kind in ("button", "reset", "submit") else ""
    return "".join(f' {key}="{escape(value)}"' for key, value in written.items())


def _styles(root: etree._Element, base: str | None, sheets: Mapping[str, str]) -> Iterator[str]:
    """Yield the page's style sheets in order: the embedded ones, and those linked ones that are available."""
    for element in root.iter("style", "{*}style", "link", "{*}link"):
        address = sheet_address(element, base)
        css = sheets.get(address) if address else "".join(map(str, element.itertext()))
        if css and (element.get("type") or "text/css").strip().lower() == "text/css":
            yield f'<style media="{escape(str(element.get("media") or "all"))}">{safe_css(css)}</style>'


def sheet_address(element: etree._Element, base: str | None) -> str | None:
    """Return the address of the style sheet that an element links to, or None."""
    kinds = (element.get("rel") or "").lower().split()
    address = element.get("href")
    if not address or "stylesheet" not in kinds or "alternate" in kinds:
        return None
    return _absolute(base, str(address))


def base_of(root: etree._Element, url: str | None) -> str | None:
    """Return the address that the page's links are relative to, or None if it is not an HTTP address."""
    declared = next((str(base.get("href")) for base in root.iter("base", "{*}base") if base.get("href")), "")
    base = _absolute(url, declared)
    return base if base.startswith(("http://", "https://")) else None


def _absolute(base: str | None, address: str) -> str:
    try:
        return urljoin(base or "", address.strip())
    except ValueError:  # not a valid address
        return address


def _first(root: etree._Element, tag: str) -> etree._Element | None:
    return next(root.iter(tag, f"{{*}}{tag}"), None)
