"""The paths of a crawl's report and of its site memory, with the same placeholders as feed URIs."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.utils.misc import load_object

from ..options import PREFIX

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler

# Other percent signs are part of the path.
_PLACEHOLDER = re.compile(r"%\((\w+)\)[-+ #0]*\d*(?:\.\d+)?[A-Za-z]")


def filled_in(option: str, template: str, crawler: Crawler) -> str:
    """Fill in the placeholders. Raises ValueError if one has no value, or the path is a folder."""
    if crawler.spider is None or not _PLACEHOLDER.search(template):
        return template
    values = _values(crawler.spider, crawler.settings["FEED_URI_PARAMS"])
    try:
        path = _PLACEHOLDER.sub(lambda match: match[0] % values, template)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{PREFIX}{option.upper()} = {template!r}: a placeholder can't be filled in: {error}"
        ) from None
    if Path(path).is_dir():
        raise ValueError(f"{PREFIX}{option.upper()} = {template!r}: {path} is a folder")
    return path


def _values(spider: Spider, function: Any) -> dict[str, Any]:
    """The values that Scrapy uses for feed URIs: spider attributes, times, and FEED_URI_PARAMS."""
    now = datetime.now(tz=timezone.utc)
    values = {name: getattr(spider, name) for name in dir(spider)} | {
        "time": now.replace(microsecond=0).isoformat().replace(":", "-"),
        "batch_time": now.isoformat().replace(":", "-"),
        "batch_id": 1,
    }
    changed: dict[str, Any] | None = load_object(function)(values, spider) if function else None
    return values if changed is None else changed
