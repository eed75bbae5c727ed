"""`scrapy boilerplate --version`: what is installed, and whether its compiled parts are in use."""

from __future__ import annotations

import platform

import numpy as np
import scrapy
from lxml import etree

from .. import __version__
from ..compiled import compiled


def versions() -> str:
    """Return a line for each package, and one for the compiled parts."""
    packages = {
        "scrapy_boilerplate": __version__,
        "Scrapy": scrapy.__version__,
        "lxml": ".".join(map(str, etree.LXML_VERSION[:3])),
        "numpy": np.__version__,
        "Python": platform.python_version(),
        "Platform": platform.platform(),
        "Compiled": _compiled(),
    }
    width = max(map(len, packages))
    return "\n".join(f"{name:{width}}  {version}" for name, version in packages.items())


def _compiled() -> str:
    parts = compiled()
    used = ", ".join(name for name, is_used in parts.items() if is_used)
    missing = ", ".join(name for name, is_used in parts.items() if not is_used)
    if not missing:
        return f"yes ({used})"
    return f"in part ({used}; in plain Python: {missing})" if used else f"no (in plain Python: {missing})"
