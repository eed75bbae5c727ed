"""The headline: the heading that the page's titles confirm, or else one of the titles."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import islice

from lxml import etree

from .names import key_of

_SEPARATOR = re.compile(r"\s+[|–—·•»«:/⋆‹›<>~-]{1,2}\s+|\s*[|»]\s*|\s[⋆|-]$")
_WORD = re.compile(r"\w+")
_LONGEST = 500
_MOST_HEADINGS = 20
_SURE = 0.25  # the share of its words that a heading has in common with one of the page's titles
_SAME = 0.8

Words = frozenset[str]


def text_of(element: etree._Element) -> str:
    """The text of a heading, with a blank for each line break in it."""
    pieces = []
    for event, node in islice(etree.iterwalk(element, events=("start", "end")), 200):
        if not isinstance(node.tag, str) or (event == "end" and node is element):
            continue
        if node.tag in ("br", "p", "div"):
            pieces.append(" ")
        pieces.append((node.text if event == "start" else node.tail) or "")
    return " ".join("".join(pieces)[: 4 * _LONGEST].split())[:_LONGEST].strip("¶# ")


def words_of(text: str) -> Words:
    return frozenset(_WORD.findall(text.lower()))


def similarity(one: Words, other: Words) -> float:
    """The share of words that two texts have in common, 0 to 1."""
    total = len(one) + len(other)
    return 2 * len(one & other) / total if total else 0.0


def without_site(title: str, site_keys: Collection[str], shown: Sequence[Words]) -> str:
    """A title without the name of its site before or after it.

    `shown` are the words of the page's headings: the part of the title that is one of them is the headline.
    """
    starts, ends = [0], []
    for match in _SEPARATOR.finditer(title):
        ends.append(match.start())
        starts.append(match.end())
    ends.append(len(title))
    runs = [title[starts[0] : end] for end in reversed(ends)] + [title[start:] for start in starts[1:]]
    runs = [run.strip() for run in runs if run.strip() and not is_site(run, site_keys)]
    if len(runs) < 2:
        return runs[0] if runs else title
    agreed = [max((similarity(words_of(run), words) for words in shown), default=0.0) for run in runs]
    if max(agreed) >= _SAME:
        return runs[agreed.index(max(agreed))]
    return _trimmed(title, starts, ends, site_keys)


def _trimmed(title: str, starts: list[int], ends: list[int], site_keys: Collection[str]) -> str:
    """The title without the parts at both ends that name the site, or its first part if none does."""
    first, last = 0, len(ends) - 1
    while last > first and is_site(title[starts[last] : ends[last]], site_keys):
        last -= 1
    while last > first and is_site(title[starts[first] : ends[first]], site_keys):
        first += 1
    if (first, last) == (0, len(ends) - 1) and len(words_of(title[: ends[0]])) > 1:
        last = 0
    return title[starts[first] : ends[last]].strip()


def is_site(text: str, site_keys: Collection[str]) -> bool:
    """Whether a part of a title is the name of the site, perhaps shorter or longer than it is known."""
    key = key_of(text)
    if not key or key in site_keys:
        return True
    return len(key) > 3 and any(
        (site in key and len(site) > 0.5 * len(key)) or key in site for site in site_keys if len(site) > 3
    )


def choose_headline(
    root: etree._Element,
    headings: Sequence[etree._Element],
    declared: Sequence[str],
    title: str,
    site_keys: Collection[str],
) -> tuple[str | None, etree._Element | None]:
    """The headline, and the element that shows it if there is one.

    `declared` are headlines that the page gives apart from its `<title>`, the surest first.
    """
    shown = [
        (element, text)
        for heading in headings[:_MOST_HEADINGS]
        for element in _with_text(heading)
        if (text := text_of(element))
    ]
    own = [one for one in shown if not _names_the_site(one[1], title, declared, site_keys)] or shown[:1] * (not title)
    words = [words_of(text) for _, text in own]
    titles = [without_site(text[:_LONGEST], site_keys, words) for text in dict.fromkeys((*declared, title)) if text]
    counts = [words_of(text) for text in titles]
    support = [max((similarity(one, other) for other in counts), default=0.0) for one in words]
    if support and max(support) >= _SURE:
        element, text = own[support.index(max(support))]
        return _without_rest(text, titles), element
    if titles:
        nearest = own[support.index(max(support))][0] if own else None
        lower = _lower_heading(
            root, [one for one, text in zip(counts, titles, strict=True) if not is_site(text, site_keys)]
        )
        return lower or (titles[0], nearest)
    return (own[0][1], own[0][0]) if len(own) == 1 else (None, None)


def _with_text(heading: etree._Element) -> list[etree._Element]:
    """The heading, or the paragraph that the parser has moved out of it."""
    following = heading.getnext()
    if len(heading) or heading.text or following is None or following.tag not in ("p", "div"):
        return [heading]
    return [following]


def _lower_heading(root: etree._Element, titles: Sequence[Words]) -> tuple[str, etree._Element] | None:
    """The first heading of a lower level that is one of the page's titles."""
    for element in islice(root.iter("h2", "h3"), _MOST_HEADINGS):
        text = text_of(element)
        if any(similarity(words_of(text), words) >= _SAME for words in titles):
            return text, element
    return None


def _names_the_site(text: str, title: str, declared: Sequence[str], site_keys: Collection[str]) -> bool:
    """Whether a heading is the site's name on top of every page: alone, or after the page's own title."""
    key = key_of(text)
    if not key or key == key_of(title):
        return not key
    if key in site_keys:
        return True
    if title.startswith(text + ": ") and key_of(title[len(text) :]) in map(key_of, declared):
        return True
    parts = _SEPARATOR.split(title)
    return len(parts) > 1 and key == key_of(parts[-1]) and key_of(parts[0]) not in site_keys


def _without_rest(heading: str, titles: Sequence[str]) -> str:
    """A heading without a date, a byline or controls inside of it."""
    for title in titles:
        if len(words_of(title)) > 1 and (heading.startswith(title + " ") or heading.endswith(" " + title)):
            rest = heading.replace(title, "")
            if len(rest) > len(title) or re.search(r"\d{4}|\bby\b", rest):
                return title
    return heading
