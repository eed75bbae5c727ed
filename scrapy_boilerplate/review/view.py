"""The highlighted page: one HTML file that shows a page as it looks, with its blocks, their scores and why.

All that the file needs is in it; the arithmetic of threshold and filters is done once more in `view.js`, so that the
page follows the slider at once.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from lxml import etree

from ..clean import extract
from ..document import Document
from ..features import Features
from ..keep import ARTICLE_SHARE, ARTICLE_WORDS, LARGEST_GAP, comments_headings, group_by_ancestor, title_blocks
from ..models import MODELS, Model, load_model
from ..options import Options
from ..page import Page
from ..parse import to_tree
from .numbering import number_texts, texts_of_blocks
from .reasons import reasons
from .safe_markup import safe_page

_FILES = Path(__file__).parent
_SCRIPTS = ("filters.js", "card.js", "contrast.js", "view.js")
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


def highlighted(
    page: Any,
    name: str,
    options: Options,
    *,
    url: str | None = None,
    others: bool = True,
    sheets: Mapping[str, str] | None = None,
) -> str:
    """The view of a page as one HTML file; ValueError, in words, for a page that has nothing to show.

    `options` are what is shown first; `others` are the models that one can switch to beside that of the options;
    `sheets` are style sheets that the page links to, by their address.
    """
    return to_html(view_data(page, name, options, url=url, others=others, sheets=sheets))


def view_data(
    page: Any,
    name: str,
    options: Options,
    *,
    url: str | None = None,
    others: bool = True,
    sheets: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """All that `view.js` needs to know about a page."""
    root, numbered = to_tree(page), to_tree(page)  # two trees: the second one gets numbers for texts
    if root is None or numbered is None:
        raise ValueError(f"{name} is not an HTML page, or an empty one")
    if numbered is root:
        raise TypeError("a view is made from a page as it came, not from a tree")
    texts = number_texts(numbered, image_alt=options.image_alt)
    models = [options.model, *(other for other in MODELS if others and other != options.model)]
    documents = {model: extract(root, model=model, image_alt=options.image_alt) for model in models}
    if not documents[options.model].blocks:
        raise ValueError(f"{name} has no text that could be shown")
    segmentations: list[dict[str, Any]] = []
    entries = [_model(model, documents[model], root, numbered, options, segmentations) for model in models]
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
    }


@dataclass(frozen=True, slots=True)
class Editor:
    """The markup and the script that turn the view into the labelling page."""

    markup: str
    script: str


def to_html(data: dict[str, Any], editor: Editor | None = None) -> str:
    """The HTML file that shows this data, with an editor of its labels if there is one."""
    code = "".join(map(file_text, _SCRIPTS)) + (editor.script if editor else file_text("start.js"))
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    connect = "'self'" if editor else "'none'"
    # A frame's document is bound by its parent's policy too: the styles of the page must pass both.
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; "
        f"connect-src {connect}; form-action 'none'"
    )
    parts = {
        "policy": escape(policy),
        "title": escape(data["title"] or data["name"]),
        "style": file_text("view.css"),
        "editor": editor.markup if editor else "",
        "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
        "script": code,
    }
    return fill("view.html", parts)


def fill(template: str, parts: Mapping[str, str]) -> str:
    """A file of ours with its `{{places}}` filled; what is put in is not looked at again."""
    return _PLACEHOLDER.sub(lambda match: parts[match[1]], file_text(template))


def _model(
    name: str,
    document: Document,
    root: etree._Element,
    numbered: etree._Element,
    options: Options,
    segmentations: list[dict[str, Any]],
) -> dict[str, Any]:
    """A model's scores, with the number of the way in which it splits the page, which several models may share."""
    model = load_model(name)
    page = model.segment(root, image_alt=options.image_alt)
    texts = texts_of_blocks(model.segment(numbered, image_alt=options.image_alt))
    segmentation = _segmentation(page, document, texts, options)
    if segmentation not in segmentations:
        segmentations.append(segmentation)
    return {
        "name": name,
        "segmentation": segmentations.index(segmentation),
        "threshold": document.threshold,
        "scores": [block.score for block in document.blocks],
        "reasons": _reasons(model, page),
    }


def _segmentation(page: Page, document: Document, texts: list[list[int]], options: Options) -> dict[str, Any]:
    """The blocks, the numbers of their texts, and what the filters must know of them."""
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
            }
            for block, numbers in zip(document.blocks, texts, strict=True)
        ],
        "glue": page.glue,
        "groups": group_by_ancestor(page, range(len(page.texts)), options.ancestor_depth),
        "titles": title_blocks(page, document.title),
        "comments": comments_headings(page),
        "limits": {"gap": LARGEST_GAP, "words": ARTICLE_WORDS, "share": ARTICLE_SHARE},
    }


def _reasons(model: Model, page: Page) -> list[list[tuple[str, float, float]]] | None:
    found = reasons(model, Features(page))
    if found is None:
        return None
    return [
        [(reason.feature, float(f"{reason.value:.3g}"), round(reason.share, 2)) for reason in block] for block in found
    ]


@cache
def file_text(name: str, folder: Path = _FILES) -> str:
    """The content of a file of the package."""
    return (folder / name).read_text(encoding="utf-8")
