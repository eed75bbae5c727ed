"""The highlighted page in a real browser: it follows the slider, works by keyboard, and lets no page do anything."""

from __future__ import annotations

import base64
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from scrapy_boilerplate import extract
from scrapy_boilerplate.models import MODELS, load_model
from scrapy_boilerplate.options import Options
from scrapy_boilerplate.review.report import CrawlReport
from scrapy_boilerplate.review.summary import PageSummary
from scrapy_boilerplate.review.view import highlighted, to_html, view_data
from scrapy_boilerplate.segment.text_nodes import segment_text_nodes

from ..pages import PAGE, hostile_page
from .conftest import LOW_CONTRAST, Tab

GOLD = Path(__file__).parent.parent / "gold/other_sites"


@pytest.fixture
def view(tab, tmp_path):
    page = (GOLD / "blog.html").read_bytes()
    return tab.open(tmp_path / "view.html", highlighted(page, "blog.html", Options(), url="https://blog.example/"))


def move_slider(page, threshold: float) -> None:
    page.locator("#threshold").evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }", threshold
    )


def frame_of(page):
    return page.frame_locator("#frame")


def test_the_page_the_counter_and_the_text_follow_the_slider(view):
    page = (GOLD / "blog.html").read_bytes()
    for threshold in (0.0, 0.2, 0.9, 1.0):
        move_slider(view, threshold)
        document = extract(page, threshold=threshold)
        kept = [block for block in document.blocks if block.is_content]

        words = f"{sum(block.words for block in kept):,}"
        assert view.locator("#count b").all_inner_texts() == [words, str(len(kept))]
        shown = view.locator("#text span[data-block]:visible").all_inner_texts()
        assert [" ".join(text.split()) for text in shown] == [" ".join(block.text.split()) for block in kept]
        marked = frame_of(view).locator("[data-state=kept]").evaluate_all("all => all.map((one) => one.dataset.block)")
        assert sorted({int(number) for number in marked}) == [
            number for number, block in enumerate(document.blocks) if block.is_content
        ]


@pytest.mark.parametrize("name", ["blog", "liveblog", "layout-2005", "wiki"])
def test_what_the_browser_keeps_is_what_extract_keeps(name, tab, tmp_path):
    page = (GOLD / f"{name}.html").read_bytes()
    view = tab.open(tmp_path / "view.html", highlighted(page, name, Options(ancestor_depth=1)))
    for model in MODELS:
        view.select_option("#model", model)
        for name in (None, "ancestor", "largest", "main"):
            view.select_option("#filter", name or "")
            for threshold in (None, 0.0, 0.05, 0.5, 0.77):
                if threshold is None:
                    view.evaluate("document.getElementById('own').disabled || document.getElementById('own').click()")
                else:
                    move_slider(view, threshold)
                document = extract(page, model=model, filter=name, threshold=threshold, ancestor_depth=1)
                kept = view.evaluate("view.states.map((state) => state === 'kept')")
                assert kept == [block.is_content for block in document.blocks], (model, name, threshold)


def test_the_view_starts_with_the_options_it_was_made_with(tab, tmp_path):
    options = Options(model="numwords", threshold=0.25, filter="largest")
    view = tab.open(tmp_path / "view.html", highlighted(PAGE, "page", options))

    assert view.get_by_role("combobox", name="Model").input_value() == "numwords"
    assert view.get_by_role("combobox", name="Filter").input_value() == "largest"
    assert view.get_by_role("slider", name="Threshold").input_value() == "0.25"
    assert view.get_by_role("button", name="Model’s own").is_enabled()


def test_the_model_s_own_threshold_can_be_got_back(view):
    own = view.locator("#threshold-value").inner_text()
    move_slider(view, 0.01)
    assert view.locator("#threshold-value").inner_text() == "0.01"

    view.get_by_role("button", name="Model’s own").click()

    assert view.locator("#threshold-value").inner_text() == own
    assert view.get_by_role("button", name="Model’s own").is_disabled()


