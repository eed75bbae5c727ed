"""The memory of one host: an immutable value of four small arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .texts import Hashes, PageTexts, sizes_of

Numbers = NDArray[np.int64]
Mask = NDArray[np.bool_]
Shares = NDArray[np.floating]

STRONG = 3  # pages that hold a text: enough to call it boilerplate, whatever these pages are
LONG = 80  # bytes: texts that tell whether two pages hold the same article
SAME_ARTICLE = 0.8  # the share of the long texts of one such page that the other one holds, too
SAME_PAGE = 0.95  # the share of the texts of either that a page under two addresses has in common
SAME_CANONICAL = 0.5  # the share of its texts that a page shares with the one of its canonical address, if that is true
MANY_PAGES = 36  # from which on few holders of a text prove nothing, whichever pages they are
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

    def evidence(self, page: PageTexts, look: Look | None = None) -> Evidence:
        """What the other pages say about the texts of a page, whether or not the page itself was learned."""
        look = look or look_at(self, page)
        others = np.zeros(len(page.hashes), np.int64)
        others[look.known] = look.counts - look.is_counted
        distinct = others.copy()
        if look.is_kin.any():
            holders = self.holders[look.at]
            same = look.is_kin[np.minimum(holders, len(self.pages))] & (holders != look.own)
            distinct[look.known] -= same.sum(1)
        return Evidence(others, distinct, self.seen - (look.own >= 0))

    def with_page(self, page: PageTexts, most_texts: int, look: Look | None = None) -> Host:
        """The host with one more page; a page that is known counts once."""
        look = look or look_at(self, page)
        is_new = look.own < 0
        own = len(self.pages) if is_new else look.own
        counts, holders = self.counts.copy(), self.holders.copy()
        again = look.at[~look.is_counted]
        holders[again[counts[again] == 1], 1] = own
        counts[again] = np.minimum(counts[again], HIGHEST - 1) + 1  # a text that the page holds twice counts once
        texts = np.unique(page.hashes[~look.known])
        places = np.searchsorted(self.texts, texts) + np.arange(len(texts))
        host = Host(
            _inserted(self.texts, places, texts),
            _inserted(counts, places, 1),
            _inserted(holders, places, (own, NOBODY)),
            np.append(self.pages, look.address) if is_new else self.pages,
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


def first_page(page: PageTexts, most_texts: int) -> Host:
    """A host of which this page is the first that was seen."""
    texts = np.unique(page.hashes)
    holders = np.full((len(texts), 2), NOBODY, np.uint16)
    holders[:, 0] = 0
    pages = np.array(page.addresses[:1], np.uint64)
    return Host(texts, np.ones(len(texts), np.uint16), holders, pages, 1).bounded(most_texts)


class Look(NamedTuple):
    """A page beside the pages of its host."""

    known: Mask  # for each block, whether the host has its text
    at: Numbers  # of each of these blocks, the place of its text in those of the host
    counts: Numbers  # and how many pages hold it
    is_counted: Mask  # this page among them
    is_kin: Mask  # for each page of the host, and for NOBODY, whether it holds the same article
    own: int  # the page's place among the host's pages, -1 if it is new
    address: np.uint64  # by which it would be known


def look_at(host: Host, page: PageTexts) -> Look:
    """Find the texts of a page, and the page itself, among those of its host."""
    places = np.searchsorted(host.texts, page.hashes)
    known = np.append(host.texts, np.uint64(0))[places] == page.hashes
    at = places[known]
    counts = host.counts[at].astype(np.int64)
    is_kin, alike, shares = _relatives(host, page, known, at, counts)
    own, address = _own(host, page, alike, shares)
    is_counted = np.zeros(len(at), np.bool_)
    if own >= 0:  # whether it is among many holders is not known: it probably is
        is_counted = (host.holders[at] == own).any(1) | (counts >= STRONG)
    return Look(known, at, counts, is_counted, is_kin, own, address)


def _relatives(host: Host, page: PageTexts, known: Mask, at: Numbers, counts: Numbers) -> tuple[Mask, Shares, Shares]:
    """The pages with the same article; for each page its share of equal texts, and its share of this page's texts.

    Only texts whose case is open are compared: those of the template say nothing about an article. Where it is clear
    that no page has the same article, and that it would not matter, nothing is compared.
    """
    is_kin, none = np.zeros(len(host.pages) + 1, np.bool_), np.zeros(len(host.pages))
    is_open = counts < STRONG
    here, shared = len(page.hashes) - len(at) + is_open.sum(), is_open.sum()
    if not shared or (host.seen >= MANY_PAGES and shared < SAME_CANONICAL * here):
        return is_kin, none, none
    open_at = np.unique(at[is_open])
    unknown = np.unique(page.hashes[~known])
    common_bytes, common = _tally(host, open_at)
    held_bytes, held = _tally(host, np.flatnonzero(host.counts < STRONG))
    own_bytes = _long_bytes(unknown).sum() + _long_bytes(host.texts[open_at]).sum()
    smaller = np.minimum(own_bytes, held_bytes)
    is_kin[:-1] = (smaller > 0) & (common_bytes >= SAME_ARTICLE * smaller)
    own = len(unknown) + len(open_at)
    return is_kin, common / (held + own - common), common / own


def _tally(host: Host, at: Numbers) -> tuple[Numbers, Numbers]:
    """For each page the bytes of the long ones among these texts that it holds, and their number, long or not."""
    holders = np.minimum(host.holders[at], len(host.pages)).ravel()
    sizes = np.repeat(_long_bytes(host.texts[at]), 2)
    count = len(host.pages)
    return np.bincount(holders, sizes, count + 1)[:count], np.bincount(holders, minlength=count + 1)[:count]


def _long_bytes(texts: Hashes) -> Numbers:
    sizes = sizes_of(texts)
    return np.where(sizes >= LONG, sizes, 0)


def _own(host: Host, page: PageTexts, alike: Shares, shares: Shares) -> tuple[int, np.uint64]:
    """The page's place among the host's pages, and the address by which it is known, or to be known."""
    canonical, own = page.addresses[0], page.addresses[-1]
    for address, least in ((own, 0.0), (canonical, SAME_CANONICAL)):
        for place in np.flatnonzero(host.pages == address).tolist():
            if shares[place] >= least:
                return place, np.uint64(address)
    if len(alike) and alike.max() >= SAME_PAGE:
        return int(alike.argmax()), np.uint64(own)
    return -1, np.uint64(own if (host.pages == canonical).any() else canonical)


def _inserted(array: NDArray[Any], places: Numbers, values: Any) -> NDArray[Any]:
    """The array with these values at these places of the longer one; faster than numpy's own `insert`."""
    longer = np.empty((len(array) + len(places), *array.shape[1:]), array.dtype)
    is_old = np.ones(len(longer), np.bool_)
    is_old[places] = False
    longer[is_old], longer[places] = array, values
    return longer
