"""Tree to blocks: one pass over the page, which reads and never writes."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

# What a tag does to the run of text around it. A tag that is not listed, a custom element for example, ends the run,
# as do the usual ones of HTML, which are listed to be found at once; only those with a prefix, which word processors
# and widgets strew into their paragraphs, do not.
INLINE, BLOCK, LINK, PREFORMATTED, BUTTON, BREAK, IMAGE, CONTROL, DROPPED = range(9)

INLINE_TAGS = frozenset(
    """
    abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark nobr output picture q rb rp rt
    rtc ruby s samp slot small source span strike strong sub sup time track tt u var wbr
    """.split()
)
_BLOCK_TAGS = """
    address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav noscript ol p section summary table tbody td tfoot
    th thead tr ul
""".split()
_DROPPED_TAGS = """
    area audio base canvas col colgroup datalist embed frame head iframe link map math meta meter
    noembed object optgroup option param progress script style svg template title video
""".split()
PREFORMATTED_TAGS = frozenset({"pre", "listing", "xmp", "plaintext"})

KINDS: dict[object, int] = {
    **dict.fromkeys(INLINE_TAGS, INLINE),
    **dict.fromkeys(_BLOCK_TAGS, BLOCK),
    **dict.fromkeys(_DROPPED_TAGS, DROPPED),
    **dict.fromkeys(PREFORMATTED_TAGS, PREFORMATTED),
    "a": LINK,
    "br": BREAK,
    "img": IMAGE,
    "button": BUTTON,
    **dict.fromkeys(("input", "select", "textarea"), CONTROL),
    etree.Comment: DROPPED,
    etree.ProcessingInstruction: DROPPED,
    etree.Entity: DROPPED,
}

# Attributes that tell what an element is for, or that nobody sees it.
MARKING_ATTRIBUTES = frozenset({"role", "itemprop", "hidden", "aria-hidden", "style"})

# Characters that have no width, and those that XML can't hold. The joiners U+200C and U+200D stay where they are
# part of the spelling: between characters from the Arabic block on, which holds Persian, Indic scripts and emoji.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u200b\u200e\u200f\u2060-\u2064\ufeff\ufffe\uffff]"
    "|(?<![\u0600-\U0010ffff])[\u200c\u200d]|[\u200c\u200d](?![\u0600-\U0010ffff])"
)


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
    # Of pages split at every tag only: the white space between a block and the one before in its paragraph, or None.
    glue: list[str | None] = field(default_factory=list)
    doctype: str = ""  # as lxml writes it

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
    if root is None:
        return Page()
    docinfo: Any = root.getroottree().docinfo  # whose type stubs are incomplete
    page = Page(doctype=docinfo.doctype)
    if KINDS.get(root.tag) != DROPPED:
        _walk(root, page, image_alt)
    return page


def _walk(root: etree._Element, page: Page, image_alt: bool) -> None:
    """Read every text below `root` in document order, with a stack of our own instead of recursion.

    The one loop in which a page's time goes: its state is in local variables, and text outside of `<pre>` is taken up
    on the spot. Elements are let go as soon as they are read: keeping them would double the time.
    """
    kinds, marking = KINDS, MARKING_ATTRIBUTES
    tags, add_tag, add_parent = page.tags, page.tags.append, page.parents.append
    add_text, add_link_text = page.texts.append, page.link_texts.append
    add_block_node, add_pre_line = page.block_nodes.append, page.pre_lines.append
    add_block_end = page.block_ends.append
    add_class, add_attribute = page.classes.append, page.attributes.append
    pieces: list[str] = []  # the run of text that is being read
    link_pieces: list[str] = []  # what of it is inside links
    container = 0  # the block-level element around it
    links = 0  # how many links are open
    link_end = -1  # how many pieces there were when the last link ended
    line_break = -1  # how many pieces there were at the last line break
    pre_line = 0  # the line of the open <pre>; 0 outside
    buttons: list[tuple[int, int, int, int]] = []  # for each open button how many blocks and pieces came before it

    def end_block() -> None:
        nonlocal link_end, line_break, pre_line
        link_text = "".join(link_pieces)
        if pre_line:
            text = _INVISIBLE.sub("", "".join(pieces)).rstrip()  # its white space is part of the text
        else:
            text = " ".join("".join(pieces).split())
            if not text.isprintable():
                text = " ".join(_INVISIBLE.sub("", text).split())
                link_text = _INVISIBLE.sub("", link_text)
        if text:
            add_text(text)
            add_link_text(link_text)
            add_block_node(container)
            add_pre_line(pre_line)
            add_block_end(len(tags))
        if pre_line:
            pre_line += 1
        pieces.clear()
        link_pieces.clear()
        link_end = line_break = -1

    def read(text: str) -> None:
        pieces.append(text)
        if links:
            link_pieces.append(text)

    def read_lines(text: str) -> None:
        first, *others = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        read(first)
        for line in others:
            end_block()
            read(line)

    def read_break() -> None:
        nonlocal line_break
        if pre_line:
            read_lines("\n")
        elif line_break >= 0 and _is_blank("".join(pieces[line_break:])):
            end_block()
        elif pieces:
            line_break = len(pieces)
            read(" ")

    def drop_label() -> None:
        """Take back what was read in a button.

        More than one block is no label: a parser that misses a closing tag puts half the page into a button.
        """
        blocks_before, text_before, pieces_before, link_pieces_before = buttons.pop()
        blocks = len(page.texts) - blocks_before
        if blocks == 0:
            del pieces[pieces_before:], link_pieces[link_pieces_before:]
            pieces.append(" ")
        elif blocks == text_before + 1:  # the text before the button, if there is any, and its label
            pieces.clear()
            link_pieces.clear()
            for values in (page.texts, page.link_texts, page.block_nodes, page.pre_lines, page.block_ends):
                values.pop()

    stack: list[tuple[Iterator[etree._Element], etree._Element, int, int, int, int]] = []
    siblings: Iterator[etree._Element] = iter((root,))
    parent = -1
    while True:
        element = next(siblings, None)
        if element is not None:
            tag = element.tag
            kind = kinds.get(tag)
            if kind is None:
                kind, tag = kind_of(tag, page.namespaces)
            outer_container, outer_line = container, pre_line
            names = ""
            if kind >= BREAK:
                if kind == BREAK:
                    read_break()
                elif kind == IMAGE:
                    page.images.append(max(parent, 0))
                    if image_alt:
                        read(element.get("alt", ""))
                elif kind == CONTROL:
                    page.controls.append(max(parent, 0))
                kind = INLINE  # of which only the text behind it is left to read
            else:
                if kind == BUTTON and opens_something(element):
                    kind = BLOCK
                if kind == LINK:
                    if link_end == len(pieces) and not pre_line:
                        pieces.append(" ")  # two links side by side are two words
                    links += 1
                elif kind == BUTTON:
                    text_before = int(not _is_blank("".join(pieces)))
                    buttons.append((len(page.texts), text_before, len(pieces), len(link_pieces)))
                    page.controls.append(max(parent, 0))
                elif kind != INLINE:
                    if pieces:
                        end_block()
                    container = len(tags)
                    if kind == PREFORMATTED:
                        pre_line = 1
                    pairs: Any = element.items()  # of str, whatever the stubs say
                    for name, value in pairs:
                        if name == "class" or name == "id":
                            names = f"{names} {value}" if names else value
                        elif name in marking:
                            add_attribute((container, name, value))
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
                add_class(names)
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
        if kind == LINK:
            links -= 1
            link_end = len(pieces)
            link_pieces.append(" ")
        elif kind == BUTTON:
            drop_label()
        elif kind != INLINE:
            if pieces:
                end_block()
            container = outer_container
            if kind == PREFORMATTED:
                pre_line = outer_line
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


def _is_blank(text: str) -> bool:
    """Whether there is nothing to see; the look for invisible characters is for the few texts that may have some."""
    return not text.strip() or not (text.isprintable() or _INVISIBLE.sub("", text).strip())


def opens_something(button: etree._Element) -> bool:
    """Whether a button is the heading of what it opens, as in a list of questions and answers, and no mere control."""
    return button.get("aria-expanded") is not None or button.get("aria-controls") is not None


def kind_of(tag: Any, namespaces: set[str]) -> tuple[int, str]:
    """What a tag does to the text around it, and its name; a namespace is noted and taken off."""
    kind = KINDS.get(tag)
    if kind is None:
        if tag[0] == "{":
            namespaces.add(tag[: tag.index("}") + 1])
            tag = _local_name(tag)
        kind = KINDS.get(tag, INLINE if ":" in tag else BLOCK)
    return kind, tag


def without_invisible(text: str) -> str:
    """The text without characters that have no width."""
    return text if text.isprintable() else _INVISIBLE.sub("", text)


def _local_name(tag: str) -> str:
    """An XHTML element's name without its namespace; the HTML parser knows none."""
    return tag.rpartition("}")[2]
