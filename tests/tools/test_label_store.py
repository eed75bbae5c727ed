"""The folder of pages and labels: nothing is lost, nothing is written elsewhere, nobody overwrites anybody."""

from __future__ import annotations

import json
import multiprocessing
import os

import pytest

from scrapy_boilerplate import extract
from scrapy_boilerplate.label.files import path_of, read_labels
from scrapy_boilerplate.label.store import Conflict, LabelFolder, safe_name

from ..pages import PAGE, PARAGRAPHS, article

BODY = PAGE.encode()
COUNT = len(extract(PAGE, model="numwords").blocks)


@pytest.fixture
def folder(tmp_path):
    return LabelFolder(tmp_path / "labels", "numwords")


def test_a_page_is_stored_as_it_came_with_labels_that_say_nothing_yet(folder):
    page = folder.add(BODY, "https://site.example/news/baths.html?id=7", url="https://site.example/", encoding="utf-8")

    assert page.name == "site.example-news-baths.html-id-7.html"
    assert page.path.read_bytes() == BODY
    labels = read_labels(path_of(page.path))
    assert (labels.page, labels.url, labels.encoding, labels.model) == (
        page.name,
        "https://site.example/",
        "utf-8",
        "numwords",
    )
    assert [block.content for block in labels.blocks] == [None] * COUNT
    assert not folder.progress(page).done


def test_style_sheets_are_kept_with_the_page(folder):
    page = folder.add(BODY, "page.html", sheets={"https://site.example/x.css": "p { color: teal }"})

    assert folder.sheets(folder.open(page.path)) == {"https://site.example/x.css": "p { color: teal }"}
    page.sheets_path.write_text("nonsense")
    assert folder.sheets(page) == {}


def test_labels_are_saved_and_read_back(folder):
    page = folder.add(BODY, "page.html")
    content = [number % 2 == 0 if number else None for number in range(COUNT)]

    revision = folder.save(page, content, folder.labels(page).revision)

    assert folder.labels(page).content == content
    assert folder.labels(page).revision == revision
    assert LabelFolder(folder.folder, "numwords").labels(page).content == content
    assert folder.progress(page).labelled == COUNT - 1


def test_a_page_that_is_there_already_keeps_its_labels(folder):
    page = folder.add(BODY, "page.html", url="https://site.example/")
    folder.save(page, [True] * COUNT, folder.labels(page).revision)

    again = folder.add(BODY, "page.html")

    assert again.path == page.path
    assert again.url == "https://site.example/"
    assert folder.labels(again).content == [True] * COUNT
    assert folder.progress(again).done


def test_another_version_of_a_page_gets_the_labels_that_fit_and_leaves_the_old_one_alone(folder):
    url = "https://site.example/baths"
    old = folder.add(BODY, url, url=url)
    folder.save(old, [True] * COUNT, folder.labels(old).revision)
    changed = article(PARAGRAPHS[0], "A paragraph that nobody has seen before, long enough to count.").encode()

    new = folder.add(changed, url, url=url)

    assert new.name == "site.example-baths-2.html"
    assert [block.text for block in new.lost] == list(PARAGRAPHS[1:])
    texts = [block.text for block in extract(changed, model="numwords").blocks]
    known = [text in {block.text for block in extract(PAGE, model="numwords").blocks} for text in texts]
    assert folder.labels(new).content == [True if is_known else None for is_known in known]
    assert folder.labels(old).content == [True] * COUNT


def test_labels_of_a_page_that_was_changed_are_matched_by_text_and_what_found_no_block_is_told(folder):
    page = folder.add(BODY, "page.html")
    folder.save(page, [True] * COUNT, folder.labels(page).revision)
    page.path.write_bytes(article(*PARAGRAPHS[1:]).encode())

    changed = folder.open(page.path)
    labelled = folder.labels(changed)

    assert [block.text for block in labelled.lost] == [PARAGRAPHS[0]]
    assert labelled.content == [True] * (COUNT - 1)
    folder.save(changed, labelled.content, labelled.revision)
    [backup] = folder.folder.glob("*.old")
    assert PARAGRAPHS[0] in [block["text"] for block in json.loads(backup.read_text("utf-8"))["blocks"]]


