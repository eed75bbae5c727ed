"""Other extractors, for comparison. Each is a function from the bytes of a page to its main text.

They are called as their documentation shows, and imported only when used: none of them has to be installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import version

Extractor = Callable[[bytes], str]


def installed() -> tuple[list[str], list[str]]:
    """The names of the extractors that can be imported, and of those that can't."""
    found = [name for name in RIVALS if _can_be_imported(name)]
    return found, [name for name in RIVALS if name not in found]


def versions_of(names: Iterable[str]) -> list[str]:
    """The packages of these extractors, with their versions."""
    packages = dict.fromkeys(name.partition(",")[0] for name in names)
    return [f"{package} {version(package)}" for package in packages]


def _can_be_imported(name: str) -> bool:
    try:
        RIVALS[name]()
    except ImportError:
        return False
    return True


def trafilatura() -> Extractor:
    from trafilatura import extract

    return lambda page: extract(page) or ""


def trafilatura_without_comments() -> Extractor:
    from trafilatura import extract

    return lambda page: extract(page, include_comments=False) or ""


def rs_trafilatura() -> Extractor:
    from rs_trafilatura import extract_bytes

    return lambda page: extract_bytes(page).main_content or ""


def boilerpy3() -> Extractor:
    from boilerpy3.extractors import NumWordsRulesExtractor

    extractor = NumWordsRulesExtractor(raise_on_failure=False)
    return lambda page: extractor.get_content(page.decode("utf-8", "replace"))


def justext() -> Extractor:
    from justext import get_stoplist, justext

    stop_words = get_stoplist("English")
    return lambda page: "\n\n".join(
        paragraph.text for paragraph in justext(page, stop_words) if not paragraph.is_boilerplate
    )


def readability() -> Extractor:
    from lxml.html import fromstring
    from readability import Document

    # It returns HTML.
    return lambda page: "".join(map(str, fromstring(Document(page).summary()).itertext()))


def resiliparse() -> Extractor:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    return lambda page: extract_plain_text(
        HTMLTree.parse_from_bytes(page, detect_encoding(page) or "utf-8"), main_content=True
    )


def turbohtml() -> Extractor:
    from turbohtml import parse

    return lambda page: parse(page).main_text() or ""


RIVALS: dict[str, Callable[[], Extractor]] = {
    "trafilatura": trafilatura,
    "trafilatura, no comments": trafilatura_without_comments,
    "rs-trafilatura": rs_trafilatura,
    "readability-lxml": readability,
    "jusText": justext,
    "boilerpy3": boilerpy3,
    "resiliparse": resiliparse,
    "turbohtml": turbohtml,
}
