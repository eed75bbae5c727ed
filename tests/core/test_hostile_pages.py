"""Pages that nobody wrote for us: each is read without an exception, in bounded time and memory."""

from __future__ import annotations

import gzip
import subprocess
import sys
import time
import tracemalloc
import zlib

import pytest
from lxml import etree

from scrapy_boilerplate import Document, extract
from scrapy_boilerplate.models import MODELS
from scrapy_boilerplate.not_cleaned import NotCleaned
from scrapy_boilerplate.parse import read_tree

pytestmark = pytest.mark.slow

SENTENCE = "The harbour office said that the tide would turn at half past six in the evening. "
PARAGRAPH = SENTENCE * 4


def read_all(page: object, **options) -> Document:
    """Ask for everything that a document has."""
    document = extract(page, **options)
    assert isinstance(document.main_text, str)
    assert all(0 <= block.score <= 1 and 0 <= block.link_density <= 1 for block in document.blocks)
    assert 0 <= document.score <= 1
    _ = document.title
    document.main_text.encode("utf-8")
    assert document.to_cleaneval().encode("utf-8").startswith(b"URL:")
    return document


@pytest.mark.parametrize(
    "page", ["", b"", " ", "\n\r\t", b" \n ", "\u00a0", "\u200b", "\ufeff", b"\xef\xbb\xbf", b"\0" * 5000]
)
def test_a_page_without_text_has_no_blocks(page):
    document = read_all(page, threshold=0)

    assert (document.blocks, document.main_text, document.score, document.title) == ((), "", 0.0, None)


BINARIES = {
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x04\0\0\0\x03\0\x08\x02\0\0\0" + zlib.compress(PARAGRAPH.encode() * 50),
    "gzip": gzip.compress(PARAGRAPH.encode() * 50, mtime=0),
    "jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xdb\0C\0\x08\x06\x06\x07\x06\x05\x08"
    + bytes(range(256)) * 8,
    "zip": b"PK\x03\x04\x14\0\0\0\x08\0" + zlib.compress(bytes(range(256)) * 20),
    "every byte": bytes(range(256)) * 20,
}


@pytest.mark.parametrize("name", BINARIES)
def test_binary_data_is_no_page(name):
    assert read_all(BINARIES[name], threshold=0).main_text == ""


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("filter", [None, "ancestor", "largest", "main"])
def test_every_model_and_filter_stands_empty_and_tiny_pages(model, filter):
    for page in ("", "<p>", "x", "<p>***</p>", "<title>T</title>", "<a></a>"):
        read_all(page, model=model, filter=filter)


# Size


def test_a_page_of_fifty_megabytes_is_read():
    repeats = 25_000_000 // len(PARAGRAPH)
    page = b"<title>Big</title><script>" + b"var x; " * 3_600_000 + b"</script><p>" + PARAGRAPH.encode() * repeats
    assert len(page) > 50_000_000
    start = time.perf_counter()

    document = extract(page)

    [block] = document.blocks
    assert block.words == PARAGRAPH.count(" ") * repeats
    assert document.main_text == (PARAGRAPH * repeats).strip()
    assert time.perf_counter() - start < 60  # it takes some seconds; a minute means that time grew faster than the page


def test_a_page_of_many_megabytes_of_paragraphs_is_read():
    count = 5_000_000 // len(PARAGRAPH)

    document = read_all(f"<p>{PARAGRAPH}</p>" * count, model="numwords")

    assert len(document.blocks) == count
    assert all(block.is_content for block in document.blocks)


@pytest.mark.skipif(sys.platform == "win32", reason="memory can't be limited there")
def test_a_big_page_takes_memory_in_proportion_to_its_size():
    code = (
        "import resource; from scrapy_boilerplate import extract;"
        "extract('<p>warm up'); before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
        f"extract(b'<p>' + {PARAGRAPH!r}.encode() * (10_000_000 // {len(PARAGRAPH)})).main_text;"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )

    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    unit = 1 if sys.platform == "darwin" else 1024
    assert int(result.stdout) * unit < 60 * 10_000_000


@pytest.mark.parametrize("model", MODELS)
def test_every_model_reads_twenty_thousand_blocks(model):
    document = extract("<div><p>The harbour office said no more</p></div>" * 20_000, model=model)

    assert len(document.blocks) == 20_000
    assert not document.truncated


@pytest.mark.parametrize("model", MODELS)
def test_every_model_takes_memory_in_proportion_to_the_blocks(model):
    extract("<p>warm up", model=model)
    peaks = []
    for count in (2_500, 10_000):
        tracemalloc.start()
        extract("<div><p>The harbour office said no more</p></div>" * count, model=model)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    assert peaks[1] < 4.4 * peaks[0]


