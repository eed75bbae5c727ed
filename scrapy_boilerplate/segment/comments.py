"""Reader comments: which blocks of a page are comments below an article."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..page import Page
from .tags import HEADING_LEVELS

Mask = NDArray[np.bool_]

# An article has at least so many words of content above its comments; a long one may have any number of comments.
_SHORT_ARTICLE, _LONG_ARTICLE = 100, 300
_LONGEST_NAMES = 300  # characters that are read of the class names and the id of an element

# Class names and ids are compared in lower case, with a hyphen before what was a capital letter.
_COMMENTS = re.compile(
    r"comment(?!ar(?:y|ies)|ator)|kom+ent|coment[aá]ri|disqus|livefyre|intensedebate|talkback|yorum|reacties|pinglun"
    r"|(?<!\S)respond(?!\S)"
)
_COMMENT_PARTS = (  # one of them is in every name that the expression finds
    *("mment", "koment", "omentar", "omentár", "disqus", "livefyre", "intensedebate", "talkback", "yorum", "reacties"),
    *("pinglun", "respond"),
)
# What a page says of its comments above the article or in links to them.
_ABOUT_COMMENTS = re.compile(
    r"open|closed|allowed|abled|count|num|link|icon|toggle|btn|(?:^|[-_])(?:has|with|no|without|show|hide)[-_]?com"
)
_FORUM = re.compile(
    r"(?<![^\s_-])(?:forum|topic[-_](?:body|view|post|page)|user-post|crawler-post|[bj]s?-post|post-?(?:row|bit)"
    r"|message(?:-card|-?-post|-?body)|comment-post)|(?<!\S)(?:thread|ips|bbp|phpbb|lemmy|c-topic)"
)
_CAMEL = re.compile("([a-z0-9])([A-Z])")
_COMMENTS_TAG = re.compile("(?:^|[-:])comments?(?:$|-)")
_WHOLE_PAGE = frozenset({"html", "body", "main"})

# schema.org types of comments, and of pages whose posts or reviews are no comments.
_COMMENT_TYPES = ("/comment", "/usercomments")
_OTHER_PAGES = frozenset({"discussionforumposting", "qapage", "product"})
_FORUM_ADDRESS = re.compile(
    r"//(?:[\w-]+\.)*(?:forums?|boards?|community|discuss(?:ions?)?|answers|talk)\."
    r"|[/.]forums?(?![a-z])|forumdisplay|/(?:threads?|topics?|t|discuss(?:ions?)?|questions?|boards?|community|guestbook)[/?]"
    r"|viewtopic|showthread|/r/\w+/comments/"
)

# The whole text of a heading of comments, without a number, in lower case and without closing punctuation.
_HEADINGS = frozenset(
    heading.strip()
    for heading in """
    comments, user comments, reader comments, readers' comments, add a comment, add your comment, post a comment,
    leave a comment, leave a reply, have your say, join the discussion,
    kommentare, leserkommentare, kommentar schreiben, schreibe einen kommentar, schreiben sie einen kommentar,
    commentaires, vos commentaires, laisser un commentaire, laissez un commentaire, ajouter un commentaire,
    comentarios, deja un comentario, deja una respuesta, escribe un comentario, deja tu comentario,
    comentários, deixe um comentário, deixe uma resposta, deixe o seu comentário,
    commenti, lascia un commento, scrivi un commento, reacties, geef een reactie, laat een reactie achter,
    kommentarer, lämna en kommentar, skriv en kommentar, legg igjen en kommentar, kommentit, jätä kommentti,
    комментарии, добавить комментарий, оставить комментарий, коментарі, залишити коментар, коментари,
    komentarze, dodaj komentarz, komentáře, komentarji, komentari, comentarii, hozzászólások, σχόλια, yorumlar,
    yorum yap, komentar, bình luận, コメント, コメントを残す, 评论, 发表评论, 評論, 發表評論,
    댓글, 댓글 남기기, التعليقات, تعليقات
    """.split(",")
)
_COUNT = re.compile(r"^[(（]?\d+[)）]?\s+|\s*[(（]?\d+[)）]?$")  # "Comments (12)", "12 comments"


def heads_comments(text: str) -> bool:
    """Tell whether a text is, as a whole, a heading of comments."""
    return _COUNT.sub("", text.casefold().rstrip(" :.…!")).replace("\u2019", "'") in _HEADINGS


def comment_blocks(page: Page, weights: NDArray[np.floating], address: str = "") -> Mask:
    """Return a mask of the blocks in reader comments.

    `weights` are the words of content that each block is expected to have, `address` that of the page. Posts in forums,
    answers to questions and reviews of products are no comments, nor is anything without an article above it.
    """
    marked = _marked_elements(page)
    inside: Mask = np.array([marked[node] >= 0 for node in page.block_nodes], bool) | _below_headings(page)
    if not inside.any() or _is_forum(page, marked, address):
        return np.zeros(len(inside), bool)
    above = np.cumsum(np.where(inside, 0, weights))
    total, weight_inside = above[-1], weights[inside].sum()
    inside &= above >= max(np.clip(weight_inside, _SHORT_ARTICLE, _LONG_ARTICLE), total / 2)
    # Comments that alternate with other text belong to the entries of a list.
    alternate = inside.any() and total - above[inside.argmax()] > max(weight_inside, _SHORT_ARTICLE)
    return np.zeros(len(inside), bool) if alternate else inside


def _marked_elements(page: Page) -> list[int]:
    """Return for each element the outermost one around it that is marked as comments, -1 if there is none."""
    marked: set[int] = set()
    if page.may_name(_COMMENT_PARTS):
        marked |= {node for node, names in enumerate(page.classes) if names and _names_comments(names[:_LONGEST_NAMES])}
    marked |= {node for node, name, value in page.attributes if _says_comments(name, value.lower())}
    tags = {tag for tag in set(page.tags) if _COMMENTS_TAG.search(tag)}
    marked |= {node for node, tag in enumerate(page.tags) if tag in tags} if tags else set()
    marked -= {node for node in marked if page.tags[node] in _WHOLE_PAGE}
    found = [-1] * len(page.tags)
    for node, parent in enumerate(page.parents if marked else ()):
        outer = found[parent] if parent >= 0 else -1
        found[node] = node if outer < 0 and node in marked else outer
    return found


def _says_comments(attribute: str, value: str) -> bool:
    if attribute == "itemprop":
        return "comment" in value.split()
    return attribute == "itemtype" and value.endswith(_COMMENT_TYPES)


@lru_cache(4096)  # the pages of a site share their class names
def _names_comments(names: str) -> bool:
    names = _plain(names)
    return _COMMENTS.search(names) is not None and any(
        _COMMENTS.search(name) and not _ABOUT_COMMENTS.search(name) for name in names.split()
    )


@lru_cache(4096)
def _names_forum(names: str) -> bool:
    return _FORUM.search(_plain(names)) is not None


def _plain(names: str) -> str:
    return names if names.islower() else _CAMEL.sub(r"\1-\2", names).lower()


def _below_headings(page: Page) -> Mask:
    """Return a mask of headings of comments, each with the blocks up to the next heading or the end of its section."""
    below = np.zeros(len(page.texts), bool)
    levels = [HEADING_LEVELS.get(page.tags[node], 0) for node in page.block_nodes]
    headings = [number for number, level in enumerate(levels) if level and heads_comments(page.texts[number])]
    if headings:
        last = _last_blocks(page)
        for heading in headings:
            end = _end_of_section(page, last, heading) + 1
            others = (n for n in range(heading + 1, end) if 0 < levels[n] <= levels[heading])
            below[heading : next(others, end)] = True
    return below


def _last_blocks(page: Page) -> list[int]:
    """Return the last block in each element, -1 where there is none."""
    last = [-1] * len(page.tags)
    for number, node in enumerate(page.block_nodes):
        last[node] = number
    for node in range(len(last) - 1, 0, -1):
        parent = page.parents[node]
        last[parent] = max(last[parent], last[node])
    return last


def _end_of_section(page: Page, last: Sequence[int], heading: int) -> int:
    """Return the last block of the innermost element that goes on after a heading."""
    node = page.block_nodes[heading]
    while last[node] == heading and page.parents[node] >= 0:
        node = page.parents[node]
    return last[node]


def _is_forum(page: Page, marked: Sequence[int], address: str) -> bool:
    """Tell whether a page shows a forum, questions or a product, by what it declares, its address and its markup."""
    declared = {value.lower().rpartition("/")[2] for _, name, value in page.attributes if name == "itemtype"}
    if _OTHER_PAGES & (page.head.types | declared) or _FORUM_ADDRESS.search(address.lower()):
        return True
    around = {node for node in marked if node >= 0}
    for node in sorted(around, reverse=True):
        while (node := page.parents[node]) >= 0 and node not in around:
            around.add(node)
    return any(_names_forum(page.classes[node][:_LONGEST_NAMES]) for node in around)
