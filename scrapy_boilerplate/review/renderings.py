"""Text and Markdown of a page for the settings that its view can be moved to.

The view has no renderer of its own, so that what it shows and copies is what a crawl would write. Instead it brings
the texts along: there is one for each set of kept blocks, and most settings keep the same blocks as their neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product
from typing import Any

from ..document import Document
from ..keep import FILTER_NAMES

FILTERS = (None, *FILTER_NAMES)
SLIDER = tuple(number / 100 for number in range(101))
_MOST_BLOCKS = 60_000  # that are rendered, in about a second; what the user is likely to look at comes first
_BETWEEN = "\n\n"

Settings = tuple[str, float | None, str | None]  # model, threshold and filter


class Renderings:
    """The text and the Markdown of each set of kept blocks, as numbers of paragraphs that they share."""

    def __init__(self) -> None:
        self.paragraphs: dict[str, int] = {}
        self._blocks = 0

    def add(self, document: Document, numbers: Sequence[int]) -> dict[str, list[int]] | None:
        """Return the text and the Markdown of these blocks, or None if there are too many already."""
        self._blocks += len(numbers)
        if self._blocks > _MOST_BLOCKS:
            return None
        return {"text": self._runs(document.text_of(numbers)), "markdown": self._runs(document.markdown_of(numbers))}

    def _runs(self, text: str) -> list[int]:
        """Return a text as runs of paragraphs: the number of the first one, and how many follow one another."""
        runs: list[int] = []
        for paragraph in text.split(_BETWEEN):
            number = self.paragraphs.setdefault(paragraph, len(self.paragraphs))
            if runs and number == runs[-2] + runs[-1]:
                runs[-1] += 1
            else:
                runs += (number, 1)
        return runs


def renderings(
    documents: Mapping[str, Document], segmentation_of: Mapping[str, int], threshold: float | None, filter: str | None
) -> dict[str, Any]:
    """Return the texts for all settings of a view, the first model's first, and for the initial ones before others."""
    found = Renderings()
    sets: dict[str, dict[str, list[int]]] = {}
    for model, limit, name in _settings(list(documents), threshold, filter):
        document = documents[model]
        numbers = document.kept_with(limit, name)
        key = f"{segmentation_of[model]}:{ranges(numbers)}"
        if key not in sets:
            rendered = found.add(document, numbers)
            if rendered is None:
                break
            sets[key] = rendered
    return {"paragraphs": list(found.paragraphs), "sets": sets}


def _settings(models: Sequence[str], threshold: float | None, filter: str | None) -> Iterator[Settings]:
    """All settings, in the order in which a user is likely to look at them; some come twice."""
    others = [name for name in FILTERS if name != filter]
    return chain(
        [(models[0], threshold, filter)],
        product(models, [None], [filter, *others]),
        product(models[:1], SLIDER, [filter]),
        product(models[1:], SLIDER, [filter]),
        product(models, SLIDER, others),
    )


def ranges(numbers: Sequence[int]) -> str:
    """Return numbers as text, such as "0-2,7": the key of a set of blocks."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
