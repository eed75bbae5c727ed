"""Options: how pages are cleaned and what goes into items, each declared once.

The option `x` is the setting BOILERPLATE_X; options of a page are also keys of `meta["boilerplate"]`, arguments of
`extract()` and flags of the command.
"""

from __future__ import annotations

import json
import numbers
import sys
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from .fields import BLOCKS_CHOICES, FIELDS
from .keep import ANCESTOR_DEPTHS, FILTER_NAMES
from .models import DEFAULT_MODEL, MODELS, load_model
from .segment.kinds import CAPTION, COMMENT

PREFIX = "BOILERPLATE_"
META_KEY = "boilerplate"

_LONGEST_TIMEOUT = 1_000_000  # seconds

Check = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Declaration:
    """What is to be known of an option, beside its name and its default."""

    check: Check  # returns the value to use, or raises ValueError
    from_text: Callable[[str], Any]  # the value that a text means, as the command line has it
    help: str
    example: Any
    per_page: bool  # whether it can be another one for each page


def _none_or_text(text: str) -> str | None:
    return None if text in ("", "None") else text


def _number(text: str) -> Any:
    """A number or None, or the text if it is neither."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return _none_or_text(text)


def _option(
    default: Any,
    check: Check,
    help: str,
    *,
    example: Any,
    from_text: Callable[[str], Any] = _none_or_text,
    per_page: bool = False,
) -> Any:
    declaration = Declaration(check, from_text, help, example, per_page)
    if isinstance(default, Mapping):
        return field(default_factory=lambda: dict(default), metadata={"declaration": declaration})
    return field(default=default, metadata={"declaration": declaration})


def _boolean(value: Any) -> bool:
    truths = {"1": True, "true": True, "0": False, "false": False}
    text = str(value).lower()
    if text not in truths:
        raise ValueError("must be True or False")
    return truths[text]


def _or_none(check: Check) -> Check:
    def checked(value: Any) -> Any:
        try:
            return None if value is None else check(value)
        except ValueError as error:
            raise ValueError(str(error).replace("must be", "must be None or", 1)) from None

    return checked


def _one_of(choices: Iterable[str]) -> Check:
    def checked(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return value

    return checked


def _whole(least: int, most: int | None = None) -> Check:
    expected = (
        f"must be a whole number, {least} or more" if most is None else f"must be a whole number, {least} to {most}"
    )

    def checked(value: Any) -> int:
        is_whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
        if not is_whole or value < least or (most is not None and value > most):
            raise ValueError(expected)
        return int(value)

    return checked


def _real(expected: str, is_good: Callable[[float], bool]) -> Check:
    def checked(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or not is_good(float(value)):
            raise ValueError(expected)
        return float(value)

    return checked


def _model(value: Any) -> str:
    if isinstance(value, PathLike):
        text = fspath(value)
        value = f"./{text}" if Path(text).name == text else text  # so that it is not taken for a model's name
    if not isinstance(value, str):
        raise ValueError("must be the name of a model or the path of its file")
    load_model(value)
    return value


def _path(value: Any) -> str:
    if not isinstance(value, (str, PathLike)) or Path(value).is_dir():
        raise ValueError("must be the path of a file, such as 'report.html'")
    return str(value)


def _fields(value: Any) -> dict[str, str]:
    if isinstance(value, str):
        text = value.strip()
        value = json.loads(text) if text[:1] in ("{", "[") else [name.strip() for name in text.split(",")]
    if not isinstance(value, Mapping):
        if not isinstance(value, (list, tuple)):
            raise ValueError('must be a dict such as {"main_text": "body"}, or a list of names')
        value = {name: name for name in value}
    names = dict(value)
    for source, name in names.items():
        if source not in FIELDS:
            raise ValueError(f"{source!r} is none of {', '.join(FIELDS)}")
        if not isinstance(name, str) or not name:
            raise ValueError(f"the item field for {source!r} must be a name, not {name!r}")
    if len(set(names.values())) < len(names):
        raise ValueError("two of them go into the same item field")
    return names


@dataclass(frozen=True, slots=True)
class Options:
    """How pages are cleaned and what goes into items; made of settings, and of a request's overrides."""

    enabled: bool = _option(True, _boolean, "switch all components on or off", example=False)
    model: str = _option(
        DEFAULT_MODEL,
        _model,
        f"the model, by name ({', '.join(MODELS)}), or the path of a weights file",
        example="news",
        per_page=True,
    )
    threshold: float | None = _option(
        None,
        _or_none(_real("must be a number from 0 to 1", lambda number: 0 <= number <= 1)),
        "the lowest score to keep, 0 to 1; None leaves it to the model",
        from_text=_number,
        example=0.7,
        per_page=True,
    )
    filter: str | None = _option(
        None,
        _or_none(_one_of(FILTER_NAMES)),
        f"what to take away after the threshold: {', '.join(FILTER_NAMES)} or None",
        example="ancestor",
        per_page=True,
    )
    ancestor_depth: int = _option(
        2,
        _whole(ANCESTOR_DEPTHS[0], ANCESTOR_DEPTHS[-1]),
        "for the filter `ancestor`: how many levels up, 1 to 5",
        from_text=_number,
        example=1,
        per_page=True,
    )
    image_alt: bool = _option(
        False, _boolean, "read the alternative texts of images as text", example=True, per_page=True
    )
    headline: bool = _option(
        False, _boolean, "put the headline on top of the main text and of the Markdown", example=True, per_page=True
    )
    comments: bool = _option(
        True, _boolean, "keep reader comments, as far as the model does; False drops them", example=False, per_page=True
    )
    captions: bool = _option(
        True, _boolean, "keep captions, as far as the model does; False drops them", example=False, per_page=True
    )
    fields: Mapping[str, str] = _option(
        {"main_text": "main_text", "blocks": "blocks"},
        _fields,
        "what goes into an item, and into which of its fields: a dict, or a list of names that are used as they are",
        example={"main_text": "body", "score": "confidence"},
    )
    blocks: str | None = _option(
        "all",
        _or_none(_one_of(BLOCKS_CHOICES)),
        'the blocks in an item: "all", only those "kept", only the "scores", or None for no blocks',
        example="kept",
        per_page=True,
    )
    max_bytes: int | None = _option(
        5_000_000,
        _or_none(_whole(1)),
        "the size of the largest page that is cleaned; None for no limit",
        from_text=_number,
        example=1_000_000,
        per_page=True,
    )
    report: str | None = _option(
        None,
        _or_none(_path),
        "a file for a report on the crawl's pages, the least sure first; may hold %(name)s, %(time)s and the other "
        "placeholders of feeds",
        example="reports/%(name)s.html",
    )
    workers: int = _option(
        0,
        _whole(0),
        "processes that score pages beside the crawl; 0 scores them in its own process",
        from_text=_number,
        example=2,
    )
    worker_timeout: float = _option(
        30.0,
        _real(
            f"must be a number of seconds, above 0 and below {_LONGEST_TIMEOUT}",
            lambda number: 0 < number < _LONGEST_TIMEOUT,
        ),
        "seconds that a worker may take for a page, which is skipped then",
        from_text=_number,
        example=5,
    )

    @property
    def most_bytes(self) -> int:
        """`max_bytes` as a number."""
        return sys.maxsize if self.max_bytes is None else self.max_bytes

    @property
    def unwanted_kinds(self) -> frozenset[str]:
        """The kinds of blocks that are left out, whatever their scores."""
        wanted = {COMMENT: self.comments, CAPTION: self.captions}
        return frozenset(kind for kind, is_wanted in wanted.items() if not is_wanted)

    @classmethod
    def from_settings(cls, settings: Mapping[Any, Any]) -> Options:
        """Read and check all settings; ValueError names the one that is wrong, and its value."""
        known = {PREFIX + name.upper(): name for name in DECLARATIONS}
        chosen = {}
        for setting in sorted(name for name in settings if str(name).startswith(PREFIX)):
            if setting not in known:
                raise ValueError(f"unknown setting {setting} = {settings[setting]!r}; there are: {', '.join(known)}")
            chosen[known[setting]] = _checked(setting, known[setting], settings[setting])
        if "blocks" in chosen and chosen["blocks"] is None:
            if "blocks" in chosen.get("fields", ()):
                raise ValueError(f"{PREFIX}BLOCKS is None, but {PREFIX}FIELDS asks for blocks; change one of them")
            chosen.setdefault("fields", {"main_text": "main_text"})
        return cls(**chosen)

    def for_page(
        self, overrides: Mapping[str, Any], label: str = f'meta["{META_KEY}"]["{{}}"]', *, texts: bool = True
    ) -> Options:
        """These options with others for one page; ValueError if there is no such option, or its value is wrong.

        `label` is how an error names an option. With `texts` a number or None may be given as a text.
        """
        chosen = {}
        for name, value in overrides.items():
            if name not in PAGE_OPTIONS:
                raise ValueError(f"{label.format(name)}: unknown key {name!r}; there are: {', '.join(PAGE_OPTIONS)}")
            chosen[name] = _checked(label.format(name), name, value, texts)
        return replace(self, **chosen)


