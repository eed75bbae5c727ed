"""Options: how pages are cleaned and what goes into items, each declared once.

The option `x` is the setting BOILERPLATE_X; options of a page are also keys of `meta["boilerplate"]`, arguments of
`extract()` and flags of the command.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from . import checks
from .fields import BLOCKS_CHOICES
from .keep import ANCESTOR_DEPTHS, FILTER_NAMES
from .models import DEFAULT_MODEL, MODELS
from .segment.kinds import CAPTION, COMMENT

PREFIX = "BOILERPLATE_"
META_KEY = "boilerplate"

_LONGEST_TIMEOUT = 1_000_000  # seconds


@dataclass(frozen=True, slots=True)
class Declaration:
    """The check, help and example of an option."""

    check: checks.Check  # returns the value to use, or raises ValueError
    from_text: Callable[[str], Any]  # the value that a text means, as the command line has it
    help: str
    example: Any
    per_page: bool  # whether it can be another one for each page


def _option(
    default: Any,
    check: checks.Check,
    help: str,
    *,
    example: Any,
    from_text: Callable[[str], Any] = checks.none_or_text,
    per_page: bool = False,
) -> Any:
    declaration = Declaration(check, from_text, help, example, per_page)
    if isinstance(default, Mapping):
        return field(default_factory=lambda: dict(default), metadata={"declaration": declaration})
    return field(default=default, metadata={"declaration": declaration})


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a crawl or a page, from settings and the overrides of a request."""

    enabled: bool = _option(True, checks.boolean, "switch all components on or off", example=False)
    model: str = _option(
        DEFAULT_MODEL,
        checks.model,
        f"the model, by name ({', '.join(MODELS)}), or the path of a weights file",
        example="news",
        per_page=True,
    )
    threshold: float | None = _option(
        None,
        checks.or_none(checks.real("must be a number from 0 to 1", lambda number: 0 <= number <= 1)),
        "the lowest score to keep, 0 to 1; None leaves it to the model",
        from_text=checks.number,
        example=0.7,
        per_page=True,
    )
    filter: str | None = _option(
        None,
        checks.or_none(checks.one_of(FILTER_NAMES)),
        f"what to take away after the threshold: {', '.join(FILTER_NAMES)} or None",
        example="ancestor",
        per_page=True,
    )
    ancestor_depth: int = _option(
        2,
        checks.whole(ANCESTOR_DEPTHS[0], ANCESTOR_DEPTHS[-1]),
        "for the filter `ancestor`: how many levels up, 1 to 5",
        from_text=checks.number,
        example=1,
        per_page=True,
    )
    image_alt: bool = _option(
        False, checks.boolean, "read the alternative texts of images as text", example=True, per_page=True
    )
    headline: bool = _option(
        False,
        checks.boolean,
        "put the headline on top of the main text and of the Markdown",
        example=True,
        per_page=True,
    )
    guess_dates: bool = _option(
        False,
        checks.package_for_dates,
        "let the package htmldate (extra `dates`) look for a date of publication where the page declares none",
        example=True,
        per_page=True,
    )
    comments: bool = _option(
        True,
        checks.boolean,
        "keep reader comments, as far as the model does; False drops them",
        example=False,
        per_page=True,
    )
    captions: bool = _option(
        True, checks.boolean, "keep captions, as far as the model does; False drops them", example=False, per_page=True
    )
    keep: Mapping[str, Sequence[str]] | None = _option(
        None,
        checks.by_hand,
        "blocks to keep whatever their scores: a CSS selector, an XPath after `xpath:`, a list of these, or a dict of "
        "them by host",
        example={"example.com": ["div.standfirst"]},
        per_page=True,
    )
    drop: Mapping[str, Sequence[str]] | None = _option(
        None,
        checks.by_hand,
        "elements that are not read at all, given as for `keep`",
        example="aside, .related",
        per_page=True,
    )
    fields: Mapping[str, str] = _option(
        {"main_text": "main_text", "blocks": "blocks"},
        checks.field_names,
        "what goes into an item, and into which of its fields: a dict, or a list of names that are used as they are",
        example={"main_text": "body", "score": "confidence"},
    )
    blocks: str | None = _option(
        "all",
        checks.or_none(checks.one_of(BLOCKS_CHOICES)),
        'the blocks in an item: "all", only those "kept", only the "scores", or None for no blocks',
        example="kept",
        per_page=True,
    )
    max_bytes: int | None = _option(
        5_000_000,
        checks.or_none(checks.whole(1)),
        "the size of the largest page that is cleaned; None for no limit",
        from_text=checks.number,
        example=1_000_000,
        per_page=True,
    )
    report: str | None = _option(
        None,
        checks.or_none(checks.file_path),
        "a file for a report on the crawl's pages, the least sure first; may hold %(name)s, %(time)s and the other "
        "placeholders of feeds",
        example="reports/%(name)s.html",
    )
    site_memory: bool | str = _option(
        False,
        checks.memory_place,
        "drop what stands on other pages of a site; True, or the path of a file for the memory of the next crawl",
        example="site-memory.npz",
    )
    share_tree: bool = _option(
        False,
        checks.boolean,
        "read the blocks of a page from the tree of `response.selector`, before the callback; for spiders that use it",
        example=True,
    )
    workers: int = _option(
        0,
        checks.whole(0),
        "processes that score pages beside the crawl; 0 scores them in its own process",
        from_text=checks.number,
        example=2,
    )
    worker_timeout: float = _option(
        30.0,
        checks.real(
            f"must be a number of seconds, above 0 and below {_LONGEST_TIMEOUT}",
            lambda number: 0 < number < _LONGEST_TIMEOUT,
        ),
        "seconds that a worker may take for a page, which is skipped then",
        from_text=checks.number,
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
            if name not in REQUEST_OPTIONS:
                raise ValueError(f"{label.format(name)}: unknown key {name!r}; there are: {', '.join(REQUEST_OPTIONS)}")
            chosen[name] = _checked(label.format(name), name, value, texts)
        options = replace(self, **chosen)
        if "fields" in chosen and "blocks" in options.fields and options.blocks is None:
            raise ValueError(f"{label.format('fields')} asks for blocks, but {label.format('blocks')} is None")
        return options


DECLARATIONS: dict[str, Declaration] = {option.name: option.metadata["declaration"] for option in fields(Options)}
PAGE_OPTIONS = tuple(name for name, declaration in DECLARATIONS.items() if declaration.per_page)
REQUEST_OPTIONS = (*PAGE_OPTIONS, "fields")  # the keys of `meta["boilerplate"]`


def add_flags(parser: ArgumentParser, names: Iterable[str]) -> None:
    """Flags of a command for these options."""
    for name in names:
        flag, declaration = f"--{name.replace('_', '-')}", DECLARATIONS[name]
        if declaration.check in (checks.boolean, checks.package_for_dates):
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
