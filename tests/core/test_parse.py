"""Pages of every type and encoding to trees."""

from __future__ import annotations

import codecs
import copy
import warnings

import pytest
from lxml import etree, html
from parsel import Selector
from scrapy.http import HtmlResponse, TextResponse

from scrapy_boilerplate import extract
from scrapy_boilerplate.parse import to_tree

TEXT = "Der Fluss führte Hochwasser, und die Brücke blieb geschlossen."
PAGE = f"<html><head><title>Brücke zu</title></head><body><p>{TEXT}</p></body></html>"


def read(page: object) -> str:
    """The text of the page's only block."""
    [block] = extract(page, threshold=0).blocks
    return block.text


def with_meta(label: str, text: str, codec: str) -> bytes:
    return f'<html><head><meta charset="{label}"></head><body><p>'.encode("ascii") + text.encode(codec)


@pytest.mark.parametrize(
    "page",
    [
        PAGE,
        PAGE.encode(),
        bytearray(PAGE.encode()),
        memoryview(PAGE.encode()),
        HtmlResponse("https://example.org/", body=PAGE.encode(), encoding="utf-8"),
        TextResponse("https://example.org/", body=PAGE.encode("latin-1"), encoding="latin-1"),
        HtmlResponse("https://example.org/", body=PAGE.encode()).selector,
        Selector(text=PAGE),
        html.fromstring(PAGE),
        html.fromstring(PAGE).getroottree(),
        etree.fromstring(PAGE),
        etree.ElementTree(etree.fromstring(PAGE)),
    ],
    ids=lambda page: type(page).__name__,
)
def test_every_kind_of_page_gives_the_same_blocks(page):
    document = extract(page, threshold=0)

    assert [(block.text, block.tag, block.xpath) for block in document.blocks] == [(TEXT, "p", "/html/body/p")]
    assert document.title == "Brücke zu"


def test_a_selector_of_a_part_of_the_page_is_read_from_there():
    selector = Selector(text="<div><p>outside</p></div><section><p>inside</p></section>").css("section")[0]

    [block] = extract(selector, threshold=0).blocks

    assert (block.text, block.xpath) == ("inside", "/html/body/section/p")


def test_an_element_is_read_without_the_text_behind_it():
    element = html.fromstring("<div><p>inside</p>behind</div>")[0]

    assert read(element) == "inside"


def test_an_inline_element_is_a_page_too():
    element = etree.fromstring("<p>before <b>inside</b> behind</p>")[0]

    [block] = extract(element, threshold=0).blocks

    assert (block.text, block.tag, block.xpath) == ("inside", "b", "/p/b")


@pytest.mark.parametrize("tag", ["script", "template", "title"])
def test_an_element_that_is_never_read_is_an_empty_page(tag):
    element = html.fromstring(f"<html><head><{tag}>words</{tag}></head><body></body></html>").find(f".//{tag}")

    assert extract(element, threshold=0).blocks == ()


@pytest.mark.parametrize("model", ["mlp", "numwords", "texrex", "victor", "boilernet"])
def test_an_image_is_a_page_of_its_alternative_text(model):
    image = Selector(text="<p>before <img alt='a boat'> behind").css("img")[0]

    [block] = extract(image, image_alt=True, threshold=0, model=model).blocks

    assert (block.text, block.tag, block.xpath) == ("a boat", "img", "/html/body/p/img")
    assert extract(image, threshold=0, model=model).blocks == ()


@pytest.mark.parametrize(
    "page",
    [
        etree.Comment("text"),
        etree.ProcessingInstruction("text", "text"),
        etree.Entity("text"),
        etree.ElementTree(),
        etree.fromstring("<p><!-- text --></p>")[0],
    ],
    ids=["comment", "instruction", "entity", "empty tree", "comment in a page"],
)
def test_what_can_hold_no_text_is_an_empty_page(page):
    document = extract(page, threshold=0)

    assert (document.blocks, document.main_text, document.title) == ((), "", None)


