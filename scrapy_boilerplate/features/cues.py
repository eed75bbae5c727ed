"""Cues to the purpose of an element: its tag, role, item property, class names and id.

The stems of class names and ids are English, because authors write these in English in pages of all languages.
"""

from __future__ import annotations

import re
from functools import cache, reduce
from operator import or_

from ..segment.tags import HEADING_LEVELS

TAG_CLASSES = (
    ("p",),
    ("li", "dd", "dt"),
    ("td", "th"),
    ("div",),
    ("h1",),
    ("h2",),
    ("h3",),
    ("h4", "h5", "h6"),
    ("blockquote", "q"),
    ("pre", "code", "listing", "xmp"),
    ("figcaption", "caption", "legend"),
    ("section", "article", "main"),
    ("nav", "header", "footer", "aside", "menu"),
    ("button", "summary"),
    ("body", "center", "font", "form"),
)

# Elements whose tag says something about all blocks in them.
HOLDING_TAGS = (
    ("article",),
    ("main",),
    ("section",),
    ("nav", "menu"),
    ("header", "hgroup"),
    ("footer",),
    ("aside",),
    ("form", "fieldset"),
    ("ul", "ol"),
    ("dl",),
    ("table",),
    ("td",),
    ("th", "thead"),
    ("blockquote",),
    ("figure",),
    ("details",),
    ("noscript",),
    ("dialog",),
    ("pre",),
    ("address",),
    tuple(HEADING_LEVELS),
    ("p",),
)

ROLES = {
    "main": ("main", "article"),
    "navigation": ("navigation", "menu", "menubar", "menuitem", "tablist", "tab", "toolbar", "listbox"),
    "banner": ("banner", "search", "complementary", "contentinfo", "form"),
    "dialog": ("dialog", "alertdialog", "alert", "status", "tooltip"),
    "list": ("list", "listitem", "row", "grid", "feed", "table"),
}
ROLE_OF = {role: number for number, roles in enumerate(ROLES.values()) for role in roles}

ITEM_PROPERTIES = {
    "body": ("articlebody", "text", "reviewbody", "recipeinstructions", "recipeingredient", "description"),
    "name": ("headline", "name", "caption", "alternativeheadline"),
    "about": ("author", "datepublished", "datemodified", "publisher", "breadcrumb", "comment", "image", "url"),
    "offer": ("offers", "price", "sku", "brand", "aggregaterating", "review", "ratingvalue"),
}
PROPERTY_OF = {name: number for number, names in enumerate(ITEM_PROPERTIES.values()) for name in names}

STEMS = {
    "navigation": "nav|menu|breadcrumb|crumb|pagina|pager|toc(?![a-z])|toolbar|topbar|tabs?(?![a-z])",
    "header": "header|masthead|banner|topbar|hero|logo",
    "footer": "foot(?!age)|bottom|copyright|colophon|legal",
    "sidebar": "side(?!wide)|aside|rail|widget|column-?right|right-?col",
    "related": "relat|recommend|more-|trending|popular|latest|recent|read-?next|also|teaser|promo|similar|suggest|"
    "upsell|cross-?sell",
    "share": "share|sharing|social|follow|facebook|twitter|whatsapp|addtoany|addthis|like",
    "comment": "comment|discuss|disqus|respond|reply|replies|komment|talkback",
    "advert": "a(?<![a-z]a)ds?(?![a-z])|advert|sponsor|outbrain|taboola|dfp|gpt-|adsense|adslot|partner",
    "cookie": "cookie|consent|gdpr|privacy|onetrust",
    "popup": "modal|popup|overlay|lightbox|dialog|drawer|offcanvas|off-canvas|tooltip|toast",
    "subscribe": "newsletter|subscri|signup|sign-up|login|log-in|signin|register|account|paywall|cta",
    "search": "search|filter|facet|sort|refine|select|dropdown",
    "hidden": "hidden|hide|invisible|sr-only|screen-?reader|visually|collapse|d-none|print",
    "article": "article|story|news-?(?:text|body)|blog|entry|post(?!er|al)",
    "content": "content|body|text(?!-|ure)|copy(?!right)|prose|rich|wysiwyg|richtext|editor|"
    "markdown|paragraph|description|desc(?![a-z])|detail",
    "main": "main|primary|single|page-?content|container-?main",
    "title": "title|headline|heading|caption|subtitle|lead|intro|summary|excerpt|dek|standfirst|abstract",
    "meta": "meta|author|byline|date|time(?!line)|publish|posted|avatar|bio(?![a-z])|profile|credit|source|categor",
    "tag": "t(?<![a-z]t)ags?(?![a-z])|label|badge|chip|topic|keyword",
    "product": "product|prod(?![a-z])|sku|shop|item(?!prop)|goods|variant|spec(?![a-z])|feature",
    "price": "price|cart|buy|checkout|add-?to|quantity|stock|shipping|delivery|payment|wishlist|offer",
    "review": "review|rating|star(?![a-z])|testimonial|feedback|quote",
    "listing": "list|grid|card|tile|result|carousel|slider|slide|swiper|gallery|collection|archive|feed",
    "forum": "forum|thread|topic|message|msg|reply|user(?!-?nav)|signature|bbcode|answer|question|vote",
    "faq": "faq|accordion|toggle|panel|tab-?pane|tab-?content|expand|more-?text|read-?more",
    "media": "image|img|photo|video|player|audio|media|figure|thumb|picture|icon",
    "form": "form|input|field|button|btn|contact|submit",
    "section": "section|block|wrap|row(?![a-z])|col(?![a-z])|inner|container|module|component",
}
_BITS = [(1 << number, re.compile(stems)) for number, stems in enumerate(STEMS.values())]


def _by_first_letter(stems: list[str]) -> re.Pattern[str]:
    """One pattern for all stems, grouped by their first letter, which rules out most of them at once."""
    rests: dict[str, list[str]] = {}
    for stem in stems:
        rests.setdefault(stem[0], []).append(stem[1:])
    return re.compile("|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in rests.items()))


# A vertical bar in brackets doesn't separate stems.
_CUE = _by_first_letter([stem for stems in STEMS.values() for stem in re.split(r"\|(?![^(]*\))", stems)])
_CAMEL = re.compile("([a-z0-9])([A-Z])")
_LONGEST_NAME = 100  # only so many characters of a name are read
_MOST_READ = 5000  # only so many characters of an element's names are read
_LONGEST_REMEMBERED = 500  # longer names are not cached
_MOST_REMEMBERED = 50_000


class _Cues(dict[str, int]):
    """Class names and ids to the groups of stems in them, as bits in the order of STEMS.

    A dict that computes missing entries: the templates of a site use the same names on all pages.
    """

    def __missing__(self, names: str) -> int:
        if len(self) >= _MOST_REMEMBERED:  # generated names must not fill the memory
            self.clear()
        parts = names[:_MOST_READ].split()
        bits = _cues_of_name(names) if parts == [names] else reduce(or_, map(self.__getitem__, parts), 0)
        if len(names) <= _LONGEST_REMEMBERED:
            self[names] = bits
        return bits


def _cues_of_name(name: str) -> int:
    bits = 0
    name = name[:_LONGEST_NAME]
    if not name.islower():
        name = _CAMEL.sub(r"\1-\2", name).lower()
    for stem in _CUE.findall(name):
        bits |= _cues_of_stem(stem)
    return bits


@cache
def _cues_of_stem(stem: str) -> int:
    return sum(bit for bit, pattern in _BITS if pattern.fullmatch(stem))


CUES = _Cues()
