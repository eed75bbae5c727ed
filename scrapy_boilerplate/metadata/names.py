"""Names of authors, without what is written around them and without what is no name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from .given_names import GIVEN_NAMES

_LONGEST_TEXT = 300  # characters; longer ones are no names
_LONGEST_NAME = 80
_MOST_AUTHORS = 20
_MOST_WORDS = 6

# What stands before a name, in several languages.
BY = r"""
    (?: (?:(?:view\ )?(?:all\ )?(?:more\ )?(?:articles?|story|posts?|text|words|review|reporting|research|analysis|guest\ post|recipe)\ )?
        (?:(?:written|posted|published|created|authored|contributed|submitted|started|asked|thread\ starter|prepared|compiled|reported|curated)\ )? (?:on\ [^|•·]{6,30}\ )?by\b:?
      | (?:about\ the\ )?authors?\b\ ?:? | writer\ ?: | words\ ?: | thread\ starter\b:? | original\ poster\b:?
      | (?:ein\ )?(?:artikel|beitrag|text|bericht|interview|kommentar)?\ ?von\b:? | autorin\b:? | autor(?:en|es|a)?\b:? | verfasst\ von | geschrieben\ von | veröffentlicht\ von
      | (?:(?:écrit|publié|rédigé|posté|proposé)\ )?par\b:? | auteure?s?\b\ ?:?
      | (?:(?:escrito|publicado|redactado|creado|postado)\ )?por\b:? | (?:scritto|pubblicato|a\ cura)\ (?:da|di)\b:? | autore\b:?
      | (?:geschreven\ )?door\b:? | auteur\b:? | (?:skrevet|skriven|publicerad)\ (?:av|af)\b:? | (?:av|af)\b:? | text\ ?: | forfatter\b:? | tekst\ ?:
      | kirjoittaja\b:? | teksti\ ?: | (?:napisał[ao]?|opracowanie|dodał[ao]?)\b:? | szerző\b:? | írta\b:? | de\ către\b | scris\ de\b
      | автор(?:ы|ка)?\b\s?:? | текст\s?: | от\b:? | συντάκτης\s?:? | του\b | yazar[ıi]?\b:? | ditulis\ oleh\b | oleh\b:? | penulis\b:? | tác\ giả\b:?
      | بقلم\s?:? | كتب\s?:? | الكاتب\s?:? | מאת\s?:? | نویسنده\s?:? | लेखक\s?:? | 作者\s?[:：]? | 記者 | 记者 | 文\s?[/／:：] | 撰文\s?[:：]? | 著者\s?[:：]? | 執筆\s?[:：]? | 글\s?[:=] | 작성자\s?:? )
