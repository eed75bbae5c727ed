"""Page: the blocks of a page and the elements around them, as lists."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ._core.shim import Walked

# What a mark in a run of text stands for.
START, END, LINE_BREAK, IMAGE_MARK, FORMULA_MARK = range(5)


class Formula(NamedTuple):
    """The LaTeX source of a formula."""

    element: int  # around the source
    latex: str
    display: bool  # whether it has a line of its own


@dataclass(frozen=True, slots=True)
class Head:
    """The facts that a page declares in its head; empty strings and sets where it has none."""

    title: str = ""
    description: str = ""
    og_type: str = ""
    address: str = ""  # of the page, as it gives it itself
    types: frozenset[str] = frozenset()  # schema.org, in lower case
    base: str = ""  # the address that those of its links are relative to, as it gives it
    has_published_time: bool = False
    wrapper_url: str = ""  # of the page in CleanEval's own `<text id="...">`


@dataclass(frozen=True, slots=True)
class Page:
    """The blocks of a page in document order, the elements around them, and all that later steps need of the tree.

    Blocks, elements and images are numbered from 0. An element's parent always comes before it, so that one loop
    forward carries a fact from every element to all that it holds. `segment.inline.Inline` reads the marks.
    """

    # One entry for each block.
    texts: list[str] = field(default_factory=list)
    link_texts: list[str] = field(default_factory=list)  # the part of the text in links, its white space as it came
    block_nodes: list[int] = field(default_factory=list)  # the innermost block-level element around the text
    block_starts: list[int] = field(default_factory=list)  # the innermost element, inline or not, where it begins
    block_ends: list[int] = field(default_factory=list)  # how many elements began before its end
    pre_lines: list[int] = field(default_factory=list)  # the line's number in its <pre>, from 1; 0 elsewhere
    # Of pages split at every tag only: the white space between a block and the one before in its paragraph, or None.
    glue: list[str | None] = field(default_factory=list)

    # One entry for each element that was read.
    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)  # -1 for the root
    classes: list[str] = field(default_factory=list)  # class and id as they came, "" for inline elements and links

    # Of block-level elements only: element, name and value of each of the MARKING_ATTRIBUTES.
    attributes: list[tuple[int, str, str]] = field(default_factory=list)
    controls: list[int] = field(default_factory=list)  # the element around each form control

    # One entry for each image.
    images: list[int] = field(default_factory=list)  # the element around it
    # The block in whose text it stands, if there is a mark of it; otherwise the one that comes next, or -1 in the
    # label of a button, which is no text.
    image_blocks: list[int] = field(default_factory=list)
    image_sources: list[str] = field(default_factory=list)  # the address as it came, "" if there is none
    image_texts: list[str] = field(default_factory=list)  # the alternative text, "" if there is none

    # Inline markup. Of each block with marks between its first and its last word, its text as it came and the marks,
    # three numbers for each: how many characters come before it, what it is, and of which element, image or formula.
    runs: dict[int, str] = field(default_factory=dict)
    marks: dict[int, list[int]] = field(default_factory=dict)
    hrefs: dict[int, str] = field(default_factory=dict)  # of links, as they came
    # Attributes that say how an element is rendered: those in LAYOUT_ATTRIBUTES, and the class of <code>.
    layout: dict[int, dict[str, str]] = field(default_factory=dict)
    formulas: list[Formula] = field(default_factory=list)
    formula_blocks: list[int] = field(default_factory=list)  # for each formula its block, as for images
    formula_boxes: set[int] = field(default_factory=set)  # the <span>s in which KaTeX and the like draw formulas

    # The page as a whole.
    head: Head = field(default_factory=Head)
    namespaces: set[str] = field(default_factory=set)  # of the elements; the HTML parser gives them none
    doctype: str = ""  # as lxml writes it
    source: bytes = field(default=b"", repr=False)  # the HTML in UTF-8, only for models that read it themselves
    root_path: str = ""  # the XPath of the root, which may be any element of a page
    # Element names that no XPath can hold, and for each such element its number among all elements beside it.
    unwritable: set[str] = field(default_factory=set)
    places: dict[int, int] = field(default_factory=dict)
    truncated: bool = False  # whether there was more than we read

    @property
    def walked(self) -> Walked | None:
        """The page in the core, None if that has not read it."""
        return None

    def may_name(self, parts: Iterable[str]) -> bool:
        """Whether one of these parts, in lower case, is in a class or an id: a fast check before a look at each."""
        names = "\n".join(self.classes).lower()
        return any(part in names for part in parts)

    def nearest(self, wanted: Container[str]) -> list[int]:
        """For each element the nearest one, itself included, with a wanted tag; -1 where there is none."""
        found: list[int] = []
        for node, (tag, parent) in enumerate(zip(self.tags, self.parents, strict=True)):
            found.append(node if tag in wanted else found[parent] if parent >= 0 else -1)
        return found