def inside(outer, inner) -> bool:
    bounds, box = outer.bounding_box(), inner.bounding_box()
    return bounds["y"] <= box["y"] and box["y"] + box["height"] <= bounds["y"] + bounds["height"]


@pytest.mark.parametrize("tab", [{"viewport": {"width": 1400, "height": 900}}], indirect=True)
def test_hovering_and_clicking_a_block_tell_what_is_known_of_it(view):
    card = view.locator("#card")
    frame_of(view).get_by_text("Oiled, still sulking").hover()
    hovered = int(card.inner_text().split()[1]) - 1
    assert "pencil" in view.evaluate("(number) => view.blocks[number].text", hovered)

    frame_of(view).get_by_text("The workshop").first.click()

    told = card.inner_text()
    assert re.search(r"Dropped: its score of 0\.\d+ is below the threshold of 0\.\d+", told)
    assert "\nli\n" in told
    assert "/html/body/" in told
    assert view.locator("#card tbody tr").count() == 5
    for part in (".verdict", "dt >> text=Score", "tbody tr:last-child"):  # without scrolling
        assert inside(view.locator("#details"), view.locator(f"#card {part}"))
    assert re.fullmatch(r"[+−]\d+\.\d\d", view.locator("#card td:last-child").first.inner_text())


def test_the_filter_s_verdict_is_told(view):
    view.select_option("#filter", "ancestor")
    move_slider(view, 0)
    view.evaluate("view.choose(view.states.indexOf('filtered'))")

    told = view.locator("#card").inner_text()
    assert "Dropped by the filter “ancestor”: its score of" in told
    assert "but another group of blocks has more text." in told


def test_what_the_options_leave_out_is_told(tab, tmp_path):
    page = f"<figure><figcaption>By the sea</figcaption></figure>{PAGE}"
    options = Options(threshold=0, captions=False)
    view = tab.open(tmp_path / "view.html", highlighted(page, "page", options))

    kept = view.evaluate("view.states.map((state) => state === 'kept')")
    view.evaluate("view.choose(view.states.indexOf('filtered'))")

    assert kept == [block.is_content for block in extract(page, threshold=0, captions=False).blocks]
    assert "Dropped with all of its kind (caption), as the options say" in view.locator("#card").inner_text()


class Finest(type(load_model("numwords"))):
    """A model that splits pages at every tag."""

    segment = staticmethod(segment_text_nodes)


def test_a_model_that_splits_the_page_in_another_way_brings_its_own_blocks(tab, tmp_path, monkeypatch):
    monkeypatch.setitem(MODELS, "finest", f"{__name__}:Finest")
    page = "<p>One <b>two</b>three <i>four</i></p><p>Five <a href=x>six</a>.</p>"
    view = tab.open(tmp_path / "view.html", highlighted(page, "page", Options(model="numwords", threshold=0)))
    assert view.evaluate("view.blocks.length") == 2
    frame_of(view).get_by_text("four").click()

    view.select_option("#model", "finest")

    assert view.evaluate("view.blocks.map((block) => block.text)") == "One,two,three,four,Five,six,.".split(",")
    assert view.evaluate("view.chosen") == 0  # where the block that was chosen begins
    assert view.locator("#text p:visible").all_inner_texts() == ["One twothree four", "Five six."]
    frame_of(view).get_by_text("six").click()
    assert view.evaluate("view.blocks[view.chosen].text") == "six"
    view.evaluate("view.spans[1].hidden = true")
    assert (
        view.locator("#text p:visible").first.evaluate("(one) => getComputedStyle(one.children[2], '::before').content")
        == '" "'
    )


