"""`scrapy boilerplate compare`: trained models by their cards, rules by a run, and what both cost."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import replace

import pytest
from scrapy.exceptions import UsageError

from scrapy_boilerplate.commands import compare as command
from scrapy_boilerplate.models import load_model
from scrapy_boilerplate.train.comparison import accuracy, costs
from scrapy_boilerplate.train.data import read_examples
from scrapy_boilerplate.train.timing import Task, fastest_runs, spread

from ..pages import MAIN_TEXT, PAGE

TRAINED = ("mlp", "news", "texrex")


@pytest.fixture
def pages(tmp_path):
    """Four pages and gold texts in a folder with the name of the collection that the shipped cards tell of."""
    folder = tmp_path / "wcxb-dev"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.html").write_text(PAGE, "utf-8")
        (folder / f"{number}.txt").write_text(MAIN_TEXT, "utf-8")
    return folder


def run(*arguments: object) -> None:
    parser = ArgumentParser()
    command.add_options(parser)
    command.run([], parser.parse_args(["--pages", "2", "--repeats", "1", *map(str, arguments)]))


def with_card(**card):
    class Trained:
        pass

    model = Trained()
    model.card = card
    return model


def test_rules_are_tried_on_the_pages(pages):
    found = accuracy(load_model("numwords"), str(pages), read_examples(pages))

    assert (found.figures["f1"], found.figures["pages"], found.how) == (1.0, 4, "no training")
    assert found.is_comparable


@pytest.mark.parametrize("name", TRAINED)
def test_a_trained_model_is_judged_by_its_card_and_not_on_pages_that_it_knows(name, pages):
    model = load_model(name)
    figures = model.card["cross_validation"]["folders"]["wcxb-dev"]

    found = accuracy(model, f"{pages}/", read_examples(pages))

    assert found.figures == figures
    assert found.how.startswith("5 folds by site, card")
    assert found.how.endswith(f"on {figures['pages']} pages, while here are 4")
    assert not found.is_comparable


@pytest.mark.parametrize("count", [4, 3])
def test_a_card_that_tells_of_as_many_pages_is_comparable_whether_it_counts_those_without_gold_or_not(count, pages):
    examples = read_examples(pages)
    examples[0] = replace(examples[0], gold=None)
    figures = {"pages": count, "f1": 0.8, "f1_by_type": {}}
    model = with_card(cross_validation={"folds": 3, "folders": {"some/where/wcxb-dev": figures}})

    found = accuracy(model, str(pages), examples)

    assert (found.how, found.is_comparable) == ("3 folds by site, card", True)


def test_what_else_a_model_was_trained_on_is_told(pages):
    model = with_card(
        cross_validation={"folds": 5, "folders": {"wcxb-dev": {"pages": 4, "f1": 0.8, "f1_by_type": {}}}},
        data=[{"folder": "wcxb-dev"}, {"folder": "articles"}, {"folder": "snippets"}],
    )

    assert accuracy(model, str(pages), read_examples(pages)).how.endswith("trained with articles and snippets")


def test_a_model_for_some_page_types_is_told_by_their_names(pages):
    examples = [replace(example, page_type="article") for example in read_examples(pages)]
    examples[0] = replace(examples[0], page_type="forum")
    figures = {"pages": 3, "f1": 0.9, "f1_by_type": {"article": 0.9}}
    model = with_card(cross_validation={"folds": 5, "folders": {"wcxb-dev": figures}})

    found = accuracy(model, str(pages), examples)

    assert found.how.endswith("; only article: 3 of 4 pages")
    assert not found.is_comparable


@pytest.mark.parametrize("card", [{}, {"cross_validation": {"folds": 5, "folders": {"other": {"pages": 4}}}}])
def test_a_card_without_these_pages_gives_no_figures(card, pages):
    found = accuracy(with_card(**card), str(pages), read_examples(pages))

    assert (found.figures, found.how) == (None, "its card has no cross-validation on wcxb-dev")


def test_costs_are_multiples_of_the_bare_parse():
    [cost] = costs({"numwords": load_model("numwords")}, [PAGE.encode() * 20, b""], 2).values()

    assert cost.milliseconds > 0
    assert cost.parses > 1, "the parse is a part of it"


def test_without_a_page_that_can_be_parsed_there_is_no_cost():
    with pytest.raises(ValueError, match="no page"):
        costs({}, [b""], 1)


def test_tasks_take_turns_on_each_page_and_the_fastest_run_counts(monkeypatch):
    from scrapy_boilerplate.train import timing

    turns, clock, done = [], iter([0, 5, 0, 2, 0, 4, 0, 1, 0, 3, 0, 8, 0, 6, 0, 7]), []
    monkeypatch.setattr(timing, "process_time", lambda: next(clock))
    tasks = [
        Task("one", lambda page: turns.append(f"one {page}")),
        Task("two", lambda page: turns.append(f"two {page}")),
    ]

    times = fastest_runs(tasks, ["a", "b"], 2, done.append)

    assert turns == ["one a", "two a", "one b", "two b"] * 2
    assert times == {"one": [3, 4], "two": [2, 1]}
    assert done == [1, 2, 3, 4]


def test_a_sample_is_spread_over_all_pages():
    assert spread(range(10), 5) == [0, 2, 4, 6, 8]
    assert spread(range(3), 5) == [0, 1, 2]


def test_the_command_prints_a_table_of_all_models(pages, capsys):
    run("--data", pages)

    printed = capsys.readouterr().out
    for name in (*TRAINED, "numwords", "densitometric"):
        assert f"\n{name} " in printed
    assert "f1 by type" in printed
    assert "(2 pages, fastest of 1 runs)" in printed


def test_the_command_prints_json_and_draws(pages, tmp_path, capsys):
    run("--data", pages, "--model", "numwords", "--model", "texrex", "--json", "--plot", tmp_path / "out.png")

    content = json.loads(capsys.readouterr().out)
    assert [(row["model"], row["comparable"]) for row in content["models"]] == [("numwords", True), ("texrex", False)]
    assert content["models"][0]["f1"] == 1.0
    assert content["pages"] == 4
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "usage"),
        (["--data", "no-such-folder"], "no-such-folder"),
        (["--data", "{pages}", "--pages", "0"], "--pages must be at least 1, not 0"),
        (["--data", "{pages}", "--repeats", "-1"], "--repeats must be at least 1, not -1"),
        (["--data", "{pages}", "--model", "nonsense"], "--model nonsense: unknown model"),
        (["--data", "{pages}", "--plot", "out.doc"], "can't draw"),
    ],
)
def test_a_mistake_stops_the_command_before_it_starts(pages, arguments, message):
    with pytest.raises(UsageError, match=message):
        run(*(argument.format(pages=pages) for argument in arguments))
