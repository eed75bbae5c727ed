"""Addresses of links and images as the renderers write them."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from ..metadata.addresses import absolute, base_of

_BLANKS = re.compile(r"[\x00-\x20\x7f]+")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
# Most addresses: nothing to resolve or to replace in them.
_ABSOLUTE = re.compile(r"https?://[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+(?:[/?#][!-~]{0,1000})?")
_FROM_ROOT = re.compile(r"(?:/(?![/.])[!-.0-~]*){1,100}")
_ORIGIN = re.compile(r"https?://[^/?#]+")
_SPOKEN_TO = frozenset({"mailto", "tel"})  # schemes of people, which no page can be made of


class Addresses:
    """The addresses of a page's links and images, absolute wherever the page's own address is known."""

    def __init__(self, declared_base: str, url: str | None) -> None:
        self._base = base_of(declared_base, url)
        self._own = {"", self._base, url and url.partition("#")[0]}
        origin = _ORIGIN.match(self._base or "")
        self._origin = origin[0] if origin else None
        self._known: dict[str, str] = {}

    def of_link(self, href: str) -> str:
        """Return where a link leads; "" if nobody should follow it.

        A place in the page itself is none: what is there to jump to is not in the text.
        """
        address = self._known.get(href)
        if address is None:
            address = self._address(href, _SPOKEN_TO)
            if "#" in href and address.partition("#")[0] in self._own:
                address = ""
            self._known[href] = address
        return address

    def of_image(self, source: str) -> str:
        """Return where an image is; "" if it can't be fetched."""
        return self._address(source, frozenset())

    def _address(self, written: str, schemes: frozenset[str]) -> str:
        if _ABSOLUTE.fullmatch(written):
            return written
        if self._origin and len(written) < 1000 and _FROM_ROOT.fullmatch(written):
            return self._origin + written
        found = absolute(written, self._base)
        if found is not None:
            return found
        plain = _BLANKS.sub("", written)
        scheme = _SCHEME.match(plain)
        if scheme:
            return plain if scheme[1].lower() in schemes else ""
        return _BLANKS.sub("%20", written.strip()) if self._base is None and _can_be_read(plain) else ""


def _can_be_read(relative: str) -> bool:
    try:
        parts = urlsplit(relative)
    except ValueError:
        return False
    return bool(parts.netloc) if relative.startswith("//") else bool(relative)
