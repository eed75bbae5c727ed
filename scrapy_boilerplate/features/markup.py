"""Tags, roles, item properties, hidden parts and class-name cues, of a block's element and of all around it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import cues
from .family import Family, Rows

_ROLE_BIT = len(cues.HOLDING_TAGS)
_PROPERTY_BIT = _ROLE_BIT + len(cues.ROLES)
_HIDDEN_BIT = _PROPERTY_BIT + len(cues.ITEM_PROPERTIES)
_ARIA_HIDDEN_BIT, _STYLE_BIT, _LINK_BIT, _CUE_BIT = range(_HIDDEN_BIT + 1, _HIDDEN_BIT + 5)
_TAG_BITS = {
    **{tag: 1 << bit for bit, tags in enumerate(cues.HOLDING_TAGS) for tag in tags},
    "a": 1 << _LINK_BIT,
}
_OWN_TAG = {tag: number for number, tags in enumerate(cues.TAG_CLASSES) for tag in tags}

_MARK_NAMES = (
    *("in_" + tags[0] for tags in cues.HOLDING_TAGS),
    *("in_role_" + role for role in cues.ROLES),
    *("in_property_" + name for name in cues.ITEM_PROPERTIES),
    "in_hidden",
    "in_aria_hidden",
    "in_display_none",
    "in_link",
)


class Markup(Family):
    """Facts that hold for a block because of the elements around it."""

    names = (
        *("is_" + tags[0] for tags in cues.TAG_CLASSES),
        "is_other_tag",
        *_MARK_NAMES,
        *("in_cue_" + name for name in cues.STEMS),
        *("near_cue_" + name for name in cues.STEMS),
    )

    def _rows(self) -> Rows:
        page, tree = self._features.page, self._features.tree
        nodes = tree.nodes
        own = self._own_marks()
        cue_bits = own >> np.uint64(_CUE_BIT)
        parents = tree.parents[nodes]
        near = cue_bits[nodes] | cue_bits[parents] | cue_bits[tree.parents[parents]]
        other = len(cues.TAG_CLASSES)
        tags = np.array([_OWN_TAG.get(page.tags[node], other) for node in page.block_nodes], np.int64)
        return np.concatenate(
            (np.arange(other + 1)[:, None] == tags, self._held(own), _bits(near)[: len(cues.STEMS)]),
            dtype=np.float32,
        )

    def _held(self, own: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """For each bit whether the block's element or one around it has it.

        Each bit of an element adds 1 from the element's first block on and takes it away behind the last one.
        """
        tree = self._features.tree
        marked = np.flatnonzero(own)
        bits, places = np.nonzero(_bits(own[marked]))
        width = len(tree.nodes) + 1
        rows = bits * width
        changes = np.bincount(rows + tree.first_blocks[marked[places]], minlength=64 * width)
        changes -= np.bincount(rows + tree.last_blocks[marked[places]], minlength=64 * width)
        open_elements = np.cumsum(changes.reshape(64, width), axis=1)
        return open_elements[: _CUE_BIT + len(cues.STEMS), :-1] > 0

    def _own_marks(self) -> NDArray[np.uint64]:
        """What each element says by itself, as bits."""
        page = self._features.page
        tag_bits = {tag: _TAG_BITS.get(tag, 0) for tag in set(page.tags)}
        cue_bits = {names: cues.cues(names) << _CUE_BIT for names in set(page.classes)}
        marks = [tag_bits[tag] | cue_bits[names] for tag, names in zip(page.tags, page.classes, strict=True)]
        for node, name, value in page.attributes:
            marks[node] |= _mark(name, value)
        return np.array(marks, np.uint64)


def _mark(name: str, value: str) -> int:
    """The bit of an attribute, 0 if it says nothing."""
    if name == "role":
        role = cues.ROLE_OF.get(value.lower())
        return 0 if role is None else 1 << _ROLE_BIT + role
    if name == "itemprop":
        known = cues.PROPERTY_OF.get(value.lower())
        return 0 if known is None else 1 << _PROPERTY_BIT + known
    if name == "hidden":
        return 1 << _HIDDEN_BIT
    if name == "aria-hidden":
        return 1 << _ARIA_HIDDEN_BIT if value.lower() == "true" else 0
    style = value.replace(" ", "").lower()
    return 1 << _STYLE_BIT if "display:none" in style or "visibility:hidden" in style else 0


def _bits(values: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """A row for each bit, the lowest first, and a column for each value."""
    octets = values.astype("<u8").view(np.uint8).reshape(-1, 8)
    bits: NDArray[np.uint8] = np.unpackbits(octets, axis=1, bitorder="little").T
    return bits
