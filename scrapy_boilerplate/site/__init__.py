"""SiteMemory: what stands on many pages of a host is boilerplate."""

from __future__ import annotations

from .memory import SiteMemory
from .texts import PageTexts

__all__ = ["PageTexts", "SiteMemory"]
