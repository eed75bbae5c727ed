"""Tables that the core gets from the modules that define them, and its questions to Python."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..features import cues
from ..features.characters import Count, classes_of, kinds_of, scripts_of
from ..features.markup import CUE_BIT, HIDDEN_MARKS, OWN_TAG, TAG_BITS, mark
from ..features.whole import HEAD_NAMES, MIX
from ..segment import tags as segment_tags
from ..segment.markup import LAYOUT_ATTRIBUTES
from ..segment.markup import formula_of as formula
from ..segment.tags import effect_of as effect

__all__ = ["attributes", "characters", "cues_of", "effect", "formula", "marks", "seed", "sizes", "tags", "values"]

_PAGE = 256  # code points whose entries are asked for at a time
_ENTRY = 8  # bytes of each: four of facts, four of its lower case

# Numbers in core.h.
_ALNUM, _IS_LOWER, _IS_UPPER, _PRINTABLE, _INVISIBLE, _JOINER, _JOINED = (1 << bit for bit in range(7))
_PLAIN, _MARKED, _HYPERLINK, _CODE, _MATH, _SPAN, _SCRIPT, _ANNOTATION = range(8)
_CLASS, _ID, _MARKING, _LAYOUT = 1, 2, 4, 8
_TAG_SETS = (
    {"a"},
    {"article"},
    {"li", "dt", "dd"},
    {"li"},
    {"td", "th"},
    {"th"},
    {"tr"},
    {"table"},
    segment_tags.PREFORMATTED_TAGS,
    {"ul", "ol", "menu", "table", "pre"},
)


def sizes() -> tuple[int, ...]:
    """The sizes that the core was compiled for."""
    return (
        len(cues.TAG_CLASSES) + 1,
        CUE_BIT,
        len(cues.STEMS),
        len(MIX),
        len(HEAD_NAMES),
        Count.LAST + 1,
        _PAGE * _ENTRY,
    )


def seed() -> int:
    """A number that makes the hashes of this process others than those of the next one."""
    return secrets.randbits(64)


def marks() -> tuple[int, int, int]:
    """The marks of hidden elements: by attribute, by aria-hidden, by style."""
    return HIDDEN_MARKS


def tags() -> Iterator[tuple[str, int, int, int, int, int, int, int]]:
    """Each known tag: name, effect, notes, class, place in the mix, level of a heading, sets, marks."""
    names = {name for name in segment_tags.EFFECTS if isinstance(name, str)} | set(OWN_TAG) | set(TAG_BITS) | set(MIX)
    for name in sorted(names):
        effect_here = segment_tags.effect_of(name, set())[0]
        yield (
            name,
            effect_here,
            _notes_of(effect_here, name),
            OWN_TAG.get(name, len(cues.TAG_CLASSES)),
            MIX.index(name) if name in MIX else -1,
            segment_tags.HEADING_LEVELS.get(name, 0),
            sum(1 << bit for bit, members in enumerate(_TAG_SETS) if name in members),
            TAG_BITS.get(name, 0),
        )


def _notes_of(effect_here: int, tag: str) -> int:
    """What of the inline markup is noted of elements with this tag."""
    if tag in segment_tags.MARKED_TAGS:
        special = {"a": _HYPERLINK, "math": _MATH} | dict.fromkeys(segment_tags.CODE_TAGS, _CODE)
        return special.get(tag, _MARKED)
    if effect_here == segment_tags.DROPPED:
        return {"script": _SCRIPT, "annotation": _ANNOTATION}.get(tag, _PLAIN)
    return _SPAN if tag == "span" else _PLAIN


def attributes() -> Iterator[tuple[str, int]]:
    """The attributes that are read of block-level elements, and their use."""
    yield "class", _CLASS
    yield "id", _ID
    yield from ((name, _MARKING) for name in sorted(segment_tags.MARKING_ATTRIBUTES))
    yield from ((name, _LAYOUT) for name in sorted(LAYOUT_ATTRIBUTES))


def values() -> Iterator[tuple[str, str, int]]:
    """The values of attributes that say something: attribute, value, mark."""
    for attribute, known in (("role", cues.ROLE_OF), ("itemprop", cues.PROPERTY_OF)):
        yield from ((attribute, value, mark(attribute, value)) for value in known)


def characters(page: int) -> bytes:
    """The entries of 256 code points: classes, kind, script, traits, and the lower case."""
    codes = range(_PAGE * page, _PAGE * (page + 1))
    classes = classes_of(codes)
    facts = np.empty((_PAGE, 4), np.uint8)
    traits = [_traits(chr(code)) for code in codes]
    facts[:] = np.stack((classes, kinds_of(codes, classes), scripts_of(codes), traits), axis=1)
    lower = np.array([_lower(chr(code)) for code in codes], np.uint32)
    return facts.tobytes() + lower.tobytes()


def _traits(character: str) -> int:
    traits: dict[int, Any] = {
        _ALNUM: character.isalnum(),
        _IS_LOWER: character.islower(),
        _IS_UPPER: character.isupper(),
        _PRINTABLE: character.isprintable(),
        _JOINER: character in "\u200c\u200d",
        _INVISIBLE: character not in "\u200c\u200d" and segment_tags.INVISIBLE.match(character),
        _JOINED: segment_tags.JOINED.match(character),
    }
    return sum(trait for trait, holds in traits.items() if holds)


def _lower(character: str) -> int:
    """The lower case of a character, 0 if it has several ones or depends on those around it."""
    lower = character.lower()
    return ord(lower) if len(lower) == 1 and character != "\u03a3" else 0


def cues_of(names: str) -> int:
    """The cues in class names and an id, as bits."""
    return cues.CUES[names]
