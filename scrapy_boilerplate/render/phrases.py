"""Phrases: the text of blocks with the inline markup that the renderers know."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ..page import END, IMAGE_MARK, LINE_BREAK, START, Page
from ..segment.inline import FormulaSpan, Inline
from ..segment.tags import CODE_TAGS, HEADING_LEVELS, INVISIBLE
from .addresses import Addresses
from .runs import BREAK, Element, Part, Path, Run, Runs, Style

_WHITE = re.compile(r"\s")
_STYLES = {
    **dict.fromkeys(("b", "strong"), "strong"),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), "em"),
    **dict.fromkeys(("del", "s", "strike"), "del"),
    **dict.fromkeys((*CODE_TAGS, "tt"), "code"),
    "sub": "sub",
    "sup": "sup",
}


class Phrases:
    """Reads the text of blocks: with links, images and formulas if they are wanted."""

    def __init__(self, page: Page, addresses: Addresses, *, links: bool, images: bool, formulas: bool) -> None:
        self._page = page
        self._inline = Inline(page)
        self._addresses = addresses
        self._links = links
        self._images = images
        self._formulas = formulas and bool(page.formulas)
        self._styles: dict[int, Style | None] = {}  # of elements
        self._cards: set[int] | None = None  # links around several blocks
        self._headings: list[int] = []  # for each element the heading around it

    def read(self, blocks: Sequence[int | Element]) -> list[Run]:
        """Return the text of these blocks and images, joined as parts of one paragraph."""
        first = blocks[0]
        if len(blocks) == 1 and not isinstance(first, Element):
            return self._runs(first)
        joined = Runs()
        above = -1
        for block in blocks:
            if isinstance(block, Element):
                joined.add_element(block)
                continue
            joined.space = _space(self._page, above, block)
            for path, part in self._runs(block):
                joined.move_to(path)
                if isinstance(part, str):
                    joined.add_text(part)
                else:
                    joined.add_element(part)
            above = block
        return joined.found

    def images_before(self, block: int) -> list[tuple[int, Element]]:
        """Return the images between the text of the previous block and this one, each with the element around it."""
        page = self._page
        found = self._inline.images_before(block)
        images = ((page.images[number], self._image(number)) for number in found)
        return [(node, image) for node, image in images if image is not None]

    def language(self, block: int) -> str:
        """Return the programming language of a block of code, "" if it is not known."""
        return self._inline.language(block)

    def _runs(self, block: int) -> list[Run]:
        """Split the text of a block where its markup changes.

        One loop over the marks, in which most of a renderer's time goes: it takes up the white space on the way, as
        the text of a block has it.
        """
        page = self._page
        around = self._inline.around(block)
        formulas = self._inline.formulas(block) if self._formulas else []
        if not around and not formulas and block not in page.runs:  # most blocks
            return [((), page.texts[block])]
        open_styles = [(element, style) for element in around if (style := self._style(element, block))]
        run, marks = page.runs.get(block, page.texts[block]), page.marks.get(block, [])
        if not run.isprintable():
            run = INVISIBLE.sub("\0", _WHITE.sub(" ", run))
        runs = Runs(_path(open_styles))
        read = size = skipped = 0  # of the run; of the text; of the text, where a formula stands for it
        for place, what, number in zip((*marks[::3], len(run)), (*marks[1::3], END), (*marks[2::3], -1), strict=True):
            if place > read:
                piece = run[read:place].replace("\0", "")
                read = place
                words = " ".join(piece.split())
                if piece[:1] == " ":
                    runs.space = runs.space or " "
                if words:
                    size += bool(runs.space) and size > 0
                    while formulas and formulas[0].start <= size:
                        formula, had_space = formulas.pop(0), runs.space
                        runs.add_element(_math(formula))
                        runs.space = " " if had_space and formula.start == formula.end else ""
                        skipped = formula.end
                    if size >= skipped:
                        runs.add_text(words)
                    size += len(words)
                    if piece[-1] == " ":
                        runs.space = " "
            if what == START:
                if style := self._style(number, block):
                    open_styles.append((number, style))
                    runs.move_to(_path(open_styles))
            elif what == END:
                if open_styles and open_styles[-1][0] == number:
                    open_styles.pop()
                    runs.move_to(_path(open_styles))
            elif what == LINE_BREAK:
                runs.space = BREAK
            elif what == IMAGE_MARK and self._images and (image := self._image(number)):
                runs.add_element(image)
        for formula in formulas:
            runs.add_element(_math(formula))
        return runs.found

    def _style(self, element: int, block: int) -> Style | None:
        if element not in self._styles:
            self._styles[element] = self._style_of(element)
        style = self._styles[element]
        is_around = style is not None and element < self._page.block_nodes[block]
        return None if is_around and self._is_card(element, block) else style

    def _is_card(self, element: int, block: int) -> bool:
        """Tell whether a link holds several blocks, of which this one is no heading: only those are the link's text."""
        if self._page.tags[element] != "a":
            return False
        if self._cards is None:
            links, headings = self._page.nearest({"a"}), self._page.nearest(HEADING_LEVELS)
            glue = self._page.glue or [None] * len(self._page.texts)
            nodes = (node for node, space in zip(self._page.block_nodes, glue, strict=True) if space is None)
            blocks = Counter(links[node] for node in nodes)
            self._cards = {link for link, count in blocks.items() if count > 1}
            self._headings = headings
        return element in self._cards and self._headings[self._page.block_nodes[block]] < 0

    def _style_of(self, element: int) -> Style | None:
        tag = self._page.tags[element]
        if tag == "a":
            address = self._addresses.of_link(self._page.hrefs.get(element, "")) if self._links else ""
            return ("a", address) if address else None
        style = _STYLES.get(tag)
        return (style, "") if style else None

    def _image(self, number: int) -> Element | None:
        address = self._addresses.of_image(self._page.image_sources[number])
        return Element("img", address, self._page.image_texts[number]) if address else None


def _space(page: Page, above: int, below: int) -> Part:
    """Return what stands between two parts of a paragraph; a blank if something is left out between them."""
    between = page.glue[above + 1 : below + 1] if above >= 0 else []
    if len(between) == 1 and between[0] == "":
        return ""
    return BREAK if "\n" in between else " "


def _path(around: Sequence[tuple[int, Style]]) -> Path:
    """Return what a text stands in: nothing twice, and in code, which is innermost, nothing but a link."""
    if len(around) < 2:
        return (around[0][1],) if around else ()
    styles: dict[str, str] = {}
    for _, (tag, address) in around:
        styles.setdefault(tag, address)
    if "code" in styles:
        styles = {tag: styles[tag] for tag in ("a", "code") if tag in styles}
    return tuple(styles.items())


def _math(formula: FormulaSpan) -> Element:
    return Element("math", "display" if formula.display else "", formula.latex)
