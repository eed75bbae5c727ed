"""Dates as pages write them to ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta, timezone

from .months import month_of

_LONGEST = 200  # characters that are read of a text
_OLDEST_YEAR = 1900
_OLDEST_SEEN_YEAR = 1995  # of dates in text, where older ones are part of a story

_ISO = re.compile(
    r"""(?<!\d) (\d{4}) ([-/.]?) (\d{1,2}) \2 (\d{1,2}) (?!\d)
        (?: [T\ ,]{1,2} (\d{1,2}):?(\d\d) (?: :?(\d\d) (?:[.,]\d{1,9})? )?
            \ ? (Z\b|UTC\b|GMT\b|[+-]\d\d:?\d\d)? )?""",
    re.VERBOSE | re.ASCII,
)
_COMPACT = re.compile(r"\s*(\d{4})()(\d\d)(\d\d)(?:T?(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d:?\d\d)?)?\s*", re.ASCII)
_EPOCH = re.compile(r"\s*(1\d{9})(\d{3})?\s*", re.ASCII)
_CJK = re.compile(r"(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]", re.ASCII)
_WORD = r"([^\W\d_][^\s\d.,/()|-]{1,15})"  # vowel signs of Indic scripts are no word characters
_ORDINAL = r"(?:\.?ª|\.?º|°|st|nd|rd|th|er|ère|\.|-?го|일)?"
_DAY = rf"(?<!\d)(\d{{1,2}}){_ORDINAL}"
_FOUR_DIGITS = r"(\d{4})(?!\d)"
_OF = r"(?:(?:de|d['’]|of|ta') ?)?"
_NAMED = (
    # 15 March 2024, 15. März 2024, 15 de marzo de 2024
    (re.compile(rf"{_DAY}[ \-/,]{{0,2}}{_OF}{_WORD}[.,]?[ \-/,]{{0,2}}(?:del?\s)?{_FOUR_DIGITS}"), "dmy"),
    # March 15, 2024
    (re.compile(rf"{_WORD}\.?[ \-]{{1,2}}(\d{{1,2}}){_ORDINAL}(?:, ?| |-)(?:de )?{_FOUR_DIGITS}"), "mdy"),
    # 2024. március 15.
    (re.compile(rf"(?<!\d)(\d{{4}})(?:\.|,| m\.| gada)?[ \-]{_WORD}[ \-](\d{{1,2}})(?!\d)"), "ymd"),
)
_DOTTED = re.compile(r"(?<![\d.])(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})(?![\d])", re.ASCII)
_SLASHED = re.compile(r"(?<![\d/-])(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?![\d/-])", re.ASCII)
_IN_ADDRESS = re.compile(r"/((?:19|20)\d\d)/(\d{1,2})/(\d{1,2})(?=/|$)|/((?:19|20)\d\d)-(\d\d)-(\d\d)(?=[/_.-]|$)")
_ZONE = re.compile(r"([+-]\d\d):?(\d\d)")


def declared_date(text: str, language: str | None = None) -> str | None:
    """The date in the value of a tag, with its time if there is one."""
    text = text[:_LONGEST]
    for pattern in (_ISO, _COMPACT):
        match = pattern.match(text.lstrip()) if pattern is _ISO else pattern.fullmatch(text)
        if match and (found := _iso(match)):
            return found
    if match := _EPOCH.fullmatch(text):
        moment = datetime.fromtimestamp(int(match[1]), timezone.utc)
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if _is_possible(moment.date()) else None
    return date_in_text(text, language, oldest=_OLDEST_YEAR)


def date_in_text(text: str, language: str | None = None, oldest: int = _OLDEST_SEEN_YEAR) -> str | None:
    """The first date of a text that can be read in one way only."""
    text = text[:_LONGEST]
    if not any(map(str.isdigit, text)):
        return None
    found = [
        (match.start(), day)
        for match, day in _dates(text, language)
        if day is not None and day.year >= oldest and _is_possible(day)
    ]
    return min(found)[1].isoformat() if found else None


def date_in_address(url: str | None) -> str | None:
    """The date of an address like /2024/03/15/title."""
    match = _IN_ADDRESS.search((url or "")[:2000])
    if not match:
        return None
    year, month, number = (int(part) for part in match.groups() if part)
    day = _date(year, month, number)
    return day.isoformat() if day and _is_possible(day) else None


def _dates(text: str, language: str | None) -> Iterator[tuple[re.Match[str], date | None]]:
    for match in _ISO.finditer(text):
        if match[2]:
            yield match, _date(int(match[1]), int(match[3]), int(match[4]))
    for match in _CJK.finditer(text):
        yield match, _date(*map(int, match.groups()))
    for pattern, order in _NAMED:
        for match in pattern.finditer(text):
            parts = dict(zip(order, match.groups(), strict=True))
            month = month_of(parts["m"], language)
            yield match, None if month is None else _date(_year(parts["y"], language), month, int(parts["d"]))
    for match in _DOTTED.finditer(text):
        yield match, _date(int(match[3]), int(match[2]), int(match[1]))
    for match in _SLASHED.finditer(text):
        yield match, _slashed(int(match[1]), int(match[3]), int(match[4]), language)


def _year(text: str, language: str | None) -> int:
    year = int(text)
    return year - 543 if (language or "").lower().startswith("th") and year > 2400 else year


def _slashed(first: int, second: int, year: int, language: str | None) -> date | None:
    """15/03/2024 or 03/15/2024; None for 03/04/2024, which is March in the United States and April elsewhere."""
    if first > 12 or first == second:
        return _date(year, second, first)
    if second > 12 or (language or "").lower().replace("_", "-") == "en-us":
        return _date(year, first, second)
    return None


def _iso(match: re.Match[str]) -> str | None:
    year, _, month, number, hour, minute, second, zone = match.groups()
    day = _date(int(year), int(month), int(number))
    if day is None or not _is_possible(day):
        return None
    if hour is None or int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        return day.isoformat()
    return f"{day.isoformat()}T{int(hour):02}:{minute}:{second or '00'}{_zone(zone)}"


def _zone(zone: str | None) -> str:
    if not zone:
        return ""
    offset = _ZONE.fullmatch(zone)
    if not offset:
        return "Z"
    return f"{offset[1]}:{offset[2]}" if abs(int(offset[1])) <= 14 and int(offset[2]) < 60 else ""


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _is_possible(day: date) -> bool:
    """Whether a page can be from that day: the Unix epoch is a missing value, and tomorrow exists in other zones."""
    return day.year >= _OLDEST_YEAR and day != date(1970, 1, 1) and day <= today() + timedelta(days=2)


def today() -> date:
    return datetime.now(timezone.utc).date()
