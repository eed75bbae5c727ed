"""The memory of one host: an immutable value of four small arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .texts import Hashes, PageTexts, sizes_of

Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]

STRONG = 3  # pages that hold a text: enough to call it boilerplate, whatever these pages are
LONG = 80  # bytes: texts that tell whether two pages hold the same article
SAME_ARTICLE = 0.8  # the share of the long texts of one such page that the other one holds, too
SAME_PAGE = 0.95  # the share of the texts of either that a page under two addresses has in common
SAME_CANONICAL = 0.5  # the same for pages that declare the same address, which is wrong on some sites
MOST_PAGES = 800  # whose addresses are kept
_ROOM = 0.8  # the share that is left of texts and of pages when some had to go
NOBODY = 0xFFFF  # no page, or one that was forgotten
HIGHEST = 0xFFFF  # count


class Evidence(NamedTuple):
    """For each block of a page, what the host's other pages say about its text."""

    others: Numbers  # how many of them hold it
    distinct: Numbers  # how many of them hold it, and another article
    pages: int  # how many other pages were seen


@dataclass(frozen=True, slots=True, eq=False)
class Host:
    """The texts of a host's pages, with the number of pages that hold each.

    Two holders of a text are kept: all of them, as long as the text has no more than two and its case is open.
    """

    texts: Hashes  # sorted
    counts: NDArray[np.uint16]
    holders: NDArray[np.uint16]  # of each text two places in `pages`, or NOBODY
    pages: NDArray[np.uint64]  # the addresses of the latest pages, as numbers, in the order in which they came
    seen: int  # the number of pages, with those that were forgotten

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in (self.texts, self.counts, self.holders, self.pages))

    def evidence(self, page: PageTexts) -> Evidence:
        """What the other pages say about the texts of a page, whether or not the page itself was learned."""
        look = _look(self, page)
        known, holders = look.known, self.holders[look.places[look.known]]
        others, distinct = np.zeros((2, len(look.texts)), np.int64)
        others[known] = self.counts[look.places[known]].astype(np.int64) - look.is_counted
        same = look.is_kin[np.minimum(holders, len(self.pages))] & (holders != look.own)
        distinct[known] = others[known] - same.sum(1)
        return Evidence(others[look.inverse], distinct[look.inverse], self.seen - (look.own >= 0))

    def with_page(self, page: PageTexts, most_texts: int) -> Host:
        """The host with one more page; a page that is known counts once."""
        look = _look(self, page)
        is_new = look.own < 0
        own = len(self.pages) if is_new else look.own
        pages = np.append(self.pages, look.address) if is_new else self.pages
        counts, holders = self.counts.copy(), self.holders.copy()
        again = look.places[look.known][~look.is_counted]
        holders[again[counts[again] == 1], 1] = own
        counts[again] = np.minimum(counts[again], HIGHEST - 1) + 1
        places, texts = look.places[~look.known], look.texts[~look.known]
        host = Host(
            np.insert(self.texts, places, texts),
            np.insert(counts, places, 1),
            np.insert(holders, places, (own, NOBODY), axis=0),
            pages,
            self.seen + is_new,
        )
        return host.bounded(most_texts)

    def bounded(self, most_texts: int) -> Host:
        """The host without the oldest pages and the rarest texts, where it has too many."""
        return self._without_oldest_pages()._without_rare_texts(most_texts)

    def _without_oldest_pages(self) -> Host:
        if len(self.pages) <= MOST_PAGES:
            return self
        gone = len(self.pages) - int(MOST_PAGES * _ROOM)
        holders = np.where((self.holders < gone) | (self.holders == NOBODY), NOBODY, self.holders - np.uint16(gone))
        return Host(self.texts, self.counts, holders.astype(np.uint16), self.pages[gone:], self.seen)

    def _without_rare_texts(self, most: int) -> Host:
        """The host with no more texts than that: those on the fewest pages go first, and those on the oldest ones."""
        if len(self.texts) <= most:
            return self
        newest = self.holders[:, 0].astype(np.int64) + 1 & NOBODY
        ranks = (self.counts.astype(np.int64) << 16) + newest
        left = np.sort(np.argsort(ranks, kind="stable")[-int(most * _ROOM) :])
        return Host(self.texts[left], self.counts[left], self.holders[left], self.pages, self.seen)


