"""Tree to text nodes: the finest blocks there are, for the models that read a page tag by tag."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from lxml import etree

from ..page import Formula, Page
from . import read_page
from .limits import MOST_BLOCKS, MOST_ELEMENTS
from .markup import alt_of, drop_images, formula_of, note_block, note_inline, source_of
from .tags import (
    BLOCK,
    BREAK,
    BUTTON,
    CONTROL,
    DROPPED,
    EFFECTS,
    FORMULA_TAGS,
    IMAGE,
    INLINE,
    LINK,
    PHRASE,
    PREFORMATTED,
    WORD,
    effect_of,
    is_gap,
    opens_something,
    without_invisible,
)

_INK = re.compile(r"\S")
_LONGEST_GLUE = 1000  # characters: what is longer is white space that nobody has laid out


def segment_text_nodes(
    root: etree._Element | None, *, image_alt: bool = False, skip: Collection[etree._Element] = ()
) -> Page:
    """Split a page at every tag: `<p>Hello <b>world</b>!</p>` has three blocks.

    A block's element is the one right around its text, inline or not; `Page.glue` tells which blocks are parts of one
    paragraph, and what stands between them. Lines of a `<pre>` are blocks of their own. What `segment()` drops or
    skips is dropped here too.
    """
    return read_page(root, _walk, image_alt, skip)


def _walk(root: etree._Element, page: Page, image_alt: bool, skip: Collection[etree._Element] = ()) -> bool:
    """Read every text below `root` in document order, with a stack of our own instead of recursion.

    Whether there was more than may be read.

    As in `segment()` the state of this one loop is in local variables, and white space is passed over on the spot.
    """
    effects = EFFECTS
    texts, tags, glues = page.texts, page.tags, page.glue
    add_tag, add_parent, add_class = tags.append, page.parents.append, page.classes.append
    add_text, add_link_text, add_glue = texts.append, page.link_texts.append, glues.append
    add_block_node, add_block_end = page.block_nodes.append, page.block_ends.append
    glue: str | None = None  # what stands before the next text; None: another paragraph begins with it
    links = 0  # how many are open
    preformatted = 0  # how many are open
    after_link = after_break = False
    last_beginning = -1  # the last block with which a paragraph begins
    full = False  # whether a block had no room
    ended = INLINE  # whether a word or a phrase has ended since the last text, and which
    gap = INLINE  # whether another has begun right there; a word only if both are
    # For each open one how many blocks, images and formulas came before it, and the last beginning.
    buttons: list[tuple[int, int, int, int]] = []

    def add(visible: str, node: int) -> None:
        nonlocal glue, after_link, after_break, ended, gap, last_beginning, full
        if len(texts) == MOST_BLOCKS:
            full = True
            return
        if gap != INLINE and glue == "" and not preformatted and is_gap(texts[-1], visible, gap):
            glue = " "
        if glue is None:
            last_beginning = len(texts)
        add_text(visible)
        add_link_text(visible if links else "")
        add_block_node(node)
        add_block_end(len(tags))
        add_glue(glue)
        glue = ""
        after_link = after_break = False
        ended = gap = INLINE

    def read(text: str, node: int) -> None:
        """A block of this text, if there is anything to see in it; the white space around it is glue."""
        nonlocal glue
        if text.isprintable() and "  " not in text:  # the one white space that can be printed is the blank
            visible = text.strip(" ")
        else:
            visible = " ".join(text.split())
            if not visible.isprintable():
                text = without_invisible(text)
                visible = " ".join(text.split())
        if text[:1].isspace():
            read_space()
        if visible:
            add(visible, node)
            if text[-1].isspace():
                glue = " "

    def read_space() -> None:
        nonlocal glue
        if glue is not None and glue != "\n":
            glue = " "

    def read_lines(text: str, node: int) -> None:
        """Each line of a `<pre>` as a block, the white space around it as it is."""
        nonlocal glue
        text = without_invisible(text).replace("\r\n", "\n").replace("\r", "\n")
        start = 0
        while start < len(text) and not full:
            if glue is None or len(glue) >= _LONGEST_GLUE:  # empty lines change nothing: there may be millions
                ink = _INK.search(text, start)
                if ink is None:
                    return
                start = max(text.rfind("\n", start, ink.start()), start)
            end = text.find("\n", start + 1)
            line = text[start:end] if end >= 0 else text[start:]
            start += len(line)
            visible = line.strip()
            begin = line.index(visible) if visible else len(line)
            if glue is not None and len(glue) < _LONGEST_GLUE:
                glue += line[:begin]
            if visible:
                add(visible, node)
                glue = line[begin + len(visible) :]

    def note_formula(element: etree._Element, around: int) -> None:
        if formula := formula_of(element):
            page.formula_blocks.append(len(texts))
            page.formulas.append(Formula(around, *formula))

    def drop_label() -> None:
        """Take back what was read in a button, unless there is a paragraph's end in it: that is no label."""
        nonlocal glue, last_beginning
        before, beginning, *seen = buttons.pop()
        if last_beginning > before:
            return
        last_beginning = beginning
        if before < len(glues):
            glue = glues[before]
        for values in (texts, page.link_texts, page.block_nodes, page.block_ends, glues):
            del values[before:]
        drop_images(page, *seen)
        if glue is not None:
            glue = glue + " " if preformatted and len(glue) < _LONGEST_GLUE else " "

    stack: list[tuple[Iterator[etree._Element], etree._Element, int, int]] = []
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
            skipped = bool(skip) and element in skip
            if skipped:
                effect = DROPPED if effect == DROPPED else BLOCK if effect in (BLOCK, PREFORMATTED) else INLINE
            if effect == DROPPED:
                if tag in FORMULA_TAGS and not skipped:
                    note_formula(element, max(parent, 0))
            elif full or len(tags) == MOST_ELEMENTS:
                full = True
                break
            else:
                if effect == BUTTON and opens_something(element):
                    effect = BLOCK
                node = len(tags)
                add_tag(tag)
                add_parent(parent)
                add_class("")
                if skipped:
                    pass
                elif effect <= LINK:
                    note_inline(page, tag, element, node)
                    if tag == "math":
                        note_formula(element, node)
                elif effect <= PREFORMATTED:
                    note_block(page, element, node)
                text = None if skipped else element.text
                if effect == INLINE:
                    ended = INLINE
                elif PHRASE <= effect <= WORD:
                    gap = min(effect, ended)
                elif effect == BLOCK:
                    glue = None
                elif effect == LINK:
                    if after_link and glue == "":
                        glue = " "  # two links side by side are two words
                    links += 1
                elif effect == BREAK:
                    glue = None if after_break or glue is None else "\n"
                    after_break, text = True, None
                elif effect == IMAGE:
                    page.images.append(max(parent, 0))
                    page.image_blocks.append(len(texts))
                    page.image_sources.append(source_of(element))
                    page.image_texts.append(alt_of(element))
                    text = element.get("alt") if image_alt else None
                elif effect == PREFORMATTED:
                    glue = None
                    preformatted += 1
                else:
                    page.controls.append(max(parent, 0))
                    if effect == CONTROL:
                        text = None
                    else:
                        buttons.append((len(texts), last_beginning, len(page.images), len(page.formulas)))
                if text:
                    if preformatted:
                        read_lines(text, node)
                    elif not text.isspace():
                        read(text, node)
                    else:
                        read_space()
                if len(element) and not skipped:
                    stack.append((siblings, element, effect, parent))
                    siblings, parent = iter(element), node
                    continue
        elif stack:
            siblings, element, effect, parent = stack.pop()
        else:
            break
        # The element ends here.
        if effect == INLINE:
            pass
        elif PHRASE <= effect <= WORD:
            ended, gap = effect, INLINE
        elif effect == BLOCK:
            glue = None
        elif effect == LINK:
            links -= 1
            after_link = True
        elif effect == BUTTON:
            drop_label()
        elif effect == PREFORMATTED:
            glue = None
            preformatted -= 1
        text = element.tail
        if text and parent >= 0:
            if preformatted:
                read_lines(text, parent)
            elif not text.isspace():
                read(text, parent)
            else:
                read_space()
    page.pre_lines.extend([0] * len(texts))
    page.block_starts.extend(page.block_nodes)
    return full
