"""Text and inline markup as Markdown that reads back as the same text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .runs import BREAK, Element, Part, Path, Run, Style, shared

_PUNCTUATION = r"!-/:-@\[-`{-~"
# What may be markup: some characters anywhere, the others with certain neighbours only. That it begins with a set of
# characters makes the search fast.
_MARKUP = re.compile(
    r"[`*\[\]~|_\\<&!](?:(?<=[`*\[\]~|])|(?<=_)(?:(?<![^\W_]_)|(?![^\W_]))"
    rf"|(?<=\\)(?=[{_PUNCTUATION}]|$)|(?<=<)(?=[A-Za-z/!?])|(?<=&)(?=\#?\w+;)|(?<=!)(?=\[|$))"
)
_LINE_START = re.compile(r"([#>+=:-])|(\d{1,9})([.)])(?=\s|$)")
_CLOSING_HASHES = re.compile(r"(?<!\S)#+$")
_BACKTICKS = re.compile("`+")
_UNITS = re.compile(rf"\\[{_PUNCTUATION}]|.", re.DOTALL)

_IN_ADDRESS = re.compile(r"[\x00-\x20\x7f<>\\`|\"()*_\[\]~&](?:(?<!&)|(?=#?\w+;))")
_IN_LATEX = re.compile(r"<(?=[A-Za-z/!?])|[`*$|]|\](?=\s*[(\[:])|\\$|&(?=#?\w+;)|\s+")
_LATEX_FOR = {"<": r"\lt ", "`": "‘", "*": r"\ast ", "$": "", "|": r"\vert ", "]": "] ", "\\": "\\ ", "&": "& "}

TEXT, MARKUP, OPEN, CLOSE = range(4)
_EMPHASIS = {"strong": "**", "em": "*"}


class _Token(NamedTuple):
    kind: int
    text: str
    pair: int = -1  # of what opens and closes emphasis: both have the same number


class Escapes:
    """Writes phrases as Markdown; dollars need to be escaped on pages with formulas only."""

    def __init__(self, *, formulas: bool) -> None:
        self._formulas = formulas

    def lines(self, runs: Sequence[Run]) -> list[str]:
        """Return a paragraph."""
        text = self._text(runs, "\\\n")
        return [_escape_start(line) for line in text.split("\n")]

    def line(self, runs: Sequence[Run]) -> str:
        """Return a text on one line, as headings need it."""
        return self._text(runs, " ")

    def cell(self, runs: Iterable[Run]) -> str:
        """Return the text of a cell, in which each pipe needs a backslash, even in code."""
        return self.line([(path, _in_cell(part)) if _is_code(path) else (path, part) for path, part in runs])

    def _text(self, runs: Sequence[Run], line_break: str) -> str:
        if len(runs) == 1 and not runs[0][0] and isinstance(runs[0][1], str):
            return self._escaped(runs[0][1])
        tokens: list[_Token] = []
        closing: list[_Token] = []  # what closes the open elements
        around: Path = ()
        has_emphasis = False
        for path, part in [*runs, ((), "")]:
            if path != around:
                depth = shared(path, around)
                while len(closing) > depth:
                    tokens.append(closing.pop())
                for style in path[depth:]:
                    begin, end = _marks(style, len(tokens))
                    tokens.append(begin)
                    closing.append(end)
                    has_emphasis = has_emphasis or begin.kind == OPEN
                around = path
            if part:
                tokens.append(self._token(path, part, line_break))
        if has_emphasis:
            tokens = _with_sound_emphasis(tokens)
        return "".join([text for _, text, _ in tokens])

    def _token(self, path: Path, part: Part, line_break: str) -> _Token:
        if isinstance(part, str):
            return _Token(MARKUP, _code_span(part)) if _is_code(path) else _Token(TEXT, self._escaped(part))
        if part is BREAK:
            return _Token(MARKUP if line_break != " " else TEXT, line_break)
        if part.tag == "math":
            return _Token(MARKUP, _formula(part))
        return _Token(MARKUP, f"![{self._escaped(' '.join(part.text.split()))}]({_address(part.address)})")

    def _escaped(self, text: str) -> str:
        text = _MARKUP.sub(_with_backslash, text)
        return text.replace("$", "\\$") if self._formulas else text


def _marks(style: Style, pair: int) -> tuple[_Token, _Token]:
    """Return what begins and what ends an element."""
    tag, address = style
    if tag in _EMPHASIS:
        return _Token(OPEN, _EMPHASIS[tag], pair), _Token(CLOSE, _EMPHASIS[tag], pair)
    if tag == "a":
        return _Token(MARKUP, "["), _Token(MARKUP, f"]({_address(address)})")
    if tag == "code":  # written with its text
        return _Token(MARKUP, ""), _Token(MARKUP, "")
    return _Token(MARKUP, f"<{tag}>"), _Token(MARKUP, f"</{tag}>")  # CommonMark has no mark for it


def _is_code(path: Path) -> bool:
    return bool(path) and path[-1][0] == "code"


def _in_cell(code: Part) -> Part:
    return code.replace("|", r"\|") if isinstance(code, str) else code


def fence_of(code: str) -> str:
    """Return a fence longer than any row of backticks in the code."""
    return "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(code)), default=0))


def escape_end(heading: str) -> str:
    """Escape what would be the end of a heading."""
    return _CLOSING_HASHES.sub(_with_backslash, heading) if heading.endswith("#") else heading


def _escape_start(line: str) -> str:
    """Escape what would begin a list, a quote, a heading or an underline."""
    match = _LINE_START.match(line)
    if match is None:
        return line
    at = match.start(1) if match[1] else match.start(3)
    return f"{line[:at]}\\{line[at:]}"


def _code_span(code: str) -> str:
    rows = set(map(len, _BACKTICKS.findall(code)))
    fence = "`" * next(size for size in range(1, len(rows) + 2) if size not in rows)
    space = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{fence}{space}{code}{space}{fence}"


def _with_backslash(match: re.Match[str]) -> str:
    return "\\" + match[0]


def _address(address: str) -> str:
    return _IN_ADDRESS.sub(_for_address, address)


def _for_address(match: re.Match[str]) -> str:
    character = match[0]
    return f"\\{character}" if character in "()*_[]~&" else f"%{ord(character):02X}"


def _formula(element: Element) -> str:
    """Return LaTeX between dollars, without what Markdown would read as markup."""
    latex = _IN_LATEX.sub(lambda match: _LATEX_FOR.get(match[0], " "), element.text).strip(" ")
    return f"$${latex}$$" if element.address == "display" else f"${latex}$"


def _with_sound_emphasis(tokens: list[_Token]) -> list[_Token]:
    """Return the tokens with emphasis only where it is read as such.

    What opens must not stand between a letter and a punctuation mark, and what closes not the other way round. Then
    the mark is left out of the emphasis, and if there is no other way all of the emphasis is.
    """
    while any(token.kind >= OPEN for token in tokens):
        fault = _first_fault(tokens)
        if fault is None:
            break
        tokens = _mended(tokens, *fault)
    return tokens


def _first_fault(tokens: list[_Token]) -> tuple[int, int] | None:
    """Return the first row of marks that would be misread, as a half-open range."""
    start = depth = 0
    while start < len(tokens):
        end = start
        while end < len(tokens) and tokens[end].kind >= OPEN:
            end += 1
        if end > start and not _is_sound(tokens, start, end, depth):
            return start, end
        depth += sum(1 if token.kind == OPEN else -1 for token in tokens[start:end])
        start = end + 1
    return None


def _is_sound(tokens: list[_Token], start: int, end: int, depth: int) -> bool:
    kinds = {token.kind for token in tokens[start:end]}
    if len(kinds) > 1:
        return False
    before = tokens[start - 1].text[-1:] if start else ""
    after = tokens[end].text[:1] if end < len(tokens) else ""
    if kinds == {CLOSE}:
        return _flanks(after, before)
    # Within other emphasis it might end that.
    return _flanks(before, after) and not (depth and _may_close(before, after))


def _flanks(outside: str, inside: str) -> bool:
    """Tell whether a mark between these two characters surely belongs to the inner one."""
    return bool(inside) and not inside.isspace() and (not _may_be_mark(inside) or _is_edge(outside))


def _may_close(before: str, after: str) -> bool:
    return bool(before) and not before.isspace() and (not _is_edge(before) or not after.isalnum())


def _mended(tokens: list[_Token], start: int, end: int) -> list[_Token]:
    kinds = {token.kind for token in tokens[start:end]}
    row = tokens[start:end]
    if len(kinds) > 1:
        return _without(tokens, {row[-1].pair})
    if kinds == {OPEN}:
        text = tokens[end] if end < len(tokens) and tokens[end].kind == TEXT else _Token(TEXT, "")
        units = _UNITS.findall(text.text)
        size = next((at for at, unit in enumerate(units) if not _may_be_mark(unit[-1]) and not unit.isspace()), None)
        if size:
            moved, left = _Token(TEXT, "".join(units[:size])), _Token(TEXT, "".join(units[size:]))
            return [*tokens[:start], moved, *row, left, *tokens[end + 1 :]]
    else:
        text = tokens[start - 1] if tokens[start - 1].kind == TEXT else _Token(TEXT, "")
        units = _UNITS.findall(text.text)
        left_out = (at for at, unit in enumerate(reversed(units)) if not _may_be_mark(unit[-1]) and not unit.isspace())
        size = next(left_out, None)
        if size:
            left, moved = _Token(TEXT, "".join(units[:-size])), _Token(TEXT, "".join(units[-size:]))
            return [*tokens[: start - 1], left, *row, moved, *tokens[end:]]
    return _without(tokens, {token.pair for token in row})


def _without(tokens: list[_Token], pairs: set[int]) -> list[_Token]:
    return [token for token in tokens if token.kind < OPEN or token.pair not in pairs]


def _is_edge(character: str) -> bool:
    """Tell whether emphasis may begin behind, or end before, such a character, whatever it begins or ends with."""
    if not character or character.isspace():
        return True
    category = unicodedata.category(character)[0]
    return category == "P" or (category == "S" and character.isascii())


def _may_be_mark(character: str) -> bool:
    """Tell whether some version of CommonMark takes a character for punctuation."""
    return unicodedata.category(character)[0] in "PS"