def test_surrogates_that_a_recovering_parser_leaves_in_a_tree_are_gone():
    text = "<page><title>T&#xD800;</title><p class='&#xDFFF;' alt='x'>one&#xD800;<b>two</b>&#xDFFF; three</p></page>"
    selector = Selector(text=text, type="xml")

    for page, path in ((selector, "/page/p"), (selector.css("p")[0], "/page/p")):
        document = extract(page, threshold=0, model="mlp")
        assert [(block.text, block.xpath) for block in document.blocks] == [("onetwo three", path)]
        assert document.title == "T"


def test_surrogates_are_gone_behind_a_processing_instruction_and_in_a_tree_of_html():
    parser = etree.XMLParser(recover=True)
    root = etree.fromstring("<p>one<?text text?>&#xD800; two<!-- -->&#xDFFF; three</p>", parser)
    page = html.fromstring("<div><p>zero</p></div>")
    page.append(copy.deepcopy(root))

    assert [block.text for block in extract(root, threshold=0).blocks] == ["one two three"]
    assert [block.text for block in extract(page, threshold=0).blocks] == ["zero", "one two three"]


@pytest.mark.parametrize(
    "page",
    [None, 7, 1.5, ["<p>x"], {"body": "<p>x"}, object(), Selector(text='{"a": 1}', type="json"), etree.QName("p")],
    ids=lambda page: type(page).__name__,
)
def test_anything_else_is_a_type_error_that_names_the_type(page):
    with pytest.raises(TypeError, match=f"not {type(page).__name__}$"):
        extract(page)


def test_a_tree_is_handed_back_as_it_is():
    root = html.fromstring(PAGE)

    assert to_tree(root) is root


@pytest.mark.parametrize(
    "page",
    [
        "https://example.org/news",
        "https://example.org/a?b=c",
        "www.example.org",
        "page.html",
        "my saved pages/The tide.htm",
        "page.html.gz",
        "/tmp/page",
        "./page",
        "../pages/1",
        "~/page",
        r"C:\pages\1",
        " page.html\n",
    ],
)
def test_an_address_in_place_of_a_page_is_warned_of(page):
    with pytest.warns(UserWarning, match="looks like the address") as warned:
        extract(page)

    assert [warning.filename for warning in warned] == [__file__]


@pytest.mark.parametrize(
    "page",
    [
        "",
        "word",
        "A sentence of a page. It has a second one.",
        "<a href=https://example.org/>x.html</a>",
        "Read https://example.org/ for more",
        "and/or",
        "12.5 %",
        "one\nindex.html",
        "https://" + "x" * 3000,
        b"https://example.org/",
    ],
)
def test_text_in_place_of_a_page_is_not_warned_of(page):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        extract(page)


# Encodings


@pytest.mark.parametrize(
    ("mark", "codec"),
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_byte_order_mark_says_the_encoding(mark, codec):
    assert read(mark + PAGE.encode(codec)) == TEXT


def test_a_byte_order_mark_wins_over_the_meta_tag():
    body = codecs.BOM_UTF8 + with_meta("windows-1251", TEXT, "utf-8")

    assert read(body) == TEXT


def test_a_byte_order_mark_wins_over_the_encoding_of_a_response():
    response = HtmlResponse("https://example.org/", body=codecs.BOM_UTF8 + PAGE.encode(), encoding="windows-1251")

    assert read(response) == TEXT


def test_the_encoding_of_a_response_wins_over_the_meta_tag():
    body = with_meta("windows-1252", "Привет, мир", "windows-1251")

    assert read(HtmlResponse("https://example.org/", body=body, encoding="windows-1251")) == "Привет, мир"


@pytest.mark.parametrize(
    "declaration",
    [
        '<meta charset="windows-1251">',
        "<meta charset=windows-1251>",
        "<META CHARSET='WINDOWS-1251' />",
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        '<meta content="text/html;charset = windows-1251" http-equiv=content-type>',
        '<?xml version="1.0" encoding="windows-1251"?>',
        '<!-- <meta charset="utf-8"> --><meta charset="windows-1251">',
    ],
)
def test_a_declaration_in_the_page_is_found(declaration):
    body = declaration.encode("ascii") + "<p>Привет, мир".encode("windows-1251")

    assert read(body) == "Привет, мир"


def test_a_declaration_that_is_commented_out_is_not_one():
    body = '<!-- <meta charset="windows-1251"> --><p>Привет, мир'.encode()

    assert read(body) == "Привет, мир"


def test_a_declaration_beyond_the_first_kilobyte_comes_too_late():
    body = b"<!-- " + b"x" * 1024 + b" -->" + with_meta("windows-1251", "café", "windows-1252")

    assert read(body) == "café"


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("ISO-8859-1", "cp1252", "“quoted” – 5 €"),
        ("latin1", "cp1252", "“quoted” – 5 €"),
        ("us-ascii", "cp1252", "“quoted” – 5 €"),
        ("iso-8859-9", "cp1254", "“İstanbul” – 5 €"),
        ("tis-620", "cp874", "“ภาษาไทย” – 5 €"),
        ("gb2312", "gb18030", "繁體字與简体字 €"),
        ("gbk", "gb18030", "繁體字與简体字 €"),
        ("shift_jis", "cp932", "①㈱～"),
        ("euc-kr", "cp949", "똠방각하"),
        ("ks_c_5601-1987", "cp949", "똠방각하"),
        ("big5", "big5hkscs", "香港 嘅 喺"),
        ("koi8-r", "koi8-r", "Привет, мир"),
        ("euc-jp", "euc-jp", "日本語のページ"),
        ("iso-8859-15", "iso-8859-15", "5 €"),
        ("utf8", "utf-8", "5 € – 日本語"),
    ],
)
def test_a_label_is_read_as_browsers_read_it(label, codec, text):
    assert read(with_meta(label, text, codec)) == text


