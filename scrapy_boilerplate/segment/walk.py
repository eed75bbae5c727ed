"""The walk over a page's tree, in Python: what the core does in C where that could be compiled."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import accumulate
from typing import Any

from lxml import etree

from ..page import END, FORMULA_MARK, IMAGE_MARK, LINE_BREAK, START, Formula, Page
from .limits import MOST_BLOCKS, MOST_ELEMENTS
from .markup import LAYOUT_ATTRIBUTES, LONGEST_VALUE, alt_of, drop_images, formula_of, note_inline, source_of
from .tags import (
    BLOCK,
    BREAK,
    BUTTON,
    CONTROL,
    EFFECTS,
    FORMULA_TAGS,
    IMAGE,
    INLINE,
    INVISIBLE,
    LINK,
    MARKED_TAGS,
    MARKING_ATTRIBUTES,
    PHRASE,
    PREFORMATTED,
    WORD,
    effect_of,
    is_gap,
    opens_something,
)

ASCII_SPACE = " \t\n\x0b\x0c\r\x1c\x1d\x1e\x1f"


def walk(root: etree._Element, page: Page, image_alt: bool, skip: Collection[etree._Element] = ()) -> bool:
    """Read every text below `root` in document order, with a stack of our own instead of recursion.

    Whether there was more than may be read. Elements to `skip` count as empty ones; the text after them is read.

    The one loop in which a page's time goes: its state is in local variables, and text outside of `<pre>` is taken up
    on the spot. Elements are let go as soon as they are read: keeping them would double the time.
    """
    effects, marking, layout, marked_tags = EFFECTS, MARKING_ATTRIBUTES, LAYOUT_ATTRIBUTES, MARKED_TAGS
    tags, add_tag, add_parent = page.tags, page.tags.append, page.parents.append
    add_text, add_link_text = page.texts.append, page.link_texts.append
    add_block_node, add_pre_line = page.block_nodes.append, page.pre_lines.append
    add_block_start, add_block_end = page.block_starts.append, page.block_ends.append
    add_class, add_attribute = page.classes.append, page.attributes.append
    pieces: list[str] = []  # the run of text that is being read
    link_pieces: list[str] = []  # what of it is inside links
    marks: list[tuple[int, int, int]] = []  # in it; their places are numbers of pieces
    container = 0  # the block-level element around it
    innermost = 0  # the innermost element around what is read
    start = 0  # and where the run began
    links = 0  # how many links are open
    link_end = -1  # how many pieces there were when the last link ended
    word_end = -1  # how many pieces there were when the last word or phrase ended
    ended = INLINE  # which of both it was
    gap = -1  # how many pieces there were when another began right there
    gap_effect = INLINE  # a word only if both are
    line_break = -1  # how many pieces there were at the last line break
    pre_line = 0  # the line of the open <pre>; 0 outside
    runs = 0  # how many runs of text have ended
    full = False  # whether a block had no room
    # For each open one how many blocks, runs, pieces, marks, images and formulas came before it.
    buttons: list[tuple[int, bool, int, int, int, int, int, int]] = []
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
            add_block_start(start)
            add_block_end(len(tags))
            if marks:
                note_marks()
        if pre_line:
            pre_line += 1
        runs += 1
        pieces.clear()
        link_pieces.clear()
        marks.clear()
        link_end = word_end = gap = line_break = -1
        known, visible = 0, False

    def note_marks() -> None:
        """Keep the marks of the run, but for those behind its last word, which say nothing of the text."""
        text = "".join(pieces)
        places = [0, *accumulate(map(len, pieces))]
        end = len(text.rstrip(ASCII_SPACE))
        while marks and marks[-1][1] <= LINE_BREAK and places[marks[-1][0]] >= end:
            marks.pop()
        if marks:
            block = len(page.texts) - 1
            page.runs[block] = text
            page.marks[block] = [value for place, what, number in marks for value in (places[place], what, number)]

    def mark(what: int, number: int) -> None:
        if pieces:
            marks.append((len(pieces), what, number))

    def read(text: str) -> None:
        nonlocal start
        if not pieces:
            start = innermost
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
            mark(LINE_BREAK, 0)
            read(" ")

    def read_image(image: etree._Element) -> None:
        mark(IMAGE_MARK, len(page.images))
        page.images.append(innermost)
        page.image_blocks.append(len(page.texts))
        page.image_sources.append(source_of(image))
        page.image_texts.append(alt_of(image))
        if image_alt and (alt := image.get("alt")):
            read(alt)

    def read_formula(element: etree._Element) -> None:
        if formula := formula_of(element):
            mark(FORMULA_MARK, len(page.formulas))
            page.formula_blocks.append(len(page.texts))
            page.formulas.append(Formula(innermost, *formula))

    def begin_button() -> None:
        """Only what was read since the last button is looked at: there may be many in a run."""
        nonlocal known, visible
        visible = visible or not is_blank("".join(pieces[known:]))
        known = len(pieces)
        seen = len(page.images), len(page.formulas)
        buttons.append((len(page.texts), visible, runs, known, len(link_pieces), len(marks), *seen))

    def drop_label() -> None:
        """Take back what was read in a button.

        More than one block is no label: a parser that misses a closing tag puts half the page into a button.
        """
        nonlocal link_end, word_end, gap, line_break, known, visible, start
        blocks_before, text_before, runs_before, pieces_before, link_pieces_before, marks_before, *seen = buttons.pop()
        blocks = len(page.texts) - blocks_before
        link_end = word_end = gap = -1
        if blocks in (0, text_before + 1):
            drop_images(page, *seen)
        if blocks == 0:
            if runs > runs_before:  # nothing was to be seen before the button, and it is gone
                pieces_before = link_pieces_before = marks_before = 0
                text_before = False
            known, visible = pieces_before, text_before
            del pieces[pieces_before:], link_pieces[link_pieces_before:], marks[marks_before:]
            if not pieces:
                start = innermost
            pieces.append(" ")
            if line_break >= pieces_before:
                line_break = -1
        elif blocks == text_before + 1:  # the text before the button, if there is any, and its label
            pieces.clear()
            link_pieces.clear()
            marks.clear()
            line_break = -1
            page.runs.pop(len(page.texts) - 1, None)
            page.marks.pop(len(page.texts) - 1, None)
            known, visible = 0, False
            for values in (
                *(page.texts, page.link_texts),
                *(page.block_nodes, page.block_starts, page.block_ends, page.pre_lines),
            ):
                values.pop()

    stack: list[tuple[Iterator[etree._Element], etree._Element, int, int, int, int, bool]] = []
    siblings: Iterator[etree._Element] = iter((root,))
    parent = -1
    while True:
        element = next(siblings, None)
        if element is not None:
            tag = element.tag
            effect = effects.get(tag)
            if effect is None:
                effect, tag = effect_of(tag, page.namespaces)
                if "\ufffd" in tag:
                    page.unwritable.add(tag)
            outer_container, outer_line = container, pre_line
            names = ""
            marked = False
            skipped = bool(skip) and element in skip
            if skipped and effect < BREAK:
                effect = BLOCK if effect >= BLOCK else INLINE
            if effect >= BREAK:
                innermost = max(parent, 0)
                if skipped:
                    pass
                elif effect == BREAK:
                    read_break()
                elif effect == IMAGE:
                    read_image(element)
                    if parent < 0:  # the root itself, in which its text stands
                        add_tag(tag)
                        add_parent(parent)
                        add_class("")
                elif effect == CONTROL:
                    page.controls.append(innermost)
                elif tag in FORMULA_TAGS:
                    read_formula(element)
                effect = INLINE  # of which only the text behind it is left to read
            elif full or len(tags) == MOST_ELEMENTS:
                full = True
                break
            else:
                innermost = len(tags)
                if effect == BUTTON and opens_something(element):
                    effect = BLOCK
                if effect == LINK:
                    if link_end == len(pieces) and not pre_line:
                        if not pieces:
                            start = innermost
                        pieces.append(" ")  # two links side by side are two words
                    links += 1
                elif effect == BUTTON:
                    begin_button()
                    page.controls.append(max(parent, 0))
                elif effect == INLINE:
                    word_end = -1
                elif effect <= WORD:
                    if word_end == len(pieces):
                        gap, gap_effect = word_end, min(effect, ended)
                else:
                    if pieces:
                        end_block()
                    container = len(tags)
                    if effect == PREFORMATTED:
                        pre_line = 1
                    pairs: Any = () if skipped else element.items()  # of str, whatever the stubs say
                    for name, value in dict(pairs).items():  # broken XML may have a name twice: its first value counts
                        if name == "class" or name == "id":
                            names = f"{names} {value}" if names else value
                        elif name in marking:
                            add_attribute((container, name, value))
                        elif name in layout and len(value) <= LONGEST_VALUE:
                            page.layout.setdefault(container, {})[name] = value
                if (tag in marked_tags or tag == "span") and not skipped:
                    marked = note_inline(page, tag, element, innermost)
                    if tag == "math":
                        read_formula(element)
                    if marked and pieces:
                        marks.append((len(pieces), START, innermost))
                text = None if skipped else element.text
                if text and (pieces or pre_line or not text.isspace()):
                    if pre_line:
                        read_lines(text)
                    else:
                        if gap == len(pieces) and pieces and is_gap(pieces[-1], text, gap_effect):
                            read(" ")
                        if not pieces:
                            start = innermost
                        pieces.append(text)
                        if links:
                            link_pieces.append(text)
                add_tag(tag)
                add_parent(parent)
                add_class(names)
                if len(element) and not skipped:
                    stack.append((siblings, element, effect, parent, outer_container, outer_line, marked))
                    siblings = iter(element)
                    parent = innermost
                    continue
        elif stack:
            innermost = parent
            siblings, element, effect, parent, outer_container, outer_line, marked = stack.pop()
        else:
            break
        # The element ends here.
        if marked and pieces:
            marks.append((len(pieces), END, innermost))
        innermost = max(parent, 0)
        if effect == LINK:
            links -= 1
            link_end = len(pieces)
            link_pieces.append(" ")
        elif effect == BUTTON:
            drop_label()
        elif PHRASE <= effect <= WORD:
            word_end, ended, gap = len(pieces), effect, -1
        elif effect != INLINE:
            if pieces:
                end_block()
            container = outer_container
            if effect == PREFORMATTED:
                pre_line = outer_line
        text = element.tail
        if text and (pieces or pre_line or not text.isspace()) and parent >= 0:
            if pre_line:
                read_lines(text)
            else:
                if gap == len(pieces) and pieces and is_gap(pieces[-1], text, gap_effect):
                    read(" ")
                if not pieces:
                    start = innermost
                pieces.append(text)
                if links:
                    link_pieces.append(text)
    if pieces:  # the root itself is an inline element, or the page is too long
        end_block()
    return full


def is_blank(text: str) -> bool:
    """Whether there is nothing to see; the look for invisible characters is for the few texts that may have some."""
    return not text.strip() or not (text.isprintable() or INVISIBLE.sub("", text).strip())
