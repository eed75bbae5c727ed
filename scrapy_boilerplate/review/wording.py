"""Reasons in words: what the value of a feature says about a block, beside what is usual on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import expm1, log1p

from .reasons import Reason

Amount = tuple[str, Callable[[float], str]]  # what is measured, and how a value is written


def _count(value: float) -> str:
    return f"{expm1(value):,.0f}"


def _share(value: float) -> str:
    return f"{value:.0%}".replace("%", " %")


def _plain(value: float) -> str:
    return f"{value:.3g}"


_FLAGS = {
    "ends_with_mark": "ends like a sentence",
    "ends_with_colon": "ends with a colon",
    "starts_upper": "begins with a capital letter",
    "starts_lower": "begins with a small letter",
    "starts_digit": "begins with a digit",
    "starts_symbol": "begins with a symbol",
    "is_one_word": "a single word",
    "is_two_to_four_words": "two to four words long",
    "is_paragraph": "a whole paragraph",
    "is_long": "a long text",
    "is_fully_linked": "a link as a whole",
    "has_no_letter": "has no letter",
    "is_other_tag": "in an element of a rare kind",
    "in_hidden": "hidden by an attribute",
    "in_aria_hidden": "hidden from screen readers",
    "in_display_none": "hidden by its style",
    "in_link": "inside of a link",
    "in_best": "in the element with the best paragraphs",
    "before_best": "above the element with the best paragraphs",
    "after_best": "below the element with the best paragraphs",
    "in_main_part": "in the main part of the page",
    "before_main": "above the main part of the page",
    "after_main": "below the main part of the page",
    "card_found": "part of a series of like elements",
    "top_heading_before": "below the main heading",
    "is_repeated_before": "repeats a text from further up",
    "is_title_part": "part of the page’s title",
    "title_block_before": "below the page’s title",
}
_FLAG_FAMILIES = {
    "in_role_": "in a part with the role of {}",
    "in_property_": "marked as {} in the page’s structured data",
    "in_cue_": "in a part named like “{}”",
    "near_cue_": "right in a part named like “{}”",
    "is_": "directly in a <{}>",
    "in_": "inside of a <{}>",
}
_AMOUNTS: dict[str, Amount] = {
    "log_length": ("words", _count),
    "log_characters": ("characters", _count),
    "word_length": ("characters in a word", _plain),
    "linked_share": ("share in links", _share),
    "log_linked_words": ("words in links", _count),
    "letter_share": ("share of letters", _share),
    "upper_share": ("share of capital letters", _share),
    "digit_share": ("share of digits", _share),
    "punctuation_share": ("share of punctuation", _share),
    "symbol_share": ("share of symbols", _share),
    "log_commas": ("commas", _count),
    "commas_per_word": ("commas for each word", _plain),
    "log_sentences": ("sentences", _count),
    "sentence_length": ("words in a sentence", _count),
    "best_up": ("levels up to an element that it shares with the best paragraphs", _count),
    "best_depth_below": ("levels below the element with the best paragraphs", _count),
    "main_up": ("levels up to an element that it shares with the main part", _count),
    "blocks_to_main": ("blocks between it and the main part", _count),
    "log_size_after_main": ("percent of the page’s words between the main part and it", _count),
    "card_up": ("levels up to the element that is repeated", _count),
    "depth": ("elements around it", _count),
    "depth_to_best": ("levels deeper than the best paragraphs", _plain),
    "children_log": ("elements beside it", _count),
    "position": ("share of the page’s blocks above it", _share),
    "size_before": ("share of the page’s words above it", _share),
    "log_number": ("blocks above it", _count),
    "log_number_from_end": ("blocks below it", _count),
    "heading_level": ("level of the heading above it", _plain),
    "heading_linked": ("share in links of the heading above it", _share),
    "heading_log_size": ("words of the heading above it", _count),
    "size_since_heading": ("words since the heading above it", _count),
    "paragraphs_before": ("share of the page’s paragraphs above it", _share),
    "paragraphs_after": ("share of the page’s paragraphs below it", _share),
    "log_equal_texts": ("other blocks with the same text", _count),
    "own_log_equal_siblings": ("elements like its own, side by side", _count),
    "outer1_log_equal_siblings": ("elements like the one around it, side by side", _count),
    "outer3_log_equal_siblings": ("elements like the wide one around it, side by side", _count),
    "card_headings": ("headings in its part of a series", _plain),
    "cards_log_count": ("parts of its series", _count),
    "group_log_count": ("like blocks beside it", _count),
    "path_log_count": ("like blocks on the page", _count),
    "words": ("words", _plain),
    "link_density": ("share in links", _share),
    "text_density": ("words in a line", _plain),
}
_WHERE = {
    "own_": "in its element",
    "outer1_": "in the element around it",
    "outer3_": "in a wide element around it",
    "card_": "in its part of a series",
    "cards_": "in the whole series",
    "group_": "in like blocks beside it",
    "path_": "in like blocks of the page",
    "previous_": "in the block above",
    "next_": "in the block below",
}
_STATISTICS: dict[str, Amount] = {
    "log_size": ("words", _count),
    "page_share": ("share of the page’s words", _share),
    "linked": ("share in links", _share),
    "paragraph_share": ("share in whole paragraphs", _share),
    "log_block_size": ("words for each block", _count),
    "commas": ("sentences for each word", _plain),
    "paragraph_page_share": ("share of the page’s paragraphs", _share),
    "log_images": ("images", _count),
    "images": ("images", _plain),
    "headings": ("headings for each block", _plain),
    "linked_headings": ("headings that are links", _plain),
    "log_blocks": ("blocks", _count),
    "spread": ("share of the page over which they are spread", _share),
    **{name: _AMOUNTS[name] for name in ("words", "link_density", "text_density")},
}
# Distances in blocks: what is away, and on which side of it the block is. Those of 50 and more are equal.
_DISTANCES = {
    "heading_distance": ("a heading", "below"),
    "top_heading_distance": ("the main heading", "below"),
    "next_heading_distance": ("a heading", "above"),
    "paragraph_before_distance": ("a paragraph", "below"),
    "paragraph_after_distance": ("a paragraph", "above"),
    "title_block_distance": ("the page’s title", "below"),
}
_VERBS = {"begins": "begin", "ends": "end", "has": "have", "repeats": "repeat"}
_FAR = log1p(50) - 1e-3


def in_words(reason: Reason) -> str:
    """Return a phrase for the value of a reason's feature, such as "right below the main heading"."""
    name, value = reason.feature, reason.value
    if name in _DISTANCES:
        return _distance(value, *_DISTANCES[name])
    flag = _flag(name)
    if flag is not None:
        return flag if value > 0 else _negated(flag)
    noun, write = next(_amounts(name), (name.replace("_", " ").replace(".", " "), _plain))
    return f"{noun}: {write(value)}, mostly {write(reason.median)}"


def _distance(value: float, thing: str, side: str) -> str:
    blocks = round(expm1(value))
    if value >= _FAR:
        return f"no {thing.removeprefix('a ').removeprefix('the ')} near {'above' if side == 'below' else 'below'} it"
    if blocks == 0:
        return f"itself {thing}"
    return f"right {side} {thing}" if blocks == 1 else f"{blocks} blocks {side} {thing}"


def _flag(name: str) -> str | None:
    if name in _FLAGS:
        return _FLAGS[name]
    for prefix, phrase in _FLAG_FAMILIES.items():
        if name.startswith(prefix):
            return phrase.format(name.removeprefix(prefix).replace("_", " "))
    return None


def _negated(flag: str) -> str:
    verb, _, rest = flag.partition(" ")
    return f"doesn’t {_VERBS[verb]} {rest}" if verb in _VERBS else f"not {flag}"


def _amounts(name: str) -> Iterator[Amount]:
    if name in _AMOUNTS:
        yield _AMOUNTS[name]
    for prefix, where in _WHERE.items():
        statistic = _STATISTICS.get(name.removeprefix(prefix)) if name.startswith(prefix) else None
        if statistic:
            yield f"{statistic[0]} {where}", statistic[1]