def test_blocks_are_reached_by_keyboard_wherever_the_focus_is(view):
    start = view.evaluate("view.chosen")
    view.keyboard.press("j")
    view.keyboard.press("ArrowDown")
    view.keyboard.press("k")
    assert view.evaluate("view.chosen") == start + 1

    frame_of(view).get_by_text("The workshop").first.click()  # the focus is in the page's frame now
    chosen = view.evaluate("view.chosen")
    view.keyboard.press("j")

    assert view.evaluate("view.chosen") == chosen + 1
    assert view.locator("#list").get_attribute("aria-activedescendant") == f"block-{chosen + 1}"
    assert view.locator(f"#block-{chosen + 1}").get_attribute("aria-selected") == "true"
    assert view.locator("#card").inner_text().startswith(f"Block {chosen + 2} of ")
    view.keyboard.press("End")
    assert frame_of(view).locator("[data-current]").first.is_visible()
    assert view.evaluate("view.chosen") == view.evaluate("view.blocks.length") - 1


def test_letters_move_through_the_blocks_from_the_controls_too(view):
    chosen = view.evaluate("view.chosen")
    for number, control in enumerate((view.get_by_role("tab", name="Blocks"), view.get_by_label("Scores")), 1):
        control.click()
        view.keyboard.press("j")
        assert view.evaluate("view.chosen") == chosen + number
    view.get_by_label("Scores").press("Space")
    assert not view.get_by_label("Scores").is_checked()


def test_the_slider_and_the_tabs_work_by_keyboard(view):
    slider = view.get_by_role("slider", name="Threshold")
    slider.focus()
    before = float(slider.input_value())
    chosen = view.evaluate("view.chosen")
    view.keyboard.press("ArrowLeft")
    assert float(slider.input_value()) == pytest.approx(before - 0.01)
    assert view.evaluate("view.chosen") == chosen

    view.get_by_role("tab", name="Text").focus()
    for _ in range(2):
        view.keyboard.press("ArrowRight")
    assert view.get_by_role("tab", name="Blocks").get_attribute("aria-selected") == "true"
    assert view.get_by_role("listbox", name="Blocks of the page").is_visible()


def test_kept_and_dropped_differ_in_more_than_colour(view):
    style = (
        "(one) => { const s = getComputedStyle(one); return [s.textDecorationStyle, s.backgroundImage !== 'none']; }"
    )
    kept = frame_of(view).locator("[data-state=kept]").first.evaluate(style)
    dropped = frame_of(view).locator("[data-state=below]").first.evaluate(style)

    assert (kept, dropped) == (["solid", False], ["dashed", True])


def test_no_style_of_the_page_takes_the_marks_away(tab, tmp_path):
    page = """<style>@layer first { #a * { background: none !important } } #a .b p * { background: none !important;
        text-decoration: none !important }</style><div id=a><div class=b><p>Some words that are kept</p></div></div>"""
    view = tab.open(tmp_path / "view.html", highlighted(page, "page", Options(model="numwords", threshold=0)))

    look = "(one) => { const s = getComputedStyle(one); return [s.textDecorationLine, s.backgroundColor]; }"
    line, ground = frame_of(view).locator("[data-state=kept]").evaluate(look)
    assert line == "underline"
    assert ground != "rgba(0, 0, 0, 0)"


def test_the_chosen_block_stands_out_from_a_light_and_from_a_dark_ground(view):
    look = "(one) => { const s = getComputedStyle(one); return [s.borderColor, s.outlineColor]; }"
    [frame] = frame_of(view).locator("[data-frame]").all()

    assert frame.evaluate(look) == ["rgb(17, 17, 17)", "rgb(255, 255, 255)"]


LINES = "Some gypsy words <a href=x>jumping</a>and <b>bold</b><i>slanted</i> ones, quite a few of them. " * 9


