"""The one-line installation: `ADDONS = {"scrapy_boilerplate.Addon": 100}`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .middlewares import BoilerplateDownloaderMiddleware, BoilerplateSpiderMiddleware
from .pipeline import BoilerplatePipeline

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


class Addon:
    """Enables the two middlewares and the pipeline; orders that the project has set itself are kept."""

    def update_settings(self, settings: BaseSettings) -> None:
        settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", BoilerplateDownloaderMiddleware, 100)
        # Closest to the engine, so that it sees the very items that the pipelines get.
        settings.setdefault_in_component_priority_dict("SPIDER_MIDDLEWARES", BoilerplateSpiderMiddleware, 10)
        settings.setdefault_in_component_priority_dict("ITEM_PIPELINES", BoilerplatePipeline, 100)