"""
_BY = re.compile(rf"\s*[-–—|•·~/]?\s*{BY}\s*[:\-–—|]?\s*", re.VERBOSE | re.IGNORECASE)
# Others who had a hand in a page: no authors.
OTHER_BY = re.compile(
    r"\W*(?:\w+[ -])?(?:review|edit|check|verif|photo|illustrat|image|translat|host|interview|updat|produc|narrat|sponsor|powered|trusted)\w*"
    r"(?:[ -]\w+)?[ -]by\b",
    re.IGNORECASE,
)
_AND = re.compile(r"\s*(?:,|;|\||•|·|/|\s(?:and|und|et|y|e|en|og|och|ja|i|и|&|with)\s|、|＆)\s*", re.IGNORECASE)
_DEGREE = re.compile(
    r"""(?:(?:ph|m|d|b|j|ll|ed|s|r|psy|pharm|l)\.?\s?){1,3}\.?d?\.? | [A-Z][A-Za-z]{0,3}(?:[.-]?[A-Z]){1,5}\.? | jr\.? | sr\.? | i{2,3}
      | iv | esq\.? | ph\.?d\.? | m\.?d\.? | r\.?d\.? | r\.?n\.?""",
    re.VERBOSE,
)
_TAIL = re.compile(
    r"""\s*(?: [|•·]\s.* | \s[-–—]\s.* | \([^)]*\)? | \s(?:on|in|at|for|am|le|el|il)\s.* | ,?\s*(?:updated|published|posted|last)\b.*
      | \s@\w+ | \d+\s*(?:min|comments?).* | https?:.* | \s\d.* )\Z""",
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_ADDRESS = re.compile(r"https?:|www\.|\S@\S+\.\w|\.(?:com|org|net|html?|php|aspx?)\b|[<>{}\[\]=\\]|//", re.IGNORECASE)
_PLACEHOLDERS = frozenset(
    """
    admin administrator adminuser siteadmin webadmin wpadmin wp-admin root user username guest anonymous anonym anonyme
    anónimo anonimo author authors autor auteur autore автор writer editor editors redaktion redacción redaccion
    rédaction redazione redactie redakcja redakce redaksjonen redaktionen redação redacao toimitus редакция редакція
    staff team webmaster moderator member contributor contributors unknown unbekannt inconnu desconocido none null
    undefined nan n/a na test demo default system bot blog news press post posts home website wordpress owner
    marketing content support webteam newsroom newsdesk editorial publisher me my us we you admin1 manager super
    profile deleted [deleted] removed more share menu login follow subscribe search contact about 编辑 編集部 管理员 admins
    developer dev hr sales info office wix shopify squarespace ghost
    """.split()
)
_PLACEHOLDER_PHRASES = re.compile(
    r"""(?:\w+\ )?(?:web|site|blog|content|editorial|news|marketing|guest|staff|super)\ ?(?:admin|editor|editors|team|staff|writer|writers|
            author|authors|contributor|contributors|master|reporter|reports|desk|manager|user|blogger|poster|post|department)(?:\ (?:team|staff))?
      | (?:the\ )?(?:editors?|staff|team|admin|author|authors|editorial\ board|marketing|press\ release|our\ (?:team|editors|staff|experts?|writers))(?:\ (?:team|staff|account))?
      | (?:former|guest|deleted|anonymous|unknown|registered|new|default|admin)\ (?:member|user|author|contributor|guest)
      | (?:die\ )?redaktion\ .* | agence\ .* | view\ all.* | read\ more.* | see\ .* | all\ posts.* | about\ .* | (?:written|posted|published|reviewed)\ by
      | contributors\ to\ .* | .*\ (?:inc|corp|corporation|llc|ltd|gmbh|s\.a|limited)\.?
      | wp\ .* | .*\ (?:admin|administrator|webmaster)
    """,
    re.VERBOSE,
)
_NO_LETTER = re.compile(r"[\W_]+")
_CASED = re.compile(r"[^\W\d_]")
_PARTICLES = frozenset(
    "de da do dos das di del della der den des du la le van von zu zur ten ter of the and y e al el bin ibn af av".split()
)
# What follows on a founder's name in the name of a company.
_COMPANY = frozenset(
    """
    agency associates attorneys blog books brothers clinic club co coaching company construction consulting creative
    dental design designs education events family fitness foundation group health home inc insurance interiors kitchen
    law legal ltd llc media music online partners photo photography plumbing press properties realty school services
    shop sons store studio studios team travel university
    """.split()
)
# Words that stand beside bylines and are no part of a name.
_NOT_IN_NAMES = frozenset(
    """
    read reading min mins minute minutes comment comments share shares updated update published posted last modified
    reviewed review reviews edited written by article articles blog blogs news post posts press release category
    categories tags tag topics topic follow subscribe newsletter menu home about contact more view views all
    save print email copy link january february march april june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday today yesterday ago author authors editor's guide guides
    how what why when where which your our this that you we is are best top tips with for from table contents
    resources insights products services company policy privacy terms jan feb mar apr jun jul aug sep sept oct nov dec
    mon tue wed thu fri sat sun sign log login get started free join try download learn up buy shop current selected
    color ranking score dealer authorized start now here new to in on at time watch listen play next previous prev open
    close click skip back related popular latest trending featured sponsored advertisement account cart order price
    sale photo photos image images video credit source courtesy report contents answer answers asked viewed reply replies
    likes follow followers ask register registered member read more question members online joined location reputation rank editor editors writer reporter correspondent senior junior chief
    officer director manager founder co-founder cofounder specialist ceo cto president
    strategist analyst consultant expert experts marketing
    """.split()
)


def without_by(text: str) -> tuple[str, bool]:
    """A byline without its "by", and whether it had one."""
    text = " ".join(text[:_LONGEST_TEXT].split())
    match = _BY.match(text)
    return (text[match.end() :], True) if match else (text, False)


def declared_names(texts: Iterable[str], not_authors: Collection[str]) -> tuple[str, ...]:
    """The authors in the values of tags, each of which holds one or several names."""
    names: dict[str, str] = {}
    for text in texts:
        for name in _split(text):
            if is_name(name, not_authors) and len(names) < _MOST_AUTHORS:
                names.setdefault(key_of(name), name)
    return tuple(names.values())


def _split(text: str) -> list[str]:
    """The names in a text like "Ann Lee, MD, and Bo Ek"; a degree stays with the name before it."""
    text = without_by(text)[0]
    if len(text) > _LONGEST_TEXT - 1:
        return []
    text = _TAIL.sub("", text)
    names: list[str] = []
    for part in _AND.split(text):
        part = part.strip(" .,;:-–—|•·'\"“”‘’*_")
        if names and is_no_name(part):
            break
        if part and names and _DEGREE.fullmatch(part.lower() if part.islower() else part):
            names[-1] += f", {part}"
        elif part:
            names.append(part)
    return names


def is_no_name(text: str) -> bool:
    """Whether what follows a name is a job, a date or the like."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    return bool(text) and (not words or any(word in _NOT_IN_NAMES for word in words))


