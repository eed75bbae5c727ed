"""The folder of labelled pages: the original pages, and next to each its label file.

Only label files are ever overwritten, and only by a client that has read the present labels.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from ..clean import extract
from ..document import Block
from .files import BlockLabel, PageLabels, digest_of, match, path_of, read_labels, write_labels

try:
    import fcntl
except ImportError:  # on Windows only the threads of one process lock out each other
    fcntl = None  # type: ignore[assignment]

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST_NAME = 80
_LOCK = ".labels.lock"


class Conflict(Exception):
    """The labels have changed since they were read."""


@dataclass(frozen=True, slots=True)
class FolderPage:
    """A page in the folder, with the attributes of a response that `extract()` reads."""

    path: Path
    body: bytes
    url: str | None = None
    encoding: str | None = None
    lost: tuple[BlockLabel, ...] = ()  # labels of an earlier version whose blocks are not in this one

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def sheets_path(self) -> Path:
        return self.path.with_suffix(".sheets.json")


@dataclass(frozen=True, slots=True)
class Labelled:
    """The labels of a page's blocks, as read from the folder."""

    content: list[bool | None]  # None: not labelled
    revision: str  # of the label file
    lost: list[BlockLabel]  # labels of another version of the page whose blocks are not in this one


@dataclass(frozen=True, slots=True)
class Progress:
    """The number of a page's labelled blocks, and of all its blocks."""

    labelled: int
    blocks: int

    @property
    def done(self) -> bool:
        return 0 < self.blocks == self.labelled


