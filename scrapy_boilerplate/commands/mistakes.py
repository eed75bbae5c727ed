"""Mistakes on the command line, and failures of the system, as one line that names what was typed."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import NoReturn

from scrapy.exceptions import UsageError

from ..models import Model, load_model


def refuse(message: str) -> NoReturn:
    """End the program as it ends after a mistake on the command line, without the text of the help."""
    tell(message)
    raise SystemExit(2)


def tell(message: str) -> None:
    """Print a message on stderr, on one line whatever is in it."""
    print(f"scrapy boilerplate: {' '.join(message.splitlines())}", file=sys.stderr)


def usage(syntax: str, reason: str) -> UsageError:
    """The error for arguments that a sub-command can't begin with."""
    return UsageError(f"{reason}; usage: scrapy boilerplate {syntax}", print_help=False)


def reason_of(error: OSError) -> str:
    """The error without its number, and with its file if it has one."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason


def model_of(option: str, name: str) -> Model:
    """Load a model; ValueError names the option that asked for it."""
    try:
        return load_model(name)
    except ValueError as error:
        raise ValueError(f"{option} {name}: {error}") from None


def discard_output() -> None:
    """Send the rest of the output nowhere: Python would try to write it once more at its end, and complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):  # of a stream that is no file, which nobody closes
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
