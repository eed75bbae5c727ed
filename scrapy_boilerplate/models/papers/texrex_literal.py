"""The 37 inputs exactly as the program texrex computes them, for the networks and data files that come with it.

It reads raw bytes with a tokenizer and blocks of its own, and keeps the program's quirks: lengths that leave out the
last byte, windows that double where a neighbour is missing, values beyond 1. It differs in two things: a script or
style sheet ends at its end tag, whatever it contains; and no more blocks are read than of any page. Use
`texrex_inputs` for anything new.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import name2codepoint
from unicodedata import category

import numpy as np
from numpy.typing import NDArray

from ...segment.limits import MOST_BLOCKS
from ...segment.tags import HEADING_LEVELS

_DROPPED = frozenset(b"script style head form applet code audio video".split())
_RAW_TEXT = frozenset({b"script", b"style"})
_CONTAINERS = ("article", "section", "div", "p", "h", "blockquote", "td", "li")
_BREAKS = {
    **{name.encode(): name for name in _CONTAINERS if name != "h"},
    **dict.fromkeys((name.encode() for name in HEADING_LEVELS), "h"),
}

_TAG_START = re.compile(rb"<[a-zA-Z/!? >]")
_NAME_END = re.compile(rb"[ >]")
_QUOTE_OR_END = re.compile(rb"[>\"']")
_WHITE_SPACE = re.compile(rb"[\t\n\r ]+")
_DOCTYPE = b"<!doctype"
_HTML_5 = re.compile(rb"<!doctype +html *>")
_ENTITY = re.compile(r"&(?:#([0-9]{1,6})|#[xX]([0-9a-fA-F]{1,4})|([a-zA-Z][a-zA-Z0-9]{1,6}));")
_ENTITIES = {**name2codepoint, "apos": ord("'")}

_LETTER = r"[^\W\d_]"
_ADDRESS = r"(?:[^\W\d]|[0-9.-])"
_LITERAL_TAG = re.compile(rf" *<(?:{_LETTER}|[!?/])[^>]*> *")
# An address begins where no other character of an address is before it: else each of them would be tried.
_EMAIL = re.compile(rf" *(?<!{_ADDRESS}){_ADDRESS}+@{_ADDRESS}+\.{_LETTER}{{2,8}} *")
_URI = re.compile(rf" *(?:{_LETTER}{{2,6}}://|www\.)[\w/%$&,=?~#.+:;-]+[\w/%$=?~#-] *", re.IGNORECASE)
_HASHTAG = re.compile(rf" *#(?=\d*{_LETTER})[^\W_]+ *")
_YEAR = re.compile(r"\D20[01]\d(?:\D|$)")
_SENTENCE_END = re.compile(r"[.?!](?=\s|$)")


@dataclass(slots=True)
class LiteralBlock:
    """A block as the program texrex splits them, and its counters."""

    text: str = ""  # with replacements for addresses and the like
    plain: str = ""  # without them
    raw_length: int = 1
    opened: int = 0
    closed: int = 0
    anchors: int = 0
    skipped: int = 0
    container: str = ""
    after_closing_tag: bool = False
    replaced: tuple[int, int, int, int] = (0, 0, 0, 0)  # literal tags, e-mails, URIs, hashtags
    start: int = 0
    pieces: list[bytes] = field(default_factory=list, repr=False)

    @property
    def length(self) -> int:
        """Characters, without the last one if it is a single byte."""
        return max(len(self.text) - (self.text[-1:].isascii() and self.text != ""), 0)

    @property
    def marks(self) -> int:
        """The divisor of most counts: the length, at least 1, without white space."""
        return max(self.length, 1) - sum(character.isspace() for character in self.text)

    @property
    def is_valid(self) -> bool:
        return self.text != "" and self.marks >= 1

    @property
    def markup_share(self) -> float:
        return (self.raw_length - max(self.length, 1)) / self.raw_length


def literal_blocks(html: bytes, *, encoding: str = "utf-8", hashtags: bool = True) -> list[LiteralBlock]:
    """All blocks of a page, with the invalid ones and the empty one at the end."""
    blocks = _split(_raw(html))
    for block in blocks:
        text = _WHITE_SPACE.sub(b" ", b"".join(block.pieces)).lstrip(b" ")
        block.plain = _decode(text.decode(encoding, "replace"))
        block.text, block.replaced = _replace(block.plain, hashtags)
    return blocks


def literal_features(
    html: bytes, *, encoding: str = "utf-8", hashtags: bool = True
) -> tuple[list[LiteralBlock], NDArray[np.float64]]:
    """The valid blocks of a page, and a row of 37 features for each."""
    raw = _raw(html)
    blocks = literal_blocks(html, encoding=encoding, hashtags=hashtags)
    valid = [number for number, block in enumerate(blocks) if block.is_valid]
    total = sum(block.length for block in blocks)
    if total <= 1 or not valid:
        return [], np.zeros((0, 37))
    doctype = _doctype(raw)
    windows = _windows([block.markup_share if block.is_valid else None for block in blocks])
    rows = []
    before = 0
    for number in valid:
        block = blocks[number]
        length = max(block.length, 1)
        text_position = abs((before + length / 2) / total - 0.5) * 2
        block_position = abs(number / len(blocks) - 0.5) * 2
        place = [text_position, block_position, total / len(raw), block.markup_share]
        rows.append([min(1, length / 1000), length / total, *place, *_text_features(block), *doctype])
        rows[-1] += [*_container_features(block), *windows[number]]
        before += length
    return [blocks[number] for number in valid], np.array(rows)


def _raw(html: bytes) -> bytes:
    """The page as texrex reads it: every line between two blanks, without line ends."""
    return b"".join(b" " + line + b" " for line in html.splitlines())


def _tags(raw: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Start and end of every tag, and its name in lower case; that of a comment begins with "!"."""
    lower = raw.lower()
    position = 0
    while (start := raw.find(b"<", position)) >= 0:
        if not _TAG_START.match(raw, start):
            position = start + 2  # not a tag: both characters are text
            continue
        name_match = _NAME_END.search(raw, start + 1)
        name = lower[start + 1 : name_match.start()] if name_match else lower[start + 1 :]
        position = _comment_end(raw, start) or _tag_end(raw, start + 1 + len(name))
        yield start, position, name
        if name in _RAW_TEXT:
            end = lower.find(b"</" + name, position)
            position = len(raw) if end < 0 else end


