"""CleanEval: its files and its measure.

`input/N.html` are pages, `GoldStandard/N.txt` their texts, in which `<h>`, `<p>` and `<l>` mark the beginning of a
heading, a paragraph or a list item. The folders may also have their names in CleanEval's own archives.

The measure is the longest common subsequence of both texts' tokens, which white space separates. Precision is its share
of the text's tokens, recall its share of the gold text's. S. Evert's `cleaneval.py` ("A lightweight and efficient tool
for cleaning web pages", LREC 2008) does the same with difflib, whose alignment may be shorter. CleanEval's own scorer
uses an edit distance, which is far slower.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..parse.files import pages_in, read_bytes
from ..sequences import aligned
from .example import Example, read_text, stem
from .figures import Quality

logger = logging.getLogger(__name__)

_URL_LINE = re.compile(r"\s*URL\b:?[ \t]*(\S*)[^\r\n]*", re.IGNORECASE)
_MARK = re.compile(r"<([hpl])\s*>", re.IGNORECASE)
_CLOSING_MARK = re.compile(r"</[hpl]\s*>", re.IGNORECASE)
_WRAPPER = re.compile(rb"""\s*<text\b[^>]*?\bid\s*=\s*["']([^"']*)""", re.IGNORECASE)
_MARKS = frozenset({"<h>", "<p>", "<l>"})
# Folders of pages and of gold texts: of the final run, of the development sets, and of a widespread copy.
_LAYOUTS = (
    ("input", "goldstandard"),
    ("finalrun-input", "goldstandard"),
    ("en-original", "en-cleaned"),
    ("zh-original", "zh-cleaned"),
    ("orig", "clean"),
)


@dataclass(frozen=True, slots=True)
class CleanEvalScores:
    """Scores of a text against CleanEval's gold text; None where a text without marks has none."""

    text: Quality  # words only
    labelled: Quality | None  # words and marks
    unlabelled: Quality | None  # words and marks, all marks counting as equal
    labelled_marks: Quality | None  # the marks alone, in the labelled alignment
    unlabelled_marks: Quality | None


def cleaneval_scores(text: str, gold: str, *, has_marks: bool = True) -> CleanEvalScores:
    """Compare a text with the gold text; both are in CleanEval's format, the text perhaps without marks."""
    found, wanted = _tokens(text), _tokens(gold)
    words, _ = _compare(_without_marks(found), _without_marks(wanted))
    if not has_marks:
        return CleanEvalScores(words, None, None, None, None)
    labelled, labelled_marks = _compare(found, wanted)
    unlabelled, unlabelled_marks = _compare(_same_marks(found), _same_marks(wanted))
    return CleanEvalScores(words, labelled, unlabelled, labelled_marks, unlabelled_marks)


def plain_text(gold: str) -> str:
    """The text without marks and URL, a line for each segment."""
    return "\n".join(" ".join(text.split()) for _, text in segments(gold) if text.strip())


def segments(gold: str) -> list[tuple[str, str]]:
    """The segments of a gold text, each with the letter of its mark, `h`, `p` or `l`; "" for text before all marks."""
    parts = ["", *_MARK.split(_CLOSING_MARK.sub(" ", _body(gold)))]
    return [(letter.lower(), text) for letter, text in zip(parts[::2], parts[1::2], strict=True)]


def _body(text: str) -> str:
    """The text below the URL line, if there is one."""
    url = _URL_LINE.match(text)
    return text[url.end() :] if url else text


def _tokens(text: str) -> list[str]:
    text = _CLOSING_MARK.sub(" ", _body(text))
    return _MARK.sub(lambda mark: f" <{mark[1].lower()}> ", text).split()


def _without_marks(tokens: Sequence[str]) -> list[str]:
    return [token for token in tokens if token not in _MARKS]


def _same_marks(tokens: Sequence[str]) -> list[str]:
    return ["<p>" if token in _MARKS else token for token in tokens]


def _compare(found: Sequence[str], wanted: Sequence[str]) -> tuple[Quality, Quality]:
    """The quality of all tokens, and that of the marks alone."""
    common = [found[place] for place, _ in aligned(found, wanted)]
    marks = [sum(token in _MARKS for token in tokens) for tokens in (common, found, wanted)]
    return Quality.of(len(common), len(found), len(wanted)), Quality.of(*marks)


def is_cleaneval(folder: Path) -> bool:
    """Whether a folder is in CleanEval's layout."""
    return _subfolders(folder) is not None


def read_cleaneval(folder: Path) -> Iterator[Example]:
    """The pages that have a gold text; pages and gold texts that lack the other are logged."""
    found = _subfolders(folder)
    assert found is not None
    pages, golds = found
    # Both "12.txt" and, as in the development set, "12-cleaned.txt".
    gold_of = {path.stem.partition("-cleaned")[0]: path for path in sorted(golds.glob("*.[tT][xX][tT]"))}
    for page in pages_in(pages):
        gold = gold_of.pop(stem(page), None)
        if gold is None:
            logger.warning("%s left out: there is no gold text %s.txt", page, stem(page))
            continue
        try:
            text = read_text(gold)
            yield Example(stem(page), page, _url(text, page), plain_text(text), cleaneval=text)
        except OSError as error:
            logger.warning("%s left out: %s", page, error)
    for gold in gold_of.values():
        logger.warning("%s left out: there is no page of this name", gold)


def _url(gold: str, page: Path) -> str | None:
    line = _URL_LINE.match(gold)
    if line and line[1]:
        return line[1]
    wrapper = _WRAPPER.match(read_bytes(page))
    return (wrapper[1].decode("utf-8", "replace") or None) if wrapper else None


def _subfolders(folder: Path) -> tuple[Path, Path] | None:
    """The folders of pages and of gold texts; None if the layout is another one."""
    by_name = {path.name.lower().replace("_", "-"): path for path in folder.iterdir() if path.is_dir()}
    return next(((by_name[one], by_name[other]) for one, other in _LAYOUTS if {one, other} <= by_name.keys()), None)
