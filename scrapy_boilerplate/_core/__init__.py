"""The core in C: from a tree to kept blocks in one pass, where it could be compiled.

The numpy code defines what it does, and does the same where there is none.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from lxml import etree

if TYPE_CHECKING:
    from .page import CompiledPage

try:
    from . import shim
except ImportError:  # see `compiled()`
    shim = None  # type: ignore[assignment]

__all__ = ["is_ready", "read_page", "shim"]

logger = logging.getLogger(__name__)


def is_ready() -> bool:
    """Whether there is a core that reads trees of this lxml."""
    return shim is not None and _is_prepared()


@cache
def _is_prepared() -> bool:
    """Fill the core's tables, and try it: it reads libxml2's own structs, as they were when it was compiled."""
    from . import tables  # the features, which import the blocks, which import this

    try:
        shim.prepare(tables)
        root = etree.fromstring("<div id='a'>one<b>two</b><p class='c'>three</p>four</div>")
        tried = shim.walk(root, False, 10, 10)
        if (tried.texts(), tried.tags(), tried.classes()) == _TRIED:
            return True
        reason = "it reads trees of this lxml wrongly"
    except (ImportError, UnicodeDecodeError) as error:
        reason = str(error)
    logger.warning("The compiled core is not used: %s", reason)
    return False


_TRIED = (["onetwo", "three", "four"], ["div", "b", "p"], ["a", "", "c"])


def read_page(root: etree._Element, image_alt: bool, skip: Iterable[etree._Element] = (), **known: Any) -> CompiledPage:
    """Read the blocks and elements below a root; `known` are fields of the page that are known already."""
    from ..segment.limits import MOST_BLOCKS, MOST_ELEMENTS
    from .page import CompiledPage

    return CompiledPage(shim.walk(root, image_alt, MOST_BLOCKS, MOST_ELEMENTS, skip), **known)
