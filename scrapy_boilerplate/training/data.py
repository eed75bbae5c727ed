"""Pages with their gold text, read from a folder."""

from __future__ import annotations

import gzip
import json
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import tldextract

logger = logging.getLogger(__name__)

_PAGE_SUFFIXES = (".html", ".html.gz", ".htm", ".htm.gz")
_OWN_URL = re.compile(
    rb"""<(?:link\b[^>]*\brel=["']?canonical|meta\b[^>]*\bproperty=["']?og:url)\b[^>]*?(?:href|content)=["']?([^"'\s>]+)""",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Example:
    """A page and what is known about its main text."""

    name: str
    path: Path
    url: str | None = None
    gold: str | None = None  # None: only the snippets are known
    page_type: str | None = None
    required: tuple[str, ...] = ()  # snippets of the main text
    forbidden: tuple[str, ...] = ()  # snippets of everything else

    def read(self) -> bytes:
        """The page as it was sent."""
        return _read_bytes(self.path)


def read_examples(folder: Path | str) -> list[Example]:
    """The examples of a folder, sorted by name.

    Either the WCXB layout, `html/NAME.html.gz` and `ground-truth/NAME.json`, or pairs `NAME.html` and `NAME.txt` side
    by side. A page without gold, or whose gold can't be read, is named in the log and left out.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"{folder}: no such folder")
    wcxb = (folder / "html").is_dir()
    examples = list(_read_layout(folder) if wcxb else _read_pairs(folder))
    if not examples:
        raise ValueError(f"{folder}: no page with a gold text in it")
    return examples


def _read_layout(folder: Path) -> Iterator[Example]:
    for page in _pages(folder / "html"):
        gold = folder / "ground-truth" / f"{_stem(page)}.json"
        try:
            yield _from_json(page, json.loads(gold.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            logger.warning("%s left out: %s: %s", page, gold.name, error)


def _read_pairs(folder: Path) -> Iterator[Example]:
    for page in _pages(folder):
        gold = page.with_name(f"{_stem(page)}.txt")
        try:
            yield Example(_stem(page), page, gold=gold.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            logger.warning("%s left out: %s", page, error)


def _from_json(page: Path, record: dict[str, Any]) -> Example:
    truth = record["ground_truth"]
    gold = (truth["main_content"] or "") if "main_content" in truth else None
    snippets = truth.get("with") or (), truth.get("without") or ()
    if gold is None and not any(snippets):
        raise ValueError("neither main_content nor snippets")
    page_type = record.get("_internal", {}).get("page_type", {}).get("primary")
    return Example(_stem(page), page, record.get("url"), gold, page_type, *map(tuple, snippets))


def _pages(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.name.endswith(_PAGE_SUFFIXES))


def _stem(page: Path) -> str:
    return page.name.removesuffix(".gz").rpartition(".")[0]


def _read_bytes(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


@cache
def _suffix_list() -> tldextract.TLDExtract:
    return tldextract.TLDExtract(suffix_list_urls=())  # the list that comes with the package: no download


def registered_domain(url: str) -> str:
    """What somebody registered: "bbc.co.uk" for every address of the BBC's."""
    parts = _suffix_list()(url)
    return parts.top_domain_under_public_suffix or parts.domain or (urlsplit(url).hostname or url)


def site_of(example: Example) -> str:
    """The site an example is from, so that a site's pages stay together.

    Its URL's registered domain; else that of the address which the page gives as its own; else its file name without
    the numbers behind.
    """
    if example.url:
        return registered_domain(example.url)
    own = _OWN_URL.search(example.read())
    if own and own[1].startswith(b"http") and b"fakehost" not in own[1]:
        return registered_domain(own[1].decode("utf-8", "replace"))
    return re.sub(r"[\W_]*\d*$", "", example.name)


def joined_sites(sites: Sequence[str]) -> list[str]:
    """The same sites, those known by a file name only joined with the one whose domain begins with a part of it.

    "readability-cnet-2" then is "cnet.com" if that is there. Joining too much does no harm, too little would.
    """
    domains = {site.partition(".")[0]: site for site in sorted(sites) if "." in site}
    return [
        site if "." in site else next((domains[part] for part in re.split("[-_]", site) if part in domains), site)
        for site in sites
    ]


def folds_by_site(sites: Sequence[str], count: int = 5, seed: int = 0) -> list[int]:
    """A fold for each example, whole sites together, the folds of nearly equal size."""
    if len(set(sites)) < count:
        raise ValueError(f"{count} folds need as many sites, and there are {len(set(sites))}")
    sizes: dict[str, int] = {}
    for site in sites:
        sizes[site] = sizes.get(site, 0) + 1
    # Largest first into the smallest fold; among equals the order depends on the name and the seed alone.
    order = sorted(sizes, key=lambda site: (-sizes[site], _shuffled(site, seed)))
    totals = [0] * count
    fold_of: dict[str, int] = {}
    for site in order:
        fold_of[site] = totals.index(min(totals))
        totals[fold_of[site]] += sizes[site]
    return [fold_of[site] for site in sites]


def _shuffled(text: str, seed: int) -> int:
    value = seed + 1
    for byte in text.encode("utf-8"):
        value = (value * 1_000_003 + byte) % 2_147_483_647
    return value * 48_271 % 2_147_483_647