def _comment_end(raw: bytes, start: int) -> int:
    """The end of the comment or CDATA section that starts here; 0 if there is none."""
    for opening, closing in ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>")):
        if raw.startswith(opening, start):
            end = raw.find(closing, start + len(opening))
            return len(raw) if end < 0 else end + len(closing)
    return 0


def _tag_end(raw: bytes, position: int) -> int:
    """The end of the tag, after its `>`; those inside quotes are skipped."""
    while (match := _QUOTE_OR_END.search(raw, position)) is not None:
        if match[0] == b">":
            return match.end()
        position = raw.find(match[0], match.end()) + 1
        if not position:
            break
    return len(raw)


def _split(raw: bytes) -> list[LiteralBlock]:
    blocks: list[LiteralBlock] = []
    dropped = b""  # the open element whose text is dropped
    position = 0
    for start, end, name in _tags(raw):
        if not blocks:
            if name == b"body":
                blocks.append(LiteralBlock(start=end, skipped=1))
                position = end
            continue
        block = blocks[-1]
        if not dropped:
            block.pieces.append(raw[position:start])
        position = end
        if name == b"body":
            break
        is_closing = name.startswith(b"/")
        plain = name.removeprefix(b"/")
        block.closed += is_closing
        block.opened += not is_closing
        block.anchors += name.startswith(b"a")
        if dropped:
            dropped = b"" if is_closing and plain == dropped else dropped
        elif plain in _DROPPED and not is_closing:
            dropped = name
        elif name in (b"br", b"br/"):
            block.pieces.append(b" ")
        elif plain in _BREAKS:
            block = _break(blocks, end)
            block.container, block.after_closing_tag = _BREAKS[plain], is_closing
        if name == b"/body" or len(blocks) > MOST_BLOCKS:
            break
    else:
        if blocks and not dropped:
            blocks[-1].pieces.append(raw[position:])
        position = len(raw) + 1
    if blocks:
        _break(blocks, position)
    return blocks


