"""Inline markup: where in the text of a block its links, emphasis, line breaks, images and formulas stand."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from ..page import END, IMAGE_MARK, LINE_BREAK, START, Formula, Page
from .tags import INVISIBLE, MARKED_TAGS, PREFORMATTED_TAGS, without_invisible

_MOST_NESTED = 100  # inline elements around the beginning of a block, from the innermost one
_WHITE = re.compile(r"\s")
_LANGUAGE = re.compile(r"(?:^|[\s-])(?:lang|language|highlight-source|brush)[-:]\s*([\w+#.-]+)|^sourceCode (\w+)")


class Span(NamedTuple):
    """A part of a block's text, as a half-open range, that stands in an inline element."""

    start: int
    end: int
    element: int


class FormulaSpan(NamedTuple):
    """A part of a block's text, possibly empty, that LaTeX can stand for."""

    start: int
    end: int
    latex: str
    display: bool


class Inline:
    """The inline markup of a page's blocks, computed on demand; offsets are those of characters in `page.texts`.

    Spans begin and end with a visible character: `<b> word </b>` covers the word alone.
    """

    def __init__(self, page: Page) -> None:
        self._page = page

    def spans(self, block: int) -> list[Span]:
        """Return where the elements of MARKED_TAGS have text in a block, outer ones before those that they hold.

        An element with text in several blocks, such as a link around paragraphs, has a span in each of them.
        """
        tags = self._page.tags
        return [span for span in self._extents(block) if tags[span.element] in MARKED_TAGS]

    def around(self, block: int) -> list[int]:
        """Return the marked elements around the beginning of a block, from the outermost one."""
        start = self._page.block_starts[block]
        return self._around(start) if self._nearest[start] >= 0 else []

    def line_breaks(self, block: int) -> list[int]:
        """Return the offsets of the blanks that stand for a `<br>`."""
        if LINE_BREAK not in self._page.marks.get(block, ())[1::3]:  # most blocks
            return []
        places = [place for place, what, _ in self._marks(block) if what == LINE_BREAK]
        run = self._page.runs[block]
        offsets: list[int] = []
        size = 0
        for start, end in pairwise((0, *places, len(run))):
            line = " ".join(without_invisible(" ".join(run[start:end].split())).split())
            if line and size:
                offsets.append(size)
                size += 1
            size += len(line)
        return offsets

    def images(self, block: int) -> list[tuple[int, int]]:
        """Return the images within the text of a block: the offset that each stands at, and its number."""
        marks = [mark for mark in self._marks(block) if mark[1] == IMAGE_MARK]
        if not marks:
            return []
        offsets = _Offsets(self._page, block)
        return [(offsets.of(place), number) for place, _, number in marks]

    def images_before(self, block: int) -> list[int]:
        """Return the numbers of the images between the text of the previous block and the text of this one.

        `page.images` has the element around each. The number of blocks as an argument asks for the images after the
        last block.
        """
        within = {number for _, what, number in self._marks(block) if what == IMAGE_MARK}
        return [number for number in self._images_of.get(block, ()) if number not in within]

    def formulas(self, block: int) -> list[FormulaSpan]:
        """Return the formulas of a block whose LaTeX is known, each with the text that the LaTeX can replace."""
        found: dict[int, FormulaSpan] = {}  # by the element in which the formula is drawn
        extents = {span.element: span for span in self._extents(block)} if block in self._formulas_of else {}
        places = {number: place for place, what, number in self._marks(block) if what > IMAGE_MARK}
        for number in self._formulas_of.get(block, ()):
            formula = self._page.formulas[number]
            box = self._box(formula)
            span = extents.get(box)
            if span is not None:
                start, end = span.start, span.end
            else:
                start = end = _Offsets(self._page, block).of(places[number]) if number in places else 0
            # Without an element around it each source is a formula of its own.
            key = box if box >= 0 else ~number
            display = formula.display or (key in found and found[key].display)
            latex = found[key].latex if key in found else formula.latex
            found[key] = FormulaSpan(start, end, latex, display)
        return sorted(found.values())

    def language(self, block: int) -> str:
        """Return the programming language that the page declares for a block of code, "" if it declares none."""
        page = self._page
        node = page.block_nodes[block]
        names = [page.layout.get(span.element, {}).get("class", "") for span in self._extents(block)]
        while node >= 0 and page.tags[node] not in PREFORMATTED_TAGS:
            node = page.parents[node]
        for element in (node, page.parents[node]) if node >= 0 else ():
            if element >= 0:
                values = page.layout.get(element, {})
                if language := values.get("data-lang") or values.get("data-language"):
                    return language
                names += values.get("class", ""), page.classes[element]
        found = (_LANGUAGE.search(name) for name in names)
        return next((match[1] or match[2] for match in found if match), "")

    def _extents(self, block: int) -> list[Span]:
        """Return the spans of marked elements, including the boxes of formulas."""
        page = self._page
        around = self._around(page.block_starts[block])
        marks = self._marks(block)
        if not around and not marks:
            return []
        text = page.texts[block]
        if not marks:
            start, end = len(text) - len(text.lstrip()), len(text.rstrip())
            return [Span(start, end, element) for element in around]
        offsets = _Offsets(page, block)
        open_since = dict.fromkeys(around, len(text) - len(text.lstrip()))
        spans = []
        for place, what, element in marks:
            if what == START:
                open_since[element] = offsets.around(place)[1]
            elif what == END and element in open_since:
                spans.append(Span(open_since.pop(element), offsets.around(place)[0], element))
        spans += [Span(start, len(text.rstrip()), element) for element, start in open_since.items()]
        return sorted(
            (span for span in spans if span.start < span.end), key=lambda span: (span.start, -span.end, span.element)
        )

    def _marks(self, block: int) -> list[tuple[int, int, int]]:
        marks = self._page.marks.get(block, ())
        return list(zip(marks[::3], marks[1::3], marks[2::3], strict=True))

    def _around(self, element: int) -> list[int]:
        """The marked elements around an element, itself included, from the outermost one."""
        found: list[int] = []
        element = self._nearest[element]
        while element >= 0 and len(found) < _MOST_NESTED:
            found.append(element)
            parent = self._page.parents[element]
            element = self._nearest[parent] if parent >= 0 else -1
        return found[::-1]

    @cached_property
    def _nearest(self) -> list[int]:
        """For each element the nearest marked one, itself included; -1 where there is none."""
        page = self._page
        found: list[int] = []
        for node, (tag, parent) in enumerate(zip(page.tags, page.parents, strict=True)):
            is_marked = tag in MARKED_TAGS or node in page.formula_boxes
            found.append(node if is_marked else found[parent] if parent >= 0 else -1)
        return found

    def _box(self, formula: Formula) -> int:
        """The outermost element in which a formula is drawn, -1 if there is none."""
        page = self._page
        around = self._around(formula.element)
        return next((node for node in around if page.tags[node] == "math" or node in page.formula_boxes), -1)

    @cached_property
    def _images_of(self) -> dict[int, list[int]]:
        numbers: defaultdict[int, list[int]] = defaultdict(list)
        for number, block in enumerate(self._page.image_blocks):
            numbers[block].append(number)
        return numbers

    @cached_property
    def _formulas_of(self) -> dict[int, list[int]]:
        numbers: defaultdict[int, list[int]] = defaultdict(list)
        for number, block in enumerate(self._page.formula_blocks):
            numbers[block].append(number)
        return numbers


