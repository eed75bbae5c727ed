"""Phrases: the text of blocks with the inline markup that the renderers know."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..page import END, IMAGE_MARK, LINE_BREAK, START, Page
from ..segment.inline import FormulaSpan, Inline
from ..segment.tags import CODE_TAGS, HEADING_LEVELS, INVISIBLE
from .addresses import Addresses

_WHITE = re.compile(r"\s")
_STYLES = {
    **dict.fromkeys(("b", "strong"), "strong"),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), "em"),
    **dict.fromkeys(("del", "s", "strike"), "del"),
    **dict.fromkeys((*CODE_TAGS, "tt"), "code"),
    "sub": "sub",
    "sup": "sup",
}


class Element(NamedTuple):
    """An inline element without text in it.

    `br`; `img` with its address and alternative text; `math` with its LaTeX as text, and "display" as its address if
    it has a line of its own.
    """

    tag: str
    address: str = ""
    text: str = ""


Part = str | Element
# The elements around a text: a, strong, em, del, code, sub and sup.
Style = tuple[str, str]  # a tag and an address
Path = tuple[Style, ...]  # what a text stands in, from the outermost one
Run = tuple[Path, Part]  # a text or an empty element, and what it stands in

BREAK = Element("br")
_CODE: Style = ("code", "")


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
        runs: list[Run] = []
        above = -1
        for block in blocks:
            if isinstance(block, Element):
                runs.append(((), block))
                continue
            found = self._runs(block)
            if runs and found and (space := _space(self._page, above, block)):
                _add_space(runs, found[0][0], found[0][0], space)
            for path, part in found:
                _add(runs, path, part)
            above = block
        return runs

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
        """Split the text of a block where its markup changes."""
        page = self._page
        around = self._inline.around(block)
        formulas = self._inline.formulas(block) if self._formulas else []
        if not around and not formulas and block not in page.runs:  # most blocks
            return [((), page.texts[block])]
        open_styles = [(element, style) for element in around if (style := self._style(element, block))]
        path = _path(open_styles)
        run, marks = page.runs.get(block, page.texts[block]), page.marks.get(block, [])
        if not run.isprintable():
            run = INVISIBLE.sub("\0", _WHITE.sub(" ", run))
        runs: list[Run] = []
        read = size = skipped = 0  # of the run; of the text; of the text, where a formula stands for it
        space: Part = ""  # before what comes next
        outer = path  # what both the last text and all that was open since stand in
        for place, what, number in zip((*marks[::3], len(run)), (*marks[1::3], END), (*marks[2::3], -1), strict=True):
            if place > read:
                piece = run[read:place].replace("\0", "")
                read = place
                words = " ".join(piece.split())
                if words:
                    if piece[0] == " ":
                        space = space or " "
                    size += bool(space) and size > 0
                    while formulas and formulas[0].start <= size:
                        formula = formulas.pop(0)
                        _add_element(runs, outer, path, space, _math(formula))
                        space = " " if space and formula.start == formula.end else ""
                        skipped, outer = formula.end, path
                    if size >= skipped:
                        if space and runs:
                            _add_space(runs, outer, path, space)
                        _add(runs, path, words)
                        space, outer = "", path
                    size += len(words)
                    if piece[-1] == " ":
                        space = space or " "
                elif piece:
                    space = space or " "
            if what == START:
                if style := self._style(number, block):
                    open_styles.append((number, style))
                    path = _path(open_styles)
            elif what == END:
                if open_styles and open_styles[-1][0] == number:
                    open_styles.pop()
                    path = _path(open_styles)
                    outer = path if len(path) < len(outer) else outer
            elif what == LINE_BREAK:
                space = BREAK
            elif what == IMAGE_MARK and self._images and (image := self._image(number)):
                _add_element(runs, outer, path, space, image)
                space, outer = "", path
        for formula in formulas:
            _add_element(runs, outer, path, space, _math(formula))
        return runs

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
            blocks = Counter(links[node] for node in self._page.block_nodes)
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


def plain(runs: Iterable[Run]) -> str:
    """Return the text without its markup."""
    return "".join(part if isinstance(part, str) else " " if part is BREAK else "" for _, part in runs)


def shared(path: Path, other: Path) -> int:
    """Return how many of the outer elements two paths have in common."""
    depth = 0
    for one, two in zip(path, other, strict=False):
        if one != two:
            break
        depth += 1
    return depth


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


def _add(runs: list[Run], path: Path, part: Part) -> None:
    """Add a text, to the last one if both stand in the same elements."""
    if runs and isinstance(part, str) and runs[-1][0] == path and isinstance(last := runs[-1][1], str):
        runs[-1] = path, last + part
    else:
        runs.append((path, part))


def _add_space(runs: list[Run], outer: Path, path: Path, space: Part) -> None:
    """Add white space before a text: in what both texts beside it stand in, but breaks not in code."""
    common = outer[: min(shared(runs[-1][0], outer), shared(path, outer))]
    _add(runs, _without_code(common) if space is BREAK else common, space)


def _add_element(runs: list[Run], outer: Path, path: Path, space: Part, element: Element) -> None:
    """Add an image or a formula."""
    path = _without_code(path)
    if space and runs:
        _add_space(runs, outer, path, space)
    runs.append((path, element))


def _math(formula: FormulaSpan) -> Element:
    return Element("math", "display" if formula.display else "", formula.latex)


def _without_code(path: Path) -> Path:
    return path[:-1] if path[-1:] == (_CODE,) else path