def test_who_has_not_seen_the_latest_labels_can_t_overwrite_them(folder, tmp_path):
    page = folder.add(BODY, "page.html")
    other = LabelFolder(tmp_path / "labels", "numwords")
    seen = folder.labels(page).revision
    other.save(page, [False] * COUNT, seen)

    with pytest.raises(Conflict, match=r"page\.html"):
        folder.save(page, [True] * COUNT, seen)

    assert folder.labels(page).content == [False] * COUNT


def label_alone(folder: str, number: int, done: multiprocessing.Queue) -> None:
    """Another program that wants to label one block, and tries until nobody is in its way."""
    labels = LabelFolder(folder, "numwords")
    page = labels.open(labels.folder / "page.html")
    for _ in range(200):
        known = labels.labels(page)
        content = list(known.content)
        content[number] = True
        try:
            labels.save(page, content, known.revision)
        except Conflict:
            continue
        done.put(number)
        return


def test_programs_that_label_at_the_same_time_lose_nothing(folder):
    page = folder.add(BODY, "page.html")
    context = multiprocessing.get_context("spawn")
    done = context.Queue()
    programs = [context.Process(target=label_alone, args=(str(folder.folder), number, done)) for number in range(3)]
    for program in programs:
        program.start()
    assert sorted(done.get(timeout=60) for _ in programs) == [0, 1, 2]
    for program in programs:
        program.join()

    assert folder.labels(page).content[:3] == [True] * 3


def test_labels_for_other_blocks_than_the_page_s_are_refused(folder):
    page = folder.add(BODY, "page.html")

    with pytest.raises(ValueError, match=f"has {COUNT} blocks, not 1"):
        folder.save(page, [True], folder.labels(page).revision)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("../../etc/passwd", "passwd"),
        ("https://site.example/../../x", "site.example-..-..-x"),
        ("https://site.example/", "site.example"),
        ("..", "page"),
        (".hidden.html", "hidden"),
        ("ü /\\:*?.HTM", "page"),
        ("C:\\x\\y.html", "C-x-y"),
        ("x\0y\nz", "x-y-z"),
    ],
)
def test_names_are_made_of_harmless_characters(name, safe):
    assert safe_name(name) == safe


def test_long_names_are_cut_and_stay_apart():
    names = {safe_name(f"https://site.example/{'long' * 50}/{number}") for number in range(3)}

    assert len(names) == 3
    assert max(map(len, names)) <= 80


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_that_lead_out_of_the_folder_are_not_followed(folder, tmp_path):
    outside = tmp_path / "outside.html"
    outside.write_text("precious")
    (folder.folder / "page.html").symlink_to(outside)
    (folder.folder / "other.labels.json").symlink_to(outside)
    (folder.folder / "dangling.html").symlink_to(tmp_path / "new.html")

    names = [folder.add(BODY, name).name for name in ("page.html", "other.html", "dangling.html")]

    assert names == ["page-2.html", "other-2.html", "dangling-2.html"]
    assert outside.read_text() == "precious"
    assert not (tmp_path / "new.html").exists()
    with pytest.raises(ValueError, match="is not a file of the folder"):
        folder.open(folder.folder / "page.html")
    with pytest.raises(ValueError, match="is not a file of the folder"):
        folder.open(outside)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_labels_that_became_a_link_are_neither_read_nor_written(folder, tmp_path):
    page = folder.add(BODY, "page.html")
    path = path_of(page.path)
    outside = tmp_path / "outside.json"
    path.rename(outside)
    before = outside.read_bytes()
    path.symlink_to(outside)

    with pytest.raises(ValueError, match="is not a file of the folder"):
        folder.labels(page)
    assert outside.read_bytes() == before
