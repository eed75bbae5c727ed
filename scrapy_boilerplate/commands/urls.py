"""URLs among the arguments of the command."""

from __future__ import annotations


def is_url(argument: str) -> bool:
    """Whether the argument is the URL of a page, rather than the name of a file or folder."""
    return argument.startswith(("http://", "https://", "file://"))
