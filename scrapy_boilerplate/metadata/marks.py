"""Marks: attributes that tell that an element holds an author, a date, or something beside them."""

from __future__ import annotations

import re
from functools import lru_cache

from lxml import etree

USER, AUTHOR, DATE, DETAIL, OTHER = "user", "author", "date", "detail", "other"
_LONGEST = 300  # characters of an attribute

# Class names are compared in lower case. A name alone is in these:
_USER_CLASS = re.compile(r"user-?_?name|p-author|author-?_?name|\bfn\b|nickname|screen-?name|post-?_?author\b")
# and with "by", a job or a date around it in these:
_AUTHOR_CLASS = re.compile(
    r"author(?!i[sz]|ity)|byline|writer|posted-?_?by|creator|contributor|(?:^|[\s_-])by(?:$|[\s_-])|autor|auteur"
)
_DATE_CLASS = re.compile(
    r"date|publi(?:sh|c)|posted|timestamp|(?:^|[\s_-])time(?:$|[\s_-])|fecha|datum",
)
_OTHER_CLASS = re.compile(
    r"comment|related|sidebar|widget|recommend|breadcrumb|newsletter|social|(?:^|[\s_-])(?:share|menu|nav|toc)"
)
_OTHERS = re.compile(r"\bcomments?\b|related-|recommend|teaser")
# Beside a name in a byline, but not the name.
_DETAIL_CLASS = re.compile(
    r"avatar|categor|caption|reading"
    r"|(?:^|[\s_-])(?:bio|desc|description|job|role|position|tags?|cat|excerpt|summary)(?:$|[\s_-])"
)
_AUTHOR_ADDRESS = re.compile(
    r"/(?:authors?|autor(?:es|en)?|auteurs?|contributors?|people|profiles?|users?|members?|writers?|staff|columnists?"
    r"|reporters?|bio|by|experts?)/[^/?#]+/?(?:[?#]|$)"
    r"|/@[\w.-]+/?(?:$|\?)|[?&]author=|[?;&]mode=viewprofile|member\.php\?|action=profile"
)
# Profiles of the site in networks, not of its authors.
_NETWORK = re.compile(
    r"(?:https?:)?//(?:[\w-]+\.)*"
    r"(?:youtube|twitter|x|facebook|instagram|tiktok|threads|linkedin|pinterest|reddit|t|vimeo|flickr|github|bsky)\.\w+/"
    r"|(?:https?:)?//(?!(?:[\w-]+\.)*(?:medium|substack)\.com).*/@"
)


def mark_of(element: etree._Element) -> str | None:
    """The mark of an element, from its attributes; None if it has none."""
    if element.tag == "time":
        return DATE
    attributes = element.attrib
    if not attributes:
        return None
    if "author" in attributes.get("rel", ""):
        return USER
    if declared := attributes.get("itemprop") or attributes.get("property"):
        name = declared.rpartition(":")[2]
        if name in ("author", "creator"):
            return USER
        if name in ("datePublished", "dateCreated", "dateModified"):
            return DATE
    found = None
    if names := attributes.get("class", "") + " " + attributes.get("id", ""):
        found = _mark_of_names(names[:_LONGEST].lower())
    if found in (None, OTHER) and element.tag == "a" and leads_to_an_author(attributes.get("href", "")):
        return USER
    return found


@lru_cache(2048)  # the pages of a site share their class names
def _mark_of_names(names: str) -> str | None:
    if _USER_CLASS.search(names):
        return USER
    if _OTHER_CLASS.search(names):
        return OTHER
    if _DETAIL_CLASS.search(names):
        return DETAIL
    if _AUTHOR_CLASS.search(names):
        return AUTHOR
    return DATE if _DATE_CLASS.search(names) else None


def leads_to_an_author(address: str) -> bool:
    """Whether a link leads to the page of an author or of a user."""
    address = address[:_LONGEST].lower()
    return bool(_AUTHOR_ADDRESS.search(address)) and not _NETWORK.match(address)


def is_about_others(element: etree._Element) -> bool:
    """Whether an element holds comments, or what stands beside the article on every page."""
    return element.tag == "nav" or _OTHERS.search(element.get("class", "")[:_LONGEST].lower()) is not None
