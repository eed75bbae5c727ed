"""Help texts of the command."""

from __future__ import annotations

from argparse import Action, ArgumentParser
from typing import Any

from scrapy.commands import ScrapyHelpFormatter

from . import SUBCOMMANDS

_JOINED = "\0"  # stands for a space at which no line ends

_OVERVIEW = """\
Print the main text of pages. A page is a URL, with or without https://, which is fetched with Scrapy's downloader and \
the project's settings; a file, also .html.gz; the pages of a folder; or - for standard input. The defaults of the \
options are the BOILERPLATE_* settings.

Examples
========
  {program} example.com/article
  {program} page.html --view
  {program} saved/ --jsonl -o pages.jsonl
  curl -s https://example.com/ | {program} - --markdown

Sub-commands
============
{subcommands}

Each has options of its own: {program} train -h"""


def overview(program: str) -> str:
    """Return the description of the command, with its sub-commands, a line each."""
    width = max(map(len, SUBCOMMANDS))
    subcommands = "\n".join(f"  {name:{width}}  {line}" for name, line in SUBCOMMANDS.items())
    return _OVERVIEW.format(program=program, subcommands=subcommands)


class HelpFormatter(ScrapyHelpFormatter):
    """Keeps words together after a colon: Scrapy takes a line that ends with one for a heading.

    The paragraphs of a description stay apart, and one of several lines keeps them.
    """

    def _split_lines(self, text: str, width: int) -> list[str]:
        lines = super()._split_lines(text.replace(": ", f":{_JOINED}"), width)
        return [line.replace(_JOINED, " ") for line in lines]

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n\n".join(self._paragraph(paragraph, width, indent) for paragraph in text.split("\n\n"))

    def _paragraph(self, text: str, width: int, indent: str) -> str:
        if "\n" in text:
            return text
        return super()._fill_text(text.replace(": ", f":{_JOINED}"), width, indent).replace(_JOINED, " ")


class VersionAction(Action):
    """Prints the versions, which are looked up only then."""

    def __call__(self, parser: ArgumentParser, *arguments: Any) -> None:  # noqa: ARG002
        from .version import versions

        print(versions())
        parser.exit()
