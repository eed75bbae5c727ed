"""Phrases: the text of blocks with the inline markup that the renderers know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from ..page import Page
from ..segment.inline import Inline
from ..segment.tags import CODE_TAGS, HEADING_LEVELS
from .addresses import Addresses

_STYLES = {
    **dict.fromkeys(("b", "strong"), "strong"),
    **dict.fromkeys(("i", "em", "cite", "dfn", "var"), "em"),
    **dict.fromkeys(("del", "s", "strike"), "del"),
    **dict.fromkeys((*CODE_TAGS, "tt"), "code"),
    "sub": "sub",
    "sup": "sup",
}


class Element(NamedTuple):
    """An inline element: a, strong, em, del, code, sub or sup, or one of those below, which are empty.

    `br`; `img` with its address and alternative text; `math` with its LaTeX as text, and "display" as its address if
    it has a line of its own.
    """

    tag: str
    parts: list[Part]
    address: str = ""
    text: str = ""


Part = str | Element
Style = tuple[str, str]  # a tag and an address
Path = tuple[Style, ...]  # what a text stands in, from the outermost one
Run = tuple[Path, Part]  # a text or an empty element, and what it stands in

BREAK = Element("br", [])
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

    def read(self, blocks: Sequence[int | Element]) -> list[Part]:
        """Return the text of these blocks and images, joined as parts of one paragraph."""
        first = blocks[0]
        if len(blocks) == 1 and not isinstance(first, Element):
            return _nested(_tidied(self._runs(first)))
        runs: list[Run] = []
        above = -1
        for block in blocks:
            if isinstance(block, Element):
                runs.append(((), block))
                continue
            found = _tidied(self._runs(block))
            if runs and (space := _space(self._page, above, block)):
                runs.append((_without_code(_common(runs[-1][0], found[0][0])), space))
            runs += found
            above = block
        return _nested(runs)

    def images_before(self, block: int) -> list[tuple[int, Element]]:
        """Return the images between the text of the previous block and this one, each with the element around it."""
        page = self._page
        found = self._inline.images_before(block) if self._images and page.images else []
        images = ((page.images[number], self._image(number)) for number in found)
        return [(node, image) for node, image in images if image is not None]

    def language(self, block: int) -> str:
        """Return the programming language of a block of code, "" if it is not known."""
        return self._inline.language(block)

    def _runs(self, block: int) -> list[Run]:
        """Split the text of a block where its markup changes."""
        text = self._page.texts[block]
        marks: list[tuple[int, int, Style | Element]] = [*self._styled(block), *self._empty_elements(block)]
        if not marks:
            return [((), text)]
        runs: list[Run] = []
        around: list[tuple[int, Style]] = []  # the ends of what is open
        place = 0

        def read_to(end: int) -> None:
            nonlocal place
            if place < end:
                runs.append((_path(around), text[place:end]))
                place = end

        def close_to(end: int) -> None:
            while around and around[-1][0] <= end:
                read_to(around[-1][0])
                around.pop()
            read_to(end)

        for start, end, mark in sorted(marks, key=lambda mark: (mark[0], -mark[1])):
            close_to(start)
            if isinstance(mark, Element):
                runs.append((_without_code(_path(around)), mark))
                if start == end and text[start - 1 : start] == " ":  # it had white space on both sides
                    runs.append(((), " "))
                place = max(place, end)
            else:
                around.append((end, mark))
        close_to(len(text))
        return runs

    def _styled(self, block: int) -> Iterator[tuple[int, int, Style]]:
        for start, end, element in self._inline.spans(block):
            if element not in self._styles:
                self._styles[element] = self._style_of(element)
            style = self._styles[element]
            if style is not None and not (element < self._page.block_nodes[block] and self._is_card(element, block)):
                yield start, end, style

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

    def _empty_elements(self, block: int) -> Iterator[tuple[int, int, Element]]:
        if block in self._page.runs:
            for offset in self._inline.line_breaks(block):
                yield offset, offset + 1, BREAK
            for offset, number in self._inline.images(block) if self._images else ():
                if image := self._image(number):
                    yield offset, offset, image
        if self._formulas:
            for start, end, latex, display in self._inline.formulas(block):
                yield start, end, Element("math", [], "display" if display else "", latex)

    def _image(self, number: int) -> Element | None:
        address = self._addresses.of_image(self._page.image_sources[number])
        return Element("img", [], address, self._page.image_texts[number]) if address else None


def plain(parts: Iterable[Part]) -> str:
    """Return the text without its markup."""
    return "".join(part if isinstance(part, str) else " " if part is BREAK else plain(part.parts) for part in parts)


def _space(page: Page, above: int, below: int) -> Part:
    """Return what stands between two parts of a paragraph; a blank if something is left out between them."""
    between = page.glue[above + 1 : below + 1] if above >= 0 else []
    if len(between) == 1 and between[0] == "":
        return ""
    return BREAK if "\n" in between else " "


def _path(around: Sequence[tuple[int, Style]]) -> Path:
    """Return what a text stands in: nothing twice, and in code, which is innermost, nothing but a link."""
    styles: dict[str, str] = {}
    for _, (tag, address) in around:
        styles.setdefault(tag, address)
    if "code" in styles:
        styles = {tag: styles[tag] for tag in ("a", "code") if tag in styles}
    return tuple(styles.items())


def _without_code(path: Path) -> Path:
    """Return what an empty element stands in: code holds text only."""
    return path[:-1] if path[-1:] == (_CODE,) else path


def _tidied(runs: list[Run]) -> list[Run]:
    """Take blanks and line breaks out of what begins or ends with them."""
    if len(runs) == 1:
        return runs
    found: list[Run] = []
    for path, part in runs:
        if not path or not isinstance(part, str) or part == part.strip():
            found.append((path, part))
            continue
        found += [(path, " ")] * part.startswith(" ")
        if part.strip():
            found.append((path, part.strip()))
            found += [(path, " ")] * part.endswith(" ")
    is_space = [part is BREAK or part == " " for _, part in found]
    for number, (path, part) in enumerate(found):
        if is_space[number] and path:
            before = next((found[at][0] for at in range(number - 1, -1, -1) if not is_space[at]), ())
            after = next((found[at][0] for at in range(number + 1, len(found)) if not is_space[at]), ())
            found[number] = _common(path, before, after), part
    return found


def _common(*paths: Path) -> Path:
    return tuple(styles[0] for styles in takewhile(lambda styles: len(set(styles)) == 1, zip(*paths, strict=False)))


def _nested(runs: Sequence[Run]) -> list[Part]:
    if len(runs) == 1 and not runs[0][0]:  # most texts
        return [runs[0][1]]
    parts: list[Part] = []
    around: list[tuple[Style, Element]] = []
    for path, part in runs:
        depth = len(_common(path, tuple(style for style, _ in around)))
        del around[depth:]
        for tag, address in path[depth:]:
            element = Element(tag, [], address)
            (around[-1][1].parts if around else parts).append(element)
            around.append(((tag, address), element))
        inside = around[-1][1].parts if around else parts
        if isinstance(part, str) and inside and isinstance(inside[-1], str):
            inside[-1] += part
        else:
            inside.append(part)
    return parts
