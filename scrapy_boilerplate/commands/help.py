"""Help texts of the command."""

from __future__ import annotations

from scrapy.commands import ScrapyHelpFormatter

_JOINED = "\0"  # stands for a space at which no line ends


class HelpFormatter(ScrapyHelpFormatter):
    """Keeps words together after a colon: Scrapy takes a line that ends with one for a heading."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        lines = super()._split_lines(text.replace(": ", f":{_JOINED}"), width)
        return [line.replace(_JOINED, " ") for line in lines]

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return super()._fill_text(text.replace(": ", f":{_JOINED}"), width, indent).replace(_JOINED, " ")
