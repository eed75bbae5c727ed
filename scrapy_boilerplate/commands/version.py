"""`scrapy boilerplate --version`: what is installed, and whether its compiled parts are in use."""

from __future__ import annotations

import platform

import numpy as np
import scrapy
from lxml import etree

from .. import __version__
from ..compiled import running


def versions() -> str:
    """Return a line for each package, and one for the form in which the package runs."""
    packages = {
        "scrapy_boilerplate": __version__,
        "Scrapy": scrapy.__version__,
        "lxml": ".".join(map(str, etree.LXML_VERSION[:3])),
        "numpy": np.__version__,
        "Python": platform.python_version(),
        "Platform": platform.platform(),
        "Running": running(),
    }
    width = max(map(len, packages))
    return "\n".join(f"{name:{width}}  {version}" for name, version in packages.items())
