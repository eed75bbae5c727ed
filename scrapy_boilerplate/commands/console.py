"""The command outside of Scrapy's own: the script `scrapy-boilerplate` and `python -m scrapy_boilerplate`."""

from __future__ import annotations

import sys

from scrapy.cmdline import execute


def main() -> None:
    """Run `scrapy boilerplate` with the arguments of this process."""
    execute([sys.argv[0], "boilerplate", *sys.argv[1:]])
