"""Runs: a text as a list of pieces, each with the inline elements that it stands in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


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
_CODE: Style = ("code", "")  # which holds text only


class Runs:
    """Collects runs of text.

    White space between two texts goes into the elements that both stand in, and so none begins or ends with it.
    """

    def __init__(self, path: Path = ()) -> None:
        self.found: list[Run] = []
        self.space: Part = ""  # before what comes next
        self._path = path
        self._outer = path  # the elements that were open ever since the last text

    def move_to(self, path: Path) -> None:
        """Tell what the next text stands in."""
        self._path = path
        if len(path) < len(self._outer):
            self._outer = path

    def add_text(self, text: str) -> None:
        """Add a text, to the last one if both stand in the same elements."""
        if self.space:
            self._add_space()
        self._add(self._path, text)
        self._outer = self._path

    def add_element(self, element: Element) -> None:
        """Add an image or a formula."""
        if self.space:
            self._add_space()
        self.found.append((_without_code(self._path), element))
        self._outer = self._path

    def _add_space(self) -> None:
        if self.found:
            last, outer = self.found[-1][0], self._outer
            common = outer[: min(shared(last, outer), shared(self._path, outer))]
            self._add(_without_code(common) if self.space is BREAK else common, self.space)
        self.space = ""

    def _add(self, path: Path, part: Part) -> None:
        if isinstance(part, str) and self.found and self.found[-1][0] == path:
            last = self.found[-1][1]
            if isinstance(last, str):
                self.found[-1] = path, last + part
                return
        self.found.append((path, part))


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


def _without_code(path: Path) -> Path:
    return path[:-1] if path[-1:] == (_CODE,) else path
