"""Which pieces of a page's text each block is made of.

No second walk that would have to agree with `blocks.segment()`: every text is replaced by its number, the page is split
into blocks as always, and the blocks then hold the numbers of their texts.
"""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from ..page import Page
from ..segment.tags import DROPPED, IMAGE, PREFORMATTED, kind_of, without_invisible

NUMBER = re.compile(r" (\d+) ")
_LINE_ENDS = re.compile(r"\r\n|\r|\n")


def number_texts(root: etree._Element, *, image_alt: bool = False) -> list[str]:
    """Replace each visible text of the tree, or each line of one in a `<pre>`, by its number; the texts.

    With `image_alt` the alternative texts of images too. What `segment()` never reads, styles for example, stays.
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
        kind = kind_of(element.tag, set())[0]
        if event == "start":
            if kind == DROPPED:
                walk.skip_subtree()
                continue
            preformatted += kind == PREFORMATTED
            if kind == IMAGE and image_alt:
                element.set("alt", numbered(element.get("alt", "")))
            if element.text:
                element.text = numbered_lines(element.text)
        else:
            if event == "end":
                preformatted -= kind == PREFORMATTED
            if element.tail and element is not root:
                element.tail = numbered_lines(element.tail)
    return texts


def texts_of_blocks(page: Page) -> list[list[int]]:
    """For each block of a numbered page the numbers of its texts."""
    return [[int(number) for number in text.split()] for text in page.texts]
