"""Features of what a page says about its own kind: prices, years, questions and phrases of shops, forums and the like.

They are equal for all blocks. The phrases are English, like most class names; a page in another language has its
markup and its prices to go by.
"""

from __future__ import annotations

import re
from math import log1p

import numpy as np

from .family import Family, Rows

_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d[\d.,]*\s?(?:€|zł|kr\b|руб|₽|usd\b|eur\b|円|元)")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_SHORT = 120  # characters; a year in a longer text is no date line
_MOST = 5  # a phrase counts no more than so many times
_LONGEST = 200_000  # only so many characters of a page are looked at

PHRASES = tuple(
    phrase.strip()
    for phrase in """
    add to cart, add to bag, buy now, in stock, out of stock, add to wishlist, sku, quantity, specifications,
    description, customer reviews, you may also like, shipping, returns, shop now, sort by, filter, results,
    quick view, showing, items, per page, view all, load more, show more, show less, jobs, apply now, reviews, reply,
    posted, joined, posts, thread, views, table of contents, on this page, was this, edit this page, version, install,
    example, download, previous, next, our services, contact us, get a quote, free consultation, request a demo,
    get started, book now, learn more, read more, testimonials, we help, schedule, call us, years of experience,
    min read, written by, published, updated, share, related, comments, leave a, subscribe, sign in, faq
    """.split(",")
)


class Phrases(Family):
    """Prices, years and questions among the blocks, and how often the page has each of the phrases."""

    names = (
        "page_log_prices",
        "page_price_share",
        "page_log_years",
        "page_year_share",
        "page_log_questions",
        *("page_says_" + phrase.replace(" ", "_") for phrase in PHRASES),
    )

    def _rows(self) -> Rows:
        texts = [text.lower() for text in self._features.page.texts]
        count = len(texts)
        prices = sum(_PRICE.search(text) is not None for text in texts)
        years = sum(len(text) < _SHORT and _YEAR.search(text) is not None for text in texts)
        questions = sum(text.endswith(("?", "？")) for text in texts)
        whole = "\n".join(texts)[:_LONGEST]
        values = np.array(
            (
                log1p(prices),
                prices / count,
                log1p(years),
                years / count,
                log1p(questions),
                *(min(whole.count(phrase), _MOST) / _MOST for phrase in PHRASES),
            ),
            np.float32,
        )
        return np.broadcast_to(values[:, None], (len(values), count))
