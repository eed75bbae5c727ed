"""Which blocks of a page are content, as somebody has said: small JSON files beside the pages.

`NAME.labels.json` stands beside `NAME.html`:

    {"format": 1, "page": "NAME.html", "url": "https://...", "encoding": "utf-8", "digest": "<SHA-256 of the page>",
     "model": "mlp", "blocks": [{"text": "...", "xpath": "/html/body/p", "content": true}, ...]}

`content` is null where nobody has said anything; so are `url` and `encoding` where they are not known.
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
    """A block of the page as it was labelled."""

    text: str
    xpath: str
    content: bool | None  # None: not labelled


@dataclass(frozen=True, slots=True)
class PageLabels:
    """The labels of a page, all of its blocks in document order."""

    page: str  # the name of the file beside
    digest: str  # of the page's bytes, see digest_of()
    blocks: tuple[BlockLabel, ...]
    url: str | None = None
    encoding: str | None = None
    model: str | None = None  # whose blocks these are, and whose choice was corrected


def digest_of(page: bytes) -> str:
    """What tells this version of a page from all others."""
    return hashlib.sha256(page).hexdigest()


def path_of(page: Path) -> Path:
    """Where the labels of a page are kept."""
    return page.with_name(_PAGE_SUFFIX.sub("", page.name) + SUFFIX)


def read_labels(path: Path | str) -> PageLabels:
    """The labels in a file; ValueError, with the file and the reason, for one that holds none."""
    path = Path(path)
    try:
        return _from_record(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ValueError(f"{path}: {reason}") from None


def write_labels(path: Path | str, labels: PageLabels) -> None:
    """Write the labels in one step: whoever reads the file, whenever we are killed, finds the old ones or the new."""
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
    """The label of each block of a page, which may be another version of it, and the labels that found no block.

    Blocks with the same text, white space aside, belong together, in the order in which they stand. None is for the
    blocks that have no label.
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
        raise ValueError("no labels in it: an object with a format number is expected")
    if record["format"] != FORMAT or isinstance(record["format"], bool):
        raise ValueError(f"its format is {record['format']!r}, and this version knows only {FORMAT}")
    page = _text(record, "page")
    if not page or page in (".", "..") or "/" in page or "\\" in page or "\0" in page:
        raise ValueError(f"page must be the name of a file beside, not {page!r}")
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