def test_a_word_of_five_megabytes_is_a_word():
    [block] = read_all("<p>" + "x" * 5_000_000, threshold=0).blocks

    assert (block.words, len(block.text)) == (1, 5_000_000)


def test_five_megabytes_of_white_space_are_nothing():
    assert [block.text for block in read_all("<p>a" + " \n" * 2_500_000 + "b", threshold=0).blocks] == ["a b"]


def test_five_megabytes_of_invisible_characters_are_nothing():
    assert [block.text for block in read_all("<p>a" + "\u200b" * 1_700_000 + "b", threshold=0).blocks] == ["ab"]


# Depth


@pytest.mark.parametrize(
    "tag", ["div", "b", "a", "span", "font", "li", "table", "pre", "blockquote", "x-y", "svg", "button"]
)
def test_a_page_of_a_hundred_thousand_open_tags_is_read(tag):
    document = read_all("<p>before</p>" + f"<{tag}>" * 100_000 + "inside", threshold=0)

    assert document.blocks[0].text == "before"


def test_a_page_of_a_hundred_thousand_levels_closed_again_is_read():
    document = read_all("<p>before</p>" + "<div>" * 100_000 + "inside" + "</div>" * 100_000, threshold=0)

    assert document.blocks[0].text == "before"


def test_a_tree_built_by_hand_a_hundred_thousand_levels_deep_is_read():
    parser = etree.XMLParser(huge_tree=True)
    root = bottom = etree.Element("body")
    for _ in range(100):
        piece = etree.fromstring("<div>" * 1000 + "</div>" * 1000, parser)
        bottom.append(piece)
        [bottom] = piece.xpath("descendant-or-self::*[not(*)]")
    bottom.text = SENTENCE
    start = time.process_time()

    for name in ("ancestor", "main"):
        [block] = read_all(root, threshold=0, filter=name).blocks
        assert block.text == SENTENCE.strip()
        assert len(block.xpath) < 5000
    assert time.process_time() - start < 10  # a minute, where lxml climbs from each element to the root


def test_text_at_every_one_of_many_levels_is_read():
    document = read_all("".join(f"<div>level {level}" for level in range(1500)), threshold=0)

    assert [block.text for block in document.blocks] == [f"level {level}" for level in range(1500)]


# Breadth


def test_twenty_thousand_siblings_are_read():
    document = read_all("<p>word</p>" * 20_000, threshold=0)

    assert len(document.blocks) == 20_000
    assert document.blocks[-1].xpath == "/html/body/p[20000]"


def test_fifty_thousand_inline_siblings_are_one_block():
    [block] = read_all("<p>" + "<b>x</b> <a>y</a> " * 25_000, threshold=0).blocks

    assert (block.words, block.link_density) == (50_000, 0.5)


def test_a_table_of_twenty_thousand_cells_is_read():
    document = read_all("<table>" + ("<tr>" + "<td>1</td>" * 100 + "</tr>") * 200 + "</table>", threshold=0)

    assert document.main_text == "\n".join(["\t".join("1" * 100)] * 200)


def test_twenty_thousand_line_breaks_are_read():
    assert len(read_all("<p>" + "a<br>" * 20_000, threshold=0).blocks) == 1
    assert len(read_all("<p>" + "a<br><br>" * 20_000, threshold=0).blocks) == 20_000


def test_twenty_thousand_lines_of_a_pre_are_read():
    assert len(read_all("<pre>" + "line\n" * 20_000 + "</pre>", threshold=0).blocks) == 20_000


# Too much


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("page", ["<p>{}</p>", "<pre>{}\n", "{}<br><br>"], ids=["p", "pre", "br"])
def test_of_too_many_blocks_the_first_ones_are_read(page, model):
    pages = "".join(page.format(f"word{number}") for number in range(20_010))

    document = extract(pages.replace("\n<pre>", "\n"), model=model, threshold=0)

    assert document.truncated
    texts = [block.text for block in document.blocks]
    assert (len(texts), texts[0], texts[-1]) == (20_000, "word0", "word19999")


@pytest.mark.parametrize("model", ["numwords", "victor"])
def test_of_too_many_elements_the_first_ones_are_read(model):
    document = extract("<p>first</p>" + "<i></i>" * 200_000 + "<p>last</p>", model=model, threshold=0)

    assert document.truncated
    assert document.main_text == "first"


