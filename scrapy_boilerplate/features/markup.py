"""Features of the markup: tags, roles, item properties, hidden parts and cues of the elements around a block."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from . import cues
from .elements import Numbers
from .family import Family, Rows

_ROLE_BIT = len(cues.HOLDING_TAGS)
_PROPERTY_BIT = _ROLE_BIT + len(cues.ROLES)
_HIDDEN_BIT = _PROPERTY_BIT + len(cues.ITEM_PROPERTIES)
_ARIA_HIDDEN_BIT, _STYLE_BIT, _LINK_BIT, CUE_BIT = range(_HIDDEN_BIT + 1, _HIDDEN_BIT + 5)
HIDDEN_MARKS = (1 << _HIDDEN_BIT, 1 << _ARIA_HIDDEN_BIT, 1 << _STYLE_BIT)
TAG_BITS = {
    **{tag: 1 << bit for bit, tags in enumerate(cues.HOLDING_TAGS) for tag in tags},
    "a": 1 << _LINK_BIT,
}
OWN_TAG = {tag: number for number, tags in enumerate(cues.TAG_CLASSES) for tag in tags}

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
    """Facts about a block that follow from its element and those around it."""

    names = (
        *("is_" + tags[0] for tags in cues.TAG_CLASSES),
        "is_other_tag",
        *_MARK_NAMES,
        *("in_cue_" + name for name in cues.STEMS),
        *("near_cue_" + name for name in cues.STEMS),
    )

    def _rows(self) -> Rows:
        elements = self._features.elements
        nodes = elements.nodes
        own = self._own_marks()
        cue_bits = own >> CUE_BIT
        parents = elements.parents[nodes]
        near = cue_bits[nodes] | cue_bits[parents] | cue_bits[elements.parents[parents]]
        other = len(cues.TAG_CLASSES)
        tags = elements.tags.look_up(lambda tag: OWN_TAG.get(tag, other))[nodes]
        return np.concatenate(
            (
                np.arange(other + 1)[:, None] == tags,
                _bits(elements.inherited(own)[nodes])[: CUE_BIT + len(cues.STEMS)],
                _bits(near)[: len(cues.STEMS)],
            ),
            dtype=np.float32,
        )

    def _own_marks(self) -> Numbers:
        """The marks of each element itself, as bits."""
        elements = self._features.elements
        marks = elements.tags.look_up(lambda tag: TAG_BITS.get(tag, 0))
        marks |= elements.classes.look_up(cues.CUES.__getitem__) << CUE_BIT
        for node, name, value in self._features.page.attributes:
            if found := mark(name, value):
                marks[node] |= found
        return marks


def mark(name: str, value: str) -> int:
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
    if name != "style":
        return 0
    style = value.lower()
    if "none" not in style and "hidden" not in style:  # nearly all styles
        return 0
    style = style.replace(" ", "")
    return 1 << _STYLE_BIT if "display:none" in style or "visibility:hidden" in style else 0


def _bits(values: Numbers) -> NDArray[np.uint8]:
    """A row for each bit, the lowest first, and a column for each value."""
    octets = values.astype("<i8").view(np.uint8).reshape(-1, 8)
    bits: NDArray[np.uint8] = np.unpackbits(octets, axis=1, bitorder="little").T
    return bits
