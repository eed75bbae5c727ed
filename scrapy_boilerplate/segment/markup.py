"""Attributes that a renderer needs: addresses, sources of formulas, numbers of list items, sizes of cells."""

from __future__ import annotations

from typing import Any

from lxml import etree

from ..page import Page
from .tags import CODE_TAGS, MARKED_TAGS, MARKING_ATTRIBUTES

# Of block-level elements: numbers of list items, sizes of cells, languages of code.
LAYOUT_ATTRIBUTES = frozenset("start reversed type value colspan rowspan data-lang data-language".split())
LONGEST_VALUE = 2000  # characters of an address or another value; longer ones are not kept

# How the class of a <span> begins in which a script draws a formula.
FORMULA_CLASSES = ("katex", "MathJax", "mwe-math-element")
_SOURCES = ("src", "data-src", "data-original", "data-lazy-src")  # a script may set src when the image comes in sight
_USUAL = ("/", "http", "#")  # most addresses begin like this
_NOT_FETCHED = ("data:", "javascript:", "about:", "blob:")


def note_inline(page: Page, tag: str, element: etree._Element, number: int) -> bool:
    """Keep the attributes of an inline element; return whether its extent in the text is to be marked."""
    if tag == "span":
        is_box = is_formula_box(element.get("class"))
        if is_box:
            page.formula_boxes.add(number)
        return is_box
    if tag == "a":
        href = element.get("href")
        if href and is_address(href):
            page.hrefs[number] = href
    elif tag in CODE_TAGS:
        names = element.get("class")
        if names and len(names) <= LONGEST_VALUE:
            page.layout[number] = {"class": names}
    return tag in MARKED_TAGS


def note_block(page: Page, element: etree._Element, number: int) -> None:
    """Keep the class, the id, the marking attributes and the layout of a block-level element."""
    pairs: Any = element.items()  # of str, whatever the stubs say
    if not pairs:  # most elements
        return
    names = ""
    layout = {}
    for name, value in dict(pairs).items():  # broken XML may have a name twice
        if name == "class" or name == "id":
            names = f"{names} {value}" if names else value
        elif name in MARKING_ATTRIBUTES:
            page.attributes.append((number, name, value))
        elif name in LAYOUT_ATTRIBUTES and len(value) <= LONGEST_VALUE:
            layout[name] = value
    page.classes[number] = names
    if element.tag == "pre" and (language := element.get("class")) and len(language) <= LONGEST_VALUE:
        layout["class"] = language
    if layout:
        page.layout[number] = layout


def is_formula_box(names: str | None) -> bool:
    """Tell whether a script draws a formula in a `<span>` with these classes."""
    return names is not None and names.startswith(FORMULA_CLASSES)


def is_address(value: str) -> bool:
    """Tell whether an address can be fetched and has a usual length."""
    if len(value) > LONGEST_VALUE:
        return False
    return value.startswith(_USUAL) or not value.lstrip()[:12].lower().startswith(_NOT_FETCHED)


def source_of(image: etree._Element) -> str:
    """Return the address of an image, also if a script has yet to set it; "" if there is none."""
    found = (image.get(name) for name in _SOURCES)
    return next((value for value in found if value and is_address(value)), "")


def alt_of(image: etree._Element) -> str:
    """Return the alternative text of an image, "" if there is none."""
    alt = image.get("alt") or ""
    return alt if len(alt) <= LONGEST_VALUE else ""


def formula_of(element: etree._Element) -> tuple[str, bool] | None:
    """Return the LaTeX source in a `<math>`, `<annotation>` or `<script>`, and whether it has a line of its own."""
    kind = element.get("type") or ""
    if kind.startswith("math/tex"):
        return _latex(element.text, "mode=display" in kind)
    if element.get("encoding") == "application/x-tex":
        math = next(element.iterancestors("math", "{*}math"), element)
        return _latex(element.text, math.get("display") == "block")
    return _latex(element.get("alttext"), element.get("display") == "block")


def _latex(source: str | None, display: bool) -> tuple[str, bool] | None:
    source = source.strip() if source else ""
    return (source, display) if 0 < len(source) <= LONGEST_VALUE else None


def drop_images(page: Page, images: int, formulas: int) -> None:
    """Note that the images and formulas from these numbers on are in a button's label, which no block holds."""
    page.image_blocks[images:] = [-1] * (len(page.image_blocks) - images)
    page.formula_blocks[formulas:] = [-1] * (len(page.formula_blocks) - formulas)
