"""The effects of tags on the text around them, and characters that are invisible."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

# What a tag does to the run of text around it. A tag that is not listed, a custom element for example, ends the run,
# as do the usual ones of HTML, which are listed to be found at once; only those with a prefix, which word processors
# and widgets strew into their paragraphs, do not.
INLINE, PHRASE, WORD, LINK, BUTTON, BLOCK, PREFORMATTED, BREAK, IMAGE, CONTROL, DROPPED = range(11)

INLINE_TAGS = frozenset(
    """
    abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark nobr output picture q rb rp rt
    rtc ruby s samp slot small source span strike strong sub sup time track tt u var wbr
    """.split()
)
_BLOCK_TAGS = """
    address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav noscript ol p section summary table tbody td tfoot
    th thead tr ul
""".split()
# Inline elements that pages set apart by style: what is in a PHRASE may be part of a word, what is in a WORD is one.
_PHRASE_TAGS = frozenset({"cite", "small", "span", "strong"})
_WORD_TAGS = frozenset({"code", "kbd", "label", "output", "samp", "time"})
# Formulas are part of the sentence that they stand in; the same in another notation is not.
MATHML_TAGS = frozenset(
    """
    maction math menclose merror mfenced mfrac mi mlabeledtr mmultiscripts mn mo mover mpadded mphantom mprescripts
    mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics
    """.split()
)
_DROPPED_TAGS = """
    annotation annotation-xml area audio base canvas col colgroup datalist embed frame head iframe link map meta meter
    noembed noframes object optgroup option param progress script style svg template title video
""".split()
HEADING_LEVELS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
PREFORMATTED_TAGS = frozenset({"pre", "listing", "xmp", "plaintext"})

# The effect of each tag.
EFFECTS: dict[object, int] = {
    **dict.fromkeys(INLINE_TAGS | MATHML_TAGS, INLINE),
    **dict.fromkeys(_PHRASE_TAGS, PHRASE),
    **dict.fromkeys(_WORD_TAGS, WORD),
    **dict.fromkeys(_BLOCK_TAGS, BLOCK),
    **dict.fromkeys(_DROPPED_TAGS, DROPPED),
    **dict.fromkeys(PREFORMATTED_TAGS, PREFORMATTED),
    "a": LINK,
    "br": BREAK,
    "img": IMAGE,
    "button": BUTTON,
    **dict.fromkeys(("input", "select", "textarea"), CONTROL),
    etree.Comment: DROPPED,
    etree.ProcessingInstruction: DROPPED,
    etree.Entity: DROPPED,
}

# Attributes that tell what an element is for, or that nobody sees it.
MARKING_ATTRIBUTES = frozenset({"role", "itemprop", "itemtype", "hidden", "aria-hidden", "style"})

CODE_TAGS = frozenset({"code", "kbd", "samp"})
# Inline elements whose extent in the text of a block is noted.
MARKED_TAGS = CODE_TAGS | frozenset("a b cite del dfn em i ins mark math q s strike strong sub sup tt u var".split())
# Elements with the source of a formula, which is no text.
FORMULA_TAGS = frozenset({"annotation", "script"})

# Characters that have no width, and those that XML can't hold. The joiners U+200C and U+200D stay where they are
# part of the spelling: between characters from the Arabic block on, which holds Persian, Indic scripts and emoji, but
# not between others that have no width.
_JOINED = "[\u0600-\u1fff\u2070-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u00ad\u200b\u200e\u200f\u2060-\u2064\ufeff\ufffe\uffff]"
    f"|(?<!{_JOINED})[\u200c\u200d]|[\u200c\u200d](?!{_JOINED})"
)
JOINED = re.compile(_JOINED)  # a character beside which a joiner is part of the spelling
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def opens_something(button: etree._Element) -> bool:
    """Tell whether a button is the heading of what it opens, as in a list of questions and answers."""
    return button.get("aria-expanded") is not None or button.get("aria-controls") is not None


def effect_of(tag: Any, namespaces: set[str]) -> tuple[int, str]:
    """Return the effect of a tag and its local name; its namespace is added to `namespaces`.

    In the name U+FFFD replaces characters that XML can't hold.
    """
    effect = EFFECTS.get(tag)
    if effect is None:
        if tag[0] == "{":
            namespaces.add(tag[: tag.index("}") + 1])
            tag = _local_name(tag)
        if not tag.isprintable():
            tag = _NOT_XML.sub("\ufffd", tag)
        effect = EFFECTS.get(tag, INLINE if ":" in tag else BLOCK)
    return effect, tag


def is_gap(before: str, after: str, effect: int) -> bool:
    """Whether a reader sees two words where two such elements touch, with this text before and after.

    Two words wherever letters or digits meet; two phrases only where a small letter meets a capital.
    """
    if effect == WORD:
        return before[-1:].isalnum() and after[:1].isalnum()
    return before[-1:].islower() and after[:1].isupper()


def without_invisible(text: str) -> str:
    """The text without characters that have no width."""
    return text if text.isprintable() else INVISIBLE.sub("", text)


def _local_name(tag: str) -> str:
    """An XHTML element's name without its namespace; the HTML parser knows none."""
    return tag.rpartition("}")[2]
