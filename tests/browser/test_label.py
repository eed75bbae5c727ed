"""The labelling page in a real browser: marking, undoing, saving, and two who label the same page."""

from __future__ import annotations

import time
from threading import Event, Thread

import pytest

from scrapy_boilerplate import extract
from scrapy_boilerplate.label.files import path_of, read_labels
from scrapy_boilerplate.label.server import LabelServer
from scrapy_boilerplate.label.store import LabelFolder
from scrapy_boilerplate.options import Options

from ..pages import PARAGRAPHS, article, hostile_page
from .conftest import LOW_CONTRAST, Tab

PAGE = article()
BLOCKS = extract(PAGE, model="numwords").blocks
COUNT = len(BLOCKS)
FIRST = next(number for number, block in enumerate(BLOCKS) if block.is_content)


@pytest.fixture
def server(tmp_path):
    folder = LabelFolder(tmp_path / "labels", "numwords")
    pages = [folder.add(PAGE.encode(), "one"), folder.add(article(*PARAGRAPHS[1:], title="Two").encode(), "two")]
    with LabelServer(folder, pages, Options(model="numwords")) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def tab(browser, server, request):
    tab = Tab(browser, **getattr(request, "param", {}))
    yield tab
    tab.context.close()
    assert tab.errors == []
    own = f"http://127.0.0.1:{server.server_port}/"
    assert [url for url in tab.foreign_requests if not url.startswith(own)] == []


@pytest.fixture
def editor(tab, server):
    return enter(tab, server)


def enter(tab, server):
    tab.page.goto(server.url)
    return wait(tab.page)


def wait(page):
    page.wait_for_selector("body[data-ready]")
    return page


def labels(server, page: int = 0) -> list[bool | None]:
    return [block.content for block in read_labels(path_of(server.pages[page].path)).blocks]


def until(page, expression: str) -> None:
    """Wait for something in the page; Playwright's own way needs eval(), which the page's policy forbids."""
    deadline = time.monotonic() + 30
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, expression
        page.wait_for_timeout(20)


def saved(editor) -> None:
    """Wait until all changes are saved."""
    until(editor, "!view.saving && document.getElementById('saved').textContent.endsWith('Saved.')")


def accept(editor) -> None:
    """Accept the suggestions that are left, by keyboard."""
    editor.keyboard.press("a")
    editor.keyboard.press("Enter")


def frame_of(page):
    return page.frame_locator("#frame")


def test_the_page_comes_with_the_model_s_suggestions_and_none_of_them_is_a_label(editor, server):
    expected = ["maybe-content" if block.is_content else "maybe-boilerplate" for block in BLOCKS]

    assert editor.evaluate("view.states") == expected
    assert editor.url == f"http://127.0.0.1:{server.server_port}/page/1"
    assert labels(server) == [None] * COUNT


def test_a_click_turns_a_block_round_and_saves_it(editor, server):
    frame_of(editor).get_by_text(PARAGRAPHS[0]).click()
    saved(editor)
    assert labels(server)[FIRST] is False

    frame_of(editor).get_by_text(PARAGRAPHS[0]).click()
    saved(editor)
    until(editor, "view.states[view.chosen] === 'content'")
    assert labels(server)[FIRST] is True
    assert [label for label in labels(server) if label is not None] == [True]


def drag(page, start: int, end: int) -> None:
    """Press on a block and let go on another, as the system would: Playwright's mouse waits for scripts of the page."""
    session = page.context.new_cdp_session(page)

    def mouse(kind: str, block: int) -> None:
        place = page.evaluate(
            """(block) => {
              const frame = view.frame.getBoundingClientRect();
              const text = view.elementsOf(block)[0].getBoundingClientRect();
              return {x: frame.x + text.x + 20, y: frame.y + text.y + 5};
            }""",
            block,
        )
        pressed = {"type": kind, "button": "left", "buttons": 1, "clickCount": 1}
        session.send("Input.dispatchMouseEvent", pressed | place)

    mouse("mousePressed", start)
    mouse("mouseMoved", end)
    mouse("mouseReleased", end)
    session.detach()


def test_a_drag_marks_all_blocks_on_its_way_and_is_undone_in_one_step(editor, server):
    drag(editor, FIRST, FIRST + 2)
    saved(editor)

    assert labels(server)[FIRST : FIRST + 3] == [False] * 3
    assert labels(server).count(None) == COUNT - 3

    editor.keyboard.press("u")
    saved(editor)
    assert labels(server) == [None] * COUNT


