"""Document: a page split into blocks, scored and cleaned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from lxml import etree

from .features import Features
from .holes import without_holes
from .keep import Kept, keep
from .models import Model
from .options import Options
from .page import Page
from .parse import read_tree
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
from .snapshot import Snapshot

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
        root: etree._Element | Snapshot | None,
        model: Model,
        options: Options,
        url: str | None = None,
        source: bytes = b"",
        site: SiteMemory | None = None,
    ) -> None:
        self.url = url  # of the page, if it is known
        self._read_from = root
        self._has_headline, self._guess_dates = options.headline, options.guess_dates
        page, by_hand = read_page(root, model, options, url)
        self.page = replace(page, source=source) if source else page
        self.matched_selectors = by_hand.matched  # of the options `keep` and `drop`
        self._model = model
        self.features = Features(self.page)
        self._scores = model.score(self.features)
        sizes = model.sizes(self.features)
        self._leaves_no_holes = options.threshold is None and model.leaves_no_holes
        self.threshold = model.choose_threshold(self._scores, sizes) if options.threshold is None else options.threshold
        self._ancestor_depth = options.ancestor_depth
        self._unwanted = options.unwanted_kinds
        chosen = self._choose(None, options.filter)
        self._by_hand = np.zeros(len(chosen), np.bool_)
        if by_hand.kept and self._root is not None:
            self._by_hand = blocks_within(self.page, self._root, by_hand.kept)
        self.page_texts = PageTexts.of(self.page, url) if site is not None else None  # for `SiteMemory.learn()`
        self._other_pages = self._other_pages_of(chosen, site)
        self._chosen = self._corrected(chosen)
        self._kept = self._wanted(chosen)

    @cached_property
    def _root(self) -> etree._Element | None:
        """The tree of the page; that of a snapshot is parsed when it is first asked for."""
        return read_tree(self._read_from.original) if isinstance(self._read_from, Snapshot) else self._read_from

    def _choose(self, threshold: float | None, filter: str | None) -> Kept:
        """The blocks of all kinds that reach a threshold, by default the document's own, and that a filter keeps."""
        kept = keep(
            self.page,
            self._scores,
            self.features.shallow.words if filter else self._model.sizes(self.features),
            threshold=self.threshold if threshold is None else threshold,
            filter=filter,
            ancestor_depth=self._ancestor_depth,
            title=self.title if filter == "main" else None,
        )
        return without_holes(self.page, kept) if threshold is None and self._leaves_no_holes else kept

    def _wanted(self, chosen: Kept) -> Kept:
        """Leave out the kinds of blocks that the options don't want, and what other pages of the site hold."""
        unwanted = of_kinds(self._kinds, self._unwanted) if self._unwanted else np.zeros_like(chosen)
        return self._corrected(chosen & ~unwanted)

    def _corrected(self, chosen: Kept) -> Kept:
        """Leave out the blocks that other pages of the site hold, and add those kept by hand."""
        corrected: Kept = chosen & (self._other_pages == 0) | self._by_hand
        return corrected

    def _other_pages_of(self, chosen: Kept, site: SiteMemory | None) -> NDArray[np.int64]:
        """For each block to drop for that, the number of other pages of the site that hold it; 0 for all others."""
        others = np.zeros(len(chosen), np.int64)
        evidence = site.evidence(self.page_texts) if site is not None and self.page_texts is not None else None
        if evidence is not None and len(others):
            dropped = repeated(self.page, chosen, self._model.sizes(self.features), evidence) & ~self._by_hand
            others[dropped] = evidence.others[dropped]
        return others

    def drop_repeated(self, other_pages: Mapping[int, int]) -> None:
        """Drop the blocks, by number, that so many other pages of the site hold, as a site memory has found before.

        For a document without a site memory, before its text and blocks are read.
        """
        for number, pages in other_pages.items():
            if number < len(self._other_pages):
                self._other_pages[number] = pages
        self._chosen, self._kept = self._corrected(self._chosen), self._corrected(self._kept)

    def kept_with(self, threshold: float | None, filter: str | None) -> list[int]:
        """Return the numbers of the blocks that this threshold, None for the document's own, and filter would keep."""
        numbers: list[int] = np.flatnonzero(self._wanted(self._choose(threshold, filter))).tolist()
        return numbers

    @property
    def truncated(self) -> bool:
        """Whether the page has more than 20,000 blocks or 200,000 elements: only the first ones are read."""
        return self.page.truncated

    @cached_property
    def main_text(self) -> str:
        """The text of the kept blocks; "" if none is kept."""
        return self.text_of(self._kept_numbers)

    def text_of(self, numbers: Sequence[int]) -> str:
        """Return the text of these blocks, as `main_text` would be if they were the kept ones."""
        headline, numbers = self._headline_and_body(numbers)
        text = to_text(self.page, numbers)
        return f"{headline}\n\n{text}" if headline else text

    @cached_property
    def markdown(self) -> str:
        """The kept blocks as Markdown, with links; "" if none is kept."""
        return self.to_markdown()

    def markdown_of(self, numbers: Sequence[int]) -> str:
        """Return these blocks as Markdown, as `markdown` would be if they were the kept ones."""
        headline, numbers = self._headline_and_body(numbers)
        return to_markdown(self.page, numbers, headline=headline, base_url=self.url)

    def to_markdown(self, *, links: bool = True, images: bool = False, base_url: str | None = None) -> str:
        """Return the kept blocks as CommonMark with tables.

        Links are absolute if `base_url`, or the document's own URL, is known. Formulas stand between dollar signs.
        """
        headline, numbers = self._headline_and_body(self._kept_numbers)
        base_url = base_url or self.url
        return to_markdown(self.page, numbers, headline=headline, links=links, images=images, base_url=base_url)

    @cached_property
    def html(self) -> str:
        """The kept blocks as small, clean HTML, with links; "" if none is kept."""
        return self.to_html()

    def to_html(self, *, links: bool = True, images: bool = False, base_url: str | None = None) -> str:
        """Return the kept blocks as HTML of known tags, without styles, classes and scripts."""
        headline, numbers = self._headline_and_body(self._kept_numbers)
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
    def kept_by_hand(self) -> frozenset[int]:
        """The numbers of the blocks in elements of the option `keep`."""
        return frozenset(np.flatnonzero(self._by_hand).tolist())

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

    @property
    def _kept_numbers(self) -> list[int]:
        numbers: list[int] = np.flatnonzero(self._kept).tolist()
        return numbers

    def _headline_and_body(self, numbers: Sequence[int]) -> tuple[str | None, Sequence[int]]:
        """The headline that goes on top, if any, and these blocks, without those that only repeat it."""
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
        return to_cleaneval(self.page, self._kinds, self._kept_numbers, url or self.page.head.wrapper_url)

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

    @cached_property
    def page_types(self) -> dict[str, float]:
        """The probability of each type of page, the likeliest first; empty for a page without text."""
        from .models.page_types import page_types  # weights of their own, which most crawls don't need

        return page_types().probabilities(self.features)

    @property
    def page_type(self) -> str | None:
        """The likeliest of the PAGE_TYPES, such as "article" or "forum"; None for a page without text."""
        return next(iter(self.page_types), None)

    @property
    def words(self) -> int:
        """The number of words in the kept blocks."""
        return int(self.features.shallow.words[self._kept].sum())

    @property
    def title(self) -> str | None:
        """The page's `<title>`, None if it has none."""
        return self.page.head.title or None

    def __getstate__(self) -> dict[str, Any]:
        """All but the tree and the model: what needs them is computed first."""
        for name in ("_kinds", "score", "metadata"):
            getattr(self, name)
        return {
            name: value
            for name, value in vars(self).items()
            if name not in ("_read_from", "_root", "_model", "features")
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.features = Features(self.page)

    def __repr__(self) -> str:
        return f"<Document {self.title!r}: {int(self._kept.sum())} of {len(self._kept)} blocks kept>"


def read_page(
    root: etree._Element | Snapshot | None, model: Model, options: Options, url: str | None = None
) -> tuple[Page, ByHand]:
    """The page as a model reads it, and what is kept and dropped by hand."""
    if isinstance(root, Snapshot):
        return root.page, ByHand.of(None, None, None, url)
    by_hand = ByHand.of(root, options.keep, options.drop, url)
    if not by_hand.dropped:  # a model of the user's own has to know `skip` only where it is needed
        return model.segment(root, image_alt=options.image_alt), by_hand
    return model.segment(root, image_alt=options.image_alt, skip=by_hand.dropped), by_hand


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
