"""The highlighted page: one HTML file that shows a page as it looks, with its blocks, their scores and the reasons.

The file needs nothing else. `view.js` repeats the arithmetic of threshold and filters, so that the page follows the
slider at once.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from lxml import etree

from ..clean import clean
from ..document import Document
from ..keep import ARTICLE_SHARE, ARTICLE_WORDS, LARGEST_GAP, comments_headings, group_by_ancestor, title_blocks
from ..models import MODELS, Model, load_model
from ..options import PAGE_OPTIONS, PREFIX, Options
from ..parse import to_tree
from ..segment.kinds import of_kinds
from ..selectors import ByHand
from .numbering import number_texts, texts_of_blocks
from .reasons import reasons
from .renderings import FILTERS, renderings
from .safe_markup import safe_page
from .sheets import sheet_addresses
from .wording import in_words

_SCRIPTS = ("copy.js", "filters.js", "card.js", "contrast.js", "view.js")
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


def highlighted(
    page: Any,
    name: str,
    options: Options,
    *,
    url: str | None = None,
    others: bool = True,
    sheets: Mapping[str, str] | None = None,
    other_pages: Mapping[int, int] | None = None,
    back: str | None = None,
) -> str:
    """Return the view of a page as one HTML file. Raises ValueError if the page has nothing to show.

    The view starts with `options`. With `others` it has the other models, too, and the user can switch between them.
    `sheets` are style sheets that the page links to, by address. `other_pages` has the blocks that a site memory has
    dropped, and the number of pages that hold each. `back` is the address of a report that leads to this view.
    """
    data = view_data(page, name, options, url=url, others=others, sheets=sheets, other_pages=other_pages)
    return to_html(data | {"back": back})


def view_data(
    page: Any,
    name: str,
    options: Options,
    *,
    url: str | None = None,
    others: bool = True,
    sheets: Mapping[str, str] | None = None,
    other_pages: Mapping[int, int] | None = None,
    with_texts: bool = True,
) -> dict[str, Any]:
    """Return the data about a page that `view.js` needs.

    `with_texts` adds the text and the Markdown for the settings that the user can choose.
    """
    root, numbered = to_tree(page), to_tree(page)  # two trees: in the second one, numbers replace the texts
    if root is None or numbered is None:
        raise ValueError(f"{name} is not an HTML page, or an empty one")
    if numbered is root:
        raise TypeError("a view needs the source of a page, not a tree")
    texts = number_texts(numbered, image_alt=options.image_alt)
    models = [options.model, *(other for other in MODELS if others and other != options.model)]
    own = replace(options, threshold=None, filter=None)
    documents = {model: clean(root, replace(own, model=model), url=url) for model in models}
    documents[options.model].drop_repeated(other_pages or {})
    if not documents[options.model].blocks:
        raise ValueError(f"{name} has no text that could be shown")
    skip = _counterparts(ByHand.of(root, None, options.drop, url).dropped, root, numbered)
    segmentations: list[dict[str, Any]] = []
    entries = [
        _model(
            model,
            document,
            texts_of_blocks(load_model(model).segment(numbered, image_alt=options.image_alt, skip=skip)),
            options,
            segmentations,
        )
        for model, document in documents.items()
    ]
    segmentation_of = {entry["name"]: entry["segmentation"] for entry in entries}
    linked = sheet_addresses(root, url)
    return {
        "name": name,
        "title": documents[options.model].title,
        "html": safe_page(
            numbered,
            texts,
            url=url,
            image_alt=options.image_alt,
            style=file_text("page.css"),
            sheets=sheets or {},
        ),
        "segmentations": segmentations,
        "models": entries,
        "threshold": options.threshold,
        "filter": options.filter,
        "settings": _other_settings(options),
        "sheets": {"linked": len(linked), "missing": len([one for one in linked if one not in (sheets or {})])},
        "texts": renderings(documents, segmentation_of, options.threshold, options.filter) if with_texts else None,
    }


def _other_settings(options: Options) -> dict[str, str]:
    """Return the settings that the view doesn't change and that have been changed before, as Python writes them."""
    defaults = Options()
    return {
        PREFIX + name.upper(): repr(getattr(options, name))
        for name in PAGE_OPTIONS
        if name not in ("model", "threshold", "filter") and getattr(options, name) != getattr(defaults, name)
    }


