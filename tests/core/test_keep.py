"""The threshold and the three filters behind it."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import scrapy_boilerplate

# With the model whose scores can be computed by hand.
extract = partial(scrapy_boilerplate.extract, model="numwords")


def kept(markup: str, **options) -> list[str]:
    """The kept blocks; by default all blocks pass the threshold, so that only the filter decides."""
    options = {"threshold": 0, **options}
    return [block.text for block in extract(markup, **options).blocks if block.is_content]


# The threshold

LONG = " ".join(["word"] * 30)


def test_a_block_at_the_threshold_is_kept():
    markup = f"<p>{LONG}</p><p><a>link</a></p><p>short</p>"
    [score] = {block.score for block in extract(markup).blocks if block.text == LONG}

    assert kept(markup, threshold=score) == [LONG]
    assert kept(markup, threshold=np.nextafter(score, 1).item()) == []


def test_a_higher_threshold_never_keeps_more():
    markup = f"<p>{LONG}</p><p>{LONG} <a>{LONG}</a></p><p>{LONG} {LONG}</p><p>short</p><p>{LONG} <a>link</a></p>"

    counts = [len(kept(markup, threshold=threshold / 20)) for threshold in range(21)]

    assert counts == sorted(counts, reverse=True)
    assert counts[0] == 5


@pytest.mark.parametrize("filter", [None, "ancestor", "largest", "main"])
def test_where_nothing_passes_the_threshold_nothing_is_kept(filter):
    assert kept("<p>short</p>", threshold=1, filter=filter) == []


@pytest.mark.parametrize("filter", [None, "ancestor", "largest", "main"])
def test_an_empty_page_has_nothing_to_keep(filter):
    assert kept("", filter=filter) == []


@pytest.mark.parametrize("filter", ["ancestor", "largest", "main"])
def test_a_filter_only_takes_away(filter):
    markup = f"<div><p>{LONG}</p><p>short</p><p>{LONG}</p></div><div><p><a>{LONG}</a></p><p>{LONG}</p></div>"

    assert set(kept(markup, threshold=0.5, filter=filter)) <= set(kept(markup, threshold=0.5))


# Ancestor

NESTED = """
<main>
  <article>
    <section>
      <div><p>alpha alpha alpha</p><p>beta beta</p></div>
      <div><p>gamma gamma</p></div>
    </section>
    <section><div><p>delta delta</p></div></section>
  </article>
  <aside><div><div><p>epsilon</p></div></div></aside>
