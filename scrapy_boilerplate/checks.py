"""Checks of option values: each returns the value to use, or raises ValueError with what it must be."""

from __future__ import annotations

import json
import numbers
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from .extras import require
from .fields import FIELDS
from .models import load_model
from .selectors import ALL_HOSTS, compiled

Check = Callable[[Any], Any]


def none_or_text(text: str) -> str | None:
    return None if text in ("", "None") else text


def number(text: str) -> Any:
    """A number or None, or the text if it is neither."""
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return none_or_text(text)


def boolean(value: Any) -> bool:
    truths = {"1": True, "true": True, "0": False, "false": False}
    text = str(value).lower()
    if text not in truths:
        raise ValueError("must be True or False")
    return truths[text]


def or_none(check: Check) -> Check:
    def checked(value: Any) -> Any:
        try:
            return None if value is None else check(value)
        except ValueError as error:
            raise ValueError(str(error).replace("must be", "must be None or", 1)) from None

    return checked


def one_of(choices: Iterable[str]) -> Check:
    def checked(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}")
        return value

    return checked


def whole(least: int, most: int | None = None) -> Check:
    expected = (
        f"must be a whole number, {least} or more" if most is None else f"must be a whole number, {least} to {most}"
    )

    def checked(value: Any) -> int:
        is_whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
        if not is_whole or value < least or (most is not None and value > most):
            raise ValueError(expected)
        return int(value)

    return checked


def real(expected: str, is_good: Callable[[float], bool]) -> Check:
    def checked(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or not is_good(float(value)):
            raise ValueError(expected)
        return float(value)

    return checked


def model(value: Any) -> str:
    if isinstance(value, PathLike):
        text = fspath(value)
        value = f"./{text}" if Path(text).name == text else text  # so that it is not taken for a model's name
    if not isinstance(value, str):
        raise ValueError("must be the name of a model or the path of its file")
    load_model(value)
    return value


def package_for_dates(value: Any) -> bool:
    guesses = boolean(value)
    if guesses:
        try:
            require("htmldate", "dates")
        except ImportError as error:
            raise ValueError(str(error)) from None
    return guesses


def file_path(value: Any) -> str:
    if not isinstance(value, (str, PathLike)) or Path(value).is_dir():
        raise ValueError("must be the path of a file, such as 'report.html'")
    return str(value)


def by_hand(value: Any) -> dict[str, list[str]] | None:
    """Selectors by host; those without a host are for all pages."""
    if isinstance(value, str) and value.strip().startswith("{"):
        value = json.loads(value)
    if value is None:
        return None
    by_host = value if isinstance(value, Mapping) else {ALL_HOSTS: value}
    checked = {}
    for host, some in by_host.items():
        if not isinstance(host, str) or not host or "/" in host:
            raise ValueError(f"{host!r} is no host, such as 'example.com', nor '*' for all")
        selectors = [some] if isinstance(some, str) else some
        if not isinstance(selectors, (list, tuple)) or not all(isinstance(one, str) for one in selectors):
            raise ValueError("must be a selector, a list of them, or a dict of these by host")
        for selector in selectors:
            compiled(selector)
        checked[host.lower()] = list(selectors)
    return checked


def memory_place(value: Any) -> bool | str:
    if isinstance(value, PathLike) or (isinstance(value, str) and value.lower() not in ("true", "false", "0", "1")):
        return file_path(value)
    return boolean(value)


def field_names(value: Any) -> dict[str, str]:
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