@dataclass(frozen=True, slots=True)
class Editor:
    """The markup and the script that turn the view into the labelling page."""

    markup: str
    script: str


def to_html(data: dict[str, Any], editor: Editor | None = None) -> str:
    """Return the HTML file that shows this data, with an editor of labels if one is given."""
    code = "".join(map(file_text, _SCRIPTS)) + (editor.script if editor else file_text("start.js"))
    connect = "'self'" if editor else "'none'"
    # A frame's document is subject to its parent's policy, too: the page's styles must pass both.
    policy = (
        f"default-src 'none'; script-src {script_hash(code)}; style-src 'unsafe-inline'; img-src data:; "
        f"connect-src {connect}; form-action 'none'"
    )
    parts = {
        "policy": escape(policy),
        "title": escape(data["title"] or data["name"]),
        "style": file_text("view.css"),
        "editor": editor.markup if editor else file_text("keys.html"),
        "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "script": code,
    }
    return fill("view.html", parts)


def script_hash(code: str) -> str:
    """Return the source for a content security policy that admits this script and no other one."""
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def fill(template: str, parts: Mapping[str, str]) -> str:
    """Return a template of the package with its `{{places}}` filled; inserted text is not searched for places."""
    return _PLACEHOLDER.sub(lambda match: parts[match[1]], file_text(template))


def _model(
    name: str,
    document: Document,
    texts: list[list[int]],
    options: Options,
    segmentations: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return the data of a model, with the number of its segmentation, which several models may share."""
    segmentation = _segmentation(document, texts, options)
    if segmentation not in segmentations:
        segmentations.append(segmentation)
    return {
        "name": name,
        "segmentation": segmentations.index(segmentation),
        "threshold": document.threshold,
        "own": {name or "": document.kept_with(None, name) for name in FILTERS},
        "scores": [block.score for block in document.blocks],
        "reasons": _reasons(load_model(name), document),
    }


def _segmentation(document: Document, texts: list[list[int]], options: Options) -> dict[str, Any]:
    """Return the blocks, the numbers of their texts, and the data that the filters need."""
    page, by_hand = document.page, document.kept_by_hand
    left_out = of_kinds([block.kind for block in document.blocks], options.unwanted_kinds).tolist()
    return {
        "blocks": [
            {
                "text": block.text,
                "tag": block.tag,
                "kind": block.kind,
                "xpath": block.xpath,
                "words": block.words,
                "links": round(block.link_density, 3),
                "characters": len(block.text),
                "texts": numbers,
                "left_out": is_left_out,
                "other_pages": block.other_pages,
                "by_hand": number in by_hand,
            }
            for number, (block, numbers, is_left_out) in enumerate(zip(document.blocks, texts, left_out, strict=True))
        ],
        "glue": page.glue,
        "groups": group_by_ancestor(page, range(len(page.texts)), options.ancestor_depth),
        "titles": title_blocks(page, document.title),
        "comments": comments_headings(page),
        "limits": {"gap": LARGEST_GAP, "words": ARTICLE_WORDS, "share": ARTICLE_SHARE},
    }


def _counterparts(
    elements: Collection[etree._Element], root: etree._Element, copy: etree._Element
) -> frozenset[etree._Element]:
    """The elements of a copy of a tree that stand where these stand in the tree itself."""
    if not elements:
        return frozenset()
    return frozenset(other for element, other in zip(root.iter(), copy.iter(), strict=True) if element in elements)


def _reasons(model: Model, document: Document) -> list[list[tuple[str, float, float, str]]] | None:
    found = reasons(model, document.features)
    if found is None:
        return None
    return [
        [(reason.feature, float(f"{reason.value:.3g}"), round(reason.share, 2), in_words(reason)) for reason in block]
        for block in found
    ]


@cache
def file_text(name: str, package: str = "scrapy_boilerplate.review") -> str:
    """Return the content of a file of a package, which may be in an egg."""
    return (files(package) / name).read_text(encoding="utf-8")
