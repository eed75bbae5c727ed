"""The 37 inputs of texrex: Schäfer, "Efficient High-precision Boilerplate Detection Using Multilayer Perceptrons".

This is the clean variant, for networks that are trained on it: every input is what its name says, from 0 to 1, for the
blocks of this package. The length of markup is estimated from the tree: each element counts as long as a start and an
end tag with usual attributes, and elements that are no part of a `Page` (scripts, controls, images) don't count. The
inputs of the original program, byte by byte, are in `texrex_literal`.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ...features.characters import LETTER, LOWER, NUMBER, PUNCTUATION, UPPER
from ...features.family import Family, Rows
from ...features.shallow import Column
from ...features.text import Texts
from ...page import Page
from ...segment.tags import HEADING_LEVELS, INLINE_TAGS

PREFIX = "texrex_"

_CONTAINERS = ("article", "section", "div", "p", "heading", "blockquote", "cell", "list_item")
_DOCTYPES = ("xhtml", "html4", "html5")

TEXREX_NAMES = tuple(
    PREFIX + name
    for name in (
        "text_length",
        "text_share",
        "text_position",
        "block_position",
        "document_text_share",
        "markup_share",
        "punctuation",
        "letters",
        "numbers",
        "literal_tags",
        "emails",
        "uris",
        "hashtags",
        "years",
        "anchors",
        "uppercase",
        "no_sentence_end",
        "sentence_length",
        "sentences",
        "copyright",
        "ends_sentence",
        *(f"doctype_{name}" for name in _DOCTYPES),
        *(f"container_{name}" for name in _CONTAINERS),
        "after_closing_tag",
        "opening_tags",
        "skipped",
        "markup_share_1",
        "markup_share_2",
    )
)

# The constants of the original program: the counts whose feature is 1.
_LONG_TEXT, _LONG_SENTENCE, _MANY_SENTENCES, _MANY_SKIPPED = 1000, 100, 10, 20

_CONTAINER_TAGS = {
    **{name: _CONTAINERS.index(name) for name in ("article", "section", "div", "p", "blockquote")},
    **dict.fromkeys(HEADING_LEVELS, _CONTAINERS.index("heading")),
    **dict.fromkeys(("td", "th"), _CONTAINERS.index("cell")),
    **dict.fromkeys(("li", "dt", "dd"), _CONTAINERS.index("list_item")),
}
_NO_CONTAINER = len(_CONTAINERS)

_START_TAG, _END_TAG = 25, 5  # characters, with usual attributes
_LINK_ADDRESS = 45

# The kinds of elements: the containers by their numbers, and others.
_BLOCK, _INLINE, _LINK = range(_NO_CONTAINER, _NO_CONTAINER + 3)
_KINDS = {**_CONTAINER_TAGS, **dict.fromkeys((*INLINE_TAGS, "button"), _INLINE), "a": _LINK}
_WIDE_SENTENCE_ENDS = [ord(character) for character in "。．？！"]

# What lxml reports for a page that declares nothing.
_UNDECLARED = 'html 4.0 transitional//en" "http://www.w3.org/tr/rec-html40/loose.dtd"'

# Each begins with a character that is rare in texts, to be fast; the characters before a match are checked afterwards.
_LITERAL_TAG = re.compile(r"<[a-zA-Z!?/][^<>\n]*>")
_EMAIL = re.compile(r"@[\w.-]+\.[^\W\d_]{2,8}")
_SCHEME = re.compile(r"://[\w/%$~#=?-]")
_WWW = re.compile(r"www\.[\w/%$~#=?-]")
_HASHTAG = re.compile(r"#\w*[^\W\d_]")
_YEAR = re.compile(r"20\d\d(?!\d)")


class TexrexInputs(Family):
    """The inputs, in the order of the original program."""

    names = TEXREX_NAMES

    def _rows(self) -> Rows:
        page, texts = self._features.page, self._features.texts
        count = len(page.texts)
        if not count:
            return np.zeros((len(TEXREX_NAMES), 0), np.float32)
        markup = _Markup(page)
        length = texts.lengths.astype(np.float64)
        whole = length.sum()
        marks = np.maximum(texts.visible_lengths, 1)
        upper, lower = (texts.count_characters(_is(texts, kind)) for kind in (UPPER, LOWER))
        sentence_ends = _sentence_ends(texts)
        sentences = texts.count_characters(sentence_ends)
        markup_share = markup.characters / (markup.characters + length)
        rows = [
            length / _LONG_TEXT,
            length / whole,
            _folded((np.cumsum(length) - length / 2) / whole),
            _folded(np.arange(count) / max(count - 1, 1)),
            np.full(count, whole / (whole + markup.total)),
            markup_share,
            texts.count_characters(_is(texts, PUNCTUATION)) / length,
            texts.count_characters(_is(texts, LETTER)) / marks,
            texts.count_characters(_is(texts, NUMBER)) / marks,
            *(literals / marks for literals in _literals(texts)),
            markup.anchors / marks,
            upper / np.maximum(upper + lower, 1),
            sentences == 0,
            length / np.maximum(sentences, 1) / _LONG_SENTENCE,
            np.maximum(sentences, 1) / _MANY_SENTENCES,
            texts.count_characters(texts.characters == ord("©")),
            sentence_ends[texts.starts + texts.lengths - 1],
            *(np.full(count, _doctype(page.doctype) == name) for name in _DOCTYPES),
            *(markup.container == number for number in range(len(_CONTAINERS))),
            markup.after_closing_tag,
            markup.opened / np.maximum(markup.opened + markup.closed, 1),
            markup.skipped / _MANY_SKIPPED,
            _window(markup_share, 1),
            _window(markup_share, 2),
        ]
        return np.clip(np.array(rows, np.float32), 0, 1)


class _Markup:
    """Counts of the tags around and inside each block, from the end of the block before."""

    def __init__(self, page: Page) -> None:
        kinds, levels, containers = _elements(page)
        blocks, links = kinds <= _BLOCK, kinds == _LINK
        lengths = _START_TAG + _END_TAG + _LINK_ADDRESS * links
        node = np.array(page.block_nodes)
        end = np.array(page.block_ends)
        start = np.concatenate(([0], end[:-1]))
        level = levels[node]
        blocks_opened = _between(blocks, start, end)
        # In a <pre>, a line ends before the element that begins after it: that counts for the next line.
        blocks_closed = np.maximum(blocks_opened - np.diff(level, prepend=0), 0)
        breaks = blocks_opened + blocks_closed
        self.opened = end - start
        self.closed = self.opened - blocks_opened + blocks_closed
        self.anchors = _between(links, start, end)
        self.container = containers[node]
        # The first break ended the block before. Blocks that end with two <br> have no break.
        self.skipped = np.maximum(breaks - 1, 0)
        self.after_closing_tag = (node < start) & (breaks > 0)
        inside = np.minimum(np.maximum(node + 1, start), end)
        self.characters = _between(lengths, inside, end) + _END_TAG
        self.total = lengths.sum()


def _elements(page: Page) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """For each element: its kind, how many blocks it is in (itself included), and its container.

    All elements climb the tree at once: after k rounds, each has the values of 2^k levels from itself on. Index 0 is
    the parent of the root, where all paths end.
    """
    kinds = np.array([_INLINE, *(_KINDS.get(tag, _BLOCK) for tag in page.tags)])
    above = np.array([-1, *page.parents]) + 1
    levels = (kinds <= _BLOCK).astype(np.int64)
    containers = np.minimum(kinds, _NO_CONTAINER)
    while above.any():
        levels += levels[above]
        containers = np.where(containers == _NO_CONTAINER, containers[above], containers)
        above = above[above]
    return kinds[1:], levels[1:], containers[1:]


def _between(
    values: NDArray[np.int64] | NDArray[np.bool_], start: NDArray[np.int64], end: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The sum of the values in the half-open range [start, end) of each block."""
    sums = np.concatenate(([0], np.cumsum(values)))
    return np.asarray(sums[end] - sums[start])