@pytest.mark.parametrize(
    "style",
    ["", "body { margin: 0; text-align: right }", "html { position: relative; top: 30px } body { padding: 9px }"],
)
def test_choosing_a_block_leaves_its_letters_as_they_are(style, tab, tmp_path):
    page = f"<style>p {{ line-height: 1 }} {style}</style><p>{LINES}</p><p>{LINES}</p>"
    view = tab.open(tmp_path / "view.html", highlighted(page, "page", Options(model="numwords")))
    place = view.evaluate(
        """() => {
          const outer = view.frame.getBoundingClientRect();
          const rects = view.elementsOf(0).flatMap((text) => [...text.getClientRects()]);
          const most = (which, side) => Math[which](...rects.map((rect) => rect[side]));
          const [left, top] = [Math.ceil(most("min", "left")), Math.ceil(most("min", "top"))];
          const [right, bottom] = [Math.floor(most("max", "right")), Math.floor(most("max", "bottom"))];
          return {x: outer.x + left, y: outer.y + top, width: right - left, height: bottom - top};
        }"""
    )
    view.evaluate("view.choose(1, {scroll: false})")
    before = view.screenshot(clip=place)
    view.evaluate("view.choose(0, {scroll: false})")

    assert view.screenshot(clip=place) == before
    frame = frame_of(view).locator("[data-frame]").bounding_box()
    assert place["x"] - 5 < frame["x"] < place["x"]
    assert place["y"] - 5 < frame["y"] < place["y"]
    assert place["height"] < frame["height"] < place["height"] + 10
    assert view.evaluate("view.page.documentElement.scrollWidth - view.page.documentElement.clientWidth") == 0


def test_the_frame_goes_with_its_block(tab, tmp_path):
    boxes = "<div style='height: 90px; overflow: auto'><p style='margin-top: 200px'>Inside of a box</p></div>"
    page = f"<body><style>p {{ font-size: 20px }}</style><details open><summary>More</summary>there</details>{boxes}"
    view = tab.open(tmp_path / "view.html", highlighted(page, "page", Options(model="numwords", threshold=0)))
    frame_of(view).get_by_text("Inside of a box").click()

    def distance() -> float:
        text, frame = frame_of(view).get_by_text("Inside of a box"), frame_of(view).locator("[data-frame]")
        return text.bounding_box()["y"] - frame.bounding_box()["y"]

    start = distance()
    assert 0 < start < 5
    for change in (
        "view.page.querySelector('div').scrollTop = 20",
        "view.page.querySelector('details').open = false",
        "document.getElementById('styles').click()",
    ):
        view.evaluate(change)
        view.wait_for_timeout(100)
        assert distance() == pytest.approx(start, abs=0.1), change


def test_texts_whose_ground_is_missing_can_be_read(tab, tmp_path):
    grounds = {
        "gone": "color: white; background: url(gone.png)",
        "pale": "color: #ddd",
        "black on black": "color: #000; background: #111",
        "plain": "",
        "light on dark": "color: white; background: #222",
        "translucent": "color: white; background: rgb(0 0 0 / .8)",
        "on a gradient": "color: white; background: linear-gradient(#000, #333)",
    }
    page = "".join(f'<div style="{style}"><p>{name}</p></div>' for name, style in grounds.items())
    view = tab.open(tmp_path / "view.html", highlighted(page, "page", Options(model="numwords")))

    def changed() -> set[str]:
        return set(frame_of(view).locator("[data-unreadable]").all_inner_texts())

    assert changed() == {"gone", "pale", "black on black"}
    look = "(one) => { const s = getComputedStyle(one); return [s.color, s.backgroundColor]; }"
    for name in changed():
        ink, ground = frame_of(view).get_by_text(name, exact=True).evaluate(look)
        assert ink == "rgb(17, 17, 17)"
        *colours, alpha = [*map(float, re.findall(r"[\d.]+", ground)), 1.0][:4]
        assert alpha == 1
        assert min(colours) > 0.7  # of 1, in the notation of mixed colours

    view.get_by_label("Page’s styles").uncheck()
    assert changed() == set()
    view.get_by_label("Page’s styles").check()
    assert changed() == {"gone", "pale", "black on black"}