@pytest.mark.parametrize(
    ("label", "codec", "text"),
    [
        ("x-sjis", "cp932", "日本語のページ"),
        ("windows-31j", "cp932", "日本語のページ"),
        ("x-euc-jp", "euc-jp", "日本語のページ"),
        ("x-gbk", "gb18030", "简体字"),
        ("windows-949", "cp949", "한국어"),
        ("windows-874", "cp874", "ภาษาไทย"),
        ("dos-874", "cp874", "ภาษาไทย"),
        ("iso-8859-8-i", "iso-8859-8", "שלום עולם"),
        ("x-cp1251", "cp1251", "Привет, мир"),
        ("x-mac-cyrillic", "mac-cyrillic", "Привет, мир"),
        ("x-x-big5", "big5hkscs", "香港"),
    ],
)
def test_a_label_that_only_browsers_know_is_read_too(label, codec, text):
    assert read(with_meta(label, text, codec)) == text


def test_a_meta_tag_that_says_utf_16_means_utf_8():
    assert read(with_meta("utf-16", "café – 日本語", "utf-8")) == "café – 日本語"


@pytest.mark.parametrize("label", ["no-such-encoding", "base64", "rot13", "hex", "zip", "x" * 300, "..", "utf-8\x00"])
def test_a_label_that_nobody_knows_is_ignored(label):
    assert read(with_meta(label, "café", "utf-8")) == "café"


@pytest.mark.parametrize("label", ["undefined", "idna", "punycode", "unicode_escape", "raw_unicode_escape"])
def test_a_codec_of_python_that_no_browser_has_is_ignored(label):
    assert read(with_meta(label, r"café C:\queue", "utf-8")) == r"café C:\queue"


@pytest.mark.parametrize("label", ["undefined", "no-such-encoding", ""])
def test_a_response_with_a_bad_encoding_label_is_read_anyway(label):
    class Response:
        body = PAGE.encode()
        encoding = label

    assert read(Response()) == TEXT


def test_without_a_declaration_utf_8_is_read_as_such():
    assert read("<p>café – 日本語".encode()) == "café – 日本語"


def test_without_a_declaration_what_is_not_utf_8_is_read_as_windows_1252():
    assert read("<p>“café” – 5 €".encode("cp1252")) == "“café” – 5 €"


@pytest.mark.parametrize("label", ["gb2312", "windows-1251", "iso-8859-1", "big5"])
def test_a_page_stored_as_utf_8_is_read_as_such_whatever_it_still_declares(label):
    assert read(with_meta(label, "Привет, мир! Это длинный текст.", "utf-8")) == "Привет, мир! Это длинный текст."


def test_a_few_bytes_that_might_be_utf_8_do_not_outweigh_a_declaration():
    assert read(with_meta("windows-1252", "Â© 2008", "windows-1252")) == "Â© 2008"


