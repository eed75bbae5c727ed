"""Label files: small JSON files next to the pages that say which blocks are content.

`NAME.labels.json` is next to `NAME.html`:

    {"format": 1, "page": "NAME.html", "url": "https://...", "encoding": "utf-8", "digest": "<SHA-256 of the page>",
     "model": "mlp", "blocks": [{"text": "...", "xpath": "/html/body/p", "content": true}, ...]}

`content` is null for a block without a label; `url` and `encoding` are null if they are not known.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from ..sequences import aligned

FORMAT = 1
SUFFIX = ".labels.json"

_FIELDS = ("page", "url", "encoding", "digest", "model", "blocks")  # in the order in which they are written
_DIGEST = re.compile(r"[0-9a-f]{64}")
_PAGE_SUFFIX = re.compile(r"(\.html?)?(\.gz)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class BlockLabel:
    """A block of a page with its label."""

    text: str
    xpath: str
    content: bool | None  # None: not labelled


@dataclass(frozen=True, slots=True)
class PageLabels:
    """The labels of a page: all of its blocks in document order."""

    page: str  # the name of its file, in the same folder
    digest: str  # of the page's bytes, by digest_of()
    blocks: tuple[BlockLabel, ...]
    url: str | None = None
    encoding: str | None = None
    model: str | None = None  # the model that split the page into these blocks and suggested labels


def digest_of(page: bytes) -> str:
    """Return the SHA-256 of a page, which identifies a version of it."""
    return hashlib.sha256(page).hexdigest()


def path_of(page: Path) -> Path:
    """Return the path of a page's label file."""
    return page.with_name(_PAGE_SUFFIX.sub("", page.name) + SUFFIX)


def read_labels(path: Path | str) -> PageLabels:
    """Read a label file. Raises ValueError, with the file and the reason, if it is not valid."""
    path = Path(path)
    try:
        return _from_record(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ValueError(f"{path}: {reason}") from None


def write_labels(path: Path | str, labels: PageLabels) -> None:
    """Write a label file atomically: even after a crash, it has either the old labels or the new ones."""
    path = Path(path)
    values = asdict(labels)
    record = {"format": FORMAT} | {name: values[name] for name in _FIELDS}
    temporary = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        with temporary.open("x", encoding="utf-8") as file:
            json.dump(record, file, ensure_ascii=False, indent=1)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def match(labels: PageLabels, texts: Sequence[str]) -> tuple[list[bool | None], list[BlockLabel]]:
    """Return the label of each block of a page (None if it has none), and the labels that match no block.

    The page may be another version of the labelled one. Blocks match in document order, if their texts are equal apart
    from white space.
    """
    content: list[bool | None] = [None] * len(texts)
    lost = dict(enumerate(labels.blocks))
    ours, theirs = [_plain(text) for text in texts], [_plain(block.text) for block in labels.blocks]
    for place, other in aligned(ours, theirs):
        content[place] = lost.pop(other).content
    return content, [block for block in lost.values() if block.content is not None]


def _plain(text: str) -> str:
    return " ".join(text.split())


def _from_record(record: Any) -> PageLabels:
    if not isinstance(record, dict) or "format" not in record:
        raise ValueError("not a label file: it must be an object with a format number")
    if record["format"] != FORMAT or isinstance(record["format"], bool):
        raise ValueError(f"its format is {record['format']!r}, but this version reads only {FORMAT}")
    page = _text(record, "page")
    if not page or page in (".", "..") or "/" in page or "\\" in page or "\0" in page:
        raise ValueError(f"page must be the name of a file in the same folder, not {page!r}")
    digest = _text(record, "digest")
    if not _DIGEST.fullmatch(digest):
        raise ValueError(f"digest must be a SHA-256 of 64 hexadecimal digits, not {digest!r}")
    blocks = record.get("blocks")
    if not isinstance(blocks, list):
        raise ValueError("blocks must be a list")
    return PageLabels(
        page,
        digest,
        tuple(_block(number, block) for number, block in enumerate(blocks)),
        *(_text(record, name) if record.get(name) is not None else None for name in ("url", "encoding", "model")),
    )


def _block(number: int, record: Any) -> BlockLabel:
    if not isinstance(record, dict):
        raise ValueError(f"block {number} must be an object")
    content = record.get("content")
    if content is not None and not isinstance(content, bool):
        raise ValueError(f"content of block {number} must be true, false or null, not {content!r}")
    try:
        return BlockLabel(_text(record, "text"), _text(record, "xpath"), content)
    except ValueError as error:
        raise ValueError(f"block {number}: {error}") from None


def _text(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a text, not {value!r}")
    return value