def test_everything_can_be_done_by_keyboard(editor, server):
    editor.keyboard.press("Home")
    editor.keyboard.press("x")
    editor.keyboard.press("j")
    editor.keyboard.press("Shift+ArrowDown")
    editor.keyboard.press("Shift+J")
    assert editor.locator("#list [aria-selected=true]").count() == 3
    framed = frame_of(editor).locator("[data-frame]").evaluate_all("all => all.map((one) => one.dataset.frame)")
    assert framed == ["marked", "marked", "current"]
    editor.keyboard.press("c")
    editor.keyboard.press("Escape")
    editor.keyboard.press("j")
    editor.keyboard.press("Space")
    saved(editor)
    assert labels(server)[:5] == [False, True, True, True, not BLOCKS[4].is_content]

    editor.keyboard.press("Backspace")
    saved(editor)
    assert labels(server)[4] is None

    for _ in range(2):
        editor.keyboard.press("u")
    saved(editor)
    assert labels(server)[:5] == [False, True, True, True, None]


def test_the_suggestions_that_are_left_can_be_accepted_at_once(editor, server):
    frame_of(editor).get_by_text(PARAGRAPHS[0]).click()
    editor.get_by_role("button", name="Accept rest").click()
    editor.get_by_role("dialog").get_by_role("button", name="Accept").click()
    saved(editor)

    expected = [block.is_content for block in BLOCKS]
    expected[FIRST] = False
    assert labels(server) == expected
    assert "1 of 2 pages done" in editor.locator("#progress-text").inner_text()
    assert editor.get_by_role("button", name="Accept rest").is_disabled()


def test_labels_are_there_again_and_pages_are_turned(editor, server):
    editor.keyboard.press("c")
    saved(editor)
    editor.keyboard.press("n")
    editor.wait_for_url("**/page/2")
    wait(editor)
    assert editor.locator("#progress-text").inner_text().startswith("Page 2 of 2: 0 of ")
    accept(editor)
    saved(editor)
    editor.keyboard.press("p")
    editor.wait_for_url("**/page/1")
    wait(editor)

    assert editor.evaluate("view.labels.filter((label) => label !== null)") == [True]
    assert editor.evaluate("view.states[view.chosen]") == "content"
    assert editor.locator("#progress-text").inner_text().endswith("1 of 2 pages done.")


def test_a_page_is_turned_when_its_labels_are_saved(editor, tab, server):
    tab.page.route("**/labels/1", lambda route: (time.sleep(0.3), route.continue_()))
    accept(editor)
    editor.keyboard.press("n")
    editor.wait_for_url("**/page/2")
    wait(editor)

    assert None not in labels(server)
    assert editor.locator("#progress-text").inner_text().endswith("1 of 2 pages done.")


def test_what_is_pressed_while_a_page_is_turned_labels_nothing(editor, server, monkeypatch):
    come = Event()
    shown = server.labelling_page
    monkeypatch.setattr(server, "labelling_page", lambda number: come.wait(30) and shown(number))
    targets = (frame_of(editor).get_by_text(PARAGRAPHS[0]), editor.get_by_role("button", name="Content"))
    places = [target.bounding_box() for target in targets]

    editor.keyboard.press("n")
    for key in ("a", "Enter", "c", "Space", "u", "Backspace"):
        editor.keyboard.press(key)
    for place in places:
        editor.mouse.click(place["x"] + 5, place["y"] + 5)
    come.set()
    editor.wait_for_url("**/page/2")
    wait(editor)

    assert {*labels(server, 0), *labels(server, 1)} == {None}
    accept(editor)
    saved(editor)
    assert labels(server, 0) == [None] * COUNT
    assert None not in labels(server, 1)


def test_keys_count_only_when_the_page_is_shown(tab, server):
    press = "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'c'}))"
    tab.context.add_init_script(f"addEventListener('DOMContentLoaded', () => {press})")
    editor = enter(tab, server)

    assert editor.evaluate("view.labels") == [None] * COUNT
    editor.evaluate(press)
    saved(editor)
    assert labels(server).count(True) == 1
    tab.errors[:] = [error for error in tab.errors if "Blocked script execution" not in error]  # ours, in the frame


def test_a_page_is_not_turned_while_its_labels_can_t_be_saved(editor, tab, server):
    tab.context.set_offline(True)
    editor.keyboard.press("Home")
    editor.keyboard.press("c")
    editor.keyboard.press("n")
    until(editor, "document.getElementById('saved').textContent.includes('the server doesn’t answer')")
    editor.keyboard.press("x")  # it is still this page, and can be labelled
    assert editor.evaluate("view.labels[0]") is False

    tab.context.set_offline(False)
    saved(editor)
    assert labels(server)[0] is False
    assert editor.url.endswith("/page/1")
    editor.keyboard.press("n")
    editor.wait_for_url("**/page/2")
    tab.errors[:] = [error for error in tab.errors if "ERR_INTERNET_DISCONNECTED" not in error]