</main>
"""


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (1, "alpha beta"),  # the first <div>
        (2, "alpha beta gamma"),  # the first <section>
        (3, "alpha beta gamma delta"),  # the <article>
        (4, "alpha beta gamma delta epsilon"),  # <main>
        (5, "alpha beta gamma delta epsilon"),  # <body>
    ],
)
def test_the_ancestor_filter_keeps_the_largest_group_with_the_same_ancestor(depth, expected):
    texts = kept(NESTED, filter="ancestor", ancestor_depth=depth)

    assert " ".join(text.split()[0] for text in texts) == expected


def test_the_ancestor_filter_looks_at_grandparents_by_default():
    assert kept(NESTED, filter="ancestor") == kept(NESTED, filter="ancestor", ancestor_depth=2)


def test_the_ancestor_filter_counts_text_and_not_blocks():
    markup = "<div><div><p>a</p><p>b</p><p>c</p></div></div><div><div><p>one long paragraph</p></div></div>"

    assert kept(markup, filter="ancestor", ancestor_depth=1) == ["one long paragraph"]


def test_the_ancestor_filter_counts_only_blocks_above_the_threshold():
    markup = f"<div><p>{LONG}</p></div><div><p><a>{LONG} {LONG} {LONG}</a></p></div>"

    assert kept(markup, threshold=0.5, filter="ancestor", ancestor_depth=1) == [LONG]


@pytest.mark.parametrize("tag", "div table ul ol p section article h1 h2 h3 h4 h5 h6 header".split())
def test_the_paragraph_of_a_block_is_the_closest_element_of_the_paper_s_list(tag):
    inside = {"table": "<tr><td>{}</td></tr>", "ul": "<li>{}</li>", "ol": "<li>{}</li>"}.get(tag, "<x-y>{}</x-y>")
    paragraph = f"<{tag}>{inside}</{tag}>"
    markup = (
        f"<main><x-group>{paragraph.format('first text')}</x-group><x-group>{paragraph.format('2nd')}</x-group></main>"
    )

    assert kept(markup, filter="ancestor", ancestor_depth=1) == ["first text"]
    assert kept(markup, filter="ancestor", ancestor_depth=2) == ["first text", "2nd"]


def test_the_items_of_a_list_are_one_paragraph():
    markup = "<div><ul><li>one</li><li>two</li><li>three</li></ul></div><div><p>ten chars.</p></div>"

    assert kept(markup, filter="ancestor", ancestor_depth=1) == ["one", "two", "three"]


def test_above_the_root_there_is_only_the_root():
    assert kept("<p>a</p><div><p>b</p></div>", filter="ancestor", ancestor_depth=5) == ["a", "b"]


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_loose_text_is_a_paragraph_beside_those_in_the_same_element(depth):
    markup = "<main><section><article><div>loose<br><br>text<p>and a paragraph</p></div></article></section></main>"

    assert kept(markup, filter="ancestor", ancestor_depth=depth) == ["loose", "text", "and a paragraph"]


def test_an_element_without_other_paragraphs_is_one_itself():
    markup = "<section><div>one<p></p></div><div>two <span>words</span></div></section><div><p>more text</p></div>"

    assert kept(markup, filter="ancestor", ancestor_depth=1) == ["one", "two words"]


def test_of_two_equal_groups_the_first_is_kept():
    assert kept("<div><p>aaa</p></div><div><p>bbb</p></div>", filter="ancestor", ancestor_depth=1) == ["aaa"]


# Largest

LINKS = "<ul><li><a>one link</a></li><li><a>another link</a></li><li><a>a third link</a></li></ul>"
RUNS = f"""
<p>{LONG} A1</p> <p>{LONG} A2</p>
{LINKS}
<p>{LONG} {LONG} {LONG} B1</p>
{LINKS}
<p>{LONG} {LONG} C1</p>
"""


def test_the_largest_filter_keeps_the_run_with_the_most_words():
    [text] = kept(RUNS, threshold=0.5, filter="largest")

    assert text.endswith("B1")


def test_the_largest_filter_keeps_all_blocks_of_the_run():
    markup = RUNS.replace("B1", "B1</p><p>short</p><p>" + LONG + " B3")

    assert [text.split()[-1] for text in kept(markup, threshold=0.5, filter="largest")] == ["B1", "short", "B3"]


def test_the_largest_filter_counts_words_and_not_blocks():
    markup = f"<p>{LONG}</p><p>short</p><p>tiny</p>{LINKS}<p>{LONG} {LONG}</p><p><a>link</a></p>"

    assert kept(markup, threshold=0.5, filter="largest") == [f"{LONG} {LONG}"]


def test_the_largest_filter_keeps_a_page_that_is_one_run():
    assert kept("<p>a</p><p>b</p><p>c</p>", filter="largest") == ["a", "b", "c"]


def test_of_two_equal_runs_the_first_is_kept():
    markup = f"<p>{LONG} A</p>{LINKS}<p>{LONG} B</p>"

    assert kept(markup, threshold=0.5, filter="largest") == [f"{LONG} A"]


@pytest.mark.parametrize(("links", "expected"), [(1, "ABC"), (2, "ABC"), (3, "C")])
def test_a_gap_of_up_to_two_blocks_does_not_end_a_run_and_is_not_filled(links, expected):
    markup = f"<p>{LONG} A</p><p>{LONG} B</p>{'<p><a>link</a></p>' * links}<p>{LONG} {LONG} {LONG} C</p>"

    texts = kept(markup, threshold=0.5, filter="largest")

    assert [text.split()[-1] for text in texts] == list(expected)


# Main


def article(
    title: str = "<title>Bridge shut | The Gazette</title>", heading: str = "<h1>Bridge shut</h1>", below: str = ""
) -> str:
    return f"{title}<body><p>above</p>{heading}<p>first</p><p>last</p>{below}"


@pytest.mark.parametrize(
    "title",
    [
        "Bridge shut",
        "BRIDGE SHUT",
        "Bridge shut | The Gazette",
        "Bridge shut - The Gazette",
        "Bridge shut – News – The Gazette",
        "The Gazette » Bridge shut",
        "The Gazette: Bridge shut",
    ],
)
def test_the_main_filter_drops_what_lies_above_the_title(title):
    assert kept(article(f"<title>{title}</title>"), filter="main") == ["Bridge shut", "first", "last"]


@pytest.mark.parametrize("title", ["", "<title></title>", "<title>Something else</title>"])
def test_without_a_title_to_be_found_nothing_is_dropped_above(title):
    assert kept(article(title), filter="main") == ["above", "Bridge shut", "first", "last"]


def test_a_heading_is_a_better_title_than_a_breadcrumb():
    markup = article(heading="<p>Bridge shut</p><p>between</p><h1>Bridge shut</h1>")

    assert kept(markup, filter="main") == ["Bridge shut", "first", "last"]


def test_a_title_that_is_no_heading_will_do():
    assert kept(article(heading="<div>Bridge shut</div>"), filter="main") == ["Bridge shut", "first", "last"]


@pytest.mark.parametrize(
    "heading",
    [
        "Comments",
        "COMMENTS:",
        "User comments:",
        "Comments (12)",
        "12 Comments",
        "Reader comments",
        "Readers’ comments",
        "Add a comment",
        "Add your comment",
        "Post a comment",
        "Leave a comment",
        "Leave a reply",
        "Have your say!",
        "Join the discussion",
    ],
)
def test_the_main_filter_drops_a_comments_heading_and_all_below(heading):
    markup = article(below=f"<h2>{heading}</h2><p>First comment of all, and a long one too</p>")

    assert kept(markup, filter="main") == ["Bridge shut", "first", "last"]


def test_a_block_that_only_mentions_comments_is_no_heading():
    markup = article(below="<p>Comments are closed on Sundays</p><p>end</p>")

    assert kept(markup, filter="main") == ["Bridge shut", "first", "last", "Comments are closed on Sundays", "end"]


def test_a_link_to_the_comments_above_the_title_ends_nothing():
    markup = article().replace("<p>above</p>", "<p>above</p><p><a>12 comments</a></p>")

    assert kept(markup, filter="main") == ["Bridge shut", "first", "last"]


def test_the_main_filter_keeps_the_largest_run_of_what_is_left():
    markup = f"""<title>T</title><body><p>{LONG} {LONG} {LONG} above</p><h1>T</h1><p>{LONG} A</p>
    {LINKS}<p>{LONG} {LONG} B</p>
    <h2>Comments</h2><p>{LONG} {LONG} {LONG} below</p>"""

    assert [text.split()[-1] for text in kept(markup, threshold=0.5, filter="main")] == ["B"]


def last_words(markup: str) -> list[str]:
    """The last word of each block that the main filter leaves of a page of which everything else is kept."""
    return [text.split()[-1] for text in kept(markup, filter="main")]


def test_the_main_filter_never_leaves_nothing():
    assert last_words(f"<title>T</title><body><p>{LONG} A</p><h1>T</h1>") == ["A", "T"]
    assert last_words("<title>★</title><body><p>*</p><h2>★</h2>") == ["*", "★"]


@pytest.mark.parametrize("entry", ["<a>Comments</a>", "Comments", "<a>12 comments</a>"])
@pytest.mark.parametrize("title", ["", "<title>Bridge shut</title>"])
def test_a_menu_s_entry_for_the_comments_ends_no_article(title, entry):
    below_title = f"{title}<h1>Bridge shut</h1><ul><li>{entry}</li></ul><p>{LONG} A</p><p>{LONG} B</p>"
    above_title = f"{title}<ul><li>{entry}</li></ul><h1>Bridge shut</h1><p>{LONG} A</p><p>{LONG} B</p>"

    assert last_words(below_title)[-2:] == last_words(above_title)[-2:] == ["A", "B"]


def test_the_comments_may_be_much_longer_than_the_article():
    markup = f"<title>T</title><h1>T</h1>{f'<p>{LONG} A</p>' * 4}<h2>Comments</h2>{f'<p>{LONG}</p>' * 100}"

    assert last_words(markup) == ["T", "A", "A", "A", "A"]


def test_a_title_below_most_of_the_kept_text_is_no_title():
    markup = f"<title>T</title><p>{LONG} A</p><p>{LONG} B</p><h2>T</h2><p>{LONG} C</p>"

    assert last_words(markup) == ["A", "B", "T", "C"]


def test_a_breadcrumb_is_the_title_if_the_heading_that_says_the_same_is_too_far_down():
    markup = f"<title>T</title><p>{LONG} A</p><p>T</p><p>{LONG} B</p><p>{LONG} C</p><h2>T</h2><p>{LONG} D</p>"

    assert last_words(markup) == ["T", "B", "C", "T", "D"]


def test_a_mere_part_of_the_title_is_no_title():
    markup = f"<title>The old bridge is shut - News - The Gazette</title><p>{LONG} A</p><h2>News</h2><p>{LONG} B</p>"

    assert last_words(markup) == ["A", "News", "B"]