DECLARATIONS: dict[str, Declaration] = {option.name: option.metadata["declaration"] for option in fields(Options)}
# Not the fields: the columns of a CSV feed are those of its first item.
PAGE_OPTIONS = tuple(name for name, declaration in DECLARATIONS.items() if declaration.per_page)


def add_flags(parser: ArgumentParser, names: Iterable[str]) -> None:
    """Flags of a command for these options."""
    for name in names:
        flag, declaration = f"--{name.replace('_', '-')}", DECLARATIONS[name]
        if declaration.check is _boolean:
            parser.add_argument(flag, action=BooleanOptionalAction, help=declaration.help)
        else:
            parser.add_argument(flag, metavar=name.upper(), help=declaration.help)


def with_flags(options: Options, arguments: Namespace, names: Iterable[str]) -> Options:
    """Options with what the flags say; ValueError names the flag that is wrong."""
    given = {name: getattr(arguments, name, None) for name in names}
    return options.for_page({name: value for name, value in given.items() if value is not None}, "--{}")


def _checked(label: str, name: str, value: Any, texts: bool = True) -> Any:
    declaration = DECLARATIONS[name]
    try:
        return declaration.check(declaration.from_text(value) if texts and isinstance(value, str) else value)
    except (ValueError, TypeError, OverflowError, RecursionError, OSError) as error:
        raise ValueError(f"{label} = {value!r}: {error}") from None
