"""The walk over a page's tree, in Python: what `_walk.pyx` does in C where that could be compiled."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from lxml import etree

from .limits import MOST_BLOCKS, MOST_ELEMENTS
from .tags import (
    BLOCK,
    BREAK,
    BUTTON,
    CONTROL,
    IMAGE,
    INLINE,
    INVISIBLE,
    KINDS,
    LINK,
    MARKING_ATTRIBUTES,
    PHRASE,
    PREFORMATTED,
    WORD,
    is_gap,
    kind_of,
    line_break_offsets,
    opens_something,
)

if TYPE_CHECKING:
    from ..page import Page


def walk(root: etree._Element, page: Page, image_alt: bool) -> bool:
    """Read every text below `root` in document order, with a stack of our own instead of recursion.

    Whether there was more than may be read.

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
    word_end = -1  # how many pieces there were when the last word or phrase ended
    ended = INLINE  # which of both it was
    gap = -1  # how many pieces there were when another began right there
    gap_kind = INLINE  # a word only if both are
    line_break = -1  # how many pieces there were at the last line break
    line_breaks: list[int] = []  # and at all of the run
    pre_line = 0  # the line of the open <pre>; 0 outside
    runs = 0  # how many runs of text have ended
    full = False  # whether a block had no room
    buttons: list[
        tuple[int, bool, int, int, int]
    ] = []  # for each open one how many blocks, runs, pieces came before it
    # Of so many pieces it is known whether there is something to see in them.
    known, visible = 0, False

    def end_block() -> None:
        nonlocal link_end, word_end, gap, line_break, pre_line, runs, full, known, visible
        link_text = "".join(link_pieces)
        if pre_line:
            text = INVISIBLE.sub("", "".join(pieces)).rstrip()  # its white space is part of the text
        else:
            text = " ".join("".join(pieces).split())
            if not text.isprintable():
                text = " ".join(INVISIBLE.sub("", text).split())
                link_text = INVISIBLE.sub("", link_text)
        if text and len(page.texts) == MOST_BLOCKS:
            full = True
        elif text:
            add_text(text)
            add_link_text(link_text)
            add_block_node(container)
            add_pre_line(pre_line)
            add_block_end(len(tags))
            if line_breaks:
                parts = pairwise((0, *line_breaks, len(pieces)))
                page.line_breaks[len(page.texts) - 1] = line_break_offsets("".join(pieces[a:b]) for a, b in parts)
        if pre_line:
            pre_line += 1
        runs += 1
        pieces.clear()
        link_pieces.clear()
        line_breaks.clear()
        link_end = word_end = gap = line_break = -1
        known, visible = 0, False

    def read(text: str) -> None:
        pieces.append(text)
        if links:
            link_pieces.append(text)

    def read_lines(text: str) -> None:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        start = 0
        while not full and (end := text.find("\n", start)) >= 0:
            read(text[start:end])
            end_block()
            start = end + 1
        read(text[start:])

    def read_break() -> None:
        nonlocal line_break
        if pre_line:
            read_lines("\n")
        elif line_break >= 0 and is_blank("".join(pieces[line_break:])):
            end_block()
        elif pieces:
            line_break = len(pieces)
            line_breaks.append(line_break)
            read(" ")

    def begin_button() -> None:
        """Only what was read since the last button is looked at: there may be many in a run."""
        nonlocal known, visible
        visible = visible or not is_blank("".join(pieces[known:]))
        known = len(pieces)
        buttons.append((len(page.texts), visible, runs, known, len(link_pieces)))

    def drop_label() -> None:
        """Take back what was read in a button.

        More than one block is no label: a parser that misses a closing tag puts half the page into a button.
        """
        nonlocal link_end, word_end, gap, line_break, known, visible
        blocks_before, text_before, runs_before, pieces_before, link_pieces_before = buttons.pop()
        blocks = len(page.texts) - blocks_before
        link_end = word_end = gap = -1
        if blocks == 0:
            if runs > runs_before:  # nothing was to be seen before the button, and it is gone
                pieces_before = link_pieces_before = 0
                text_before = False
            known, visible = pieces_before, text_before
            del pieces[pieces_before:], link_pieces[link_pieces_before:]
            pieces.append(" ")
            if line_break >= pieces_before:
                line_break = -1
            while line_breaks and line_breaks[-1] >= pieces_before:
                line_breaks.pop()
        elif blocks == text_before + 1:  # the text before the button, if there is any, and its label
            pieces.clear()
            link_pieces.clear()
            line_breaks.clear()
            line_break = -1
            page.line_breaks.pop(len(page.texts) - 1, None)
            known, visible = 0, False
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
                    if image_alt and (alt := element.get("alt")):
                        read(alt)
                    if parent < 0:  # the root itself, in which its text stands
                        add_tag(tag)
                        add_parent(parent)
                        add_class("")
                elif kind == CONTROL:
                    page.controls.append(max(parent, 0))
                kind = INLINE  # of which only the text behind it is left to read
            elif full or len(tags) == MOST_ELEMENTS:
                full = True
                break
            else:
                if kind == BUTTON and opens_something(element):
                    kind = BLOCK
                if kind == LINK:
                    if link_end == len(pieces) and not pre_line:
                        pieces.append(" ")  # two links side by side are two words
                    links += 1
                elif kind == BUTTON:
                    begin_button()
                    page.controls.append(max(parent, 0))
                elif kind == INLINE:
                    word_end = -1
                elif kind <= WORD:
                    if word_end == len(pieces):
                        gap, gap_kind = word_end, min(kind, ended)
                else:
                    if pieces:
                        end_block()
                    container = len(tags)
                    if kind == PREFORMATTED:
                        pre_line = 1
                    pairs: Any = element.items()  # of str, whatever the stubs say
                    for name, value in dict(pairs).items():  # broken XML may have a name twice: its first value counts
                        if name == "class" or name == "id":
                            names = f"{names} {value}" if names else value
                        elif name in marking:
                            add_attribute((container, name, value))
                text = element.text
                if text and (pieces or pre_line or not text.isspace()):
                    if pre_line:
                        read_lines(text)
                    else:
                        if gap == len(pieces) and pieces and is_gap(pieces[-1], text, gap_kind):
                            read(" ")
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
        elif PHRASE <= kind <= WORD:
            word_end, ended, gap = len(pieces), kind, -1
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
    if pieces:  # the root itself is an inline element, or the page is too long
        end_block()
    return full


def is_blank(text: str) -> bool:
    """Whether there is nothing to see; the look for invisible characters is for the few texts that may have some."""
    return not text.strip() or not (text.isprintable() or INVISIBLE.sub("", text).strip())
