"""Pages that several tests read."""

from __future__ import annotations

PARAGRAPHS = (
    "The council voted on Tuesday evening to keep the old swimming baths open for another three years at least.",
    "Councillor Maja Lind said that nobody on the committee had expected so many letters from so many schools.",
    "Repairs to the roof will begin in March, and the small pool is to be heated again from the first of May.",
)
MAIN_TEXT = "\n\n".join(PARAGRAPHS)


def article(*paragraphs: str, title: str = "Baths to stay open") -> str:
    """A page with an article between a menu and a footer."""
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs or PARAGRAPHS)
    return (
        f"<html><head><title>{title}</title></head><body>"
        '<ul class="menu"><li><a href="/">Home</a></li><li><a href="/news">News</a></li></ul>'
        f"<div>{body}</div>"
        '<div class="footer"><a href="/imprint">Imprint</a> <a href="/privacy">Privacy</a></div>'
        "</body></html>"
    )


PAGE = article()
