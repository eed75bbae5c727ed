"""Every BOILERPLATE_* setting: its default, what it may be, and what `meta["boilerplate"]` can change for one page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lxml import etree

from .document import Document, check_options
from .models import DEFAULT_MODEL, load_model

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

PREFIX = "BOILERPLATE_"
META_KEY = "boilerplate"

FIELD_SOURCES = ("main_text", "blocks", "score", "title")  # what of a document can go into an item
BLOCKS_CHOICES = ("all", "kept", "scores")
_LONGEST_TIMEOUT = 1_000_000


@dataclass(frozen=True, slots=True)
class Options:
    """How pages are cleaned and what goes into items; BOILERPLATE_X is the attribute x."""

    enabled: bool = True
    model: str = DEFAULT_MODEL
    threshold: float | None = None
    filter: str | None = None
    ancestor_depth: int = 2
    image_alt: bool = False
    fields: Mapping[str, str] = field(default_factory=lambda: {"main_text": "main_text", "blocks": "blocks"})
    blocks: str = "all"
    max_bytes: int = 5_000_000
    report: str | None = None
    workers: int = 0
    worker_timeout: float = 30.0

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Options:
        """Read and check all settings; ValueError names the one that is wrong, and its value."""
        known = {PREFIX + option.name.upper(): option.name for option in fields(cls)}
        chosen = {}
        for setting in sorted(name for name in settings if str(name).startswith(PREFIX)):
            if setting not in known:
                raise ValueError(f"unknown setting {setting} = {settings[setting]!r}; there are: {', '.join(known)}")
            chosen[known[setting]] = _read(setting, known[setting], settings[setting])
        return cls(**chosen)

    def for_page(self, overrides: Mapping[str, Any], label: str = f'meta["{META_KEY}"]["{{}}"]') -> Options:
        """These options with what `meta["boilerplate"]` says for one page; ValueError if it says nonsense.

        `label` is what an error calls an option, if it was not `meta["boilerplate"]` that said it.
        """
        chosen = {}
        for name, value in overrides.items():
            if name not in _PAGE_OPTIONS:
                raise ValueError(
                    f'meta["{META_KEY}"] has an unknown key {name!r}; there are: {", ".join(_PAGE_OPTIONS)}'
                )
            chosen[name] = _read(label.format(name), name, value)
        return replace(self, **chosen)

    def clean(self, root: etree._Element) -> Document:
        """The document of a page."""
        return Document(
            root,
            load_model(self.model),
            threshold=self.threshold,
            filter=self.filter,
            ancestor_depth=self.ancestor_depth,
            image_alt=self.image_alt,
        )


# Which fields an item has is a matter of the crawl, not of a page: a CSV feed's columns are those of its first item.
_PAGE_OPTIONS = ("model", "threshold", "filter", "ancestor_depth", "image_alt", "blocks", "max_bytes")


def _read(label: str, name: str, value: Any) -> Any:
    """The value of an option, given as Python or, on the command line, as a string."""
    try:
        return _READERS[name](value)
    except (ValueError, TypeError, OverflowError, RecursionError, OSError) as error:
        raise ValueError(f"{label} = {value!r}: {error}") from None


def _boolean(value: Any) -> bool:
    truths = {"1": True, "true": True, "0": False, "false": False}
    text = str(value).lower()
    if text not in truths:
        raise ValueError("must be True or False")
    return truths[text]


def _model(value: Any) -> str:
    if isinstance(value, PathLike):
        value = _written(value)
    if not isinstance(value, str):
        raise ValueError("must be the name of a model or the path of its file")
    load_model(value)
    return value


def _written(path: PathLike[str]) -> str:
    """A path as a string that is no name of a model."""
    text = fspath(path)
    return f"./{text}" if Path(text).name == text else text


def _threshold(value: Any) -> float | None:
    if isinstance(value, str):
        value = None if value in ("", "None") else _number(float, value, "must be None or a number from 0 to 1")
    check_options(threshold=value, filter=None, ancestor_depth=1)
    return None if value is None else float(value)


def _filter(value: Any) -> str | None:
    value = None if value in ("", "None") else value
    check_options(threshold=None, filter=value, ancestor_depth=1)
    return value  # type: ignore[no-any-return]


def _ancestor_depth(value: Any) -> int:
    depth = _number(int, value, "must be a whole number") if isinstance(value, str) else value
    check_options(threshold=None, filter=None, ancestor_depth=depth)
    return int(depth)


def _fields(value: Any) -> Mapping[str, str]:
    if isinstance(value, str):
        value = json.loads(value)
    if not isinstance(value, Mapping):
        raise ValueError('must be a dict such as {"main_text": "main_text"}')
    names = dict(value)
    for source, name in names.items():
        if source not in FIELD_SOURCES:
            raise ValueError(f"{source!r} is none of {', '.join(FIELD_SOURCES)}")
        if not isinstance(name, str) or not name:
            raise ValueError(f"the item field for {source!r} must be a name, not {name!r}")
    if len(set(names.values())) < len(names):
        raise ValueError("two of them go into the same item field")
    return names


def _blocks(value: Any) -> str:
    if value not in BLOCKS_CHOICES:
        raise ValueError(f"must be one of {', '.join(BLOCKS_CHOICES)}")
    return str(value)


def _max_bytes(value: Any) -> int:
    number = _number(int, value, "must be a whole number of bytes")
    if isinstance(value, (bool, float)) or number < 1:
        raise ValueError("must be a whole number of bytes, at least 1")
    return int(number)


def _report(value: Any) -> str | None:
    if value is None or value in ("", "None"):
        return None
    if not isinstance(value, (str, PathLike)) or Path(value).is_dir():
        raise ValueError("must be None or the path of a file, such as 'report.html'")
    return str(value)


def _workers(value: Any) -> int:
    number = _number(int, value, "must be a whole number")
    if isinstance(value, (bool, float)) or number < 0:
        raise ValueError("must be a whole number, 0 or more")
    return int(number)


def _worker_timeout(value: Any) -> float:
    number = _number(float, value, "must be a number of seconds")
    if isinstance(value, bool) or not 0 < number < _LONGEST_TIMEOUT:
        raise ValueError(f"must be a number of seconds, above 0 and below {_LONGEST_TIMEOUT}")
    return number


def _number(kind: type[int] | type[float], value: Any, complaint: str) -> float:
    try:
        return kind(value)
    except (ValueError, TypeError):
        raise ValueError(complaint) from None


_READERS: dict[str, Callable[[Any], Any]] = {
    "enabled": _boolean,
    "model": _model,
    "threshold": _threshold,
    "filter": _filter,
    "ancestor_depth": _ancestor_depth,
    "image_alt": _boolean,
    "fields": _fields,
    "blocks": _blocks,
    "max_bytes": _max_bytes,
    "report": _report,
    "workers": _workers,
    "worker_timeout": _worker_timeout,
}
