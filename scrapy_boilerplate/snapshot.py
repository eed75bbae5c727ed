"""Snapshot: the blocks of a page, read from a tree that may be changed or freed later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .fields import FIELDS
from .models import load_model
from .options import Options
from .page import Page
from .parse import read_shared_tree


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The blocks of a page, and the page itself, which is parsed only if more than the blocks is asked for."""

    page: Page
    original: Any  # all that `extract()` takes


def read_snapshot(response: Any, options: Options) -> Page | None:
    """Read the blocks of a response from the tree of its selector, which isn't kept.

    None if our own parse may give other blocks, or is needed anyway. Raises NotCleaned.
    """
    model = load_model(options.model)
    if needs_tree(options) or model.reads_source:
        return None
    root = read_shared_tree(response)
    return None if root is None else model.segment(root, image_alt=options.image_alt)


def needs_tree(options: Options) -> bool:
    """Whether a page cleaned with these options takes more than its blocks."""
    by_hand = options.keep or options.drop
    return bool(by_hand) or options.headline or any(FIELDS[name].from_tree for name in options.fields)
