"""A memory of sites: what other pages of a host hold is dropped, and whole articles never are."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest

from scrapy_boilerplate import Document, SiteMemory, extract

from ..pages import PAGE
from ..sites import HOST, NOTICE, site_page, story, url_of


def read(memory: SiteMemory, page: str, url: str | None, **options) -> Document:
    return extract(page, url, model="numwords", site=memory, **options)


def read_site(memory: SiteMemory, *numbers: int, host: str = HOST) -> list[Document]:
    return [read(memory, site_page(number), url_of(number, host)) for number in numbers]


def text_of(*numbers: int) -> str:
    return "\n\n".join(paragraph for number in numbers for paragraph in story(number))


def test_what_an_earlier_page_holds_is_dropped_and_the_first_page_is_as_without_a_memory():
    first, second, third = read_site(SiteMemory(), 1, 2, 3)

    assert first.main_text == extract(site_page(1), model="numwords").main_text
    assert first.main_text.endswith(NOTICE)
    assert (second.main_text, third.main_text) == (text_of(2), text_of(3))


def test_a_block_says_on_how_many_other_pages_it_stands():
    *_, last = read_site(SiteMemory(), 1, 2, 3, 4)

    assert [(block.text == NOTICE, block.other_pages) for block in last.blocks] == [(False, 0), (False, 0), (True, 3)]
    assert not last.blocks[-1].is_content


def test_hosts_have_nothing_to_do_with_each_other():
    memory = SiteMemory()
    read_site(memory, 1, 2)
    [elsewhere] = read_site(memory, 3, host="http://other.example")

    assert elsewhere.main_text.endswith(NOTICE)
    assert list(memory) == ["news.example", "other.example"]


def test_a_page_that_is_read_again_counts_once():
    memory = SiteMemory()
    pages = [read_site(memory, 1)[0] for _ in range(5)]

    assert {page.main_text for page in pages} == {f"{text_of(1)}\n\n{NOTICE}"}
    assert memory.pages_of("news.example") == 1


@pytest.mark.parametrize("count", [2, 6])
def test_a_page_under_several_addresses_keeps_its_article(count):
    memory = SiteMemory()
    for number in range(count):
        page = read(memory, site_page(1), f"{HOST}/story?from={number}")

    assert page.main_text.startswith(text_of(1))


def test_a_print_version_keeps_its_article():
    memory = SiteMemory()
    read(memory, site_page(1), url_of(1))
    printed = "".join(f"<p>{paragraph}</p>" for paragraph in story(1))

    assert read(memory, printed, f"{HOST}/print/1").main_text == text_of(1)


def test_pages_with_the_same_canonical_address_are_one_page():
    memory = SiteMemory()
    for number in range(5):
        more = f"{number} readers have said what they think of this story so far."
        page = read(memory, site_page(1, more, canonical=url_of(1)), f"{HOST}/amp/{number}")

    assert page.main_text.startswith(text_of(1))
    assert memory.pages_of("news.example") == 1


def test_pages_that_all_name_the_home_page_as_their_address_are_still_different_pages():
    memory = SiteMemory()
    for number in range(6):
        page = read(memory, site_page(number, canonical=f"{HOST}/"), url_of(number))

    assert page.main_text == text_of(5)


def test_a_site_whose_every_page_is_the_same_loses_nothing():
    memory = SiteMemory()
    pages = [read(memory, site_page(1), url_of(number)) for number in range(10)]

    assert {page.main_text for page in pages} == {pages[0].main_text}


def test_a_page_is_never_emptied():
    memory = SiteMemory()
    for number in range(5):
        read(memory, site_page(number), url_of(number))
    page = read(memory, f"<div>{NOTICE}</div>", f"{HOST}/notice")

    assert page.main_text == NOTICE


def test_a_paragraph_that_two_of_many_articles_share_stays():
    memory = SiteMemory()
    quotation = "The minister said in the evening that nobody on either side had expected so good and quick an end."
    read(memory, site_page(0, quotation), url_of(0))
    read_site(memory, *range(1, 40))
    page = read(memory, site_page(41, quotation), url_of(41))

    assert quotation in page.main_text
    assert NOTICE not in page.main_text


def test_a_heading_between_two_paragraphs_of_its_own_stays_while_few_pages_are_known():
    def page(number):
        first, second = story(number)
        return (
            f"<div><p>{first}</p><p>What it means for all the people who live in this old town</p><p>{second}</p></div>"
        )

    memory = SiteMemory()
    read(memory, page(1), url_of(1))

    assert "What it means" in read(memory, page(2), url_of(2)).main_text


def test_lines_of_code_stay():
    def page(number):
        code = "for every number in the long list of numbers that we have\n    say it aloud to all who listen\n"
        return f"<p>{story(number)[0]}</p><pre>{code}</pre><p>{story(number)[1]}</p>"

    memory = SiteMemory()
    texts = [read(memory, page(number), url_of(number)).main_text for number in range(6)]

    assert all("say it aloud" in text for text in texts)


def test_numbers_make_two_texts_different():
    memory = SiteMemory()
    for number in range(5):
        last = read(memory, f"<p>{story(1)[0]} Item {number} costs {number} euros and is there.</p>", url_of(number))

    assert last.main_text


@pytest.mark.parametrize("url", [None, "data:text/html,x", "about:blank"])
def test_a_page_without_an_address_is_neither_judged_nor_learned(url):
    memory = SiteMemory()
    pages = [read(memory, site_page(number), url) for number in range(4)]

    assert all(page.main_text.endswith(NOTICE) for page in pages)
    assert len(memory) == 0


def test_a_page_that_declares_its_address_needs_no_other():
    memory = SiteMemory()
    pages = [read(memory, site_page(number, canonical=url_of(number)), None) for number in range(3)]

    assert pages[-1].main_text == text_of(2)


def test_a_memory_that_does_not_learn_judges_alike_whatever_comes():
    memory = SiteMemory()
    read_site(memory, 1, 2, 3)
    memory.learns = False
    texts = [read_site(memory, number)[0].main_text for number in (1, 4, 5, 4)]

    assert texts == [text_of(number) for number in (1, 4, 5, 4)]
    assert memory.pages_of("news.example") == 3


def test_a_memory_of_all_pages_judges_them_alike_in_every_order():
    documents = [extract(site_page(number), url_of(number), model="numwords", site=SiteMemory()) for number in range(9)]
    texts = set()
    for seed in range(4):
        memory = SiteMemory(learns=False)
        random.Random(seed).shuffle(documents)
        for document in documents:
            memory.learn(document.page_texts)
        texts.add(tuple(document.main_text for document in read_site(memory, *range(9))))

    assert texts == {tuple(text_of(number) for number in range(9))}


@pytest.mark.parametrize("model", ["mlp", "texrex", "victor", "boilernet"])
def test_every_model_can_use_a_memory(model):
    memory = SiteMemory()
    for number in range(5):
        page = extract(site_page(number), url_of(number), model=model, site=memory)

    assert NOTICE not in page.main_text


def test_pages_in_every_script_are_learned():
    memory = SiteMemory()
    notice = "本站内容未经许可不得以任何方式转载复制或建立镜像违者将被追究法律责任请读者予以理解和支持谢谢大家"
    for number in range(4):
        story = f"第{number}条新闻市议会星期二晚上投票决定让旧游泳馆再开放三年委员会没有人想到会有这么多的来信{number}"
        page = extract(f"<p>{story}<p>{notice}", url_of(number), threshold=0.0, site=memory)

    assert page.blocks[-1].text == notice
    assert page.blocks[-1].other_pages == 3


# Bounds


def test_a_host_with_countless_texts_takes_no_more_than_its_room():
    memory = SiteMemory(most_texts=200)
    for number in range(50):
        others = [f"Line {number} {line}: {line * number} things to say about it." for line in range(30)]
        page = read(memory, site_page(number, *others), url_of(number))

    assert memory.nbytes < 200 * 14 + 50 * 8 + 1
    assert NOTICE not in page.main_text, "the rare texts went first"


def test_a_host_takes_less_than_fifty_kilobytes_by_default():
    memory = SiteMemory()
    for number in range(1000):
        page = "".join(f"<p>{number} {line}" for line in range(10))
        extract(page, url_of(number), model="numwords", site=memory)

    assert memory.nbytes < 50_000
    assert memory.pages_of("news.example") == 1000


def test_the_hosts_that_were_not_seen_for_the_longest_time_go_first():
    memory = SiteMemory(most_hosts=3)
    for name in "abcad":
        read_site(memory, 1, host=f"http://{name}.example")

    assert list(memory) == ["c.example", "a.example", "d.example"]


def test_the_bytes_of_all_hosts_are_bounded():
    memory = SiteMemory(most_bytes=2_000)
    for number in range(100):
        read_site(memory, 1, 2, host=f"http://{number}.example")

    assert memory.nbytes <= 2_000
    assert "99.example" in memory


@pytest.mark.parametrize("bounds", [{"most_hosts": 0}, {"most_texts": True}, {"most_bytes": "9"}])
def test_wrong_bounds_are_refused(bounds):
    with pytest.raises(ValueError, match=f"{next(iter(bounds))} must be a whole number"):
        SiteMemory(**bounds)


def test_something_else_than_a_memory_is_refused():
    with pytest.raises(TypeError, match="site must be a SiteMemory or None, not True"):
        extract(PAGE, site=True)


# Merging


def halves() -> tuple[SiteMemory, SiteMemory]:
    first, second = SiteMemory(), SiteMemory()
    read_site(first, 1, 2)
    read_site(second, 3, 4)
    return first, second


def test_two_memories_make_one_that_knows_the_pages_of_both():
    first, second = halves()
    first.merge(second)
    [document] = read_site(first, 5)

    assert first.pages_of("news.example") == 5
    assert document.blocks[-1].other_pages == 4


def test_what_both_know_counts_once():
    first, second = halves()
    first.merge(second)
    for _ in range(3):
        first.merge(second)
        second.merge(first)
    [document] = read_site(first, 5)

    assert first.pages_of("news.example") == 5
    assert document.blocks[-1].other_pages == 4


def test_a_page_that_both_have_learned_keeps_its_article():
    first, second = SiteMemory(), SiteMemory()
    read_site(first, 1, 2)
    read_site(second, 1, 3)
    first.merge(second)

    assert [document.main_text for document in read_site(first, 1, 2, 3)] == [text_of(1), text_of(2), text_of(3)]


def test_merged_hosts_keep_to_the_bounds():
    first, second = SiteMemory(most_texts=5), SiteMemory()
    read_site(second, *range(20))
    first.merge(second)
    read_site(first, 30)

    assert first.nbytes < 5 * 14 + 21 * 8 + 1


# Files


def test_a_memory_is_the_same_after_it_was_saved(tmp_path):
    memory = SiteMemory()
    read_site(memory, 1, 2, 3)
    read_site(memory, 1, host="http://other.example")
    memory.save(tmp_path / "new" / "memory.npz")
    loaded = SiteMemory.load(tmp_path / "new" / "memory.npz")

    assert list(loaded) == list(memory)
    assert [document.main_text for document in read_site(loaded, 2, 4)] == [text_of(2), text_of(4)]
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["memory.npz"]


def test_an_empty_memory_can_be_saved(tmp_path):
    SiteMemory().save(tmp_path / "memory.npz")

    assert len(SiteMemory.load(tmp_path / "memory.npz")) == 0


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "text", "pickle"])
def test_a_damaged_file_is_refused(damage, tmp_path):
    path = tmp_path / "memory.npz"
    memory = SiteMemory()
    read_site(memory, 1, 2, 3)
    memory.save(path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    damaged = {
        "cut": content[: len(content) // 2],
        "flipped": content,
        "empty": b"",
        "text": b"no memory at all",
        "pickle": pickle.dumps(memory),
    }
    path.write_bytes(damaged[damage])

    with pytest.raises(ValueError, match="can't read a site memory from"):
        SiteMemory.load(path)


def test_a_file_of_another_version_is_refused(tmp_path):
    path = tmp_path / "memory.npz"
    SiteMemory().save(path)
    with np.load(path) as file:
        arrays = dict(file)
    metadata = arrays["metadata"].tobytes().replace(b'"version": 1', b'"version": 9')
    np.savez(path, **(arrays | {"metadata": np.frombuffer(metadata, np.uint8)}))

    with pytest.raises(ValueError, match="it has version 9, and this program reads version 1"):
        SiteMemory.load(path)


def test_a_memory_of_one_host_can_be_sent_to_another_process():
    memory = SiteMemory()
    read_site(memory, 1, 2)
    read_site(memory, 1, host="http://other.example")
    sent = pickle.loads(pickle.dumps(memory.only(url_of(3))))
    [document] = read_site(sent, 3)

    assert document.main_text == text_of(3)
    assert list(sent) == ["news.example"]
    assert not sent.learns


def test_no_threshold_keeps_what_other_pages_hold():
    memory = SiteMemory()
    for number in (1, 2):
        document = extract(site_page(number), url_of(number), model="numwords", site=memory)
    dropped = {number for number, block in enumerate(document.blocks) if block.other_pages}

    for threshold in (None, 0.0):
        assert dropped
        assert not dropped & set(document.kept_with(threshold, None))
