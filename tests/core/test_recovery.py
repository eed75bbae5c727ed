"""Pages whose markup swallows their text are read all the same, and other pages as they are."""

from __future__ import annotations

import pytest

from scrapy_boilerplate import extract
from scrapy_boilerplate import parse as tree
from scrapy_boilerplate.parse.recovery import without_swallowers

from ..pages import PAGE, PARAGRAPHS

ARTICLE = f"<div class='text'><h1>Baths</h1>{''.join(f'<p>{text}</p>' for text in PARAGRAPHS)}</div>"
TEXTS = ["Baths", *PARAGRAPHS]
TITLE = "<title>Baths to stay open</title>"
BODY = f"<body id=top>{ARTICLE}</body></html>"


def texts_of(page: str) -> list[str]:
    return [block.text for block in extract(page, threshold=0, model="numwords").blocks]


@pytest.mark.parametrize(
    "page",
    [
        f"<html><head><title>Baths to stay open</head>{BODY}",
        f"<html><head><title>Baths to stay open<title><meta name=a></head>{BODY}",
        f"<html><head><title>Baths to stay open</titel>{BODY}",
        f"<html><head><TITLE>Baths to stay open\n<link rel=x>{BODY}<svg><title>icon</title></svg>",
        f"<html><head>{TITLE}<custom><meta name=a>{BODY}",
        f"<html><head>{TITLE}<x-y><script>x()</script>{BODY}",
        f"<html><head>{TITLE}<x-y>{ARTICLE}",
        f"<html><head>{TITLE}<video>{BODY}",
        f"<html><head>{TITLE}<select><meta name=a></head>{BODY}",
        f"<html lang='en><head>{TITLE}</head>{BODY}".replace("'text'", "text"),
        f'<html lang="en><head>{TITLE}</head>{BODY}',
        f"<html<head>{TITLE}</head>{BODY}",
        f"<html <head>{TITLE}</head>{BODY}",
        f'<html><head>{TITLE}</head><body class="x><div>{ARTICLE}</div>',
        f"<html><head>{TITLE}<style>p {{ color: red }}</head>{BODY}",
        f"<html><head>{TITLE}<style>p {{ color: red }}{BODY}<style>b {{}}</style>",
        f"<html><head>{TITLE}<script src=x></head>{BODY}",
        f"<html><head>{TITLE}<script>x = '<b>' {BODY}",
        f"<html><head>{TITLE}<!-- a comment</head>{BODY}",
        f"<html><head>{TITLE}<!-- one --><!-- two - ></head>{BODY}",
        f"<html><head>{TITLE}</head><body><textarea>{ARTICLE}",
        f"<html><head>{TITLE}</head><body><svg><path>{ARTICLE}",
        f"<html><head>{TITLE}</head><body><object><param>{ARTICLE}",
        f"<html><head>{TITLE}</head><body><iframe src=x>{ARTICLE}",
        f"<html><head>{TITLE}</head><body><template>{ARTICLE}",
        f"<html><head>{TITLE}</head><frameset><frame src=x><noframes>{BODY}</noframes></frameset>",
    ],
)
def test_a_text_that_was_swallowed_is_read(page):
    document = extract(page, threshold=0, model="numwords")

    assert [block.text for block in document.blocks if block.text in TEXTS] == TEXTS
    assert len(document.blocks) <= len(TEXTS) + 1
    assert document.title == "Baths to stay open" or document.title is None
    for block in document.blocks:
        assert block.xpath.startswith("/html/body")


def test_a_response_and_bytes_are_read_the_same_way():
    page = f"<html><head><title>Baths to stay open</head>{BODY}"

    assert texts_of(page.encode()) == texts_of(page)


@pytest.mark.parametrize(
    "page",
    [
        "<title>Nothing</title><body><div id=root></div><script>var page = '<p>" + "text " * 99 + "</p>';</script>",
        "<title>Nothing</title><style>p { background: url('data:image/svg+xml,<svg><p/></svg>') }"
        + "p { color: red }" * 50
        + "</style><div id=root></div>",
        "<title>Nothing</title><!-- <p>" + "not any more " * 50 + "--><p>short</p>",
        "<title>Nothing</title><textarea><p>" + "write here " * 50 + "</p></textarea><p>short</p>",
        "<title>Nothing</title><template><p>" + "for later " * 50 + "</p></template><p>short</p>",
        "<title>Nothing</title><svg><text>" + "drawn " * 50 + "</text></svg><p>short</p>",
        f"<title>{'A long title ' * 50}</title><p>short</p>",
        "<title>Nothing</title><select>" + "<option>one of many" * 50 + "</select><p>short</p>",
    ],
    ids=["script", "style", "comment", "textarea", "template", "drawing", "title", "options"],
)
def test_what_nobody_sees_stays_unread(page):
    assert texts_of(page) in ([], ["short"])


def test_an_ordinary_page_is_parsed_once(monkeypatch):
    bodies = []
    read = tree._read
    monkeypatch.setattr(tree, "_read", lambda body: bodies.append(body) or read(body))

    texts_of(PAGE)
    texts_of("<p>a short page</p>")
    texts_of("<div id=root></div><script>" + "var x;" * 1000 + "</script>")

    assert len(bodies) == 3


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<!--",
        "<script",
        "<script>",
        "<style><title>",
        "<title>",
        "<svg>",
        "<html ",
        "<body '",
        "<textarea><iframe>",
    ],
)
def test_a_search_for_swallowed_text_ends_soon(piece):
    without_swallowers(piece.encode() * 50_000)
