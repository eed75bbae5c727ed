"""The texts beside a page's headline, nearest first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from lxml import etree

from .marks import DATE, OTHER, is_about_others, mark_of

_MOST_ELEMENTS = 200
_MOST_PIECES = 40
_MOST_BEFORE = 20
_MOST_TEXT = 1_200  # characters after the headline; a byline stands before the article's text or nowhere
_MOST_ANCESTORS = 12
_SKIPPED = frozenset("script style svg nav noscript select form button template iframe textarea video audio".split())


class Marks:
    """The marks of the elements beside a headline, found when they are asked for, since few are."""

    def __init__(self, heading: etree._Element) -> None:
        # Marks around the headline hold for the whole page: they say nothing about what stands beside it.
        self._around = frozenset(heading.iterancestors())
        self._found: dict[etree._Element, str | None] = {}

    def of(self, element: etree._Element) -> str | None:
        """The mark of the element, or else of its nearest ancestor that has one."""
        unknown = []
        mark = None
        for node in self._path(element):
            if node in self._found:
                mark = self._found[node]
                break
            unknown.append(node)
            if mark := mark_of(node):
                break
        self._found.update(dict.fromkeys(unknown, mark))
        return mark

    def is_about_others(self, element: etree._Element) -> bool:
        return any(map(is_about_others, self._path(element)))

    def _path(self, element: etree._Element) -> Iterator[etree._Element]:
        for node in chain([element], islice(element.iterancestors(), _MOST_ANCESTORS)):
            if node in self._around:
                return
            yield node


class Piece:
    """A run of text, and what the elements around it say that it is."""

    __slots__ = ("_marks", "element", "text")

    def __init__(self, text: str, element: etree._Element, marks: Marks) -> None:
        self.text = text
        self.element = element
        self._marks = marks

    @property
    def mark(self) -> str | None:
        return self._marks.of(self.element)

    @property
    def is_foreign(self) -> bool:
        """Whether it belongs to comments, menus or teasers of other pages."""
        return self.mark == OTHER or self._marks.is_about_others(self.element)

    @property
    def is_date(self) -> bool:
        """Whether it is the value of an element for dates."""
        return self.element.tag == "time" or (self.element.get("content") is not None and self.mark == DATE)


def pieces_beside(heading: etree._Element, root: etree._Element) -> list[Piece]:
    """The texts in a headline that are marked, those after it, and those before it."""
    marks = Marks(heading)
    inside = [piece for piece in _texts(heading, marks) if piece.element is not heading and piece.mark]
    after = _limited(
        chain.from_iterable(_texts(node, marks) for node in islice(_following(heading, root), _MOST_ELEMENTS))
    )
    before = chain.from_iterable(_texts_backwards(node, marks) for node in _preceding(heading, root))
    return [*inside, *after, *islice(before, _MOST_BEFORE)]


def _following(element: etree._Element, root: etree._Element) -> Iterator[etree._Element]:
    for node in _path(element, root):
        yield from node.itersiblings("*")


def _preceding(element: etree._Element, root: etree._Element) -> Iterator[etree._Element]:
    for node in islice(_path(element, root), 6):
        yield from islice(node.itersiblings("*", preceding=True), 5)


def _path(element: etree._Element, root: etree._Element) -> Iterator[etree._Element]:
    """The element and its ancestors below the root, beyond which nothing is read."""
    for node in chain([element], islice(element.iterancestors(), _MOST_ANCESTORS)):
        if node is root:
            return
        yield node


def _limited(pieces: Iterator[Piece]) -> Iterator[Piece]:
    characters = 0
    for piece in islice(pieces, _MOST_PIECES):
        yield piece
        characters += len(piece.text)
        if characters > _MOST_TEXT:
            break


def _texts(root: etree._Element, marks: Marks) -> Iterator[Piece]:
    """The texts of an element and its tail, in document order."""
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, node in islice(walker, 2 * _MOST_ELEMENTS):
        if event == "end":
            text = node.tail
            owner = node.getparent() if text and not text.isspace() else None
        elif node.tag in _SKIPPED:
            walker.skip_subtree()
            continue
        else:
            text, owner = node.text, node
            moment = node.get("datetime") if node.tag == "time" else node.get("content")
            if moment:
                yield Piece(moment[:100], node, marks)
        if text and owner is not None and (text := " ".join(text[:_MOST_TEXT].split())):
            yield Piece(text, owner, marks)


def _texts_backwards(root: etree._Element, marks: Marks) -> Iterator[Piece]:
    """The texts of an element, the last one first."""
    stack = [(root, False)]
    for _ in range(_MOST_ELEMENTS):
        if not stack:
            return
        node, is_open = stack.pop()
        if node.tag in _SKIPPED:
            continue
        if is_open:
            text = node.text
        else:
            children = list(islice(node.iterchildren("*", reversed=True), _MOST_BEFORE))
            stack += [(node, True), *((child, False) for child in reversed(children))]
            text = node.tail if node is not root else None
        if text and (text := " ".join(text[:_MOST_TEXT].split())):
            yield Piece(text, node, marks)
