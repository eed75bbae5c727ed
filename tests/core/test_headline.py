"""The headline on top of the main text, once, and the page's address for its metadata."""

import sys
from types import SimpleNamespace

import pytest

from scrapy_boilerplate import extract
from scrapy_boilerplate.stored.cleaning import page_cleaner
from scrapy_boilerplate.stored.pages import StoredPage

from ..conftest import spider_over
from ..pages import PARAGRAPHS

HEADLINE = "Baths to stay open after all"
TEXT = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)


def page(inside: str) -> str:
    return f"<title>{HEADLINE} - The Gazette</title><link rel=canonical href=/baths>{inside}"


@pytest.mark.parametrize(
    "inside",
    [f"<h1>{HEADLINE}</h1>{TEXT}", f"{TEXT}<h1>{HEADLINE}</h1>", f"<h1> {HEADLINE.upper()}</h1>{TEXT}"],
    ids=["above", "below", "in capitals"],
)
@pytest.mark.parametrize("threshold", [0, 0.5])
def test_the_headline_is_on_top_once(inside, threshold):
    text = extract(page(inside), model="numwords", threshold=threshold, headline=True).main_text

    assert text.casefold().startswith(f"{HEADLINE}\n\n{PARAGRAPHS[0]}".casefold())
    assert text.casefold().count(HEADLINE.casefold()) == 1


def test_a_paragraph_that_repeats_the_headline_stays():
    text = extract(page(f"<h1>{HEADLINE}</h1>{TEXT}<p>{HEADLINE}</p>"), threshold=0, headline=True).main_text

    assert text.count(HEADLINE) == 2


def test_a_page_without_text_gets_no_headline():
    assert extract(page(f"<h1>{HEADLINE}</h1>"), threshold=1, headline=True).main_text == ""


def test_metadata_are_fields_of_items_and_of_stored_pages(crawl):
    markup = page(f"<h1>{HEADLINE}</h1>{TEXT}")
    [item] = crawl(spider_over(markup), BOILERPLATE_FIELDS="headline,authors,canonical_url").items
    assert (item["headline"], item["authors"]) == (HEADLINE, [])

    cleaner = page_cleaner(["headline", "canonical_url"], False, {})
    row = cleaner.row(StoredPage("https://gazette.example/news/1", body=markup.encode()))
    assert row["headline"] == HEADLINE
    assert row["canonical_url"] == "https://gazette.example/baths"


def test_a_date_is_guessed_only_if_that_is_asked_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "htmldate", SimpleNamespace(find_date=lambda *_, **__: "2024-03-15"))

    assert extract(TEXT).metadata.date_published is None
    assert extract(TEXT, guess_dates=True).metadata.date_published == "2024-03-15"


def test_guessing_without_its_package_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "htmldate", None)

    with pytest.raises(ValueError, match=r'guess_dates = True: htmldate is not installed; .*"\.\[dates\]"'):
        extract(TEXT, guess_dates=True)


@pytest.mark.parametrize("url", [7, "mlp", ""])
def test_an_address_must_have_a_scheme(url):
    with pytest.raises(ValueError, match=r"url = .*: must be None or an address with a scheme"):
        extract(TEXT, url)
