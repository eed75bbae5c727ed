"""Features of the whole page, which are equal for all of its blocks."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property, lru_cache
from math import log1p
from urllib.parse import SplitResult, urlsplit

import numpy as np

from ..page import Head
from . import cues
from .family import Family, Rows

_OG_TYPES = ("article", "website", "product")
_TYPES = {
    "article": {"article", "newsarticle", "blogposting", "reportagenewsarticle", "techarticle"},
    "product": {"product", "offer", "aggregateoffer", "productgroup"},
    "list": {"itemlist", "collectionpage", "searchresultspage"},
    "forum": {"discussionforumposting", "qapage", "question", "comment"},
    "faq": {"faqpage"},
    "business": {"localbusiness", "service", "professionalservice"},
    "recipe": {"recipe", "howto"},
    "breadcrumb": {"breadcrumblist"},
    "event": {"event", "jobposting", "course"},
    "page": {"webpage"},
}
_ADDRESSES = {
    "product": r"/(?:products?|p|dp|item|shop|buy|sku)(?:/|$)",
    "collection": r"/(?:collections?|category|categories|c|shop|store)(?:/|$)",
    "forum": r"forum|thread|/t/|topic|question|community|discuss|viewtopic|showthread",
    "documentation": r"docs?[./]|/(?:docs?|documentation|reference|api|guide|"
    r"manual|help|support|wiki|learn|tutorials?)(?:/|$)",
    "article": r"/(?:blog|news|articles?|story|stories|posts?|20\d\d)(?:/|$)",
    "service": r"/(?:services?|solutions?|about|pricing|features?)(?:/|$)",
    "listing": r"/(?:search|jobs?|list|tags?|archives?|events?|directory)(?:/|$)|\?.*=",
}
_ADDRESS_PATTERNS = [re.compile(pattern) for pattern in _ADDRESSES.values()]
MIX = ("p", "li", "td", "div", "a", "h2", "h3", "article", "section", "pre", "form", "span", "dt", "br", "figure")
_HASH_SEGMENT = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+){3,}")
PAGE_NAMES = (
    "page_log_blocks",
    "page_log_size",
    "page_log_nodes",
    "page_linked",
    "page_paragraph_share",
    "page_paragraphs",
    "page_long_blocks",
    "page_short_share",
    "page_log_longest",
    "page_log_main_size",
    "page_main_linked",
    "page_best_share",
    "page_cards_share",
    "page_log_best_score",
    "page_second_best",
    "page_log_images",
    "page_log_controls",
    "page_log_links",
    "page_headings",
    "page_log_h1",
    "page_log_articles",
    "page_digits",
    "page_unspaced",
)
HEAD_NAMES = (
    "page_has_title",
    "page_has_description",
    "page_has_published_time",
    "page_has_og_type",
    *("page_og_" + name for name in _OG_TYPES),
    "page_has_types",
    *("page_type_" + name for name in _TYPES),
    "page_has_address",
    "page_address_depth",
    "page_address_is_long_name",
    *("page_address_" + name for name in _ADDRESSES),
)


class Whole(Family):
    """Size, shares of tags and cues, and facts from the head."""

    names = (
        *PAGE_NAMES,
        *("page_mix_" + tag for tag in MIX),
        *("page_cue_" + name for name in cues.STEMS),
        *HEAD_NAMES,
    )

    def _rows(self) -> Rows:
        values = np.array((*self._text(), *self._mix(), *self._cues(), *head_facts(self._features.head)), np.float32)
        return np.broadcast_to(values[:, None], (len(values), len(self._features.page.texts)))

    def _text(self) -> list[float]:
        features = self._features
        page, wording, containers = features.page, features.wording, features.containers
        size = wording.size
        total, linked, paragraphs, blocks, _, headings, _ = containers.sums[:, 0].tolist()
        main = containers.sums[:, containers.main].tolist()
        best = containers.sums[:, containers.best].tolist()
        return [
            log1p(blocks),
            log1p(total),
            log1p(len(page.tags)),
            linked / max(total, 1),
            paragraphs / max(total, 1),
            log1p(np.count_nonzero(wording.is_paragraph)),
            log1p(np.count_nonzero(size >= 40)),
            np.count_nonzero(size < 5) / len(size),
            log1p(size.max()),
            log1p(main[0]),
            main[1] / max(main[0], 1),
            best[2] / max(paragraphs, 1),
            float(size[containers.in_card].sum()) / max(total, 1),
            log1p(containers.candidates[containers.best]),
            containers.second_best,
            log1p(len(page.images)),
            log1p(len(page.controls)),
            log1p(self._tag_counts["a"]),
            headings / max(blocks, 1),
            log1p(np.count_nonzero(features.heading_levels == 1)),
            log1p(self._tag_counts["article"]),
            wording.digits / max(int((features.texts.lengths + 1).sum()), 1),
            float(np.max(size - features.shallow.words) > 5),
        ]

    @cached_property
    def _tag_counts(self) -> Counter[str]:
        tags = self._features.elements.tags
        return Counter(dict(zip(tags.values, np.bincount(tags.numbers).tolist(), strict=True)))

    def _mix(self) -> list[float]:
        return [self._tag_counts[tag] / len(self._features.page.tags) for tag in MIX]

    def _cues(self) -> list[float]:
        """The share of the text in elements with each cue."""
        features = self._features
        held = features.markup.rows[features.markup.names.index("in_cue_" + next(iter(cues.STEMS))) :][
            : len(cues.STEMS)
        ]
        size = features.wording.size
        shares: list[float] = (held @ size / max(size.sum(), 1)).tolist()
        return shares


def head_facts(head: Head) -> list[float]:
    """What the head declares, in the order of HEAD_NAMES."""
    facts = (
        bool(head.title),
        bool(head.description),
        head.has_published_time,
        bool(head.og_type),
        *(name in head.og_type for name in _OG_TYPES),
        bool(head.types),
        *(bool(head.types & names) for names in _TYPES.values()),
        *_address_facts(head.address),
    )
    return [float(fact) for fact in facts]


@lru_cache(maxsize=64)  # most pages without an address are small
def _address_facts(address: str) -> tuple[float, ...]:
    parts = _split(address)
    path = parts.path.lower()
    segments = [segment for segment in path.split("/") if segment]
    text = f"{parts.netloc}{path}?{parts.query}".lower()
    return (
        bool(address),
        min(len(segments), 5) / 5,
        bool(segments and _HASH_SEGMENT.match(segments[-1])),
        *(bool(pattern.search(text)) for pattern in _ADDRESS_PATTERNS),
    )


def _split(address: str) -> SplitResult:
    """The parts of an address; all empty if it is not a valid one."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")
