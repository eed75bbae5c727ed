"""The provider for scrapy-poet, which the add-on registers."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from importlib.util import find_spec
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy_poet import HttpResponseProvider, PageObjectInputProvider

from ..crawl.cleaner import Cleaner
from ..document import Document
from ..metadata import Metadata
from .fields import article_values
from .inputs import MainText, Markdown, Source, remember_source

_MAKERS: dict[Any, Callable[[Document], Any]] = {
    Document: lambda document: document,
    MainText: lambda document: MainText(document.main_text),
    Markdown: lambda document: Markdown(document.markdown),
    Metadata: lambda document: document.metadata,
}
if find_spec("zyte_common_items") is not None:
    from zyte_common_items import Article

    _MAKERS[Article] = lambda document: Article(url=document.url, **article_values(document))


class BoilerplateProvider(PageObjectInputProvider):  # type: ignore[misc]
    """Provides the document of a page, its text, its Markdown, its metadata and an Article of zyte-common-items.

    The page is scored once, in a worker if the crawl has some, and items of it are filled from the same document.
    """

    name = "boilerplate"
    provided_classes = frozenset(_MAKERS)

    async def __call__(
        self, to_provide: Set[Callable[..., Any]], request: Request, response: Response, crawler: Crawler
    ) -> Sequence[Any]:
        if response.request is None:  # Scrapy sets it after the downloader middlewares
            response.request = request
        cleaner = Cleaner.even_if_disabled(crawler)
        document = await cleaner.provide(response)
        options = cleaner.options_for_callback(response)
        remember_source(document, Source(response.body, getattr(response, "encoding", None), response.url, options))
        return [_MAKERS[kind](document) for kind in to_provide]


class SharedResponseProvider(HttpResponseProvider):  # type: ignore[misc]
    """Provides scrapy-poet's own HttpResponse; what page objects extract from it is shared with the pipeline."""

    def __call__(
        self, to_provide: Set[Callable[..., Any]], request: Request, response: Response, crawler: Crawler
    ) -> Sequence[Any]:
        [page] = super().__call__(to_provide, response)
        if response.request is None:
            response.request = request
        Cleaner.even_if_disabled(crawler).own(page, response)
        return [page]
