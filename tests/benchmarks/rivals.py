"""Other extractors behind one signature: the bytes of a page in, its main text out.

Each is called as its documentation shows it, and imported only when its function is: none of them has to be there.
"""

from __future__ import annotations

from collections.abc import Callable

Extractor = Callable[[bytes], str]


def installed() -> tuple[dict[str, Extractor], list[str]]:
    """The extractors that can be imported, and the names of those that can't."""
    loaded = {name: _load(name) for name in RIVALS}
    found = {name: extractor for name, extractor in loaded.items() if extractor}
    return found, [name for name in RIVALS if name not in found]


def _load(name: str) -> Extractor | None:
    try:
        return RIVALS[name]()
    except ImportError:
        return None


def trafilatura() -> Extractor:
    from trafilatura import extract

    return lambda page: extract(page) or ""


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

    # It gives HTML, from which the text is still to be read.
    return lambda page: "".join(map(str, fromstring(Document(page).summary()).itertext()))


def resiliparse() -> Extractor:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    return lambda page: extract_plain_text(HTMLTree.parse_from_bytes(page, detect_encoding(page)), main_content=True)


RIVALS: dict[str, Callable[[], Extractor]] = {
    "trafilatura": trafilatura,
    "boilerpy3 NumWordsRules": boilerpy3,
    "jusText": justext,
    "readability-lxml": readability,
    "resiliparse": resiliparse,
}
