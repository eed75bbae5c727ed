"""Tree to blocks: one pass over the page, which reads and never writes."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass

from lxml import etree

# What a tag does to the run of text around it. A tag that is not listed, a custom element for example, ends the run;
# only those with a prefix, which word processors and widgets strew into their paragraphs, do not.
_INLINE, _BLOCK, _LINK, _PREFORMATTED, _BREAK, _IMAGE, _BUTTON, _DROPPED = range(8)

_INLINE_TAGS = """
    abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark nobr output picture q rb rp rt
    rtc ruby s samp slot small source span strike strong sub sup time track tt u var wbr
""".split()
_DROPPED_TAGS = """
    area audio base canvas col colgroup datalist embed frame frameset head iframe input link map math meta meter
    noembed object optgroup option param progress script select style svg template textarea title video
""".split()
PREFORMATTED_TAGS = frozenset({"pre", "listing", "xmp", "plaintext"})

_KINDS: dict[object, int] = {
    **dict.fromkeys(_INLINE_TAGS, _INLINE),
    **dict.fromkeys(_DROPPED_TAGS, _DROPPED),
    **dict.fromkeys(PREFORMATTED_TAGS, _PREFORMATTED),
    "a": _LINK,
    "br": _BREAK,
    "img": _IMAGE,
    "button": _BUTTON,
    etree.Comment: _DROPPED,
    etree.ProcessingInstruction: _DROPPED,
    etree.Entity: _DROPPED,
}

# Characters that have no width, and those that XML can't hold. The joiners U+200C and U+200D stay where they are
# part of the spelling: between characters from the Arabic block on, which holds Persian, Indic scripts and emoji.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u200b\u200e\u200f\u2060-\u2064\ufeff\ufffe\uffff]"
    "|(?<![\u0600-\U0010ffff])[\u200c\u200d]|[\u200c\u200d](?![\u0600-\U0010ffff])"
)


@dataclass(frozen=True, slots=True)
class Page:
    """The blocks of a page in document order, and the elements in which they stand.

    The first four lists have an entry for each block, the last three one for each element that was read; an element's
    parent always comes before it, so that one loop forward carries a fact from every element to all that it holds.
    """

    texts: list[str]
    link_texts: list[str]  # the part of the text that is inside links, its white space as it came
    block_nodes: list[int]  # the innermost block-level element around the text
    pre_lines: list[int]  # the line's number in its <pre>, from 1; 0 elsewhere

    tags: list[str]
    parents: list[int]  # -1 for the root

    def nearest(self, wanted: Container[str]) -> list[int]:
        """For each element the nearest one, itself included, with a wanted tag; -1 where there is none."""
        found: list[int] = []
        for node, (tag, parent) in enumerate(zip(self.tags, self.parents, strict=True)):
            found.append(node if tag in wanted else found[parent] if parent >= 0 else -1)
        return found


def segment(root: etree._Element | None, *, image_alt: bool = False) -> Page:
    """Split a page into blocks: runs of text between block-level tags, two line breaks, or line ends in `<pre>`.

    `image_alt` reads the alternative texts of images as if they stood in the page.
    """
    page = Page([], [], [], [], [], [])
    if root is not None and _KINDS.get(root.tag) != _DROPPED:
        _walk(root, page, image_alt)
    return page


def _walk(root: etree._Element, page: Page, image_alt: bool) -> None:
    """Read every text below `root` in document order, with a stack of our own instead of recursion.

    The one loop in which a page's time goes: its state is in local variables, and text outside of `<pre>` is taken up
    on the spot. Elements are let go as soon as they are read: keeping them would double the time.
    """
    kinds = _KINDS
    tags, add_tag, add_parent = page.tags, page.tags.append, page.parents.append
    add_text, add_link_text = page.texts.append, page.link_texts.append
    add_block_node, add_pre_line = page.block_nodes.append, page.pre_lines.append
    pieces: list[str] = []  # the run of text that is being read
    link_pieces: list[str] = []  # what of it is inside links
    container = 0  # the block-level element around it
    links = 0  # how many links are open
    link_end = -1  # how many pieces there were when the last link ended
    line_break = -1  # how many pieces there were at the last line break
    pre_line = 0  # the line of the open <pre>; 0 outside

    def end_block() -> None:
        nonlocal link_end, line_break
        if pre_line:
            text = _INVISIBLE.sub("", "".join(pieces)).rstrip()  # its white space is part of the text
        else:
            text = " ".join("".join(pieces).split())
            if not text.isprintable():
                text = " ".join(_INVISIBLE.sub("", text).split())
        if text:
            add_text(text)
            add_link_text("".join(link_pieces))
            add_block_node(container)
            add_pre_line(pre_line)
        pieces.clear()
        link_pieces.clear()
        link_end = line_break = -1

    def read(text: str) -> None:
        pieces.append(text)
        if links:
            link_pieces.append(text)

    def read_lines(text: str) -> None:
        nonlocal pre_line
        first, *others = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        read(first)
        for line in others:
            end_block()
            pre_line += 1
            read(line)

    def read_break() -> None:
        nonlocal line_break
        if pre_line:
            read_lines("\n")
        elif line_break >= 0 and not "".join(pieces[line_break:]).strip():
            end_block()
        elif pieces:
            line_break = len(pieces)
            read(" ")

    def is_void(element: etree._Element, kind: int) -> bool:
        """Deal with an element that has nothing to walk into; False if it has."""
        if kind == _BREAK:
            read_break()
        elif kind == _IMAGE and image_alt:
            read(element.get("alt", ""))
        elif kind == _BUTTON:
            # A control, and dropped; but one that opens something is the heading of what it opens.
            if element.get("aria-expanded") is not None or element.get("aria-controls") is not None:
                return False
            add_tag("button")  # only so that the others are counted right
            add_parent(parent)
        return True

    stack: list[tuple[Iterator[etree._Element], etree._Element, int, int, int, int]] = []
    siblings: Iterator[etree._Element] = iter((root,))
    parent = -1
    while True:
        element = next(siblings, None)
        if element is not None:
            tag = element.tag
            kind = kinds.get(tag)
            if kind is None:
                tag = _local_name(tag)
                kind = kinds.get(tag, _INLINE if ":" in tag else _BLOCK)
            outer_container, outer_line = container, pre_line
            if kind == _DROPPED or (kind >= _BREAK and is_void(element, kind)):
                kind = _INLINE  # of which only the text behind it is left to read
            else:
                if kind == _LINK:
                    if link_end == len(pieces):
                        pieces.append(" ")  # two links side by side are two words
                    links += 1
                elif kind != _INLINE:
                    if pieces:
                        end_block()
                    container = len(tags)
                    if kind == _PREFORMATTED:
                        pre_line = 1
                text = element.text
                if text and (pieces or pre_line or not text.isspace()):
                    if pre_line:
                        read_lines(text)
                    else:
                        pieces.append(text)
                        if links:
                            link_pieces.append(text)
                add_tag(tag)
                add_parent(parent)
                if len(element):
                    stack.append((siblings, element, kind, parent, outer_container, outer_line))
                    siblings = iter(element)
                    parent = len(tags) - 1
                    continue
        elif stack:
            siblings, element, kind, parent, outer_container, outer_line = stack.pop()
        else:
            break
        # The element ends here.
        if kind == _LINK:
            links -= 1
            link_end = len(pieces)
            link_pieces.append(" ")
        elif kind != _INLINE:
            if pieces:
                end_block()
            container, pre_line = outer_container, outer_line
        text = element.tail
        if text and (pieces or pre_line or not text.isspace()) and parent >= 0:
            if pre_line:
                read_lines(text)
            else:
                pieces.append(text)
                if links:
                    link_pieces.append(text)
    if pieces:  # the root itself is an inline element
        end_block()


def _local_name(tag: str) -> str:
    """An XHTML element's name without its namespace; the HTML parser knows none."""
    return tag.rpartition("}")[2] if tag[0] == "{" else tag