def test_a_page_of_millions_of_lines_takes_little_memory():
    code = (
        "import resource; from lxml import etree; from scrapy_boilerplate import extract;"
        "page = b'<pre>' + b'a\\n' * 2_000_000; extract('<p>warm up'); etree.fromstring(page, etree.HTMLParser());"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
        "assert extract(page, threshold=0).main_text.count('a') == 20_000;"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )

    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert int(result.stdout) * (1 if sys.platform == "darwin" else 1024) < 300_000_000


def test_a_hundred_thousand_comments_and_scripts_are_passed_over():
    [block] = read_all("<p>a" + "<!-- x --><script>y</script>" * 50_000 + "b", threshold=0).blocks

    assert block.text == "ab"


# Attributes and markup


def names(count: int) -> list[str]:
    return [f"a{number:x}" for number in range(count)]


def reason_of(page: str) -> str:
    with pytest.raises(NotCleaned) as raised:
        read_tree(page)
    return raised.value.reason


@pytest.mark.parametrize("between", [" ", "='' ", "=''", "/", '\n="<b "\n', "='>' ", '="<i>\'" ', "= '>\"' "])
def test_a_tag_with_a_hundred_thousand_attributes_is_not_parsed(between):
    page = f"<p>before</p><div {between.join(names(100_000))}><p>inside"

    assert read_all(page, threshold=0).blocks == ()
    assert reason_of(page) == "too_many_attributes"


def test_an_end_of_a_tag_in_some_of_its_values_hides_no_attributes():
    attributes = [f"{name}='>'" if number % 100 == 0 else name for number, name in enumerate(names(100_000))]

    assert reason_of(f"<p {' '.join(attributes)}>x") == "too_many_attributes"


def test_many_tags_with_thousands_of_attributes_are_not_parsed():
    assert reason_of(f"<p {' '.join(names(1_500))}>x" * 400) == "too_many_attributes"


@pytest.mark.parametrize(
    "page",
    [
        f"<p>{' '.join(names(100_000))}",
        f"<script>if (a <b) {{'{' '.join(names(100_000))}'}}</script><p>x",
        f"<!-- <p {' '.join(names(100_000))} --><p>x",
        f"<p {' '.join(names(8_000))}>x",
    ],
    ids=["text", "script", "comment", "some"],
)
def test_what_only_looks_like_attributes_is_no_reason_to_refuse_a_page(page):
    assert len(read_all(page, threshold=0).blocks) == 1


def test_a_tag_with_five_megabytes_in_one_attribute_is_read():
    document = read_all(f'<div data-x="{"y" * 5_000_000}"><p>{PARAGRAPH}</p></div><p>end</p>', threshold=0)

    assert [block.text for block in document.blocks] == [PARAGRAPH.strip(), "end"]


def test_a_tag_with_five_megabytes_of_attributes_is_read():
    attributes = " ".join(f'data-{number}="{"v" * 1000}"' for number in range(5_000))

    document = read_all(f"<p>before</p><div {attributes}><p>inside</p></div><p>end</p>", threshold=0)

    assert [block.text for block in document.blocks] == ["before", "inside", "end"]


def test_an_attribute_that_never_ends_is_survived():
    assert read_all('<p>before</p><p class="' + "x" * 1_000_000, threshold=0).blocks[0].text == "before"


def test_an_image_with_a_megabyte_of_alternative_text_is_read_on_demand():
    [block] = read_all(f'<img alt="{SENTENCE * 12_000}">', threshold=0, image_alt=True).blocks

    assert block.words == 12_000 * SENTENCE.count(" ")


@pytest.mark.parametrize(
    "page",
    [
        "<" * 100_000,
        ">" * 100_000,
        "<>" * 50_000,
        "&" * 100_000,
        "&amp" * 50_000,
        "</p>" * 50_000,
        "<!--" * 20_000,
        "<![CDATA[" * 10_000,
        "<!DOCTYPE " * 10_000,
        "<?php " * 10_000,
        "<p " * 50_000,
        "<a href='" * 20_000,
        "<table><tr>" * 500,
        "<select><option>" * 5_000,
        "<svg><title>" * 1_000,
        "<title>" * 20_000,
        "<frameset><noframes>text",
        "<plaintext>" * 100 + "</plaintext>",
        "<html><html><body><head><body><title>x</title><html>",
    ],
    ids=lambda page: page[:12],
)
def test_broken_markup_is_survived(page):
    read_all(page, threshold=0)


def test_an_entity_bomb_does_not_expand():
    entities = "".join(f'<!ENTITY e{number} "{f"&e{number - 1};" * 10}">' for number in range(1, 12))

    document = read_all(f'<!DOCTYPE html [<!ENTITY e0 "boom">{entities}]><p>&e11; after', threshold=0)

    assert len(document.main_text) < 10_000