def test_going_back_shows_the_labels_as_they_are_now(editor, server):
    editor.keyboard.press("n")
    editor.wait_for_url("**/page/2")
    wait(editor)
    server.folder.save(server.pages[0], [True] * COUNT, server.folder.labels(server.pages[0]).revision)
    editor.go_back()
    wait(editor)

    until(editor, "view.data.editor.page === 0 && !view.labels.includes(null)")
    editor.keyboard.press("Home")
    editor.keyboard.press("x")
    saved(editor)
    assert labels(server) == [False] + [True] * (COUNT - 1)


def test_a_whole_page_is_accepted_after_a_question_only(editor, server):
    editor.keyboard.press("a")
    question = editor.get_by_role("dialog", name="Accept all remaining suggestions?")
    expected = [block.is_content for block in BLOCKS]
    kinds = f"{sum(expected)} blocks become content, {COUNT - sum(expected)} boilerplate."
    assert question.locator("p").inner_text() == f"Page 1 of 2: {kinds}"
    editor.evaluate("document.activeElement.blur()")
    for key in ("x", "a", "n"):
        editor.keyboard.press(key)
    editor.keyboard.press("Escape")
    assert not question.is_visible()
    editor.keyboard.press("a")
    editor.keyboard.press("Tab")
    editor.keyboard.press("Enter")  # on "Cancel"
    assert not question.is_visible()
    assert editor.evaluate("view.labels") == [None] * COUNT

    accept(editor)
    saved(editor)
    assert labels(server) == expected
    editor.keyboard.press("u")
    saved(editor)
    assert labels(server) == [None] * COUNT


def test_a_key_counts_as_soon_as_a_question_is_answered(editor, server):
    editor.keyboard.press("Home")
    editor.keyboard.press("a")
    editor.evaluate("""() => {
      const no = document.getElementById("no");
      no.focus();
      no.click(); // it has the focus until the page is drawn again
      no.dispatchEvent(new KeyboardEvent("keydown", {key: "c", bubbles: true}));
    }""")
    saved(editor)

    assert labels(server) == [True] + [None] * (COUNT - 1)


def test_the_keys_are_explained_and_do_nothing_behind_the_explanation(editor, server):
    editor.keyboard.press("?")
    dialog = editor.get_by_role("dialog", name="Keys")
    assert dialog.is_visible()
    editor.keyboard.press("x")
    editor.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert labels(server) == [None] * COUNT


def test_the_slider_moves_the_suggestions_and_no_label(editor, server):
    editor.keyboard.press("c")
    saved(editor)
    editor.locator("#threshold").evaluate("(slider) => { slider.value = 1; slider.dispatchEvent(new Event('input')); }")

    states = editor.evaluate("view.states")
    assert states.count("content") == 1
    assert states.count("maybe-boilerplate") == COUNT - 1
    assert sum(label is not None for label in labels(server)) == 1


def test_two_labellers_are_told_of_each_other_and_overwrite_nothing(editor, tab, server):
    second = wait(
        tab.context.new_page().goto(f"http://127.0.0.1:{server.server_port}/page/1") and tab.context.pages[-1]
    )
    tab.errors.clear()  # the new page that the fixture watches for is ours
    editor.keyboard.press("Home")
    editor.keyboard.press("c")
    saved(editor)

    second.keyboard.press("End")
    second.keyboard.press("x")

    dialog = second.get_by_role("dialog", name="The labels have changed")
    dialog.wait_for()
    assert "Not saved: somebody else has changed the labels of one.html." in second.locator("#saved").inner_text()
    assert (labels(server)[0], labels(server)[-1]) == (True, None)
    dialog.get_by_role("button", name="Load theirs").click()
    wait(second)
    until(second, "view.labels[0] === true")

    second.keyboard.press("End")
    second.keyboard.press("x")
    saved(second)
    assert (labels(server)[0], labels(server)[-1]) == (True, False)

    editor.keyboard.press("x")  # without having seen that
    editor.get_by_role("button", name="Keep mine").click()
    saved(editor)
    assert (labels(server)[0], labels(server)[-1]) == (False, None)
    tab.errors[:] = [error for error in tab.errors if "409 (Conflict)" not in error]


