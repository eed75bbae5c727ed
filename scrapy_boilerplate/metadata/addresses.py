"""Addresses as a page gives them to absolute ones that are safe to follow."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

_LONGEST = 2_000
_BLANKS = re.compile(r"[\x00-\x20\x7f]+")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)


def absolute(address: str | None, base: str | None) -> str | None:
    """The address as an absolute one of the web; None if there is no such address."""
    if not address or len(address) > _LONGEST:
        return None
    # Browsers skip line breaks even inside of "java\nscript:".
    scheme = _SCHEME.match(_BLANKS.sub("", address))
    if scheme and scheme[1].lower() not in ("http", "https"):
        return None
    try:
        joined = urljoin(base or "", _BLANKS.sub("%20", address.strip()))
        parts = urlsplit(joined)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return None
    return joined if is_web and len(joined) <= _LONGEST else None


def base_of(declared: str | None, url: str | None) -> str | None:
    """The address that relative ones refer to: that of `<base>` if it can be used, else the page's."""
    own = absolute(url, None)
    return absolute(declared, own) or own


def host_of(url: str | None) -> str:
    """The host without "www.", in lower case; "" if there is none."""
    try:
        host = urlsplit(url or "").hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.")


def path_of(url: str | None) -> str:
    """The path without slashes around it."""
    try:
        return urlsplit(url or "").path.strip("/")
    except ValueError:
        return ""