def _break(blocks: list[LiteralBlock], end: int) -> LiteralBlock:
    """End the current block if it has text, and return the one that is current then."""
    block = blocks[-1]
    if b"".join(block.pieces).strip(b"\t\n\r "):
        block.raw_length = max(end - 1 - block.start, 1)
        blocks.append(LiteralBlock(start=end))
    else:
        block.skipped += 1
        block.start = end
        block.pieces.clear()
    return blocks[-1]


def _decode(text: str) -> str:
    for _ in range(2):
        text = _ENTITY.sub(_character, text)
    return text


def _character(match: re.Match[str]) -> str:
    decimal, hexadecimal, name = match.groups()
    code = int(decimal) if decimal else int(hexadecimal, 16) if hexadecimal else _ENTITIES.get(name, 0)
    if code in (0, 32) or code > 0x10FFFF or 0xD800 <= code < 0xE000:
        return match[0]
    if 128 <= code < 160:
        return bytes([code]).decode("cp1252", "replace")
    return chr(code)


def _replace(text: str, hashtags: bool) -> tuple[str, tuple[int, int, int, int]]:
    rest = text.rpartition(">")[2].lstrip(" ")  # no tag ends in it, however many begin
    text, tags = _LITERAL_TAG.subn(" ", text.removesuffix(rest))
    text += rest
    text, emails = _EMAIL.subn(" emailblank ", text)
    text, uris = _URI.subn(" uriblank ", text)
    text, tagged = _HASHTAG.subn(" hashtagblank ", text) if hashtags else (text, 0)
    return text, (tags, emails, uris, tagged)


def _doctype(raw: bytes) -> list[float]:
    body = next((end for _, end, name in _tags(raw) if name == b"body"), 0)
    _, begin, rest = raw[:body].lower().partition(_DOCTYPE)
    matches = [b"xhtml 1" in rest, b"html 4" in rest, _HTML_5.search(begin + rest) is not None]
    return [float(found and not any(matches[:number])) for number, found in enumerate(matches)]


def _text_features(block: LiteralBlock) -> list[float]:
    """Features 6 to 20."""
    text, length, marks = block.text, max(block.length, 1), block.marks
    categories = [category(character) for character in text]
    upper, lower = categories.count("Lu"), categories.count("Ll")
    punctuation = sum(kind.startswith("P") for kind in categories)
    numbers = sum(kind.startswith("N") for kind in categories)
    counts = (upper + lower, numbers, *block.replaced, len(_YEAR.findall(text)), block.anchors)
    sentences = len(_SENTENCE_END.findall(text))
    some_sentences = max(sentences, 1)
    return [
        punctuation / length,
        *(count / marks for count in counts),
        upper / max(upper + lower, 1),
        float(sentences == 0),
        min(1, length // some_sentences / 100),
        min(1, some_sentences / 10),
        float("©" in text),
        float(text.rstrip(" ").endswith((".", "?", "!"))),
    ]


def _container_features(block: LiteralBlock) -> list[float]:
    """Features 24 to 34."""
    return [
        *(float(block.container == name) for name in _CONTAINERS),
        float(block.after_closing_tag),
        block.opened / max(block.opened + block.closed, 1),
        min(1, block.skipped / 20),
    ]


def _windows(shares: list[float | None]) -> list[tuple[float, float]]:
    """Features 35 and 36 of every block; None is the share of an invalid one."""
    last = len(shares) - 1
    windows = []
    for number, share in enumerate(shares):
        if share is None:
            windows.append((0.0, 0.0))
            continue
        near = share
        for neighbour in (shares[max(number - 1, 0)], shares[min(number + 1, last)]):
            near += near if neighbour is None else neighbour
        left, right = shares[max(number - 2, 0)], shares[min(number + 2, last)]
        far = near / 2 if left is None else left
        if number >= last - 1 and right is not None:
            far = right
        else:
            far += near / 2 if right is None else right
        windows.append((near / 3, (near + far) / 5))
    return windows
