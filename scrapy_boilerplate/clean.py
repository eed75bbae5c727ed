"""clean() and extract(): the way from a page to its Document."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from os import PathLike
from typing import Any

from lxml import etree

from .document import Document, read_page
from .models import Model, load_model
from .not_cleaned import NotCleaned
from .options import Options
from .owners import owner_of
from .parse import read_source, read_tree
from .parse.surrogates import without_surrogates
from .site import PageTexts, SiteMemory
from .snapshot import Snapshot

SelectorsArgument = str | Sequence[str] | Mapping[str, str | Sequence[str]] | None

_SCHEME = re.compile(r"\s*[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_LONGEST_ADDRESS = 2000
# A URL, or what begins or ends like the path of a page's file.
_ADDRESS = re.compile(
    r"""[a-z][a-z0-9+.-]*://\S+ | www\.\S+ | (?: ~?/ | \.\.?[/\\] | [a-z]:[/\\] )\S+
      | [^<>\r\n]*[^\s.]\.(?: x?html? | mht(?:ml)? | aspx? | php )(?: \.gz )?""",
    re.VERBOSE | re.IGNORECASE,
)


def clean(
    page: Any,
    options: Options,
    model: Model | None = None,
    *,
    url: str | None = None,
    site: SiteMemory | None = None,
) -> Document:
    """Split a page into blocks, score and clean it. Raises NotCleaned if that can't be done.

    The page may be all that `extract()` takes, or a snapshot of it that was taken with these options. Without a model,
    that of the options is loaded; without a URL, that of the page is used if it has one, as a response does. `site` is
    the memory of its site, which doesn't learn here.
    """
    model = model or load_model(options.model)
    if isinstance(page, Snapshot):
        with suppress(UnicodeDecodeError):
            return Document(page, model, options, url or _url_of(page.original), site=site)
        page = page.original
    check_size(page, options.most_bytes)
    root = read_tree(page)
    url = url or _url_of(page)
    source = read_source(page, root) if model.reads_source else b""
    try:
        return Document(root, model, options, url, source, site)
    except UnicodeDecodeError:  # a recovering XML parser has made lone surrogates of `&#xD800;`
        return Document(without_surrogates(root), model, options, url, source, site)


def page_texts(page: Any, options: Options, *, url: str | None = None) -> PageTexts | None:
    """The texts of a page, for a site memory to learn; None if its address is unknown. Raises NotCleaned.

    The page is split into blocks, but not scored.
    """
    check_size(page, options.most_bytes)
    root, model, url = read_tree(page), load_model(options.model), url or _url_of(page)
    try:
        return PageTexts.of(read_page(root, model, options, url)[0], url)
    except UnicodeDecodeError:
        return PageTexts.of(read_page(without_surrogates(root), model, options, url)[0], url)


def _url_of(page: Any) -> str | None:
    url = None if isinstance(page, etree._Element) else getattr(page, "url", None)
    return url if isinstance(url, str) else None


def check_size(page: Any, most: int) -> None:
    """Raise NotCleaned for bytes, or for a response, of more than so many bytes."""
    body = page if isinstance(page, (bytes, etree._Element)) else getattr(page, "body", None)
    if isinstance(body, bytes) and len(body) > most:
        raise NotCleaned("too_large", f"it has {len(body)} bytes, BOILERPLATE_MAX_BYTES is {most}")


class _NotGiven:
    """The default of an argument of `extract()`, which is that of the option unless a crawl says otherwise."""

    def __init__(self, default: Any) -> None:
        self._default = default

    def __repr__(self) -> str:
        return repr(self._default)


_NO_LIMIT = Options(max_bytes=None)


def _default(option: str) -> Any:
    return _NotGiven(getattr(_NO_LIMIT, option))


def extract(
    page: Any,
    url: str | None = None,
    *,
    model: str | PathLike[str] | Model = _default("model"),  # noqa: B008  it is a mark, and the same one each time
    threshold: float | None = _default("threshold"),
    filter: str | None = _default("filter"),
    ancestor_depth: int = _default("ancestor_depth"),
    image_alt: bool = _default("image_alt"),
    headline: bool = _default("headline"),
    guess_dates: bool = _default("guess_dates"),
    comments: bool = _default("comments"),
    captions: bool = _default("captions"),
    keep: SelectorsArgument = _default("keep"),  # noqa: B008
    drop: SelectorsArgument = _default("drop"),  # noqa: B008
    site: SiteMemory | None = None,
) -> Document:
    """Find the main text of a page: a str, bytes, a Scrapy response, a parsel Selector or an lxml element.

    `url` is the page's address, for its links and metadata; a response knows its own.
    `threshold` is the lowest score that is kept, None leaves it to the model; `filter` is "ancestor" (with
    `ancestor_depth`), "largest" or "main"; `image_alt` also reads the alternative texts of images;
    `headline` puts the headline on top of the text; without `comments` or `captions`, these are left out of it;
    `guess_dates` lets htmldate look for dates that the page doesn't declare.
    Blocks in the elements of `keep` are kept whatever their scores, and elements of `drop` are not read: CSS, or XPath
    after `xpath:`, one or a list, or a dict of these by host.
    `site` is a memory of earlier pages: texts that other pages of the host hold are dropped, and the memory learns this
    page. It needs the URL.
    Wrong arguments raise ValueError or TypeError. A page that can't be cleaned gives an empty document.

    In a spider's callback, arguments that aren't given are those of the crawl's settings and of the request's
    `meta["boilerplate"]`, the crawl's own site memory among them, and items of the response are filled from the
    document that this returns.
    """
    arguments = {
        "threshold": threshold,
        "filter": filter,
        "ancestor_depth": ancestor_depth,
        "image_alt": image_alt,
        "headline": headline,
        "guess_dates": guess_dates,
        "comments": comments,
        "captions": captions,
        "keep": keep,
        "drop": drop,
    }
    given = {name: value for name, value in arguments.items() if not isinstance(value, _NotGiven)}
    owner = owner_of(page)
    base = _NO_LIMIT if owner is None else replace(owner.options_for_callback(page), max_bytes=None)
    options = base.for_page(given, "{}", texts=False) if given else base
    if url is not None and not (isinstance(url, str) and _SCHEME.match(url)):
        raise ValueError(f"url = {url!r}: must be None or an address with a scheme, such as https://example.com/page")
    if isinstance(page, str) and _looks_like_an_address(page):
        warnings.warn(
            f"{page!r} is read as a page, and looks like the address of one; fetch or open it first", stacklevel=2
        )
    if isinstance(model, (str, PathLike)):
        options = replace(options, model=str(model))
    elif not isinstance(model, (Model, _NotGiven)):
        raise TypeError(f"model must be a name, a path or a Model, not {model!r}")
    if site is not None and not isinstance(site, SiteMemory):
        raise TypeError(f"site must be a SiteMemory or None, not {site!r}")
    chosen = model if isinstance(model, Model) else load_model(options.model if isinstance(model, _NotGiven) else model)
    try:
        if owner is not None and url is None and chosen is not model and site is None:
            return owner.document_of(page, options)
        document = clean(page, options, chosen, url=url, site=site)
    except NotCleaned:
        return Document(None, chosen, options, url)
    if site is not None and site.learns:
        site.learn(document.page_texts)
    return document


def _looks_like_an_address(page: str) -> bool:
    return len(page) <= _LONGEST_ADDRESS and "<" not in page and _ADDRESS.fullmatch(page.strip()) is not None
