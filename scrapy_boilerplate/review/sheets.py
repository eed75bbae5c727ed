"""The style sheets that a page links to, as far as they can be had when its view is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from ..parse import to_tree
from .safe_markup import base_of, sheet_address

MOST_SHEETS = 20
MOST_BYTES = 1_000_000  # of one sheet


def sheet_addresses(page: Any, url: str | None = None) -> list[str]:
    """Where the first style sheets of a page are, relative to the page if its URL isn't known."""
    root = to_tree(page)
    if root is None:
        return []
    base = base_of(root, url)
    addresses = (sheet_address(link, base) for link in root.iter("link", "{*}link"))
    return list(dict.fromkeys(address for address in addresses if address))[:MOST_SHEETS]


def sheets_beside(page: Any, file: Path) -> dict[str, str]:
    """The sheets that lie in the folder of a page's file; no page makes us read a file from elsewhere.

    An address that begins at the root of a site, "/css/site.css", is looked for as if the folder were that root.
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
    except (OSError, ValueError):  # no file can have this name, or it can't be read
        pass
    return None
