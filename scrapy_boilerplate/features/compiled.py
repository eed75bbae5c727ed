"""The columns that the core computes, by the names that the families give them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .._core import shim
from ..page import Head
from .markup import Markup
from .place import looked_for
from .whole import PAGE_NAMES, Whole, head_facts

if TYPE_CHECKING:
    from .._core.shim import Walked

Facts = tuple[bytes, int, bytes]


@cache
def column_numbers() -> dict[str, int]:
    """The number of each column of the core: those of blocks, then bits, then those of the page."""
    names = (*shim.own_columns(), *Markup.names, *shim.page_columns(), *Whole.names[len(PAGE_NAMES) :])
    return {name: number for number, name in enumerate(names)}


def facts_of(head: Head) -> Facts:
    """What the core has to know of the head: the title, its length in characters, and the facts."""
    title = looked_for(head.title)
    return title.encode(), len(title), np.array(head_facts(head), np.float32).tobytes()


def matrix(walked: Walked, head: Head, names: Sequence[str]) -> NDArray[np.float32]:
    """The named features as columns; KeyError if the core doesn't compute one of them."""
    numbers = [column_numbers()[name] for name in names]
    own, bits, page, _ = walked.columns(*facts_of(head))
    count = len(walked)
    octets = np.frombuffer(bits, np.uint8).reshape(count, -1)
    flags = np.unpackbits(octets, axis=1, bitorder="little")[:, : len(Markup.names)]
    rows = (
        np.frombuffer(own, np.float32).reshape(count, -1),
        flags.astype(np.float32),
        np.broadcast_to(np.frombuffer(page, np.float32), (count, len(page) // 4)),
    )
    return np.concatenate(rows, axis=1)[:, numbers]
