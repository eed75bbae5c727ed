"""Document: a page split into blocks, scored and cleaned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from lxml import etree

from .features import Features
from .holes import without_holes
from .keep import Kept, keep
from .models import Model
from .options import Options
from .page import Page
from .parse.surrogates import without_surrogates
from .render.cleaneval import to_cleaneval
from .render.html import to_html
from .render.markdown import to_markdown
from .render.text import to_text
from .segment.kinds import COMMENT, HEADING, block_kinds, of_kinds
from .segment.xpaths import xpaths
from .selectors import ByHand, blocks_within
from .site import PageTexts, SiteMemory
from .site.rule import repeated

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .metadata import Metadata


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text without block-level elements inside, and its score."""

    text: str  # on one line: a <br>, which is a line break in main_text, is a blank here
    score: float  # 0 boilerplate .. 1 content
    is_content: bool  # kept by threshold, filter and options, or as part of a list or table that is kept
    tag: str  # of the innermost block-level element around the text
    xpath: str  # of that element
    words: int
    link_density: float  # the share of the text inside links, 0..1; a link around a whole article doesn't count
    kind: str  # one of KINDS: heading, list item, paragraph, table cell, quote, code, caption, comment, continuation
    other_pages: int = 0  # on so many others of its site the text stands, and was dropped for that; 0 if it was not


