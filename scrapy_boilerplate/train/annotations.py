"""News pages whose words have classes, as in L3S-GN1, the collection of the boilerpipe paper.

`annotated/NAME.html` is the page `original/NAME.html` with annotations, `<span class="x-nc-selN">`. The innermost span
counts; text outside of all spans is not content. A folder may have annotated pages only: these are then read without
the spans. The optional `url-mapping.txt` has the pages' addresses.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from ..parse import to_tree
from ..parse.files import pages_in, read_bytes
from ..segment import segment
from .example import Example, read_text, stem

logger = logging.getLogger(__name__)

CLASS_NAMES = ("not content", "headline", "full text", "supplemental", "related", "comments")

_MAIN_TEXT = frozenset({1, 2, 3, 5})  # with comments, as in the paper; "related" are links to other articles
_ANNOTATION = re.compile(rb"""class\s*=\s*(?:["'](?:[^"'>]*\s)?)?x-nc-sel([0-5])(?=["'\s>])""", re.IGNORECASE)
# Comments, scripts and the like are skipped as a whole; in the rest only the tags of spans matter.
_PART = re.compile(
    rb"<!--.*?-->|<(script|style|textarea|title)\b.*?</\1\s*>|<(?P<end>/?)span\b[^>]*>", re.IGNORECASE | re.DOTALL
)
_MARKER = re.compile(r"\[\[x-nc-sel([0-5])\]\]")
_MAPPED = re.compile(r"([0-9a-f-]{36})\W+(https?://\S+)", re.IGNORECASE)

Paragraph = list[tuple[str, int]]  # each token and its class


def without_annotations(page: bytes) -> bytes:
    """The page without the annotations; all other spans stay."""
    return _replace_annotations(page, lambda _: b"")


def _replace_annotations(page: bytes, replacement: Callable[[int], bytes]) -> bytes:
    """Replace the tags of annotations; the replacement depends on the class of the text after the tag."""
    spans: list[int | None] = []  # the class of each open span; None for spans that are no annotations
    pieces: list[bytes] = []
    end = 0
    for part in _PART.finditer(page):
        if part["end"] is None:  # a comment or a script
            continue
        if part["end"]:
            span = spans.pop() if spans else None
        else:
            found = _ANNOTATION.search(part[0])
            span = int(found[1]) if found else None
            spans.append(span)
        if span is not None:
            innermost = next((number for number in reversed(spans) if number is not None), 0)
            pieces += page[end : part.start()], replacement(innermost)
            end = part.end()
    return b"".join([*pieces, page[end:]])


def annotated_paragraphs(page: bytes) -> list[Paragraph]:
    """The tokens of an annotated page with their classes.

    Markers in the text tell where the class changes, so spans may cross any elements.
    """
    marked = _replace_annotations(page, lambda number: b"[[x-nc-sel%d]]" % number)
    paragraphs = []
    number = 0
    for text in segment(to_tree(marked)).texts:
        paragraph: Paragraph = []
        for place, piece in enumerate(_MARKER.split(text)):
            if place % 2:
                number = int(piece)
            else:
                paragraph += [(token, number) for token in piece.split()]
        paragraphs.append(paragraph)
    return paragraphs


def is_word(token: str) -> bool:
    """The paper's definition: at least one letter or digit."""
    return any(map(str.isalnum, token))


def is_annotated(folder: Path) -> bool:
    """Whether a folder holds annotated pages."""
    return (folder / "annotated").is_dir() or any(map(_has_annotations, pages_in(folder)))


def _has_annotations(page: Path) -> bool:
    try:
        return _ANNOTATION.search(read_bytes(page)) is not None
    except OSError:
        return False  # reported when the page is read


def read_annotated(folder: Path) -> Iterator[Example]:
    """The annotated pages of a folder; pages without annotations are named in the log and left out."""
    annotated = folder / "annotated" if (folder / "annotated").is_dir() else folder
    originals = {stem(page): page for page in pages_in(folder / "original")} if (folder / "original").is_dir() else {}
    urls = _urls(folder / "url-mapping.txt")
    for page in pages_in(annotated):
        name = stem(page)
        try:
            yield _example(name, page, originals.pop(name, None), urls.get(name.lower()))
        except OSError as error:
            logger.warning("%s left out: %s", page, error)
    for original in originals.values():
        logger.warning("%s left out: it has no annotations", original)


def _example(name: str, annotated: Path, original: Path | None, url: str | None) -> Example:
    paragraphs = annotated_paragraphs(read_bytes(annotated))
    return Example(
        name,
        original or annotated,
        url,
        _gold(paragraphs),
        word_classes=tuple(pair for paragraph in paragraphs for pair in paragraph if is_word(pair[0])),
        edit=None if original else without_annotations,
    )


def _gold(paragraphs: list[Paragraph]) -> str:
    texts = (" ".join(token for token, number in paragraph if number in _MAIN_TEXT) for paragraph in paragraphs)
    return "\n\n".join(filter(None, texts))


def _urls(mapping: Path) -> dict[str, str]:
    if not mapping.is_file():
        return {}
    return {name.lower(): url for name, url in _MAPPED.findall(read_text(mapping))}
