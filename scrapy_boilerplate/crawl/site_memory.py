"""The site memory of a crawl: read at its start, written every few minutes and at its end."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

from scrapy.utils.job import job_dir

from ..site import PageTexts, SiteMemory

try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

SECONDS_BETWEEN = 300.0  # writes
LONGEST_WAIT = 10.0  # seconds for the write of another crawl, at the end of this one
_SECONDS_BETWEEN_TRIES = 0.05
_NAME_IN_JOBDIR = "boilerplate-site-memory.npz"


class CrawlMemory:
    """A site memory and its file, which other crawls may read and write at the same time.

    Each of them writes what both know: before a write, a file that has changed is read and merged.
    """

    def __init__(self, path: Path | None) -> None:
        self.memory = SiteMemory()
        self._path = path
        self._read: tuple[int, int, int] | None = None  # the version of the file that the memory holds
        self._written_at = monotonic()
        if path is not None:
            _check_folder(path)
            self._read_file(path)

    @classmethod
    def of(cls, setting: bool | str, settings: BaseSettings) -> CrawlMemory | None:
        """The memory that the setting asks for; with True, it is part of the job if there is a JOBDIR."""
        if setting is False:
            return None
        folder = job_dir(settings)
        in_job = Path(folder) / _NAME_IN_JOBDIR if folder else None
        return cls(in_job if setting is True else Path(setting))

    def learn(self, page: PageTexts | None) -> None:
        """Learn a page, and write the file if it is time."""
        self.memory.learn(page)
        if self._path is not None and monotonic() - self._written_at > SECONDS_BETWEEN:
            self.save(wait=0.0)

    def save(self, wait: float | None = None) -> None:
        """Write the file, if there is one; later, if another crawl writes for longer than `wait`. Raises OSError."""
        self._written_at = monotonic()
        wait = LONGEST_WAIT if wait is None else wait
        if self._path is None:
            return
        with _locked(self._path.parent, wait) as is_ours:
            if not is_ours and not wait:
                return
            if _version_of(self._path) != self._read:
                self._read_file(self._path)
            self.memory.save(self._path)
            self._read = _version_of(self._path)

    def _read_file(self, path: Path) -> None:
        """Merge what is in the file. One that can't be read is renamed, so that nobody loses it."""
        if not path.exists():
            return
        version = _version_of(path)
        try:
            self.memory.merge(SiteMemory.load(path))
        except ValueError as error:
            aside = _free_name(path)
            path.replace(aside)
            logger.warning("The site memory begins anew: %s; the file is now %s", error, aside)
        else:
            self._read = version


def _check_folder(path: Path) -> None:
    """Raise ValueError now, rather than an error at the end of the crawl, if no file can be written there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"BOILERPLATE_SITE_MEMORY = {str(path)!r}: {error.strerror}") from None
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise ValueError(f"BOILERPLATE_SITE_MEMORY = {str(path)!r}: no file can be written there")


def _version_of(path: Path) -> tuple[int, int, int] | None:
    with suppress(OSError):
        status = path.stat()
        return status.st_ino, status.st_mtime_ns, status.st_size
    return None


def _free_name(path: Path) -> Path:
    names = [path.with_name(f"{path.name}.damaged")]
    while names[-1].exists():
        names.append(path.with_name(f"{path.name}.damaged-{len(names) + 1}"))
    return names[-1]


@contextmanager
def _locked(folder: Path, wait: float) -> Iterator[bool]:
    """Keep other crawls from writing to a folder meanwhile, and say whether that worked.

    Where folders can't be locked, or another crawl has stopped in the middle of its write, one write may be lost.
    """
    if fcntl is None:
        yield True
        return
    descriptor, deadline = os.open(folder, os.O_RDONLY), monotonic() + wait
    try:
        while not (is_ours := _is_locked(descriptor)) and monotonic() < deadline:
            sleep(_SECONDS_BETWEEN_TRIES)
        yield is_ours
    finally:
        os.close(descriptor)


def _is_locked(descriptor: int) -> bool:
    """Lock a folder, if nobody else has; network file systems that know no locks count as locked."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
