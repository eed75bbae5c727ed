"""Floors of quality: `python -m tests.core.quality` prints what the models reach, `--update` raises the floors.

The floors are in quality_floors.json, with a digest of the pages that they were measured on: those of the example
site and one each of many other kinds (forum, shop, documentation, a layout of 2005, Greek, Chinese ...), with gold
texts beside them. No model was trained on any of them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from math import floor
from pathlib import Path
from statistics import fmean

from scrapy_boilerplate import extract
from scrapy_boilerplate.models import MODELS
from scrapy_boilerplate.train.figures import word_quality

FLOORS = Path(__file__).with_name("quality_floors.json")
COLLECTIONS = ("example_site", "other_sites")

_GOLD = Path(__file__).parents[1] / "gold"
_SITE = Path(__file__).parents[2] / "example_project" / "newsroom" / "site"

# By collection and model.
Figures = Mapping[str, Mapping[str, float]]


def pages(collection: str) -> list[tuple[Path, Path]]:
    """Each page with its gold text."""
    golds = sorted((_GOLD / collection).glob("*.txt"))
    if collection == "example_site":
        return [(_SITE / (gold.stem.replace("--", "/") + ".html"), gold) for gold in golds]
    return [(gold.with_suffix(".html"), gold) for gold in golds]


def digest_of_pages() -> str:
    """A digest of all pages and gold texts: floors are worth nothing for other pages."""
    digest = hashlib.sha256()
    for collection in COLLECTIONS:
        for files in pages(collection):
            for file in files:
                digest.update(file.read_bytes())
    return digest.hexdigest()


@cache
def qualities(collection: str, model: str) -> dict[str, float]:
    """The word F1 of a model on each page."""
    return {
        gold.stem: word_quality(extract(page.read_bytes(), model=model).main_text, gold.read_text("utf-8")).f1
        for page, gold in pages(collection)
    }


def reached() -> dict[str, dict[str, float]]:
    """The mean word F1 of all models on all collections."""
    return {
        collection: {model: fmean(qualities(collection, model).values()) for model in MODELS}
        for collection in COLLECTIONS
    }


def floors_below(found: Figures) -> dict[str, dict[str, float]]:
    """What was found, cut to two digits."""
    return {
        collection: {model: floor(value * 100) / 100 for model, value in values.items()}
        for collection, values in found.items()
    }


def lowered(old: Figures, new: Figures) -> list[str]:
    """A line for each floor that is lower in the new ones, or is missing there."""
    return [
        f"{collection}, {model}: {value} would become {new.get(collection, {}).get(model)}"
        for collection, values in old.items()
        for model, value in values.items()
        if new.get(collection, {}).get(model, 0.0) < value
    ]


def main(arguments: Sequence[str] | None = None, file: Path = FLOORS) -> int:
    """Print what the models reach, and write the floors if asked to; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.core.quality", description=__doc__)
    parser.add_argument("--update", action="store_true", help="write floors just below what the models reach now")
    parser.add_argument("--lower", action="store_true", help="with --update: allow that floors become lower")
    options = parser.parse_args(arguments)
    old = json.loads(file.read_text("utf-8"))["floors"]
    found = reached()
    for collection, values in found.items():
        for model, value in values.items():
            print(f"{collection:13} {model:14} {value:.4f}  floor {old.get(collection, {}).get(model, '-')}")
    if not options.update:
        return 0
    new = floors_below(found)
    if (lines := lowered(old, new)) and not options.lower:
        print("nothing is written, as floors would become lower (--lower allows it):", *lines, sep="\n")
        return 1
    content = {"digest": digest_of_pages(), "floors": new}
    file.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
