"""One-line messages for mistakes on the command line and for failures of the system."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from scrapy.exceptions import UsageError

if TYPE_CHECKING:
    from ..models import Model

_SCRIPT = "scrapy-boilerplate"


def program() -> str:
    """Return how the command was called: by Scrapy, by its own script, or as a module."""
    called = Path(sys.argv[0])
    if called.stem == _SCRIPT:
        return _SCRIPT
    is_module = called.name == "__main__.py" and called.parent.name == "scrapy_boilerplate"
    return "python -m scrapy_boilerplate" if is_module else "scrapy boilerplate"


def closest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that this one is most likely a misspelling of, if there is one."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, list(known), n=1, cutoff=0.7)), None)


def refuse(message: str) -> NoReturn:
    """Exit with the code for a mistake on the command line, without printing the help."""
    tell(message)
    raise SystemExit(2)


def tell(message: str) -> None:
    """Print a message on stderr, always on one line."""
    print(f"{program()}: {' '.join(message.splitlines())}", file=sys.stderr)


def usage(syntax: str, reason: str) -> UsageError:
    """Return the error for wrong arguments of a subcommand, with its usage."""
    return UsageError(f"{reason}; usage: {program()} {syntax}", print_help=False)


def reason_of(error: OSError) -> str:
    """Return the error's message, without its number and with its file if it has one."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason


def model_of(option: str, name: str) -> Model:
    """Load a model. Raises ValueError, with the name of the option, if it can't be loaded."""
    from ..models import load_model

    try:
        return load_model(name)
    except ValueError as error:
        raise ValueError(f"{option} {name}: {error}") from None


def discard_output() -> None:
    """Redirect the rest of the output to the null device: else Python fails to write it once more at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # the stream is not a file, so the reader can't have closed it
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
