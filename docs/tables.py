"""Tables for the documentation, made from the code.

A line such as `{{ settings }}` in a page is replaced by the table of that name, `{{ help warc }}` by the options that
`scrapy boilerplate warc --help` prints.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from textwrap import dedent
from typing import Any

from scrapy_boilerplate.fields import BLOCK_FIELDS, FIELDS
from scrapy_boilerplate.not_cleaned import REASONS
from scrapy_boilerplate.options import DECLARATIONS, PREFIX, REQUEST_OPTIONS, Options

DOCS = Path(__file__).parent
ROOT = DOCS.parent
_PLACEHOLDER = re.compile(r"^\{\{ (\w+)(?: (\w+))? \}\}$", re.MULTILINE)


def filled(page: str) -> str:
    """The Markdown of a page with its placeholders replaced."""
    return _PLACEHOLDER.sub(_replacement, page)


def _replacement(match: re.Match[str]) -> str:
    name, subcommand = match.groups()
    return command_options(subcommand or "") if name == "help" else TABLES[name]()


def settings() -> str:
    rows = (
        (f"`{PREFIX}{name.upper()}`", literal(default), DECLARATIONS[name].help, literal(DECLARATIONS[name].example))
        for name, default in defaults().items()
    )
    return table(("setting", "default", "meaning", "example"), rows)


def meta_keys() -> str:
    rows = (
        (f"`{name}`", DECLARATIONS[name].help, f"`{{{json.dumps(name)}: {python(DECLARATIONS[name].example)}}}`")
        for name in REQUEST_OPTIONS
    )
    return table(("key", "meaning", "example"), rows)


def item_fields() -> str:
    return table(("name", "type", "meaning"), ((f"`{name}`", row.type.value, row.help) for name, row in FIELDS.items()))


def block_types() -> str:
    return table(("key", "type"), ((f"`{name}`", row.type.value) for name, row in BLOCK_FIELDS.items()))


def reasons() -> str:
    return table(("reason", "the page is not cleaned because"), ((f"`{name}`", why) for name, why in REASONS.items()))


def comparison() -> str:
    """Our figures beside those of others, from the pages on accuracy and speed."""
    columns = (
        ("WCXB, F1", figures("accuracy.md", "On 1,497 pages"), 0),
        ("news, F1", figures("accuracy.md", "On news"), 0),
        ("snippets, share", figures("accuracy.md", "On news"), 1),
        ("15 pages, F1", figures("accuracy.md", "On 15 pages"), 2),
        ("time, parses", figures("speed.md", "extract()"), 1),
    )
    return table(
        ("", *(head for head, _, _ in columns)),
        ([name, *(cells.get(name, {}).get(place, "") for _, cells, place in columns)] for name in COMPARED),
    )


COMPARED = (
    "`mlp`",
    "trafilatura",
    "rs-trafilatura",
    "resiliparse",
    "readability-lxml",
    "jusText",
    "boilerpy3",
)


def figures(page: str, heading: str) -> dict[str, dict[int, str]]:
    """The cells of the tables below a heading by their rows' names; of two rows with a name, the last."""
    section = (DOCS / page).read_text("utf-8").partition(f"\n## {heading}")[2].partition("\n## ")[0]
    rows = [line.strip("|* ").split("|") for line in section.splitlines() if line.startswith("| ")]
    return {_name(row[0]): dict(enumerate(cell.strip(" *") for cell in row[1:])) for row in rows}


def _name(cell: str) -> str:
    return "`mlp`" if cell.startswith("`extract()` with `mlp`") else cell.strip(" *")


TABLES = {
    function.__name__: function for function in (settings, meta_keys, item_fields, block_types, reasons, comparison)
}


def command_options(subcommand: str) -> str:
    """The options that the command's own help lists, without those that every Scrapy command has."""
    command = [sys.executable, "-m", "scrapy", "boilerplate", *subcommand.split(), "--help"]
    environment = {**os.environ, "COLUMNS": "86", "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}
    output = subprocess.run(command, env=environment, capture_output=True, text=True, encoding="utf-8", check=True)
    options = output.stdout.partition("Options\n=======\n")[2].partition("Global Options\n")[0]
    return f"```text\n{dedent(options).rstrip()}\n```"


def defaults() -> dict[str, Any]:
    options = Options()
    return {field.name: getattr(options, field.name) for field in fields(Options)}


def literal(value: Any) -> str:
    return f"`{python(value)}`"


def python(value: Any) -> str:
    """A value as one writes it in settings.py."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value) if isinstance(value, (str, dict)) else repr(value)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in line)} |" for line in lines)
