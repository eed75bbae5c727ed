"""The style sheets that a page links to, as far as they can be had when its view is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from ..tree import to_tree
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
    """The sheets that lie in the folder of a page's file; no page makes us read a file from elsewhere."""
    folder = file.resolve().parent
    sheets = {}
    for address in sheet_addresses(page):
        path = (folder / unquote(urlsplit(address).path)).resolve()
        if path.suffix == ".css" and path.is_relative_to(folder) and path.is_file():
            with path.open("rb") as opened:
                sheets[address] = opened.read(MOST_BYTES).decode("utf-8", "replace")
    return sheets