class _Offsets:
    """Leads from places in the run of a block to offsets in its tidied text."""

    def __init__(self, page: Page, block: int) -> None:
        run, text = page.runs[block], page.texts[block]
        self._run = run
        self._length = len(text)
        self._is_preformatted = page.pre_lines[block] > 0
        # White space is all that sets the two apart, save for invisible characters.
        self._ink = (
            None if text == (run.rstrip() if self._is_preformatted else " ".join(run.split())) else _Ink(run, text)
        )
        self._read = self._size = 0  # how much of the run was tidied, and how long that is
        self._is_apart = False  # whether it ends with white space

    def around(self, place: int) -> tuple[int, int]:
        """Return the end of the last visible character before a place, and the start of the first one behind it.

        Places are asked for in their order.
        """
        if self._ink is not None:
            return self._ink.around(place)
        if self._is_preformatted:
            end = len(self._run[:place].rstrip())
            return end, place + len(self._run[place:]) - len(self._run[place:].lstrip())
        piece = self._run[self._read : place]
        self._read = place
        words = piece.split()
        if words:
            self._size += (self._size > 0 and (self._is_apart or piece[0].isspace())) + len(" ".join(words))
            self._is_apart = piece[-1].isspace()
        elif piece:
            self._is_apart = True
        is_apart = self._size > 0 and (self._is_apart or self._run[place : place + 1].isspace())
        return self._size, self._size + is_apart

    def of(self, place: int) -> int:
        """Return the offset for something that stands at a place in the run."""
        end, start = self.around(place)
        return start if self._run[:place][-1:].isspace() and start < self._length else end


class _Ink:
    """The visible characters of a block: the same ones, in the same order, in its run and in its tidied text.

    Counting them leads from a place in the run to the offset in the text.
    """

    def __init__(self, run: str, text: str) -> None:
        plain = _WHITE.sub(" ", run)
        hidden = {match.start() for match in INVISIBLE.finditer(plain)}
        self._places = [place for place in _inked(plain) if place not in hidden]
        self._offsets = _inked(text)
        self._length = len(text)

    def around(self, place: int) -> tuple[int, int]:
        count = bisect_left(self._places, place)
        end = self._offsets[count - 1] + 1 if count else 0
        return end, self._offsets[count] if count < len(self._offsets) else self._length


def _inked(text: str) -> list[int]:
    return [place for place, character in enumerate(text) if not character.isspace()]