def test_the_page_can_be_shown_without_its_own_styles(tab, tmp_path):
    page = "<style>.x { display: none }</style><p style='position: fixed'>Shown</p><p class=x>Hidden text of nine</p>"
    view = tab.open(tmp_path / "view.html", highlighted(page, "page", Options(model="numwords")))
    hidden, fixed = frame_of(view).get_by_text("Hidden text"), frame_of(view).get_by_text("Shown")
    position = "(one) => getComputedStyle(one.parentElement).position"
    assert not hidden.is_visible()
    assert fixed.evaluate(position) == "fixed"

    view.get_by_label("Page’s styles").uncheck()
    assert hidden.is_visible()
    assert fixed.evaluate(position) == "static"

    view.get_by_label("Page’s styles").check()
    assert not hidden.is_visible()
    assert fixed.evaluate(position) == "fixed"


@pytest.mark.parametrize(
    "tab",
    [{"viewport": {"width": 360, "height": 740}, "color_scheme": scheme} for scheme in ("light", "dark")],
    indirect=True,
)
def test_it_fits_a_narrow_screen_in_light_and_dark(view, tab):
    assert view.evaluate("document.documentElement.scrollWidth") <= 360
    for name in ("Page", "Text", "Blocks"):
        view.get_by_role("tab", name=name).click()
        assert [pane for pane in ("page", "text", "blocks") if view.locator(f"#{pane}").is_visible()] == [name.lower()]


@pytest.mark.parametrize("tab", [{"color_scheme": "light"}, {"color_scheme": "dark"}], indirect=True)
def test_every_text_of_the_view_stands_out_from_its_ground(view, tab):
    for pane in ("Text", "Blocks"):
        view.get_by_role("tab", name=pane).click()
        assert view.evaluate(LOW_CONTRAST) == []


def test_a_hostile_page_runs_nothing_loads_nothing_and_leads_nowhere(tab, tmp_path, evil):
    page = hostile_page(evil.url)
    view = tab.open(
        tmp_path / "view.html", highlighted(page, "page", Options(model="numwords"), url=f"{evil.url}/page")
    )
    frame = frame_of(view)

    for text in ("Plain text", "script", "link", "blank", "Send it", "custom", "moving", "more"):
        target = frame.get_by_text(text, exact=True).first
        target.hover(force=True)
        target.click(force=True)
        target.click(force=True, button="middle")
        target.click(force=True, modifiers=["ControlOrMeta"])
    frame.locator("a").first.focus()
    view.keyboard.press("Enter")
    view.wait_for_timeout(500)

    assert view.evaluate("'canary' in window") is False
    assert view.url.startswith("file:")
    assert view.locator("#frame").evaluate("(frame) => frame.contentWindow.location.href") == "about:srcdoc"
    assert frame.get_by_text("Plain text").is_visible()
    assert len(view.context.pages) == 1
    assert evil.connections == []


def test_the_frame_stops_what_the_markup_would_let_through(browser, tmp_path, evil):
    data = view_data(PAGE, "page", Options(model="numwords"), others=False)
    raw = hostile_page(evil.url).replace(' name="querySelectorAll"', "")  # which would only stop our own script
    # Redirections have a test of their own; no policy forbids to connect without asking for anything.
    data["html"] = re.sub(r"<(meta|link)[^>]*(refresh|preconnect|dns-prefetch)[^>]*>", "", raw)
    tab = Tab(browser)
    view = tab.open(tmp_path / "view.html", to_html(data))
    frame = frame_of(view)

    for name in ("text", "script-link", "link", "blank", "send"):
        frame.locator(f"#{name}").evaluate("(one) => one.click()")
    view.wait_for_timeout(500)

    assert view.evaluate("'canary' in window") is False
    assert len(view.context.pages) == 1
    assert not any(evil.connections)  # connections without a request are what links prepare, and we leave no link
    tab.context.close()


