"""Alignment of two sequences: their common tokens, in order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

_MOST_BITS = 4e9  # of the alignment's table: 500 MB


def aligned(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """Return pairs of indices of equal tokens, increasing in both sequences: as many pairs as possible.

    If the table would be too large, the longest common runs are taken first, and the commonest tokens are ignored.
    """
    start, end = common_ends(first, second)
    if (len(first) - start - end) * (len(second) - start - end) <= _MOST_BITS:
        return common_subsequence(first, second)
    runs = SequenceMatcher(None, first, second).get_matching_blocks()
    return [(run.a + step, run.b + step) for run in runs for step in range(run.size)]


def common_subsequence(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """Return a longest common subsequence, as pairs of indices.

    A common prefix and suffix are matched directly. For the rest, each row of the usual dynamic-programming table is
    one long integer: bit j of row i is 0 where the length grows with second[j]. So a token costs a few machine
    operations for each 64 tokens of the other sequence, and the table needs one bit for each pair of tokens.
    """
    start, end = common_ends(first, second)
    pairs = [(place, place) for place in range(start)]
    middle = first[start : len(first) - end], second[start : len(second) - end]
    pairs += [(start + one, start + other) for one, other in _middle(*middle)]
    return pairs + [(len(first) - place, len(second) - place) for place in range(end, 0, -1)]


def common_ends(first: Sequence[str], second: Sequence[str]) -> tuple[int, int]:
    """Return the lengths of the common prefix, and of the common suffix of the rest."""
    most = min(len(first), len(second))
    start = next((place for place in range(most) if first[place] != second[place]), most)
    end = next((place for place in range(most - start) if first[-1 - place] != second[-1 - place]), most - start)
    return start, end


def _middle(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    masks: dict[str, int] = defaultdict(int)
    for place, token in enumerate(second):
        masks[token] |= 1 << place
    everything = (1 << len(second)) - 1
    row, rows = everything, []
    for token in first:
        common = row & masks.get(token, 0)
        row = ((row + common) | (row - common)) & everything
        rows.append(row)
    return [*_trace(rows, len(second))][::-1]


def _trace(rows: list[int], width: int) -> Iterator[tuple[int, int]]:
    size = width // 8 + 1
    line, column = len(rows), width
    table = [row.to_bytes(size, "little") for row in rows]
    while line and column:
        byte, bit = divmod(column - 1, 8)
        if table[line - 1][byte] >> bit & 1:
            column -= 1
            continue
        line -= 1
        if not line or table[line - 1][byte] >> bit & 1:
            column -= 1
            yield line, column
