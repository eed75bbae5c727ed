"""Finds the pieces of a page's text that each block is made of, so that a view can colour them.

It needs no second segmentation that would have to agree with `segment()`: in a copy of the tree every text is replaced
by its number. The copy is then split into blocks as usual, and the blocks hold the numbers of their texts.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from ..page import Page
from ..segment.tags import DROPPED, IMAGE, PREFORMATTED, effect_of, without_invisible

NUMBER = re.compile(r" (\d+) ")
_LINE_ENDS = re.compile(r"\r\n|\r|\n")


def number_texts(root: etree._Element, *, image_alt: bool = False) -> list[str]:
    """Replace each visible text of the tree by its number, line by line in a `<pre>`; return the texts.

    `image_alt` replaces the alternative texts of images too. Elements that `segment()` never reads, such as styles, are
    left alone.
    """
    texts: list[str] = []
    preformatted = 0

    def numbered(text: str) -> str:
        if not without_invisible(text).strip():
            return "" if preformatted else " "
        texts.append(text)
        return f" {len(texts) - 1} "

    def numbered_lines(text: str) -> str:
        return "\n".join(map(numbered, _LINE_ENDS.split(text))) if preformatted else numbered(text)

    walk: Any = etree.iterwalk(root, events=("start", "end", "comment", "pi"))  # whose stubs know no skip_subtree()
    for event, element in walk:
        effect = effect_of(element.tag, set())[0]
        if event == "start":
            if effect == DROPPED:
                walk.skip_subtree()
                continue
            preformatted += effect == PREFORMATTED
            if effect == IMAGE and image_alt:
                element.set("alt", numbered(element.get("alt", "")))
            if element.text:
                element.text = numbered_lines(element.text)
        else:
            if event == "end":
                preformatted -= effect == PREFORMATTED
            if element.tail and element is not root:
                element.tail = numbered_lines(element.tail)
    return texts


def texts_of_blocks(page: Page) -> list[list[int]]:
    """Return the numbers of the texts in each block of a numbered page."""
    return [[int(number) for number in text.split()] for text in page.texts]