def test_the_frame_can_t_be_led_away_by_the_page(browser, tmp_path, evil):
    data = view_data(PAGE, "page", Options(model="numwords"), others=False)
    data["html"] = f'<meta http-equiv="refresh" content="0;url={evil.url}/refresh"><p>text'
    tab = Tab(browser)
    tab.page.goto("about:blank")
    path = tmp_path / "view.html"
    path.write_text(to_html(data), "utf-8")
    tab.page.goto(path.as_uri())
    tab.page.wait_for_timeout(700)

    assert evil.connections == []
    assert tab.page.url == path.as_uri()
    tab.context.close()


def test_the_listener_would_notice(browser, evil):
    """The three tests above can fail: the same page outside of a view reaches the listener and runs its scripts."""
    tab = Tab(browser)
    tab.page.set_content(hostile_page(evil.url).replace("http-equiv", "data-x"))
    tab.page.wait_for_timeout(500)

    assert evil.connections != []
    assert tab.page.evaluate("'canary' in window") is True
    tab.context.close()


@pytest.mark.parametrize("tab", [{"color_scheme": "light"}, {"color_scheme": "dark"}], indirect=True)
def test_the_report_leads_to_the_views_and_fits_a_narrow_screen(tab, tmp_path):
    report = CrawlReport(str(tmp_path / "report.html"))
    for name in ("blog", "forum"):
        page = (GOLD / f"{name}.html").read_bytes()
        report.add(f"https://{name}.example/", page, None, PageSummary.of(extract(page)), Options())
    report.write("test", {"boilerplate/pages/scored": 2})
    tab.page.set_viewport_size({"width": 360, "height": 740})
    tab.page.goto((tmp_path / "report.html").as_uri())

    assert tab.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert tab.page.evaluate(LOW_CONTRAST) == []
    assert tab.page.locator("td:nth-child(2)").first.bounding_box()["width"] > 280
    link = tab.page.locator("#rows a").first
    title = link.inner_text()
    link.click()
    tab.page.wait_for_selector("body[data-ready]")
    assert tab.page.get_by_role("heading", level=1).inner_text() == title

    tab.page.get_by_role("link", name="Report").click()
    assert tab.page.get_by_role("heading", level=1).inner_text() == "Crawl report: test"


@pytest.fixture
def report(tab, tmp_path):
    report = CrawlReport(str(tmp_path / "report.html"))
    types = {"blog": "article", "forum": "forum", "wiki": "article", "product": None}
    for name, page_type in types.items():
        page = (GOLD / f"{name}.html").read_bytes()
        summary = replace(PageSummary.of(extract(page)), page_type=page_type)
        report.add(f"https://{name}.example/it's?a=$(b)&c=1", page, None, summary, Options())
    report.write("test", {})
    tab.page.goto((tmp_path / "report.html").as_uri())
    return tab.page


def listed(report) -> list[str]:
    return [url.split("/")[2].split(".")[0] for url in report.locator("#rows td > span:visible").all_inner_texts()]


def test_the_pages_of_a_report_are_searched_and_sorted(report):
    assert len(listed(report)) == 4
    words = [int(cell.replace(",", "")) for cell in report.locator("#rows [data-unit=words]").all_inner_texts()]
    by_words = [name for _, name in sorted(zip(words, listed(report), strict=True))]

    report.get_by_role("button", name="Words kept").click()
    assert listed(report) == by_words
    report.get_by_role("button", name="Words kept").click()
    assert listed(report) == by_words[::-1]
    assert report.locator("th[aria-sort=descending]").inner_text().startswith("Words kept")

    report.locator("#type").select_option("article")
    assert sorted(listed(report)) == ["blog", "wiki"]
    report.get_by_label("Search").fill("WIKI.example")
    assert listed(report) == ["wiki"]
    assert report.locator("#found").inner_text() == "1 of 4"


