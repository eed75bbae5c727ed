"""The one-line installation: `ADDONS = {"scrapy_boilerplate.Addon": 100}`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from scrapy.utils.python import global_object_name

from .middlewares import BoilerplateDownloaderMiddleware, BoilerplateSpiderMiddleware
from .pipeline import BoilerplatePipeline

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


_CONTRACT = "scrapy_boilerplate.crawl.contracts.ScrapesContract"  # comes after Scrapy's own, which it replaces
# For scrapy-poet, by their names: only crawls that use it load them. The second one comes before scrapy-poet's own
# provider of responses (500), the first one after that of scrapy-zyte-api (1100).
_SETTING = "SCRAPY_POET_PROVIDERS"
_PROVIDERS = {
    "scrapy_boilerplate.poet.provider.BoilerplateProvider": 1200,
    "scrapy_boilerplate.poet.provider.SharedResponseProvider": 490,
}


class Addon:
    """Enables the two middlewares and the pipeline; orders that the project has set itself are kept.

    If scrapy-poet is installed, it registers providers for it, and `@scrapes` knows the fields that the pipeline fills.
    """

    @classmethod
    def update_pre_crawler_settings(cls, settings: BaseSettings) -> None:
        chosen = settings.getdict("SPIDER_CONTRACTS")
        settings.set("SPIDER_CONTRACTS", {_CONTRACT: 10, **chosen}, settings.getpriority("SPIDER_CONTRACTS") or 0)

    def update_settings(self, settings: BaseSettings) -> None:
        settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", BoilerplateDownloaderMiddleware, 100)
        # Closest to the engine, so that it sees the very items that the pipelines get.
        settings.setdefault_in_component_priority_dict("SPIDER_MIDDLEWARES", BoilerplateSpiderMiddleware, 10)
        settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", BoilerplatePipeline, 100)
        if find_spec("scrapy_poet") is not None:
            _register_providers(settings)


def _register_providers(settings: BaseSettings) -> None:
    chosen = settings.getdict(_SETTING)
    known = {provider if isinstance(provider, str) else global_object_name(provider) for provider in chosen}
    ours = {provider: order for provider, order in _PROVIDERS.items() if provider not in known}
    settings.set(_SETTING, {**ours, **chosen}, settings.getpriority(_SETTING) or 0)
