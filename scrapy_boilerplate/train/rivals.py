"""Other extractors behind one signature, to measure ours against: the bytes of a page in, its main text out.

Each is called as its documentation shows it, and imported only when it is asked for: none of them has to be there.
"""

from __future__ import annotations

from collections.abc import Callable

Extractor = Callable[[bytes], str]


def installed() -> tuple[list[str], list[str]]:
    """The names of the extractors that can be imported, and of those that can't."""
    found = [name for name in RIVALS if _can_be_imported(name)]
    return found, [name for name in RIVALS if name not in found]


def _can_be_imported(name: str) -> bool:
    try:
        RIVALS[name]()
    except ImportError:
        return False
    return True


def trafilatura() -> Extractor:
    from trafilatura import extract

    return lambda page: extract(page) or ""


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

    # It gives HTML, from which the text is still to be read.
    return lambda page: "".join(map(str, fromstring(Document(page).summary()).itertext()))


def resiliparse() -> Extractor:
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    def text_of(page: bytes) -> str:
        tree = HTMLTree.parse_from_bytes(page, detect_encoding(page) or "utf-8")
        return extract_plain_text(tree, main_content=True)

    return text_of


RIVALS: dict[str, Callable[[], Extractor]] = {
    "trafilatura": trafilatura,
    "rs-trafilatura": rs_trafilatura,
    "readability-lxml": readability,
    "jusText": justext,
    "boilerpy3": boilerpy3,
    "resiliparse": resiliparse,
}