def test_what_cannot_be_saved_is_told_and_saved_later(editor, tab, server):
    tab.context.set_offline(True)
    editor.keyboard.press("Home")
    editor.keyboard.press("c")
    until(editor, "document.getElementById('saved').textContent.includes('the server doesn’t answer')")
    assert labels(server)[0] is None

    tab.context.set_offline(False)
    saved(editor)
    assert labels(server)[0] is True
    tab.errors[:] = [error for error in tab.errors if "ERR_INTERNET_DISCONNECTED" not in error]


def test_a_tab_goes_on_with_a_server_that_was_started_anew(editor, tab, server):
    """The server was killed before it had a change: the tab has it, and hands it over to the next one."""
    server.session, server.token = "another", "another-token"
    editor.keyboard.press("Home")
    editor.keyboard.press("c")
    until(editor, "document.getElementById('saved').textContent.includes('open the address that was printed')")
    assert labels(server)[0] is None

    second = tab.context.new_page()
    second.goto(server.url)
    saved(editor)
    assert labels(server)[0] is True
    tab.errors[:] = [error for error in tab.errors if "403" not in error and not error.startswith("new page")]


def test_labels_of_an_earlier_version_that_found_no_block_are_told(tab, tmp_path, server):
    page = server.pages[0]
    server.folder.save(page, [True] * COUNT, server.folder.labels(page).revision)
    page.path.write_bytes(article(*PARAGRAPHS[1:]).encode())
    server.pages[0] = server.folder.open(page.path)

    editor = enter(tab, server)

    told = editor.locator("#saved").inner_text()
    assert told.startswith("Labels of an earlier version of this page that match no block: “The council voted")
    assert editor.evaluate("view.labels") == [True] * (COUNT - 1)


def test_a_hostile_page_can_neither_label_itself_nor_reach_anybody(browser, server, evil):
    hostile = server.folder.add(hostile_page(evil.url).encode(), "hostile", url=f"{evil.url}/page")
    server.pages.append(hostile)
    tab = Tab(browser)
    editor = enter(tab, server)
    editor.goto(f"http://127.0.0.1:{server.server_port}/page/3")
    wait(editor)
    for text in ("Plain text", "script", "link", "blank", "Send it"):
        frame_of(editor).get_by_text(text, exact=True).first.click(force=True)
    saved(editor)

    assert evil.connections == []
    assert editor.evaluate("'canary' in window") is False
    assert editor.url.endswith("/page/3")
    assert len(tab.context.pages) == 1
    assert tab.errors == []
    tab.context.close()


def test_another_site_can_t_use_the_browser_s_cookie(editor, tab, server, tmp_path):
    """A page of another origin, in the same browser: it may send, and is refused; it can neither read nor frame us."""
    own = f"http://127.0.0.1:{server.server_port}"
    foreign = tab.context.new_page()
    (tmp_path / "foreign.html").write_text(f'<iframe src="{own}/page/1"></iframe>')
    foreign.goto((tmp_path / "foreign.html").as_uri())
    result = foreign.evaluate(
        """async (own) => {
          const body = JSON.stringify({content: [true], revision: ""});
          const options = {method: "PUT", body, credentials: "include", headers: {"Content-Type": "application/json"}};
          const tries = [fetch(own + "/labels/1", options), fetch(own + "/page/1", {credentials: "include"})];
          return Promise.all(tries.map((one) => one.then((answer) => answer.status, () => "blocked")));
        }""",
        own,
    )
    foreign.wait_for_timeout(200)

    assert result == ["blocked", "blocked"]
    assert PARAGRAPHS[0] not in foreign.frames[1].content()
    assert labels(server) == [None] * COUNT
    tab.errors.clear()


@pytest.mark.parametrize(
    "tab",
    [{"viewport": {"width": 360, "height": 740}, "color_scheme": scheme} for scheme in ("light", "dark")],
    indirect=True,
)
def test_the_editor_fits_a_narrow_screen_and_can_be_read(editor, tab):
    assert editor.evaluate("document.documentElement.scrollWidth") <= 360
    assert editor.locator("#frame").bounding_box()["height"] > 150
    for pane in ("Text", "Blocks"):
        editor.get_by_role("tab", name=pane).click()
        assert editor.evaluate(LOW_CONTRAST) == []
    assert not editor.get_by_role("slider", name="Threshold").is_visible()
    editor.get_by_role("button", name="Model", exact=True).click()
    assert editor.get_by_role("slider", name="Threshold").is_visible()


def test_a_tap_turns_a_block_round(browser, server):
    tab = Tab(browser, has_touch=True, viewport={"width": 400, "height": 800})
    editor = enter(tab, server)
    frame_of(editor).get_by_text(PARAGRAPHS[0]).tap()
    saved(editor)

    assert labels(server)[FIRST] is False
    assert tab.errors == []
    tab.context.close()
