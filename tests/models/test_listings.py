"""A listing is main text as a whole or not at all: nobody can use every second line of a program."""

from __future__ import annotations

import numpy as np
import pytest

from scrapy_boilerplate import extract
from scrapy_boilerplate.features import Features
from scrapy_boilerplate.models.listings import whole_listings
from scrapy_boilerplate.parse import to_tree
from scrapy_boilerplate.segment import segment

from ..pages import PARAGRAPHS, article

PROGRAM = """def tide(hour):
    # At Fish Quay the water is highest at noon and at midnight, as everybody there knows.
    if hour % 12 == 0:
        return "high"

    return "low"
}"""


def listings_of(markup: str) -> list[int]:
    """For each block the number of its listing."""
    root = to_tree(markup)
    return Features(segment(root)).surroundings.listings.tolist()


def test_all_lines_of_a_listing_have_the_mean_of_their_scores():
    scores = whole_listings(np.array([0.9, 0.2, 0.8, 0.4]), np.array([0, 7, 7, 3]), np.array([5.0, 1.0, 3.0, 2.0]))

    assert scores.tolist() == pytest.approx([0.9, 0.65, 0.65, 0.4])


def test_without_a_listing_scores_stay_as_they_are():
    scores = np.array([0.9, 0.2])

    assert whole_listings(scores, np.array([0, 0]), np.ones(2)) is scores


def test_lines_of_one_listing_belong_together_whatever_is_around_each_of_them():
    prose, first, second, third, other = listings_of(
        "<p>prose</p><pre><code>one\n<b>two</b></code><div>three</div></pre><pre>other</pre>"
    )

    assert prose == 0
    assert first == second == third > 0
    assert other not in (prose, first)


@pytest.mark.parametrize("model", ["mlp", "news"])
def test_a_program_is_kept_whole_or_left_out_whole(model):
    document = extract(article(*PARAGRAPHS, f"<pre>{PROGRAM}</pre>"), model=model)

    lines = [block for block in document.blocks if block.tag == "pre"]
    assert [block.text for block in lines] == [line for line in PROGRAM.splitlines() if line]
    assert len({block.score for block in lines}) == 1
    assert len({block.is_content for block in lines}) == 1
