# cython: language_level=3, boundscheck=False, wraparound=False
"""`Texts._tally()` in C, which looks at every character of a page once. A test compares the two."""

from libc.stdint cimport int64_t, uint8_t

import numpy as np

from . import characters
from .characters import Count

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t place) noexcept

cdef uint8_t SPACE = characters.SPACE, IN_WORD = characters.LETTER | characters.NUMBER
cdef uint8_t SENTENCE_END = characters.SENTENCE_END
cdef Py_UCS4 FULL_WIDTH = characters.FULL_WIDTH, FIRST_UNSPACED = characters.FIRST_UNSPACED
cdef int TOKENS = Count.TOKENS, WORDS = Count.WORDS, SENTENCES = Count.SENTENCES, FIRST = Count.FIRST, LAST = Count.LAST
cdef int BEFORE_SCRIPTS = Count.SYLLABLES - characters.SYLLABLE  # added to a script, its row
assert Count.IDEOGRAPHS - characters.IDEOGRAPH == BEFORE_SCRIPTS


def tally(
    list texts not None, const uint8_t[::1] classes not None, const uint8_t[::1] kinds not None,
    const uint8_t[::1] scripts not None,
):
    """A row for each `Kind` and `Count`, a column for each text. The tables have an entry for every code point."""
    cdef Py_ssize_t number
    cdef str text
    counts = np.zeros((len(texts), LAST + 1), np.int64)
    cdef int64_t[:, ::1] rows = counts
    for number in range(len(texts)):
        text = texts[number]
        if text is None:  # which is all that Cython lets through beside a str
            raise TypeError("a text is a str, not None")
        count(text, classes, kinds, scripts, rows[number])
    return counts.T


cdef int count(
    str text, const uint8_t[::1] classes, const uint8_t[::1] kinds, const uint8_t[::1] scripts, int64_t[::1] row
) except -1:
    cdef int width = PyUnicode_KIND(text)
    cdef void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t place, length = len(text)
    cdef Py_UCS4 character
    cdef uint8_t of_classes
    cdef bint in_token = False, in_word = False, after_mark = False
    if length:
        row[FIRST] = PyUnicode_READ(width, data, 0)
        row[LAST] = PyUnicode_READ(width, data, length - 1)
    for place in range(length):
        character = PyUnicode_READ(width, data, place)
        of_classes = classes[character]
        row[kinds[character]] += 1
        if of_classes & SPACE:
            row[SENTENCES] += after_mark
            in_token = in_word = after_mark = False
            continue
        if not in_token:
            in_token = True
            row[TOKENS] += 1
        if of_classes & IN_WORD and not in_word:
            in_word = True
            row[WORDS] += 1
        after_mark = of_classes & SENTENCE_END != 0
        if character >= FIRST_UNSPACED:
            if after_mark and character > FULL_WIDTH:
                row[SENTENCES] += 1
                after_mark = False
            if scripts[character]:
                row[BEFORE_SCRIPTS + scripts[character]] += 1
    row[SENTENCES] += after_mark
    return 0
