"""The words before an author's name, in many languages."""

from __future__ import annotations

import re

_LONGEST = 300  # characters of a byline

# Each is followed by a name, perhaps after a colon; those with a colon here are bylines only with one.
_BEFORE_NAMES = """
    by|author|authors|about the author|writer:|words:|text:|thread starter|original poster|topic author
    von|ein artikel von|artikel von|beitrag von|text von|bericht von|interview von|kommentar von|verfasst von
    geschrieben von|veröffentlicht von|autor|autorin|autoren
    par|écrit par|publié par|rédigé par|posté par|proposé par|auteur|auteure|auteurs
    por|escrito por|publicado por|redactado por|creado por|postado por|autores|autora
    scritto da|scritto di|pubblicato da|a cura di|autore
    door|geschreven door
    av|af|skrevet av|skrevet af|skriven av|publicerad av|forfatter|författare|tekst:
    kirjoittaja|kirjoittanut|teksti:|napisał|napisała|opracowanie|dodał|dodała|szerző|írta|de către|scris de
    автор|авторы|авторка|текст:|от|συντάκτης|του|yazar|yazarı|ditulis oleh|oleh|penulis|tác giả
    بقلم|كتب|الكاتب|מאת|نویسنده|लेखक|作者|記者|记者|文/|文／|文:|文：|撰文|著者|執筆|글:|글=|작성자
"""
_WRITTEN = """
    written|posted|published|created|authored|contributed|submitted|started|asked|prepared|compiled|reported|curated
    thread starter|article|articles|story|post|posts|text|words|review|reporting|research|analysis|guest post|recipe
    articles written|article written|story written|post written
"""


def _alternatives(phrases: str) -> str:
    longest_first = sorted(re.split(r"[|\n]\s*", phrases.strip()), key=len, reverse=True)
    return "|".join(re.escape(phrase) + (r"\b" if phrase[-1].isalnum() else "") for phrase in longest_first)


_BY = re.compile(
    rf"""\s*[-–—|•·~/]?\s*
        (?: (?:(?:view\ )?(?:all\ |more\ ))? (?:{_alternatives(_WRITTEN)})\ (?:on\ [^|•·]{{6,30}}\ )? by\b
          | (?:{_alternatives(_BEFORE_NAMES)}) )
        \s*[:：\-–—|]?\s*""",
    re.VERBOSE,
)
# Others who had a hand in a page: no authors.
_OTHER_BY = re.compile(
    r"""\W*(?:\w+[ -])?
        (?:review|edit|check|verif|photo|illustrat|image|translat|host|interview|updat|produc|narrat|sponsor|powered|trusted)
        \w*(?:[\ -]\w+)?[\ -]by\b""",
    re.VERBOSE,
)


def without_by(text: str) -> tuple[str, bool]:
    """A byline without its "by", and whether it had one."""
    text = " ".join(text[:_LONGEST].split())
    match = _BY.match(_lower(text))
    return (text[match.end() :], True) if match else (text, False)


def names_no_author(text: str) -> bool:
    """Whether this is the line of a reviewer, a photographer or the like."""
    text = _lower(text[:_LONGEST])
    return "by" in text and _OTHER_BY.match(text) is not None


def _lower(text: str) -> str:
    """The text in lower case and at the same length, which the Turkish dotted I changes."""
    lower = text.lower()
    return lower if len(lower) == len(text) else text