# Each with four times as much of it: what grew with both of two things took sixteen times as long.


GROWING = {
    "text before buttons": lambda count: "<p>" + "x<button>y</button>" * count,
    "buttons without text": lambda count: "<p>" + "<button>y</button>" * count,
    "buttons in a pre": lambda count: "<pre>x" + "<button>y</button>" * count,
    "empty lines of a pre": lambda count: "<pre>x" + "\n" * 20 * count + "x",
    "titles of drawings": lambda count: "<svg>" + "<g>" * 500 + "<title>x</title>" * count,
    "code far down": lambda count: "<div>" * 500 + "<p><code>x</code></p>" * (count // 8),
    "a long title": lambda count: f"<title>{'word ' * 4 * count}</title>" + "<p>words and more</p>" * (count // 8),
    "an address": lambda count: f"<link rel=canonical href='http://x/{'?' * count}'><p>x</p>",
    "a date": lambda count: f"<p>2024-05-31T{':' * count}x",
    "names of tags": lambda count: f"<x{'y' * count}>" * 100 + "<p>x</p>" * (count // 8),
}


@pytest.mark.parametrize("model", ["mlp", "victor"])
@pytest.mark.parametrize("shape", GROWING)
def test_time_grows_with_the_page_alone(shape, model):
    def seconds(count: int) -> float:
        start = time.process_time()
        document = extract(GROWING[shape](count), model=model, filter="main")
        _ = document.main_text, document.blocks, document.title
        return time.process_time() - start

    seconds(100)

    assert seconds(40_000) < 10 * seconds(10_000) + 0.3


# Encodings


SUPERSETS_OF_ASCII = "utf-8 windows-1252 shift_jis euc-jp euc-kr big5 gb18030 koi8-r".split()


@pytest.mark.parametrize("declared", [*SUPERSETS_OF_ASCII, "iso-2022-jp", "utf-16", "utf-7"])
@pytest.mark.parametrize("real", "utf-8 windows-1252 utf-16-le utf-16-be utf-32-le".split())
def test_a_page_in_another_encoding_than_it_says_is_survived(declared, real):
    page = f'<html><head><meta charset="{declared}"></head><body><p>{"Grüße, “plain words” here. " * 20}</p>'

    read_all(page.encode(real), threshold=0)


@pytest.mark.parametrize("declared", SUPERSETS_OF_ASCII)
@pytest.mark.parametrize("real", ["utf-8", "windows-1252"])
def test_of_a_page_in_another_encoding_than_it_says_plain_words_are_left(declared, real):
    page = f'<html><head><meta charset="{declared}"></head><body><p>{"Grüße, “plain words” here. " * 20}</p>'

    assert read_all(page.encode(real), threshold=0).main_text.count("words") == 20


@pytest.mark.parametrize(
    "label", ["undefined", "idna", "punycode", "unicode_escape", "utf-7", "mbcs", "quopri", "uu", "bz2"]
)
def test_no_encoding_label_can_stop_a_page(label):
    body = f'<meta charset="{label}"><p>'.encode() + b"caf\xe9 \\x \\N{ +AGE- \\ud800 word"

    assert "word" in read_all(body, threshold=0).main_text


def test_a_page_full_of_nuls_is_read():
    text = "".join(f"{character}\0\0" for character in f"<p>{PARAGRAPH}</p>")

    assert read_all(text, threshold=0).main_text == PARAGRAPH.strip()
    assert read_all(text.encode(), threshold=0).main_text == PARAGRAPH.strip()


def test_a_page_full_of_lone_surrogates_is_read():
    text = "".join(f"{character}\ud83d" for character in f"<p>{PARAGRAPH}</p>")

    assert read_all(text, threshold=0).main_text == PARAGRAPH.strip()


def test_surrogates_in_utf_8_bytes_are_survived():
    body = f"<p>{PARAGRAPH}".encode() + b"\xed\xa0\x80\xed\xbf\xbf \xf8\x88\x80\x80\x80 \xc0\xaf end"

    assert read_all(body, threshold=0).main_text.endswith("end")


def test_noncharacters_and_references_out_of_range_are_survived():
    page = "<p>a \ufffe\uffff\U0010ffff &#x110000; &#xFFFFFFFFFF; &#-1; &#xFFFE; &#1; b"

    words = read_all(page, threshold=0).main_text.split()

    assert (words[0], words[-1]) == ("a", "b")