def test_the_command_labels_the_pages_that_are_shown(report):
    report.get_by_role("button", name="Page").click()
    for search in ("", "forum.example"):
        report.get_by_label("Search").fill(search)
        words = shlex.split(report.locator("#command").inner_text())
        assert words[:3] == ["scrapy", "boilerplate", "label"]
        assert words[3:] == [f"https://{name}.example/it's?a=$(b)&c=1" for name in listed(report)]

    report.get_by_label("Search").fill("nothing has these words")
    assert not report.locator("#label").is_visible()


def clipboard(page) -> str:
    return page.evaluate("navigator.clipboard.readText()")


@pytest.fixture
def copying(tab, view):
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    return view


def test_text_and_markdown_are_copied_as_a_crawl_would_write_them(copying):
    page = (GOLD / "blog.html").read_bytes()
    copying.get_by_role("tab", name="Markdown").click()
    for threshold, name in ((None, None), (0.2, None), (0.9, None), (0.2, "largest"), (1.0, None)):
        copying.select_option("#filter", name or "")
        if threshold is not None:
            move_slider(copying, threshold)
        document = extract(page, "https://blog.example/", threshold=threshold, filter=name)

        if document.markdown:
            assert copying.locator("#markdown pre").text_content() == document.markdown
        copying.keyboard.press("t")
        copying.wait_for_selector("#said[data-shown]")
        assert clipboard(copying) == document.main_text
        copying.keyboard.press("m")
        assert clipboard(copying) == document.markdown


def test_the_settings_that_the_slider_has_arrived_at_are_copied(tab, tmp_path):
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    options = Options(model="numwords", image_alt=True, captions=False)
    view = tab.open(tmp_path / "view.html", highlighted(PAGE, "page", options))
    view.get_by_role("button", name="Copy settings").click()
    names: dict = {}
    exec(clipboard(view), names)
    assert Options.from_settings(names["custom_settings"]) == options

    move_slider(view, 0.35)
    view.select_option("#filter", "main")
    view.get_by_role("button", name="Copy settings").click()
    exec(clipboard(view), names)
    assert Options.from_settings(names["custom_settings"]) == replace(options, threshold=0.35, filter="main")


def test_the_xpath_of_the_chosen_block_is_copied(copying):
    copying.keyboard.press("j")
    xpath = copying.evaluate("view.blocks[view.chosen].xpath")
    copying.get_by_role("button", name="Copy XPath").click()
    assert clipboard(copying) == xpath
    copying.evaluate("navigator.clipboard.writeText('')")
    copying.keyboard.press("x")
    assert clipboard(copying) == xpath
    assert xpath in copying.locator("#said").inner_text()


def test_a_browser_without_a_clipboard_copies_the_old_way(copying):
    copying.evaluate("copier.copyBySelection('a text')")
    assert clipboard(copying) == "a text"


def test_a_question_mark_lists_the_keys(view):
    view.keyboard.press("?")
    dialog = view.get_by_role("dialog", name="Keys")
    assert dialog.is_visible()
    chosen = view.evaluate("view.chosen")
    view.keyboard.press("j")
    assert view.evaluate("view.chosen") == chosen
    for key in re.findall(r"^[a-z]$", dialog.inner_text(), re.MULTILINE):
        assert view.evaluate("(key) => view.key({key})", key) is True
    view.keyboard.press("Escape")
    assert not dialog.is_visible()


@pytest.mark.parametrize(("sheets", "styled"), [({}, False), ({"a.css": "p { color: teal }"}, True)])
def test_a_page_whose_style_sheets_are_missing_is_shown_without_styles(tab, tmp_path, sheets, styled):
    page = "<link rel=stylesheet href=a.css><link rel=stylesheet href=b.css><p style='color: teal'>Some words"
    view = tab.open(tmp_path / "view.html", highlighted(page, "page", Options(), sheets=sheets))

    box = view.get_by_label("Page’s styles")
    assert box.is_checked() is styled
    assert "of the page’s 2 style sheets are not in this file" in box.locator("..").get_attribute("title")
    assert frame_of(view).locator("p").evaluate("(one) => getComputedStyle(one).color") == (
        "rgb(0, 128, 128)" if styled else "rgb(0, 0, 0)"
    )


