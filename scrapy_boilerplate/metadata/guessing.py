"""A date of publication for pages that give none, by the package htmldate."""

from __future__ import annotations

from lxml import etree

from .dates import declared_date, today
from .sources import Sources


def guessed_date(sources: Sources) -> str | None:
    """The date that htmldate finds in its fast mode; None if it finds none, or today's."""
    from htmldate import find_date

    page = etree.tostring(sources.root, method="html", encoding="unicode")
    try:
        found = find_date(page, extensive_search=False, original_date=True, url=sources.url)
    except Exception:  # whatever a strange page does to it, the other fields are good
        return None
    return declared_date(found) if found and found != today().isoformat() else None
