"""Document: a page split into blocks, scored and cleaned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from lxml import etree

from .features import Features
from .holes import without_holes
from .keep import keep
from .models import Model
from .options import Options
from .render.cleaneval import to_cleaneval
from .render.html import to_html
from .render.markdown import to_markdown
from .render.text import to_text
from .segment.kinds import block_kinds
from .segment.xpaths import xpaths


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text with no block-level element inside, and how content-like it is."""

    text: str  # on one line: where main_text has a line break for a <br>, it has a blank
    score: float  # 0 boilerplate .. 1 content
    is_content: bool  # kept by the threshold and the filter, or as part of a list or table that is kept
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

    url: str | None = None  # of the page, which its links are relative to

    def __init__(self, root: etree._Element | None, model: Model, options: Options) -> None:
        self._root = root
        self.page = model.segment(root, image_alt=options.image_alt)
        self._model = model
        self.features = Features(self.page)
        self._scores = model.score(self.features)
        words = self.features.shallow.words
        sizes = model.sizes(self.features)
        threshold = options.threshold
        self.threshold = model.choose_threshold(self._scores, sizes) if threshold is None else threshold
        kept = keep(
            self.page,
            self._scores,
            words,
            threshold=self.threshold,
            filter=options.filter,
            ancestor_depth=options.ancestor_depth,
            title=self.title if options.filter == "main" else None,
        )
        self._kept = without_holes(self.page, kept) if threshold is None and model.leaves_no_holes else kept

    @property
    def truncated(self) -> bool:
        """Whether the page has more than 20,000 blocks or 200,000 elements, of which only the first ones were read."""
        return self.page.truncated

    @cached_property
    def main_text(self) -> str:
        """The kept blocks as text; "" when nothing is content."""
        return to_text(self.page, np.flatnonzero(self._kept).tolist())

    @cached_property
    def markdown(self) -> str:
        """The kept blocks as Markdown, with links; "" when nothing is content."""
        return self.to_markdown()

    def to_markdown(self, *, links: bool = True, images: bool = False, base_url: str | None = None) -> str:
        """The kept blocks as CommonMark with tables.

        Links are absolute where `base_url` or the document's own URL is known. Formulas stand between dollars.
        """
        numbers = np.flatnonzero(self._kept).tolist()
        return to_markdown(self.page, numbers, links=links, images=images, base_url=base_url or self.url)

    @cached_property
    def html(self) -> str:
        """The kept blocks as small, clean HTML, with links; "" when nothing is content."""
        return self.to_html()

    def to_html(self, *, links: bool = True, images: bool = False, base_url: str | None = None) -> str:
        """The kept blocks as HTML of known tags, without styles, classes and scripts; options as for Markdown."""
        numbers = np.flatnonzero(self._kept).tolist()
        return to_html(self.page, numbers, links=links, images=images, base_url=base_url or self.url)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks of the page in document order, kept or not."""
        page, shallow = self.page, self.features.shallow
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
        return block_kinds(self.page, self._model.labels(self.features))

    def to_cleaneval(self, url: str | None = None) -> str:
        """The kept blocks in CleanEval's format, with `<h>`, `<p>` and `<l>` marks below a line with the URL.

        Without a URL it is that of CleanEval's own `<text id="...">` around the page, else the line has none.
        """
        numbers = np.flatnonzero(self._kept).tolist()
        return to_cleaneval(self.page, self._kinds, numbers, url or self.page.head.wrapper_url)

    @cached_property
    def score(self) -> float:
        """How sure we are that main_text is right, 0 to 1: what the model makes of the F1 to expect.

        That is the F1 if the scores were probabilities.
        """
        sizes = self._model.sizes(self.features)
        content = self._scores * sizes  # how many words of each block are content, as far as we know
        total = float(sizes[self._kept].sum() + content.sum())
        expected = 2 * float(content[self._kept].sum()) / total if total else 0.0
        return self._model.confidence(expected)

    @property
    def title(self) -> str | None:
        """The page's `<title>`, None if it has none."""
        return self.page.head.title or None

    def __repr__(self) -> str:
        return f"<Document {self.title!r}: {int(self._kept.sum())} of {len(self._kept)} blocks kept>"