def no_pages() -> Host:
    """A host of which no page was seen."""
    return Host(np.zeros(0, np.uint64), np.zeros(0, np.uint16), np.zeros((0, 2), np.uint16), np.zeros(0, np.uint64), 0)


class _Look(NamedTuple):
    """A page beside the pages of its host."""

    texts: Hashes  # of the page, sorted, each once
    inverse: Numbers  # for each block its text
    places: Numbers  # in the texts of the host: of each text, or where it would have to go
    known: Mask  # the texts that the host has
    is_counted: Mask  # of the known ones, those that were counted for this very page
    is_kin: Mask  # for each page of the host, and for NOBODY, whether it holds the same article
    own: int  # the page's place among the host's pages, -1 if it is new
    address: np.uint64  # by which it would be known


def _look(host: Host, page: PageTexts) -> _Look:
    texts, inverse = np.unique(page.hashes, return_inverse=True)
    places = np.searchsorted(host.texts, texts)
    known = np.append(host.texts, np.uint64(0))[places] == texts
    at = places[known]
    is_kin, alike = _relatives(host, texts, known, at)
    own, address = _own(host, page, alike)
    is_counted = np.zeros(len(at), np.bool_)
    if own >= 0:  # whether it is among many holders is not known: it probably is
        is_counted = (host.holders[at] == own).any(1) | (host.counts[at] >= STRONG)
    return _Look(texts, inverse.ravel(), places, known, is_counted, is_kin, own, address)


def _relatives(host: Host, texts: Hashes, known: Mask, at: Numbers) -> tuple[Mask, NDArray[np.floating]]:
    """The pages with the same article, and for each page the share of equal texts.

    Only texts whose case is open are compared: those of the template say nothing about an article.
    """
    open_here = np.ones(len(texts), np.bool_)
    open_here[known] = host.counts[at] < STRONG
    open_at = at[host.counts[at] < STRONG]
    is_kin, alike = np.zeros(len(host.pages) + 1, np.bool_), np.zeros(len(host.pages))
    if not len(open_at):
        return is_kin, alike
    open_there = np.flatnonzero(host.counts < STRONG)
    common_bytes, common = _tally(host, open_at)
    held_bytes, held = _tally(host, open_there)
    own_bytes = _long_bytes(texts[open_here]).sum()
    smaller = np.minimum(own_bytes, held_bytes)
    is_kin[:-1] = (smaller > 0) & (common_bytes >= SAME_ARTICLE * smaller)
    alike = common / np.maximum(held + open_here.sum() - common, 1)
    return is_kin, alike


def _tally(host: Host, at: Numbers) -> tuple[Numbers, Numbers]:
    """For each page the bytes of the long ones among these texts that it holds, and their number, long or not."""
    holders = np.minimum(host.holders[at], len(host.pages)).ravel()
    sizes = np.repeat(_long_bytes(host.texts[at]), 2)
    count = len(host.pages)
    return np.bincount(holders, sizes, count + 1)[:count], np.bincount(holders, minlength=count + 1)[:count]


def _long_bytes(texts: Hashes) -> Numbers:
    sizes = sizes_of(texts)
    return np.where(sizes >= LONG, sizes, 0)


def _own(host: Host, page: PageTexts, alike: NDArray[np.floating]) -> tuple[int, np.uint64]:
    """The page's place among the host's pages, and the address by which it is known, or to be known."""
    canonical, own = page.addresses[0], page.addresses[-1]
    for address, least in ((own, 0.0), (canonical, SAME_CANONICAL)):
        for place in np.flatnonzero(host.pages == address).tolist():
            if alike[place] >= least:
                return place, np.uint64(address)
    if len(alike) and alike.max() >= SAME_PAGE:
        return int(alike.argmax()), np.uint64(own)
    return -1, np.uint64(own if (host.pages == canonical).any() else canonical)