class Document:
    """A page split into blocks, scored and cleaned.

    Returned by `extract()`. Scores are computed at once; text, blocks and title are computed on first access.
    """

    def __init__(
        self,
        root: etree._Element | None,
        model: Model,
        options: Options,
        url: str | None = None,
        site: SiteMemory | None = None,
    ) -> None:
        self.url = url  # of the page, if it is known
        self._root = root
        self._has_headline, self._guess_dates = options.headline, options.guess_dates
        self.page, by_hand = read_page(root, model, options, url)
        self.matched_selectors = by_hand.matched  # of the options `keep` and `drop`
        self.kept_by_hand: frozenset[int] = frozenset()  # blocks, by number
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
        self._chosen = without_holes(self.page, kept) if threshold is None and model.leaves_no_holes else kept
        self.page_texts = PageTexts.of(self.page, url) if site is not None else None  # for `SiteMemory.learn()`
        self._other_pages = self._drop_repeated(site)
        unwanted = options.unwanted_kinds
        self._kept = self._chosen & ~of_kinds(self._kinds, unwanted) if unwanted else self._chosen
        if root is not None and by_hand.kept:
            self._keep_by_hand(blocks_within(self.page, root, by_hand.kept))

    def _drop_repeated(self, site: SiteMemory | None) -> NDArray[np.int64]:
        """Drop the blocks that other pages of the site hold; return on how many pages each dropped one stands."""
        others = np.zeros(len(self._chosen), np.int64)
        evidence = site.evidence(self.page_texts) if site is not None and self.page_texts is not None else None
        if evidence is not None and len(others):
            dropped = repeated(self.page, self._chosen, self._model.sizes(self.features), evidence)
            self._chosen = self._chosen & ~dropped
            others[dropped] = evidence.others[dropped]
        return others

    def _keep_by_hand(self, blocks: Kept) -> None:
        self.kept_by_hand = frozenset(np.flatnonzero(blocks).tolist())
        self._chosen, self._kept = self._chosen | blocks, self._kept | blocks
        self._other_pages[blocks] = 0

    @property
    def truncated(self) -> bool:
        """Whether the page has more than 20,000 blocks or 200,000 elements: only the first ones are read."""
        return self.page.truncated

    @cached_property
    def main_text(self) -> str:
        """The text of the kept blocks; "" if none is kept."""
        headline, numbers = self._headline_and_body
        text = to_text(self.page, numbers)
        return f"{headline}\n\n{text}" if headline else text

    @cached_property
    def markdown(self) -> str:
        """The kept blocks as Markdown, with links; "" if none is kept."""
        return self.to_markdown()

    def to_markdown(self, *, links: bool = True, images: bool = False, base_url: str | None = None) -> str:
        """Return the kept blocks as CommonMark with tables.

        Links are absolute if `base_url`, or the document's own URL, is known. Formulas stand between dollar signs.
        """
        headline, numbers = self._headline_and_body
        base_url = base_url or self.url
        return to_markdown(self.page, numbers, headline=headline, links=links, images=images, base_url=base_url)

    @cached_property
    def html(self) -> str:
        """The kept blocks as small, clean HTML, with links; "" if none is kept."""
        return self.to_html()

    def to_html(self, *, links: bool = True, images: bool = False, base_url: str | None = None) -> str:
        """Return the kept blocks as HTML of known tags, without styles, classes and scripts."""
        headline, numbers = self._headline_and_body
        base_url = base_url or self.url
        return to_html(self.page, numbers, headline=headline, links=links, images=images, base_url=base_url)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks of the page in document order, kept or not."""
        page, shallow = self.page, self.features.shallow
        paths = xpaths(page, page.block_nodes)
        return tuple(
            Block(text, score, is_content, page.tags[node], paths[node], words, link_density, kind, other_pages)
            for text, score, is_content, node, words, link_density, kind, other_pages in zip(
                page.texts,
                self._scores.tolist(),
                self._kept.tolist(),
                page.block_nodes,
                shallow.words.astype(int).tolist(),
                shallow.link_density.tolist(),
                self._kinds,
                self._other_pages.tolist(),
                strict=True,
            )
        )

    @property
    def repeated_blocks(self) -> int:
        """How many blocks were dropped because other pages of the site hold them, too."""
        return int((self._other_pages > 0).sum())

    @cached_property
    def comments(self) -> str:
        """The text of the reader comments, "" if there are none.

        These are the comments that the model and the filter keep, whether or not the option `comments` takes them out
        of main_text. Most models drop most comments.
        """
        return to_text(self.page, np.flatnonzero(self._chosen & of_kinds(self._kinds, {COMMENT})).tolist())

    @cached_property
    def metadata(self) -> Metadata:
        """Headline, authors, dates and the like, as far as the page gives them."""
        from .metadata import read_metadata  # twenty modules, which most crawls don't need

        try:
            return read_metadata(self._root, self.url, guess_dates=self._guess_dates)
        except UnicodeDecodeError:  # lone surrogates, in a part of the tree that only metadata is read from
            assert self._root is not None
            return read_metadata(without_surrogates(self._root), self.url, guess_dates=self._guess_dates)

    @cached_property
    def _headline_and_body(self) -> tuple[str | None, list[int]]:
        """The headline that goes on top, if any, and the kept blocks, without those that only repeat it."""
        numbers: list[int] = np.flatnonzero(self._kept).tolist()
        headline = self.metadata.headline if self._has_headline and numbers else None
        if headline is None:
            return None, numbers
        headings = {number for number in numbers if self._kinds[number] == HEADING} | set(numbers[:1])
        again = {number for number in headings if _plain(self.page.texts[number]) == _plain(headline)}
        return headline, [number for number in numbers if number not in again]

    @cached_property
    def _kinds(self) -> list[str]:
        weights = self._scores * self._model.sizes(self.features)
        return block_kinds(self.page, weights, self._model.labels(self.features), self.url or self.page.head.address)

    def to_cleaneval(self, url: str | None = None) -> str:
        """Return the kept blocks in CleanEval's format: a line with the URL, then `<h>`, `<p>` and `<l>` lines.

        The default URL is that of CleanEval's own `<text id="...">` around the page, if there is one.
        """
        numbers: list[int] = np.flatnonzero(self._kept).tolist()
        return to_cleaneval(self.page, self._kinds, numbers, url or self.page.head.wrapper_url)

    @cached_property
    def score(self) -> float:
        """The confidence that main_text is right, from 0 to 1.

        The model derives it from the expected F1, which is computed as if the scores were probabilities.
        """
        sizes = self._model.sizes(self.features)
        content = self._scores * sizes  # the expected number of content words in each block
        total = float(sizes[self._kept].sum() + content.sum())
        expected = 2 * float(content[self._kept].sum()) / total if total else 0.0
        return self._model.confidence(expected)

    @property
    def title(self) -> str | None:
        """The page's `<title>`, None if it has none."""
        return self.page.head.title or None

    def __repr__(self) -> str:
        return f"<Document {self.title!r}: {int(self._kept.sum())} of {len(self._kept)} blocks kept>"


def read_page(
    root: etree._Element | None, model: Model, options: Options, url: str | None = None
) -> tuple[Page, ByHand]:
    """The page as a model reads it, and what is kept and dropped by hand."""
    by_hand = ByHand.of(root, options.keep, options.drop, url)
    if not by_hand.dropped:  # a model of the user's own has to know `skip` only where it is needed
        return model.segment(root, image_alt=options.image_alt), by_hand
    return model.segment(root, image_alt=options.image_alt, skip=by_hand.dropped), by_hand


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
