"""Pages with their gold text, read from a folder."""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ..extras import require
from ..label.files import SUFFIX, digest_of, read_labels
from ..parse.files import pages_in
from .annotations import is_annotated, read_annotated
from .cleaneval import is_cleaneval, read_cleaneval
from .example import Example, stem

if TYPE_CHECKING:
    from tldextract import TLDExtract

__all__ = ["Example", "folds_by_site", "joined_sites", "read_examples", "registered_domain", "site_of"]

logger = logging.getLogger(__name__)

_MANY = 20  # sites for each fold: enough for random folds to have similar sizes
_OWN_URL = re.compile(
    rb"""<(?:link\b[^>]*\brel=["']?canonical|meta\b[^>]*\bproperty=["']?og:url)\b[^>]*?(?:href|content)=["']?([^"'\s>]+)""",
    re.IGNORECASE,
)


def read_examples(folder: Path | str) -> list[Example]:
    """The examples of a folder, sorted by name, or of a single label file.

    Layouts of folders: WCXB, `html/NAME.html.gz` and `ground-truth/NAME.json`; CleanEval, `input/N.html` and
    `GoldStandard/N.txt`; L3S-GN1, `original/NAME.html` and `annotated/NAME.html`, or annotated pages alone; label files
    `NAME.labels.json` beside their pages; pairs `NAME.html` and `NAME.txt`. Pages without a readable gold text are
    logged and left out.
    """
    folder = Path(folder)
    if folder.name.endswith(SUFFIX) and folder.is_file():
        examples = list(_read_label_files([folder]))
    elif not folder.is_dir():
        raise ValueError(f"{folder}: no such folder")
    else:
        examples = list(_read_folder(folder))
    if not examples:
        raise ValueError(f"{folder}: no page with a gold text in it")
    return examples


def _read_folder(folder: Path) -> Iterator[Example]:
    if (folder / "html").is_dir():
        return _read_layout(folder)
    label_files = sorted(folder.glob(f"*{SUFFIX}"))
    if label_files:
        return _read_label_files(label_files)
    if is_cleaneval(folder):
        return read_cleaneval(folder)
    if is_annotated(folder):
        return read_annotated(folder)
    return _read_pairs(folder)


def _read_layout(folder: Path) -> Iterator[Example]:
    for page in pages_in(folder / "html"):
        gold = folder / "ground-truth" / f"{stem(page)}.json"
        try:
            yield _from_json(page, json.loads(gold.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            logger.warning("%s left out: %s: %s", page, gold.name, error)


def _read_pairs(folder: Path) -> Iterator[Example]:
    for page in pages_in(folder):
        gold = page.with_name(f"{stem(page)}.txt")
        try:
            yield Example(stem(page), page, gold=gold.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            logger.warning("%s left out: %s", page, error)


def _read_label_files(files: Sequence[Path]) -> Iterator[Example]:
    for file in files:
        name = file.name.removesuffix(SUFFIX)
        try:
            yield _from_labels(name, file)
        except (OSError, ValueError) as error:
            logger.warning("%s left out: %s", file, error)


def _from_labels(name: str, file: Path) -> Example:
    labels = read_labels(file)
    if all(block.content is None for block in labels.blocks):
        raise ValueError("no block is labelled")
    gold = "\n\n".join(block.text for block in labels.blocks if block.content)
    example = Example(name, file.with_name(labels.page), labels.url, gold, labels=labels)
    if digest_of(example.read()) != labels.digest:
        logger.warning("%s is not the version that was labelled; labels are matched by text", example.path)
    return example


def _from_json(page: Path, record: dict[str, Any]) -> Example:
    truth = record["ground_truth"]
    gold = (truth["main_content"] or "") if "main_content" in truth else None
    snippets = truth.get("with") or (), truth.get("without") or ()
    if gold is None and not any(snippets):
        raise ValueError("neither main_content nor snippets")
    page_type = record.get("_internal", {}).get("page_type", {}).get("primary")
    required, forbidden = map(tuple, snippets)
    for text in (gold, record.get("url"), page_type, *required, *forbidden):
        if text is not None and not isinstance(text, str):
            raise ValueError(f"{text!r} should be a text")
    return Example(stem(page), page, record.get("url"), gold, page_type, required, forbidden)


@cache
def _suffix_list() -> TLDExtract:
    extract: TLDExtract = require("tldextract").TLDExtract(suffix_list_urls=())  # the bundled list: no download
    return extract


def registered_domain(url: str) -> str:
    """The registered domain of a URL: "bbc.co.uk" for every page of the BBC."""
    parts = _suffix_list()(url)
    if parts.domain and parts.suffix:
        return f"{parts.domain}.{parts.suffix}"
    return parts.domain or urlsplit(url).hostname or url


def site_of(example: Example) -> str:
    """The site of an example, by which pages are grouped into folds.

    The registered domain of its URL, or of the canonical address in the page; else its file name without the number at
    the end.
    """
    if example.url:
        return registered_domain(example.url)
    own = _OWN_URL.search(example.read())
    if own and own[1].startswith(b"http") and b"fakehost" not in own[1]:
        return registered_domain(own[1].decode("utf-8", "replace"))
    return re.sub(r"[\W_]*\d*$", "", example.name)


def joined_sites(sites: Sequence[str]) -> list[str]:
    """The sites, with those that are only known by a file name replaced by the domain that begins with a part of it.

    "readability-cnet" becomes "cnet.com" if that is one of the sites. Joining too many does no harm, too few would.
    """
    domains = {site.partition(".")[0]: site for site in sorted(sites) if "." in site}
    return [
        site if "." in site else next((domains[part] for part in re.split("[-_]", site) if part in domains), site)
        for site in sites
    ]


def folds_by_site(sites: Sequence[str], count: int = 5, seed: int = 0) -> list[int]:
    """A fold for each example, the same for all examples of a site.

    If there are many sites, the fold of each depends on its name alone, so that models of different collections are
    judged in the same folds. Fewer sites are distributed, so that all folds have about the same size.
    """
    sizes = Counter(sites)
    if len(sizes) < count:
        raise ValueError(f"{count} folds need as many sites, and there are {len(sizes)}")
    if len(sizes) >= _MANY * count:
        return [_shuffled(site, seed) % count for site in sites]
    # The largest first, into the smallest fold; ties are broken by the name and the seed.
    order = sorted(sizes, key=lambda site: (-sizes[site], _shuffled(site, seed)))
    totals = [0] * count
    fold_of: dict[str, int] = {}
    for site in order:
        fold_of[site] = totals.index(min(totals))
        totals[fold_of[site]] += sizes[site]
    return [fold_of[site] for site in sites]


def _shuffled(site: str, seed: int) -> int:
    """A random number that is the same on every machine."""
    return int.from_bytes(hashlib.sha256(f"{seed} {site}".encode()).digest()[:8], "big")