def brightness(view, tmp_path) -> float:
    image = view.locator("#frame").screenshot(path=tmp_path / "frame.png")
    pixels = decoded(view, image)
    return sum(pixels) / len(pixels)


def decoded(view, image: bytes) -> list[int]:
    """The grey values of an image, decoded in a tab of its own: the policy of the view loads no image."""
    tab = view.context.browser.new_page()
    pixels = tab.evaluate(
        """async (data) => {
          const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes]));
          const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
          canvas.drawImage(image, 0, 0);
          return [...canvas.getImageData(0, 0, image.width, image.height).data].filter((_, place) => place % 4 === 1);
        }""",
        base64.b64encode(image).decode(),
    )
    tab.close()
    return pixels


@pytest.mark.parametrize("tab", [{"color_scheme": "dark"}], indirect=True)
@pytest.mark.parametrize(
    "style", ["", "body { background: white; color: black }", "body { background: #111; color: #eee }"]
)
def test_a_dark_screen_shows_no_white_page(tab, tmp_path, style):
    page = f"<style>{style}</style><p>Some words"
    view = tab.open(tmp_path / "view.html", highlighted(page, "page", Options()))
    assert brightness(view, tmp_path) < 60

    view.get_by_label("Dark page").uncheck()
    assert (brightness(view, tmp_path) > 200) is ("#111" not in style)


@pytest.mark.parametrize("tab", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
def test_a_small_screen_is_for_the_page(view):
    assert view.locator("#page").bounding_box()["height"] > 740 * 0.6
    assert not view.get_by_label("Threshold").is_visible()

    view.get_by_role("button", name="Settings", exact=True).click()
    assert view.get_by_role("slider", name="Threshold").is_visible()
    view.get_by_role("button", name="Settings", exact=True).click()
    assert not view.locator("#card table").is_visible()
    view.get_by_role("button", name="Why?").click()
    assert view.locator("#card table").is_visible()


def test_links_skip_to_each_part(view):
    view.keyboard.press("Tab")
    for name, part in (("page", "frame"), ("text", "text"), ("blocks", "list"), ("chosen block", "details")):
        link = view.get_by_role("link", name=f"Skip to the {name}")
        link.focus()
        assert link.bounding_box()["x"] >= 0
        link.press("Enter")
        assert view.evaluate("document.activeElement.id") == part
        assert view.locator(f"#{part}").is_visible()


def test_the_text_has_headings_and_bullets(tab, tmp_path):
    page = "<h2>A heading</h2><ul><li>First</li><li>Second</li></ul><p>A paragraph"
    view = tab.open(tmp_path / "view.html", highlighted(page, "page", Options(model="numwords", threshold=0)))

    assert view.locator("#text").get_by_role("heading", level=2).inner_text() == "A heading"
    bullets = view.locator("#text p:visible").evaluate_all(
        "all => all.map((one) => getComputedStyle(one, '::before').content)"
    )
    assert bullets == ["none", '"•"', '"•"', "none"]


def test_a_block_that_other_pages_hold_says_so_and_no_setting_keeps_it(tab, tmp_path):
    page, options = "<p>First<p>Second", Options(model="numwords", threshold=0)
    view = tab.open(tmp_path / "view.html", highlighted(page, "page", options, other_pages={0: 14}))

    assert view.locator("#text p:visible").all_inner_texts() == ["Second"]
    for block, shown in ((0, True), (1, False)):
        view.evaluate("(block) => view.choose(block)", block)
        assert ("also on 14 other pages" in view.locator("#card").inner_text()) is shown