def is_name(name: str, not_authors: Collection[str]) -> bool:
    """Whether this can be a person, or a user of a forum, and is no placeholder."""
    key = key_of(name)
    lower = name.lower()
    return (
        0 < len(name) <= _LONGEST_NAME
        and len(name.split()) <= _MOST_WORDS
        and bool(key)
        and not key.isdigit()
        and len(key) > 1
        and (key not in not_authors or is_person(name))
        and lower not in _PLACEHOLDERS
        and not _PLACEHOLDER_PHRASES.fullmatch(lower)
        and not _ADDRESS.search(name)
    )


def looks_like_a_name(name: str) -> bool:
    """Whether a text that nobody declares to be a name is written like one: Ann Lee, Ludwig van Beethoven, 王小明."""
    words = name.split()
    if not 1 <= len(words) <= 5 or any(character.isdigit() for character in name) or len(name) > 50:
        return False
    if any(word.lower().strip(",.") in _NOT_IN_NAMES for word in words) or re.search(r"[?!:;%$€£+#@…]", name):
        return False
    if len(words) == 1 and words[0].isascii() and words[0].lower() not in GIVEN_NAMES:
        return False
    return all(not word[0].islower() or word in _PARTICLES for word in words) and bool(_CASED.match(name))


def is_person(name: str) -> bool:
    """Whether a name is surely a person's, even where a site is called the same."""
    words = name.lower().split()
    return (
        2 <= len(words) <= 3
        and words[0] in GIVEN_NAMES
        and not _COMPANY.intersection(words)
        and not _NOT_IN_NAMES.intersection(words)
    )


def key_of(name: str) -> str:
    """A name as it is compared: letters and digits only."""
    return _NO_LETTER.sub("", name.casefold())


def first_name_first(name: str) -> str:
    """ "Ann Lee" for "Lee, Ann", as bibliographies have it."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and "," not in first and ";" not in name else name
