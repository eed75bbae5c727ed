"""extract(), and the Document that it returns."""

from __future__ import annotations

import numbers
import re
import warnings
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
from lxml import etree

from .features import Features
from .keep import ANCESTOR_DEPTHS, FILTER_NAMES, keep
from .models import DEFAULT_MODEL, Model, load_model
from .parse import to_tree
from .render.cleaneval import to_cleaneval
from .render.text import to_text
from .segment.kinds import block_kinds
from .segment.xpaths import xpaths

_LONGEST_ADDRESS = 2000
# A URL, or what begins or ends like the path of a page's file.
_ADDRESS = re.compile(
    r"""[a-z][a-z0-9+.-]*://\S+ | www\.\S+ | (?: ~?/ | \.\.?[/\\] | [a-z]:[/\\] )\S+
      | [^<>\r\n]*[^\s.]\.(?: x?html? | mht(?:ml)? | aspx? | php )(?: \.gz )?""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text with no block-level element inside, and how content-like it is."""

    text: str  # on one line: where main_text has a line break for a <br>, it has a blank
    score: float  # 0 boilerplate .. 1 content
    is_content: bool  # kept by the threshold and the filter
    tag: str  # of the innermost block-level element around the text
    xpath: str  # of that element
    words: int
    link_density: float  # the share of the text that is inside links, 0..1; a link around a whole article is none
    kind: str  # one of KINDS: heading, list item, paragraph, table cell, quote, code, continuation


class Document:
    """A page split into blocks, scored and cleaned.

    Made by `extract()`. The scores are there when it is made; texts, blocks and title are put together when they
    are first asked for.
    """

    def __init__(
        self,
        root: etree._Element | None,
        model: Model,
        *,
        threshold: float | None = None,
        filter: str | None = None,
        ancestor_depth: int = 2,
        image_alt: bool = False,
    ) -> None:
        self._root = root
        self._page = model.segment(root, image_alt=image_alt)
        self._model = model
        self._features = Features(self._page)
        self._scores = model.score(self._features)
        words = self._features.shallow.words
        sizes = model.sizes(self._features)
        self.threshold = model.choose_threshold(self._scores, sizes) if threshold is None else threshold
        self._kept = keep(
            self._page,
            self._scores,
            words,
            threshold=self.threshold,
            filter=filter,
            ancestor_depth=ancestor_depth,
            title=self.title if filter == "main" else None,
        )

    @property
    def truncated(self) -> bool:
        """Whether the page has more than 20,000 blocks or 200,000 elements, of which only the first ones were read."""
        return self._page.truncated

    @cached_property
    def main_text(self) -> str:
        """The kept blocks as text; "" when nothing is content."""
        return to_text(self._page, np.flatnonzero(self._kept).tolist())

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks of the page in document order, kept or not."""
        page, shallow = self._page, self._features.shallow
        paths = xpaths(page, page.block_nodes)
        return tuple(
            Block(text, score, is_content, page.tags[node], paths[node], words, link_density, kind)
            for text, score, is_content, node, words, link_density, kind in zip(
                page.texts,
                self._scores.tolist(),
                self._kept.tolist(),
                page.block_nodes,
                shallow.words.astype(int).tolist(),
                shallow.link_density.tolist(),
                self._kinds,
                strict=True,
            )
        )

    @cached_property
    def _kinds(self) -> list[str]:
        return block_kinds(self._page, self._model.labels(self._features))

    def to_cleaneval(self, url: str | None = None) -> str:
        """The kept blocks in CleanEval's format, with `<h>`, `<p>` and `<l>` marks below a line with the URL.

        Without a URL it is that of CleanEval's own `<text id="...">` around the page, else the line has none.
        """
        numbers = np.flatnonzero(self._kept).tolist()
        return to_cleaneval(self._page, self._kinds, numbers, url or self._page.head.wrapper_url)

    @cached_property
    def score(self) -> float:
        """How sure we are that main_text is right, 0 to 1: what the model makes of the F1 to expect.

        That is the F1 if the scores were probabilities.
        """
        sizes = self._model.sizes(self._features)
        content = self._scores * sizes  # how many words of each block are content, as far as we know
        total = float(sizes[self._kept].sum() + content.sum())
        expected = 2 * float(content[self._kept].sum()) / total if total else 0.0
        return self._model.confidence(expected)

    @property
    def title(self) -> str | None:
        """The page's `<title>`, None if it has none."""
        return self._page.head.title or None

    def __repr__(self) -> str:
        return f"<Document {self.title!r}: {int(self._kept.sum())} of {len(self._kept)} blocks kept>"


def extract(
    page: Any,
    *,
    model: str | PathLike[str] | Model = DEFAULT_MODEL,
    threshold: float | None = None,
    filter: str | None = None,
    ancestor_depth: int = 2,
    image_alt: bool = False,
) -> Document:
    """Find the main text of a page: a str, bytes, a Scrapy response, a parsel Selector or an lxml element.

    `threshold` is the lowest score that is kept, None leaves it to the model; `filter` is "ancestor" (with
    `ancestor_depth`), "largest" or "main"; `image_alt` also reads the alternative texts of images. Bad arguments raise
    ValueError or TypeError; whatever a page holds, it does not.
    """
    check_options(threshold=threshold, filter=filter, ancestor_depth=ancestor_depth)
    if isinstance(page, str) and _looks_like_an_address(page):
        warnings.warn(
            f"{page!r} is read as a page, and looks like the address of one; fetch or open it first", stacklevel=2
        )
    if isinstance(model, (str, PathLike)):
        model = load_model(model)
    elif not isinstance(model, Model):
        raise TypeError(f"model must be a name, a path or a Model, not {model!r}")
    return Document(
        to_tree(page),
        model,
        threshold=threshold,
        filter=filter,
        ancestor_depth=ancestor_depth,
        image_alt=image_alt,
    )


def _looks_like_an_address(page: str) -> bool:
    return len(page) <= _LONGEST_ADDRESS and "<" not in page and _ADDRESS.fullmatch(page.strip()) is not None


def check_options(*, threshold: object, filter: object, ancestor_depth: object) -> None:
    """Raise ValueError for an option that no page could be extracted with."""
    if threshold is not None and not _is_share(threshold):
        raise ValueError(f"threshold must be None or a number from 0 to 1, not {threshold!r}")
    if filter is not None and filter not in FILTER_NAMES:
        raise ValueError(f"filter must be None or one of {', '.join(FILTER_NAMES)}, not {filter!r}")
    if type(ancestor_depth) is not int or ancestor_depth not in ANCESTOR_DEPTHS:
        raise ValueError(
            f"ancestor_depth must be a whole number from {ANCESTOR_DEPTHS[0]} to {ANCESTOR_DEPTHS[-1]}, "
            f"not {ancestor_depth!r}"
        )


def _is_share(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return False
    return 0 <= float(value) <= 1
