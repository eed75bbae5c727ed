"""Page: the blocks of a page and the elements around them, as arrays."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Page:
    """The blocks of a page in document order, and the elements in which they stand.

    The first four lists have an entry for each block, the next three one for each element that was read; an element's
    parent always comes before it, so that one loop forward carries a fact from every element to all that it holds.
    """

    texts: list[str] = field(default_factory=list)
    link_texts: list[str] = field(default_factory=list)  # what of the text is inside links, its white space as it came
    block_nodes: list[int] = field(default_factory=list)  # the innermost block-level element around the text
    pre_lines: list[int] = field(default_factory=list)  # the line's number in its <pre>, from 1; 0 elsewhere

    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)  # -1 for the root
    classes: list[str] = field(default_factory=list)  # class and id as they came, "" for inline elements and links

    # Of block-level elements only: element, name and value of each of the MARKING_ATTRIBUTES.
    attributes: list[tuple[int, str, str]] = field(default_factory=list)
    images: list[int] = field(default_factory=list)  # the element around each image
    controls: list[int] = field(default_factory=list)  # the element around each form control
    namespaces: set[str] = field(default_factory=set)  # of the elements; the HTML parser gives them none
    block_ends: list[int] = field(default_factory=list)  # for each block how many elements began before its end
    # For blocks with line breaks in them where in the text these stand; the text has a blank there.
    line_breaks: dict[int, list[int]] = field(default_factory=dict)
    # Of pages split at every tag only: the white space between a block and the one before in its paragraph, or None.
    glue: list[str | None] = field(default_factory=list)
    doctype: str = ""  # as lxml writes it
    truncated: bool = False  # whether there was more than we read

    def nearest(self, wanted: Container[str]) -> list[int]:
        """For each element the nearest one, itself included, with a wanted tag; -1 where there is none."""
        found: list[int] = []
        for node, (tag, parent) in enumerate(zip(self.tags, self.parents, strict=True)):
            found.append(node if tag in wanted else found[parent] if parent >= 0 else -1)
        return found