def test_bytes_that_the_declared_encoding_does_not_know_are_replaced():
    assert read(b'<meta charset="utf-8"><p>caf\xe9 is open') == "caf\ufffd is open"


def test_the_first_and_last_characters_of_a_page_survive_a_wrong_declaration():
    assert read(with_meta("utf-8", "é first, last é", "latin-1")) == "\ufffd first, last \ufffd"


# What no tree can hold


def test_nul_characters_are_gone():
    assert read("<p>no\0thing l\0ost\0") == "nothing lost"
    assert read(b"<\0p>no\0thing l\0ost\0") == "nothing lost"


def test_utf_16_without_any_mark_is_readable_where_it_is_ascii():
    assert read("<p>plain text".encode("utf-16-le")) == "plain text"


def test_lone_surrogates_are_gone():
    assert read("<p>lone \ud800surrogate\udfff") == "lone surrogate"


def test_a_reference_to_a_surrogate_or_to_nul_does_no_harm():
    text = read("<p>one &#xD800; two &#0; three")

    assert [word for word in text.split() if word.isalpha()] == ["one", "two", "three"]
    text.encode("utf-8")


@pytest.mark.parametrize("page", ["", b"", " \n\t ", b"\0\0\0", "\ud800", codecs.BOM_UTF8, codecs.BOM_UTF16_LE])
def test_a_page_with_nothing_in_it_has_no_tree(page):
    assert to_tree(page) is None
    assert extract(page).blocks == ()


@pytest.mark.parametrize("page", ["<!-- -->", "<!DOCTYPE html>", "<?xml version='1.0'?>", "<", "</p>", "<p>", "&#0;"])
def test_a_page_of_markup_alone_has_no_words(page):
    assert extract(page, threshold=0).main_text in ("", "<", "\ufffd")


@pytest.mark.parametrize(
    "body",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0\x5c\x72\xa8\x66" + bytes(range(256)) * 4,
        b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + bytes(range(256)) * 4,
        b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0" + bytes(range(256)) * 4,
        b"%PDF-1.7\n1 0 obj\n<< /Title (Tides) >>\nendobj\n" * 20,
        b"\r\n%PDF-1.4\nstream of words\n",
        b"{\\rtf1\\ansi The tide turned at half past six. }",
        b"%!PS-Adobe-3.0\n/Times-Roman findfont",
        b"GIF89a\x40\0\x40\0 and no more",
        b"\xff\xd8\xff\xe0 plain words",
        b"RIFF\x24\x20\0\0WEBPVP8 plain words",
        b"\0\0\0\x18ftypmp42 plain words",
        b"MZ\x90\0\x03\0 This program cannot be run in DOS mode.",
        b"\x7fELF\x02 plain words",
        b"PK\x03\x04 mimetypeapplication/epub+zip plain words" * 3,
        b"plain\0words\0and\0numbers\0\0\0\0\0\0in a table" * 9,
    ],
    ids="png gzip zip pdf pdf-with-space rtf postscript gif jpeg webp mp4 exe elf epub table".split(),
)
def test_binary_data_has_no_tree(body):
    assert to_tree(body) is None
    assert extract(body).main_text == ""


@pytest.mark.parametrize(
    "body",
    [
        b"<p>%PDF-1.4 is a version of a format",
        b"MZ is a sign, and GIF89a and RIFF and PK and ID3 are others",
        b"<!DOCTYPE html>" + b"\0" * 500 + b"<p>plain words",
        b"\0" * 100 + b"<html><p>plain words",
        "<html><p>plain words in UTF-16".encode("utf-16-be"),
        "<p>plain words in UTF-32".encode("utf-32-le"),
    ],
)
def test_a_page_that_looks_a_little_like_another_file_is_read(body):
    assert len(read(body).split()) > 1


def test_a_stray_control_character_does_not_make_a_page_binary():
    assert (
        read("<p>" + "A perfectly ordinary sentence. " * 4 + "\x07\x1b")
        == ("A perfectly ordinary sentence. " * 4).strip()
    )


def test_escape_sequences_of_japanese_mail_are_not_taken_for_binary_data():
    assert read(with_meta("iso-2022-jp", "日本語のページ", "iso-2022-jp")) == "日本語のページ"
