"""Pages of a site, which share a template that `numwords` takes for content."""

from __future__ import annotations

from .pages import PARAGRAPHS

NOTICE = (
    "Subscribe to our newsletter today and never again miss a story from your favourite harbour town and its people."
)
HOST = "http://news.example"


def story(number: int) -> list[str]:
    """Two paragraphs that no other page has."""
    return [f"Story {number} begins. {PARAGRAPHS[0]}", f"Story {number} goes on. {PARAGRAPHS[1]}"]


def site_page(number: int, *others: str, canonical: str | None = None) -> str:
    """A page with its own story, the notice, and other paragraphs."""
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    body = "".join(f"<p>{text}</p>" for text in (*story(number), *others))
    head = f"<head><title>Story {number}</title>{link}</head>"
    return f"<html>{head}<body><div>{body}</div><div>{NOTICE}</div></body></html>"


def url_of(number: int, host: str = HOST) -> str:
    return f"{host}/stories/{number}"
