"""Addresses as a page gives them to absolute ones that are safe to follow."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

_LONGEST = 2_000
_IGNORED = re.compile(r"[\x00-\x20\x7f]+")  # browsers skip these, even inside of "java\nscript:"


def absolute(address: str | None, base: str | None) -> str | None:
    """The address as an absolute one of the web; None if there is no such address."""
    if not address:
        return None
    address = address[: _LONGEST + 1].strip()
    address = re.sub(r"[\t\n\r]", "", address)
    try:
        joined = urljoin(base or "", address)
        parts = urlsplit(joined)
        _ = parts.port
    except ValueError:
        return None
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname or len(joined) > _LONGEST:
        return None
    return _IGNORED.sub(lambda match: "%20" * len(match[0]), joined)


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
