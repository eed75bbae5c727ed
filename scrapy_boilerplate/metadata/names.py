"""Names of authors, without what is written around them and without what is no name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from .bylines import without_by
from .given_names import GIVEN_NAMES
from .word_lists import COMPANY, NOT_IN_NAMES, PARTICLES, PLACEHOLDER_PHRASE, PLACEHOLDERS

_LONGEST_TEXT = 299  # characters; longer ones are no names
_LONGEST_NAME = 80
_LONGEST_SHOWN = 50
_MOST_AUTHORS = 20
_MOST_WORDS = 6
_MOST_SHOWN_WORDS = 5

_AND = re.compile(r"\s*(?:,|;|\||•|·|/|\s(?:and|und|et|y|e|en|og|och|ja|i|и|&|with)\s|、|＆)\s*", re.IGNORECASE)
_DEGREE = re.compile(r"(?:[A-Z][a-z]{0,2}\.?){2,8}|[JjSs]r\.?|[Ee]sq\.?")
_TAIL = re.compile(
    r"""\s*(?: [|•·]\s.* | \s[-–—]\s.* | \([^)]*\)? | \s(?:on|in|at|for|am|le|el|il)\s.* | \s@\w+ | https?:.* | \s\d.*
      | ,?\s*(?:updated|published|posted|last)\b.* | \d+\s*(?:min|comments?).* )\Z""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_ADDRESS = re.compile(r"https?:|www\.|\S@\S+\.\w|\.(?:com|org|net|html?|php|aspx?)\b|[<>{}\[\]=\\]|//", re.IGNORECASE)
_NOT_LETTERS = re.compile(r"[\W_]+")
_WORD = re.compile(r"[^\W\d_]+")
_STRANGE = re.compile(r"[\d?!:;%$€£+#@…]")
_AROUND = " .,;:-–—|•·'\"“”‘’*_"


def declared_names(texts: Iterable[str], not_authors: Collection[str]) -> tuple[str, ...]:
    """The authors in the values of tags, each of which holds one or several names.

    `not_authors` are keys of the site's names.
    """
    names: dict[str, str] = {}
    for text in texts:
        for name in _split(text):
            if _is_author(name, not_authors) and len(names) < _MOST_AUTHORS:
                names.setdefault(key_of(name), name)
    return tuple(names.values())


def _split(text: str) -> list[str]:
    """The names in a text like "Ann Lee, MD, and Bo Ek"; a degree stays with the name before it."""
    if len(text) > _LONGEST_TEXT:
        return []
    names: list[str] = []
    for part in _AND.split(_TAIL.sub("", without_by(text)[0])):
        part = part.strip(_AROUND)
        if names and is_no_name(part):
            break
        if names and _DEGREE.fullmatch(part):
            names[-1] += f", {part}"
        elif part:
            names.append(part)
    return names


def is_no_name(text: str) -> bool:
    """Whether what stands after a name, or in its place, is a job, a date, a control or the like."""
    words = _WORD.findall(text.lower())
    return bool(text) and (not words or any(word in NOT_IN_NAMES for word in words))


def _is_author(name: str, not_authors: Collection[str]) -> bool:
    """Whether this can be a person, or a user of a forum, and is neither a placeholder nor the site."""
    key, lower = key_of(name), name.lower()
    return (
        len(name) <= _LONGEST_NAME
        and len(name.split()) <= _MOST_WORDS
        and len(key) > 1
        and not key.isdigit()
        and (key not in not_authors or is_person(name))
        and lower not in PLACEHOLDERS
        and not PLACEHOLDER_PHRASE.fullmatch(lower)
        and not _ADDRESS.search(name)
    )


def is_person(name: str) -> bool:
    """Whether a name is surely a person's, even where a site is called the same."""
    words = name.lower().split()
    return (
        2 <= len(words) <= 3
        and words[0] in GIVEN_NAMES
        and not COMPANY.intersection(words)
        and not NOT_IN_NAMES.intersection(words)
    )


def looks_like_a_name(name: str) -> bool:
    """Whether a text that nobody declares to be a name is written like one: Ann Lee, Ludwig van Beethoven, 王小明."""
    words = name.split()
    if not words or len(words) > _MOST_SHOWN_WORDS or len(name) > _LONGEST_SHOWN or _STRANGE.search(name):
        return False
    if any(word.lower().strip(",.") in NOT_IN_NAMES for word in words):
        return False
    if len(words) == 1 and name.isascii() and name.lower() not in GIVEN_NAMES:
        return False
    return name[0].isalpha() and all(not word[0].islower() or word in PARTICLES for word in words)


def first_name_first(name: str) -> str:
    """ "Ann Lee" for "Lee, Ann", as bibliographies have it."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and "," not in first and ";" not in name else name


def key_of(name: str) -> str:
    """A name as it is compared: letters and digits only."""
    return _NOT_LETTERS.sub("", name.casefold())
