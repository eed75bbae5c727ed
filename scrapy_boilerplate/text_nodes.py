"""Tree to text nodes: the finest blocks there are, for the models that read a page tag by tag."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lxml import etree

from .blocks import (
    BLOCK,
    BREAK,
    BUTTON,
    CONTROL,
    DROPPED,
    IMAGE,
    LINK,
    PREFORMATTED,
    Page,
    kind_of,
    opens_something,
    without_invisible,
)


def segment_text_nodes(root: etree._Element | None, *, image_alt: bool = False) -> Page:
    """Split a page at every tag: `<p>Hello <b>world</b>!</p>` has three blocks.

    A block's element is the one right around its text, inline or not; `Page.glue` tells which blocks are parts of one
    paragraph, and what stands between them. Lines of a `<pre>` are blocks of their own. What `segment()` drops is
    dropped here too.
    """
    if root is None:
        return Page()
    docinfo: Any = root.getroottree().docinfo  # whose type stubs are incomplete
    page = Page(doctype=docinfo.doctype)
    if kind_of(root.tag, set())[0] != DROPPED:
        _Walk(page, image_alt).read(root)
    return page


class _Walk:
    def __init__(self, page: Page, image_alt: bool) -> None:
        self.page = page
        self.image_alt = image_alt
        self.glue: str | None = None  # what stands before the next text; None: another paragraph begins with it
        self.links = 0  # how many are open
        self.preformatted = 0  # how many are open
        self.after_link = False
        self.after_break = False

    def read(self, root: etree._Element) -> None:
        """Read every text below `root` in document order, with a stack of our own instead of recursion."""
        stack: list[tuple[Iterator[etree._Element], etree._Element, int, int, int]] = []
        siblings: Iterator[etree._Element] = iter((root,))
        parent = -1
        while True:
            element = next(siblings, None)
            if element is not None:
                kind, tag = kind_of(element.tag, self.page.namespaces)
                if kind == BUTTON and opens_something(element):
                    kind = BLOCK
                before = len(self.page.texts)
                if kind != DROPPED:
                    node = self._open(element, kind, tag, parent)
                    if len(element):
                        stack.append((siblings, element, kind, parent, before))
                        siblings, parent = iter(element), node
                        continue
            elif stack:
                siblings, element, kind, parent, before = stack.pop()
            else:
                return
            if kind != DROPPED:
                self._close(kind, before)
            if element.tail and parent >= 0:
                self._take(element.tail, parent)

    def _open(self, element: etree._Element, kind: int, tag: str, parent: int) -> int:
        """Note the element and its text; its number."""
        page = self.page
        node = len(page.tags)
        page.tags.append(tag)
        page.parents.append(parent)
        page.classes.append("")
        if kind == BREAK:
            self.glue = None if self.after_break or self.glue is None else "\n" if self.preformatted else " "
            self.after_break = True
        elif kind == IMAGE:
            page.images.append(max(parent, 0))
            if self.image_alt:
                self._take(element.get("alt", ""), node)
        elif kind in (CONTROL, BUTTON):
            page.controls.append(max(parent, 0))
        elif kind == LINK:
            if self.after_link and self.glue == "":
                self.glue = " "  # two links side by side are two words
            self.links += 1
        elif kind in (BLOCK, PREFORMATTED):
            self.glue = None
            self.preformatted += kind == PREFORMATTED
        if element.text and kind not in (BREAK, CONTROL):
            self._take(element.text, node)
        return node

    def _close(self, kind: int, before: int) -> None:
        if kind == LINK:
            self.links -= 1
            self.after_link = True
        elif kind == BUTTON:
            self._drop_label(before)
        elif kind in (BLOCK, PREFORMATTED):
            self.glue = None
            self.preformatted -= kind == PREFORMATTED

    def _take(self, text: str, node: int) -> None:
        text = without_invisible(text)
        if not self.preformatted:
            self._add(text, node)
            return
        first, *others = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._add(first, node)
        for line in others:
            self._widen("\n")
            self._add(line, node)

    def _add(self, text: str, node: int) -> None:
        """A block of this text, if there is anything to see in it; the white space around it is glue."""
        visible = text.strip()
        if not visible:
            self._widen(text)
            return
        begin = text.index(visible)
        self._widen(text[:begin])
        page = self.page
        page.texts.append(visible if self.preformatted else " ".join(visible.split()))
        page.link_texts.append(page.texts[-1] if self.links else "")
        page.block_nodes.append(node)
        page.pre_lines.append(0)
        page.block_ends.append(len(page.tags))
        page.glue.append(self.glue)
        self.glue = ""
        self.after_link = self.after_break = False
        self._widen(text[begin + len(visible) :])

    def _widen(self, space: str) -> None:
        if space and self.glue is not None:
            self.glue = self.glue + space if self.preformatted else " "

    def _drop_label(self, before: int) -> None:
        """Take back what was read in a button, unless there is a paragraph's end in it: that is no label."""
        page = self.page
        if any(glue is None for glue in page.glue[before + 1 :]):
            return
        for values in (page.texts, page.link_texts, page.block_nodes, page.pre_lines, page.block_ends, page.glue):
            del values[before:]
        self._widen(" ")