def _is(texts: Texts, kind: np.uint8) -> NDArray[np.bool_]:
    return (texts.classes & kind).astype(np.bool_)


def _folded(position: Column) -> Column:
    """The distance from the middle: 0 in the middle, 1 at both ends."""
    return np.abs(2 * position - 1)


def _sentence_ends(texts: Texts) -> NDArray[np.bool_]:
    """The characters that end a sentence: . ? ! before white space, and the full-width ones anywhere."""
    characters = texts.characters
    narrow = (characters == ord(".")) | (characters == ord("?")) | (characters == ord("!"))
    before_space = np.append(texts.spaces[1:], True)
    ends: NDArray[np.bool_] = narrow & before_space
    wide = characters >= ord("。")
    if wide.any():
        ends |= wide & np.isin(characters, _WIDE_SENTENCE_ENDS)
    return ends


def _literals(texts: Texts) -> list[NDArray[np.int64]]:
    """For each block, the number of literal tags, e-mail addresses, URIs, hashtags and years in its text."""
    text = texts.joined

    def positions(pattern: re.Pattern[str]) -> list[int]:
        return [match.start() for match in pattern.finditer(text)]

    def count(found: list[int]) -> NDArray[np.int64]:
        if not found:
            return np.zeros_like(texts.lengths)
        blocks = np.searchsorted(texts.starts, found, side="right") - 1
        return np.bincount(blocks, minlength=len(texts.lengths))

    return [
        count(positions(_LITERAL_TAG)),
        count([at for at in positions(_EMAIL) if at and (text[at - 1].isalnum() or text[at - 1] in "._-")]),
        count([at for at in positions(_SCHEME) if text[max(at - 2, 0) : at].isalpha()] + positions(_WWW)),
        count(positions(_HASHTAG)),
        count([at for at in positions(_YEAR) if not (at and text[at - 1].isdigit())]),
    ]


def _window(shares: Column, width: int) -> Column:
    """The mean over a block and its neighbours, as many as there are."""
    sums = np.concatenate(([0.0], np.cumsum(shares)))
    blocks = np.arange(len(shares))
    first, last = np.maximum(blocks - width, 0), np.minimum(blocks + width + 1, len(shares))
    return np.asarray((sums[last] - sums[first]) / (last - first))


def _doctype(declaration: str) -> str:
    """The kind of a document type declaration, "" if it is unknown or missing."""
    declaration = declaration.lower()
    if "xhtml 1" in declaration:
        return "xhtml"
    if "html 4" in declaration:
        return "" if _UNDECLARED in declaration else "html4"
    return "html5" if declaration.replace(" ", "") == "<!doctypehtml>" else ""
