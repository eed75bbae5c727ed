"""The gradient of `models.mlp.look_around`: how a loss depends on the summary of each block, through all others.

A mean over some blocks passes its gradient on to each of them, by its share in the mean. As in `models.mlp`, arrays
have the members of the committee first, then the blocks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..features.surroundings import Surroundings
from ..models.mlp import AMOUNTS, CONTEXTS, SHIFTS, STRETCHES, WINDOW, sums_by_group

Array = NDArray[np.float32]
Numbers = NDArray[np.int64]

_SMALL = 1e-6  # as in models.mlp


class SurroundingsGradients:
    """The surroundings of a page's blocks, for the way back from `look_around`."""

    def __init__(self, surroundings: Surroundings) -> None:
        count = len(surroundings.weights)
        numbers = np.arange(count)
        self._weights = surroundings.weights
        near = np.maximum(numbers - WINDOW, 0), np.minimum(numbers + WINDOW + 1, count)
        spans = [near, *zip(surroundings.firsts, surroundings.lasts, strict=True)]
        stretches = [(np.maximum(numbers - length, 0), numbers) for length in STRETCHES]
        stretches += [(numbers + 1, np.minimum(numbers + 1 + length, count)) for length in STRETCHES]
        self._means: list[_SpanMeans | _GroupMeans] = [_SpanMeans(*span, self._weights) for span in spans]
        self._means += [_GroupMeans(groups, self._weights) for groups in (surroundings.groups, surroundings.paths)]
        self._stretches = [_SpanMeans(*stretch, self._weights) for stretch in stretches]

    def back(self, summary: Array, gradient: Array) -> Array:
        """The gradient of a loss for the summaries, from that for all inputs which `look_around` makes of them."""
        width = summary.shape[2]
        edges = np.cumsum([width] * (CONTEXTS - 2) + [AMOUNTS, width])
        *parts, amounts, page, content = np.split(gradient, edges, axis=2)
        neighbours, means = parts[: len(SHIFTS)], parts[len(SHIFTS) :]
        back = np.zeros(summary.shape, np.float32)
        for shift, part in zip(SHIFTS, neighbours, strict=True):
            _add_shifted(back, part, shift)
        for mean, part in zip(self._means, means, strict=True):
            back += mean.back(part)
        back += (self._weights / self._weights.sum())[:, None] * page.sum(1, keepdims=True)
        back += self._content_back(summary, content.sum(1))
        back[..., -1] += self._amounts_back(summary[..., -1], amounts)
        return back

    def _content_back(self, summary: Array, gradient: Array) -> Array:
        """Through the mean of the page's content by the first guess, which is the last number of each summary."""
        shares = summary[..., -1] * self._weights
        total = shares.sum(1)[:, None]
        divisor = np.maximum(total, _SMALL)
        mean = np.einsum("mb,mbs->ms", shares, summary) / divisor
        back: Array = (shares / divisor)[..., None] * gradient[:, None]
        # A higher guess moves the mean towards this block.
        towards = summary - np.where(total > _SMALL, mean, 0)[:, None]
        back[..., -1] += np.einsum("mbs,ms->mb", towards, gradient) * self._weights / divisor
        return back

    def _amounts_back(self, guess: Array, gradient: Array) -> NDArray[np.float64]:
        """Through the amounts of content before and after each block, and its shares nearby."""
        content = (guess * self._weights**2).astype(np.float64)
        until = np.cumsum(content, axis=1)
        total = until[:, -1:]
        divisor = np.maximum(total, _SMALL)
        before, behind = until - content, total - until
        of_share_before, of_share_behind, of_before, of_behind, of_total = np.moveaxis(gradient[..., :5], 2, 0)
        to_before = of_share_before / divisor + of_before / 4 / (1 + before)
        to_behind = of_share_behind / divisor + of_behind / 4 / (1 + behind)
        to_total = of_total / 4 / (1 + divisor) - (of_share_before * before + of_share_behind * behind) / divisor**2
        to_content = _sum_of_later(to_before) + _sum_of_earlier(to_behind)
        to_content += to_total.sum(1, keepdims=True) * (total > _SMALL)
        back: NDArray[np.float64] = to_content * self._weights**2
        for number, mean in enumerate(self._stretches, start=5):
            back += mean.back(gradient[..., number : number + 1])[..., 0]
        return back


class _SpanMeans:
    """Weighted means over half-open ranges of blocks, one for each block."""

    def __init__(self, firsts: Numbers, lasts: Numbers, weights: Array) -> None:
        sums = np.concatenate(([0], np.cumsum(weights, dtype=np.float64)))
        totals = np.where(lasts > firsts, sums[lasts] - sums[firsts], np.inf)  # an empty range passes nothing on
        self._weights = weights[:, None]
        self._shares = (1 / totals)[:, None]
        self._begun, self._ended = _SumsUntil(firsts), _SumsUntil(lasts)

    def back(self, gradient: Array) -> NDArray[np.floating]:
        """The gradient for each block, from that for each mean."""
        shared = gradient * self._shares
        return (self._begun(shared) - self._ended(shared)) * self._weights


class _SumsUntil:
    """For each block, the sum of the rows whose place is this block or an earlier one."""

    def __init__(self, places: Numbers) -> None:
        self._order = np.argsort(places, kind="stable")
        self._counts = np.searchsorted(places[self._order], np.arange(len(places)), side="right")

    def __call__(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        members, count, width = rows.shape
        sums = np.zeros((members, count + 1, width))
        np.cumsum(rows.take(self._order, axis=1), axis=1, out=sums[:, 1:])
        return sums.take(self._counts, axis=1)


class _GroupMeans:
    """Weighted means over groups of blocks: each block has that of its group."""

    def __init__(self, groups: Numbers, weights: Array) -> None:
        self._groups = groups
        self._weights = weights[:, None]
        self._totals = np.bincount(groups, weights)[groups].astype(np.float32)[:, None]

    def back(self, gradient: Array) -> Array:
        """The gradient for each block, from that for each mean."""
        back: Array = sums_by_group(gradient / self._totals, self._groups).take(self._groups, axis=1) * self._weights
        return back


def _add_shifted(back: Array, gradient: Array, shift: int) -> None:
    """Add the gradient for the rows of so many places further on."""
    if shift < 0:
        back[:, :shift] += gradient[:, -shift:]
    else:
        back[:, shift:] += gradient[:, :-shift]


def _sum_of_earlier(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.cumsum(values, axis=1) - values


def _sum_of_later(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return _sum_of_earlier(values[:, ::-1])[:, ::-1]