class LabelFolder:
    """Pages and labels in one folder. If two programs use it, neither overwrites changes of the other."""

    def __init__(self, folder: Path | str, model: str) -> None:
        self.folder = Path(folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.model = model
        self._lock = threading.Lock()
        self._blocks = lru_cache(maxsize=4)(self._read_blocks)  # else each save would clean the page again

    def add(
        self,
        body: bytes,
        name: str,
        *,
        url: str | None = None,
        encoding: str | None = None,
        sheets: Mapping[str, str] | None = None,
    ) -> FolderPage:
        """Store a page and its style sheets, unless the page is stored already.

        If there is a page with the same name and other content, both are kept: the new one gets a number. If both have
        the same URL, the new one also gets those labels of the old one that match its blocks.
        """
        stem = safe_name(name)
        for number in range(1, 1000):
            path = self.folder / (f"{stem}.html" if number == 1 else f"{stem}-{number}.html")
            page = FolderPage(path, body, url, encoding)
            if path.is_symlink() or path_of(path).is_symlink():
                continue
            try:
                with path.open("xb") as file:
                    file.write(body)
            except FileExistsError:
                if path.is_file() and path.read_bytes() == body:
                    return self._known(page)
                continue
            content, lost = self._inherited(page, stem, number)
            self._write(page, content)
            if sheets and not page.sheets_path.is_symlink():
                page.sheets_path.write_text(json.dumps(sheets, ensure_ascii=False, indent=1), encoding="utf-8")
            return replace(page, lost=tuple(lost))
        raise ValueError(f"{self.folder} has too many pages named {stem}")

    def open(self, path: Path) -> FolderPage:
        """Return a page that is in the folder already."""
        self._check(path)
        return self._known(FolderPage(path.resolve(), path.read_bytes()))

    def sheets(self, page: FolderPage) -> dict[str, str]:
        """Return the style sheets that were stored with a page, by address."""
        path = page.sheets_path
        if not path.is_file() or path.is_symlink():
            return {}
        try:
            sheets = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError):  # not our file; the page is shown without style sheets
            return {}
        return {str(address): str(css) for address, css in sheets.items()} if isinstance(sheets, dict) else {}

    def labels(self, page: FolderPage) -> Labelled:
        """Return the labels of a page's blocks; those of another version are matched by the blocks' texts."""
        path = path_of(page.path)
        texts = self._texts(page)
        with self._locked():
            revision = _revision(path)
            if not revision:
                return Labelled([None] * len(texts), revision, [])
            self._check(path)
            content, lost = match(read_labels(path), texts)
            return Labelled(content, revision, lost)

    def progress(self, page: FolderPage) -> Progress:
        """Count the labelled blocks in a page's label file."""
        path = path_of(page.path)
        blocks = read_labels(path).blocks if path.is_file() else ()
        return Progress(sum(block.content is not None for block in blocks), len(blocks))

    def save(self, page: FolderPage, content: Sequence[bool | None], revision: str) -> str:
        """Write the labels, and return their revision. Raises Conflict if they have changed since `revision`."""
        path = path_of(page.path)
        labels = self._page_labels(page, content)
        with self._locked():
            if _revision(path) != revision:
                raise Conflict(f"somebody else has changed the labels of {page.name}")
            self._back_up_lost_labels(path, labels)
            self._check(path)
            write_labels(path, labels)
            return _revision(path)

    def _back_up_lost_labels(self, path: Path, labels: PageLabels) -> None:
        """Copy the present labels to another file if some of them match no block of the page any more."""
        if not path.exists():
            return
        before = read_labels(path)
        if match(before, [block.text for block in labels.blocks])[1]:
            backup = path.with_name(f"{path.name}.{before.digest[:8]}.old")
            if not backup.exists():
                write_labels(backup, before)

    def _inherited(self, page: FolderPage, stem: str, number: int) -> tuple[list[bool | None], list[BlockLabel]]:
        """Return the labels from an earlier version of the page, and those of them that match no block."""
        texts = self._texts(page)
        for earlier in range(number - 1, 0, -1):
            path = path_of(self.folder / (f"{stem}.html" if earlier == 1 else f"{stem}-{earlier}.html"))
            if page.url is None or not path.is_file() or path.is_symlink():
                continue
            labels = read_labels(path)
            if labels.url == page.url:
                return match(labels, texts)
        return [None] * len(texts), []

    def _known(self, page: FolderPage) -> FolderPage:
        """Return the page with the URL and the encoding from its label file, if there is one."""
        path = path_of(page.path)
        if not path.is_file():
            return page
        self._check(path)
        labels = read_labels(path)
        return replace(page, url=page.url or labels.url, encoding=page.encoding or labels.encoding)

    def _write(self, page: FolderPage, content: Sequence[bool | None]) -> None:
        write_labels(path_of(page.path), self._page_labels(page, content))

    def _page_labels(self, page: FolderPage, content: Sequence[bool | None]) -> PageLabels:
        blocks = self._blocks(page)
        if len(content) != len(blocks):
            raise ValueError(f"{page.name} has {len(blocks)} blocks, not {len(content)}")
        return PageLabels(
            page.name,
            digest_of(page.body),
            tuple(
                BlockLabel(block.text, block.xpath, is_content)
                for block, is_content in zip(blocks, content, strict=True)
            ),
            page.url,
            page.encoding,
            self.model,
        )

    def _texts(self, page: FolderPage) -> list[str]:
        return [block.text for block in self._blocks(page)]

    def _read_blocks(self, page: FolderPage) -> tuple[Block, ...]:
        return extract(page, model=self.model).blocks

    def _check(self, path: Path) -> None:
        if path.is_symlink() or path.resolve().parent != self.folder:
            raise ValueError(f"{path} is not a file of the folder {self.folder}")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Lock the folder against other threads and programs. The lock ends with the process, even if killed."""
        with self._lock, (self.folder / _LOCK).open("ab") as file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
            yield


def safe_name(name: str) -> str:
    """Return a file name without suffix for a URL or a path: letters, digits, "._-", and no dot at its start."""
    parts = urlsplit(name)
    if parts.scheme in ("http", "https"):
        name = f"{parts.hostname or ''}{parts.path}{'-' + parts.query if parts.query else ''}"
    else:
        name = Path(name).name
    name = re.sub(r"\.html?$", "", name, flags=re.IGNORECASE)
    name = _NOT_IN_NAMES.sub("-", name).strip("-.")
    if len(name) > _LONGEST_NAME:
        name = f"{name[: _LONGEST_NAME - 9]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    return name or "page"


def _revision(path: Path) -> str:
    """Return the digest of a label file, or "" if there is none."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return ""
