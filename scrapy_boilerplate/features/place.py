"""Features of the place of a block: on the page, after a heading, next to paragraphs, among repetitions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .family import Family, log, share

_TITLE_PART = 3  # a part of the title counts as the title if it is longer than the title's length divided by this
_LONGEST_TITLE = 1000  # characters of the title that are looked for in every block
_SHORT = 3  # characters; texts up to this length occur in titles by chance
_FAR = 50  # blocks; larger distances count as this one


class Place(Family):
    """Position, headings, distances, repetition, and groups of blocks with equal markup."""

    names = (
        "position",
        "size_before",
        "log_number",
        "log_number_from_end",
        "heading_distance",
        "heading_level",
        "heading_linked",
        "heading_log_size",
        "size_since_heading",
        "top_heading_before",
        "top_heading_distance",
        "next_heading_distance",
        "paragraph_before_distance",
        "paragraph_after_distance",
        "paragraphs_before",
        "paragraphs_after",
        "log_equal_texts",
        "is_repeated_before",
        "is_title_part",
        "title_block_before",
        "title_block_distance",
        "group_log_count",
        "group_page_share",
        "group_linked",
        "group_log_block_size",
        "group_paragraph_share",
        "group_spread",
        "path_log_count",
        "path_page_share",
        "path_linked",
        "path_log_block_size",
        "path_paragraph_share",
        "path_spread",
    )

    def _rows(self) -> Sequence[NDArray[np.generic]]:
        return (*self._position(), *self._headings(), *self._paragraphs(), *self._repetition(), *self._groups())

    def _position(self) -> Sequence[NDArray[np.generic]]:
        size = self._features.wording.size
        numbers = np.arange(len(size))
        return (
            numbers / max(len(size) - 1, 1),
            share(np.cumsum(size) - size, size.sum()),
            log(numbers),
            log(len(size) - 1 - numbers),
        )

    def _headings(self) -> Sequence[NDArray[np.generic]]:
        features = self._features
        levels, size, linked = features.heading_levels, features.wording.size, features.wording.linked
        heading = levels > 0
        last, next_ = _last_before(heading), _next_after(heading)
        numbers = np.arange(len(size))
        known = last >= 0
        sums = np.concatenate(([0.0], np.cumsum(size)))
        # Without an h1, headings of the highest level on the page take its place.
        top = levels == 1 if (levels == 1).any() else levels == levels[heading].min(initial=9)
        last_top = _last_before(top)
        return (
            _near(numbers - last, known),
            np.where(known, levels[last], 7),
            linked[last] * known,
            log(size[last]) * known,
            log(np.where(known, sums[:-1] - sums[last], sums[:-1])),
            last_top >= 0,
            _near(numbers - last_top, last_top >= 0),
            _near(next_ - numbers, next_ < len(size)),
        )

    def _paragraphs(self) -> Sequence[NDArray[np.generic]]:
        paragraph = self._features.wording.is_paragraph
        numbers, count = np.arange(len(paragraph)), len(paragraph)
        before, after = _last_before(paragraph), _next_after(paragraph)
        weights = self._features.wording.size * paragraph
        total = weights.sum()
        sums = np.cumsum(weights)
        return (
            _near(numbers - before, before >= 0),
            _near(after - numbers, after < count),
            share(sums - weights, total),
            share(total - sums, total),
        )

    def _repetition(self) -> Sequence[NDArray[np.generic]]:
        """Repetitions of the text on the page and in its title."""
        features = self._features
        texts, title = features.page.texts, looked_for(features.head.title)
        numbers = np.arange(len(texts))
        first, lengths = features.texts.first_equals, features.texts.lengths
        title_part = (lengths > _SHORT) & (lengths <= len(title))
        title_part[title_part] = [texts[number].lower() in title for number in np.flatnonzero(title_part).tolist()]
        is_title = title_part & (lengths * _TITLE_PART > len(title))
        last = _last_before(is_title)
        return (
            log(np.bincount(first)[first] - 1),
            first < numbers,
            title_part,
            (last >= 0) * 1.0 + is_title,
            _near(numbers - last, last >= 0),
        )

    def _groups(self) -> list[NDArray[np.generic]]:
        """Statistics of the blocks with equal elements and parents, and of those with equal paths."""
        group, path = self._features.elements.groups
        return self._group(group) + self._group(path)

    def _group(self, group: NDArray[np.int64]) -> list[NDArray[np.generic]]:
        wording = self._features.wording
        size = wording.size
        numbers = np.arange(len(size))
        count = np.bincount(group)
        total = np.bincount(group, size)
        first, last = np.full(len(count), len(size)), np.zeros(len(count), np.int64)
        first[group[::-1]] = numbers[::-1]
        last[group] = numbers
        statistics = np.array(
            (
                log(count),
                share(total, size.sum()),
                share(np.bincount(group, size * wording.linked), total),
                log(share(total, count)),
                share(np.bincount(group, size * wording.is_paragraph), total),
                (last - first) / max(len(size), 1),
            )
        )
        return list(statistics[:, group])


def looked_for(title: str) -> str:
    """The part of the title that is looked for in every block."""
    return title[:_LONGEST_TITLE].lower()


def _last_before(wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For each block the number of the last wanted one before it, -1 where there is none."""
    numbers = np.where(wanted, np.arange(len(wanted)), -1)
    last = np.maximum.accumulate(numbers)
    return np.concatenate(([-1], last[:-1])) if len(last) else last


def _next_after(wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For each block the number of the next wanted one after it, the number of blocks where there is none."""
    return len(wanted) - 1 - _last_before(wanted[::-1])[::-1]


def _near(distance: NDArray[np.int64], known: NDArray[np.bool_]) -> NDArray[np.float64]:
    """log(1 + distance); distances that are larger than 50 or not known count as 50."""
    return log(np.where(known, np.minimum(distance, _FAR), _FAR))
