"""`scrapy shell`, with a shortcut `text()` for the main text of the response."""

from __future__ import annotations

from functools import partial
from typing import Any

from scrapy.commands.shell import Command as ShellCommand


class Command(ShellCommand):
    """Scrapy's own command, with one more variable."""

    def update_vars(self, vars: dict[str, Any]) -> None:
        super().update_vars(vars)
        vars["text"] = partial(_text, vars)


class _Shown(str):
    """A text that the shell shows as it is, rather than as a literal on one line."""

    __slots__ = ()
    __repr__ = str.__str__


def _text(vars: dict[str, Any], response: Any = None, **options: Any) -> _Shown:
    """Return the main text of the response, with the project's settings and these options of `extract()`."""
    from ..clean import extract  # every command of Scrapy imports this module
    from ..crawl.cleaner import Cleaner
    from ..owners import set_owner

    response = vars["response"] if response is None else response
    if response is None:
        raise ValueError("there is no response; fetch(URL) gets one")
    set_owner(response, Cleaner.even_if_disabled(vars["crawler"]))
    return _Shown(extract(response, **options).main_text)
