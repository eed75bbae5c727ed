"""The style sheets that a page links to, if they are available when its view is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from ..parse import to_tree
from .safe_markup import base_of, sheet_address

MOST_SHEETS = 20
MOST_BYTES = 1_000_000  # of one sheet


def sheet_addresses(page: Any, url: str | None = None) -> list[str]:
    """Return the addresses of a page's first style sheets, relative to the page if its URL isn't known."""
    root = to_tree(page)
    if root is None:
        return []
    base = base_of(root, url)
    addresses = (sheet_address(link, base) for link in root.iter("link", "{*}link"))
    return list(dict.fromkeys(address for address in addresses if address))[:MOST_SHEETS]


def sheets_beside(page: Any, file: Path) -> dict[str, str]:
    """Return the sheets that are in the folder of a page's file; a page can't make us read other files.

    An address relative to the site's root, such as "/css/site.css", is looked up as if the folder were that root.
    """
    folder = file.resolve().parent
    sheets = {address: _sheet_in(folder, address) for address in sheet_addresses(page)}
    return {address: css for address, css in sheets.items() if css is not None}


def _sheet_in(folder: Path, address: str) -> str | None:
    try:
        path = (folder / unquote(urlsplit(address).path).lstrip("/")).resolve()
        if path.suffix == ".css" and path.is_relative_to(folder) and path.is_file():
            with path.open("rb") as opened:
                return opened.read(MOST_BYTES).decode("utf-8", "replace")
    except (OSError, ValueError):  # not a valid file name, or not readable
        pass
    return None
