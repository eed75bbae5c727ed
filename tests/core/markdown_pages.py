"""Markup for the tests of Markdown and HTML, and what is read back from Markdown."""

from __future__ import annotations

from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from .test_properties import TAGS, WORDS

_PARSER = MarkdownIt("commonmark").enable("table")

MARKS = (
    "* ** _ __ *a* **b** _c_ snake_case ` `` ```x ~~~ ~d~ [ ] [x] [x](y) [x]: ![ ! \\ \\* & &amp; &lt; &amp;amp; &#35; "
    "# ## #x > + - -- --- === = : | |-| a|b 1. 1) 12.x ) ( < &lt;b> &lt;!-- <!---> $ $x$ “q” 日本。 €5 é, x+y "
    "www.a.org http://a.org/_b_ ! !!"
).split(" ")
_BLOCK_TAGS = "ul ol li dl dt dd blockquote pre table thead tr th td caption figure figcaption h1 h2 h6 p div".split()
_INLINE_TAGS = "a b i em strong code kbd sub sup del var span a b em code".split()
_ATTRIBUTES = [""] * 8 + [
    ' href="/x y(z)"',
    " href=javascript:x",
    " start=3",
    " colspan=2",
    " rowspan=3",
    " role=heading",
]

_words = st.lists(st.sampled_from([*MARKS, *MARKS, "word", "two"]) | st.sampled_from(WORDS), min_size=1, max_size=4)
_texts = st.builds(str.join, st.sampled_from(["", " "]), _words)
_inline = st.recursive(
    _texts,
    lambda inner: st.builds(
        "<{0}{1}>{2}</{0}>{3}".format,
        st.sampled_from(_INLINE_TAGS),
        st.sampled_from(_ATTRIBUTES),
        st.lists(inner, max_size=3).map("".join),
        st.sampled_from(["", " ", "<br>", "<img src=i.png alt='a*[b'>"]),
    ),
    max_leaves=8,
)
paragraphs = st.lists(_inline, max_size=6).map("".join)
_opening = st.builds("<{}{}>".format, st.sampled_from(_BLOCK_TAGS), st.sampled_from(_ATTRIBUTES))
_closing = st.builds("</{}>".format, st.sampled_from([*_BLOCK_TAGS, *TAGS]))
structured = st.lists(_opening | _closing | _inline | _inline, max_size=30).map("".join)


def texts_of(markdown: str) -> list[str]:
    """Return the texts that a parser finds in Markdown: of paragraphs, headings, cells and code, in their order."""
    found = []
    for token in _PARSER.parse(markdown):
        if token.type == "inline":
            found.append(text_of(token))
        elif token.type in ("fence", "code_block"):
            found.append(token.content)
        else:
            assert token.type != "html_block"
    return found


def text_of(token: Token) -> str:
    """Return the text of a paragraph, without images and the tags that stand for what Markdown has no mark for."""
    pieces = []
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            pieces.append(" ")
        elif child.type == "html_inline":
            assert child.content.strip("</>") in ("sub", "sup", "del")
        elif child.type != "image":
            pieces.append(child.content)
    return "".join(pieces)


def joined(texts: list[str]) -> str:
    """Return the texts with a blank for any white space."""
    return " ".join(" ".join(texts).split())
