"""The union of two memories of a host."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .host import HIGHEST, NOBODY, STRONG, Host


def merged(first: Host, second: Host, most_texts: int) -> Host:
    """A host with the texts of both; of a page that both know, each text counts once.

    Of a text with few holders, the common ones are known. One with more counts as in the larger memory if the two
    share pages, because then one mostly began as a copy of the other, and else as in both.
    """
    pages = np.append(first.pages, second.pages[~np.isin(second.pages, first.pages)])
    shares_pages = len(pages) < len(first.pages) + len(second.pages)
    texts = np.union1d(first.texts, second.texts)
    counts, holders = np.zeros((2, len(texts)), np.int64), np.full((2, len(texts), 2), NOBODY)
    for number, host in enumerate((first, second)):
        at = np.searchsorted(texts, host.texts)
        counts[number, at] = host.counts
        holders[number, at] = _places_in(pages, host)[np.minimum(host.holders, len(host.pages))]
    strong = (counts >= STRONG).any(0)
    total = counts.max(0) if shares_pages else counts.sum(0)
    both = holders[0][:, :, None] == holders[1][:, None, :]
    common = (both & (holders[0] != NOBODY)[:, :, None]).any(
        2
    )  # of the first one's holders, those that are the second one's
    total = np.where(strong, total, counts.sum(0) - common.sum(1))
    mine = np.where(common, NOBODY, holders[0])
    latest = np.sort(np.concatenate((mine, holders[1]), axis=1), axis=1)[:, :2]
    seen = max(first.seen, second.seen, len(pages)) if shares_pages else first.seen + second.seen
    host = Host(texts, np.minimum(total, HIGHEST).astype(np.uint16), latest.astype(np.uint16), pages, seen)
    return host.bounded(most_texts)


def _places_in(pages: NDArray[np.uint64], host: Host) -> NDArray[np.int64]:
    """For each place in the host's pages, and for nobody, the place in these ones."""
    order = np.argsort(pages)
    return np.append(order[np.searchsorted(pages, host.pages, sorter=order)], NOBODY)
