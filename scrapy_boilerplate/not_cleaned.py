"""NotCleaned: the exception for pages that can't be cleaned, with the reason."""

from __future__ import annotations

from traceback import format_exception

# The reason is also the name of a stat (`boilerplate/pages/skipped/REASON`) and the beginning of a row's `error`.
REASONS = {
    "by_request": "its request has switched cleaning off",
    "not_html": "it is not an HTML page",
    "bad_meta": 'its meta["boilerplate"] is not valid',
    "empty": "it has no body",
    "too_large": "it is larger than BOILERPLATE_MAX_BYTES",
    "not_text": "it is declared as HTML, but is a PDF, an image, an archive or the like",
    "too_many_attributes": "it has tags with thousands of attributes, which would take minutes to parse",
    "timeout": "cleaning took longer than BOILERPLATE_WORKER_TIMEOUT",
    "crash": "it crashed the process that cleaned it, and then a new one that did nothing else",
    "error": "an exception was raised",
    "no_http": "the archive's record has no HTTP status line",
    "damaged": "the archive is damaged at this place",
    "missing": "the archive does not exist",
}


class NotCleaned(Exception):
    """A page can't be cleaned, for one of the REASONS; a message may have the details."""

    def __init__(self, reason: str, message: str = "", traceback: str = "") -> None:
        super().__init__(reason, message, traceback)  # so that it can be pickled
        self.reason = reason
        self.message = message or REASONS[reason]
        self.traceback = traceback  # of an unexpected exception

    @classmethod
    def by(cls, error: Exception) -> NotCleaned:
        """Return the exception for a page whose cleaning has raised an unexpected exception."""
        return cls("error", f"{type(error).__name__}: {error}", "".join(format_exception(error)))

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}"
