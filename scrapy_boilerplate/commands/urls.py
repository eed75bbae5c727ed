"""URLs among the arguments of the command."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

_HOST = re.compile(
    r"(?P<local>localhost|\d{1,3}(?:\.\d{1,3}){3})?(?(local)|(?:[\w-]+\.)+(?P<top>[^\W\d_]{2,}|xn--[\w-]+))"
    r"(?::\d{1,5})?(?:[/?#]\S*)?"
)
# Names that end so are those of files: a typing error in one must not send a request.
_FILE_ENDINGS = frozenset("asp aspx gz htm html json jsonl md mht mhtml pdf php py text txt warc xhtml xml zip".split())


def is_url(argument: str) -> bool:
    """Whether the argument is the URL of a page, rather than the name of a file or folder."""
    return argument.startswith(("http://", "https://", "file://"))


def url_of(argument: str) -> str | None:
    """Return the URL that an argument stands for, with or without its scheme; None if it is no URL, or a file."""
    if is_url(argument):
        return argument
    match = _HOST.fullmatch(argument)
    if match is None or (match["top"] or "").lower() in _FILE_ENDINGS or _exists(argument):
        return None
    return f"{'http' if match['local'] else 'https'}://{argument}"


def _exists(name: str) -> bool:
    with suppress(OSError, ValueError):  # too long for a file's name
        return Path(name).exists()
    return False
