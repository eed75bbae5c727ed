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

_MANY = 20  # sites for each fold: enough for chance to make folds of similar size
_OWN_URL = re.compile(
    rb"""<(?:link\b[^>]*\brel=["']?canonical|meta\b[^>]*\bproperty=["']?og:url)\b[^>]*?(?:href|content)=["']?([^"'\s>]+)""",
    re.IGNORECASE,
)


def read_examples(folder: Path | str) -> list[Example]:
    """The examples of a folder, sorted by name.

    The folder is in the layout of WCXB, `html/NAME.html.gz` and `ground-truth/NAME.json`; of CleanEval,
    `input/N.html` and `GoldStandard/N.txt`; of L3S-GN1, `original/NAME.html` and `annotated/NAME.html`, or annotated
    pages alone; or it has label files `NAME.labels.json` beside their pages, or pairs `NAME.html` and `NAME.txt` side
    by side. A single label file will do as well. A page without gold, or whose gold can't be read, is named in the log
    and left out.
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
        logger.warning("%s is not the version that was labelled; its labels are matched by text", example.path)
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
    extract: TLDExtract = require("tldextract").TLDExtract(suffix_list_urls=())  # the list of the package: no download
    return extract


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
    """A fold for each example, whole sites together.

    Of many sites, each one's fold depends on its name alone: models that learn from different collections are judged
    in the same folds. A few sites are dealt out, so that no fold is left with none of them.
    """
    sizes = Counter(sites)
    if len(sizes) < count:
        raise ValueError(f"{count} folds need as many sites, and there are {len(sizes)}")
    if len(sizes) >= _MANY * count:
        return [_shuffled(site, seed) % count for site in sites]
    # Largest first into the smallest fold; among equals the order depends on the name and the seed alone.
    order = sorted(sizes, key=lambda site: (-sizes[site], _shuffled(site, seed)))
    totals = [0] * count
    fold_of: dict[str, int] = {}
    for site in order:
        fold_of[site] = totals.index(min(totals))
        totals[fold_of[site]] += sizes[site]
    return [fold_of[site] for site in sites]


def _shuffled(site: str, seed: int) -> int:
    """A number that is as good as drawn at random, but the same on every machine."""
    return int.from_bytes(hashlib.sha256(f"{seed} {site}".encode()).digest()[:8], "big")
