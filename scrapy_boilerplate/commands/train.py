"""`scrapy boilerplate train`: a model of one's own, or the shipped ones again."""

from __future__ import annotations

import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import inf, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from ..extras import require
from ..models.mlp import Perceptron
from ..train import boilernet, plots, texrex, victor_pages
from ..train.cards import card_page
from ..train.recipe import Source, judge, make_samples, read_sources
from ..train.rows import judge_rows, read_rows, train_on_rows
from ..train.samples import NO_COPIES, CopyWeights
from ..train.second_opinion import with_second_opinions
from .mistakes import model_of, reason_of, usage
from .progress import progress

if TYPE_CHECKING:
    from ..train.example import Example
    from ..train.samples import Sample

SYNTAX = "train [LABELS ...] [--data DIR[:WEIGHT]] [--from MODEL] -o FILE [options]"

# Modules of train/ with FEATURES, Settings and train().
_TRAINERS = {"mlp": "network", "texrex": "texrex"}
_OF_TEXT_NODES = ("victor", "boilernet")  # which split pages in a way of their own
_SEEDS = 2**32


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        metavar="DIR[:WEIGHT]",
        action="append",
        help="html/ and ground-truth/, pairs of page and text, or label files; WEIGHT is how much each page counts, "
        "1 if not given. For texrex also FANN's .dat files",
    )
    parser.add_argument(
        "--from", dest="start", metavar="MODEL", help="go on from this model: its name or its file, of the kind mlp"
    )
    parser.add_argument(
        "--check",
        metavar="DIR",
        action="append",
        help="with --from: other pages, on which nothing should change; if not given, some that we bring along",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write the weights; their card goes beside")
    parser.add_argument(
        "--kind", choices=(*_TRAINERS, *_OF_TEXT_NODES), default="mlp", help="of model, mlp if not given"
    )
    parser.add_argument("--page-type", metavar="TYPE", help="of folders that know page types only this one")
    parser.add_argument(
        "--shortened",
        type=float,
        default=0.0,
        metavar="WEIGHT",
        help="learn from a copy of each article too that is cut short and counts so much; none if not given",
    )
    parser.add_argument(
        "--aged",
        type=float,
        default=0.0,
        metavar="WEIGHT",
        help="learn from copies of some pages too that are in the markup of 2005 and count so much; none if not given",
    )
    parser.add_argument(
        "--second-opinion",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="of each label, to be what a network says that learnt from other sites: four times the work; none if not "
        "given",
    )
    parser.add_argument("--folds", type=int, default=5, metavar="N", help="of the cross-validation by site; 0 for none")
    parser.add_argument("--epochs", type=int, metavar="N", help="how often each page is seen")
    parser.add_argument("--seed", type=int, metavar="N", help="the same seed gives the same weights")
    parser.add_argument("--plot", metavar="FILE", help="draw the errors by epoch: .png, .svg, .pdf")
    parser.add_argument("--credit", metavar="TEXT", action="append", default=[], help="licence and credit for the card")


def run(args: list[str], opts: Namespace) -> None:
    opts.data = [*args, *(opts.data or ())]
    if not opts.data:
        raise usage(SYNTAX, "no pages are named")
    if not opts.output:
        raise usage(SYNTAX, "-o is missing")
    try:
        _check_output(Path(opts.output))
        if opts.folds == 1 or opts.folds < 0:
            raise ValueError(f"--folds must be 0, or 2 or more, not {opts.folds}")
        if opts.epochs is not None and opts.epochs < 1:
            raise ValueError(f"--epochs must be at least 1, not {opts.epochs}")
        if opts.seed is not None and not 0 <= opts.seed < _SEEDS:
            raise ValueError(f"--seed must be from 0 to {_SEEDS - 1}, not {opts.seed}")
        if opts.plot:
            plots.check_output(opts.plot)
        for name in ("shortened", "aged"):
            if not 0 <= getattr(opts, name) < inf:
                raise ValueError(f"--{name} takes a weight of 0 or more, not {getattr(opts, name)}")
        if not 0 <= opts.second_opinion < 1:
            raise ValueError(f"--second-opinion takes a share from 0 to less than 1, not {opts.second_opinion}")
        on_rows = any(name.endswith(".dat") for name in opts.data)
        if (opts.shortened or opts.aged or opts.second_opinion) and (opts.start or on_rows):
            raise ValueError("--shortened, --aged and --second-opinion are for pages and a training from the start")
        if opts.start:
            model = _fine_tune(opts)
        elif on_rows:
            model = _train_on_rows(opts)
        elif opts.kind in _OF_TEXT_NODES:
            model = _train_on_text_nodes(opts)
        else:
            model = _train_on_pages(opts)
    except OSError as error:
        raise UsageError(reason_of(error), print_help=False) from None
    except (ValueError, ImportError) as error:
        raise UsageError(str(error), print_help=False) from None
    model.card["credit"] = opts.credit
    output = Path(opts.output)
    model.card["command"] = _command(output)
    model.save(output)
    page = card_page(output.stem, model)
    output.with_suffix(".md").write_text(page, "utf-8")
    print(page)


def _check_output(output: Path) -> None:
    """Raise ValueError if nothing could be written there: before the work, not after it."""
    if output.is_dir():
        raise ValueError(f"-o {output}: it is a folder")
    if not output.parent.is_dir():
        raise ValueError(f"-o {output}: there is no such folder")


def _train_on_pages(opts: Namespace) -> Any:
    if opts.kind == "mlp":
        require("torch")
    trainer = require(f"scrapy_boilerplate.train.{_TRAINERS[opts.kind]}")
    settings = _settings(trainer.Settings(), opts)
    curves: list[plots.ErrorCurve] = []

    def train(learnt: Sequence[Sample]) -> Any:
        seen = set(map(id, learnt))
        held_out = [sample for sample in samples if sample is not None and id(sample) not in seen]
        if opts.second_opinion:
            learnt = with_second_opinions(learnt, fit, opts.second_opinion)
        curves.append(plots.ErrorCurve())
        return fit(learnt, held_out if opts.plot else None, curves[-1])

    def fit(
        learnt: Sequence[Sample], held_out: Sequence[Sample] | None = None, curve: plots.ErrorCurve | None = None
    ) -> Any:
        learnt = [*learnt, *(copy for sample in learnt for copy in sample.copies)]

        def report(epoch: int, training_error: float, held_out_error: float) -> None:
            advance(epoch)
            if curve is not None:
                curve.add(epoch, training_error, held_out_error)

        with progress(settings.epochs, "epochs") as advance:
            return trainer.train(learnt, settings, held_out=held_out, progress=report)

    sources = [Source.parse(text) for text in opts.data]
    examples = read_sources(sources, opts.page_type)
    copies = CopyWeights(shortened=opts.shortened, aged=opts.aged)
    samples = _samples(examples, trainer.FEATURES, copies)
    card = judge(examples, samples, train, opts.folds) if opts.folds else {}
    usable = [sample for sample in samples if sample is not None]
    model = train(usable)
    if opts.kind == "mlp":
        trainer.note_importance(model, usable)
    if opts.plot:
        panels = {f"{opts.folds} folds by site": curves[:-1], "all pages": curves[-1:]}
        _plot(panels, trainer.ERROR, opts.plot)
    model.card |= card
    model.card["data"] = _data(sources, examples)
    return model


def _train_on_text_nodes(opts: Namespace) -> Any:
    if len(opts.data) != 1 or opts.page_type or opts.shortened or opts.aged or opts.second_opinion or opts.plot:
        raise ValueError(f"--kind {opts.kind} takes one folder, all of its pages as they are, and draws no plot")
    folder = Path(opts.data[0])
    if opts.kind == "boilernet":
        settings = boilernet.chosen_settings(epochs=opts.epochs, seed=opts.seed)
        return boilernet.make_boilernet(folder, settings, folds=opts.folds)
    iterations = victor_pages.Settings.iterations if opts.epochs is None else opts.epochs
    return victor_pages.make_victor(folder, settings=victor_pages.Settings(iterations=iterations), folds=opts.folds)


def _fine_tune(opts: Namespace) -> Any:
    require("torch")
    fine_tuning = require("scrapy_boilerplate.train.fine_tuning")
    model = model_of("--from", opts.start)
    if not isinstance(model, Perceptron):
        raise ValueError(f"only a network of the kind mlp can be trained further, and {opts.start} is none")
    settings = _settings(fine_tuning.Settings(), opts)
    sources = [Source.parse(text) for text in opts.data]
    examples = read_sources(sources, opts.page_type)
    samples = [sample for sample in _samples(examples, model.feature_names) if sample is not None]
    if doubt := fine_tuning.doubt(samples):
        print(doubt, file=sys.stderr)
    others = [Source(str(folder)) for folder in opts.check or [fine_tuning.other_sites()] if folder]
    kept_out = [sample for sample in _samples(read_sources(others), model.feature_names) if sample is not None]
    curves: list[plots.ErrorCurve] = []  # of the training, and of those that check it
    folds = fine_tuning.folds_of(samples, opts.folds)
    with progress(settings.epochs * (1 + folds), "epochs") as advance:

        def report(epoch: int, training_error: float, held_out_error: float) -> None:
            if epoch == 1:
                curves.append(plots.ErrorCurve())
            curves[-1].add(epoch, training_error, held_out_error)
            advance(settings.epochs * (len(curves) - 1) + epoch)

        tuned = fine_tuning.fine_tune(model, samples, settings, progress=report)
        on_labels = None
        if curves and len(curves[0].epochs) == settings.epochs:  # who has interrupted it wants no checks either
            with suppress(KeyboardInterrupt):
                on_labels = fine_tuning.held_out(model, samples, settings, folds=folds, progress=report)
    if opts.plot:
        network = require("scrapy_boilerplate.train.network")
        panels = {f"{folds} folds of your pages": curves[1:], "all your pages": curves[:1]}
        _plot(panels, network.ERROR, opts.plot)
    on_others = fine_tuning.compare(model, tuned, kept_out) if kept_out else None
    told = fine_tuning.verdict(len(samples), on_labels, on_others)
    print(told)
    fine_tuning.note(tuned.card, opts.start, settings, told)
    tuned.card["data"] = _data(sources, examples)
    return tuned


def _train_on_rows(opts: Namespace) -> Any:
    if opts.kind != "texrex":
        raise ValueError("rows of features, .dat files, are for --kind texrex")
    settings = _settings(texrex.Settings(), opts)
    examples = read_rows(opts.data)
    curves: dict[str, dict[int, plots.ErrorCurve]] = defaultdict(lambda: defaultdict(plots.ErrorCurve))

    def note(together: str, fold: int, epoch: int, training_error: float, held_out_error: float) -> None:
        curves[f"folds of {together}"][fold].add(epoch, training_error, held_out_error)

    card = judge_rows(examples, settings, opts.folds, progress=note if opts.plot else None) if opts.folds else {}
    with progress(settings.epochs, "epochs") as advance:

        def report(epoch: int, training_error: float, _: float) -> None:
            advance(epoch)
            curves["all rows"][0].add(epoch, training_error, nan)

        model = train_on_rows(examples, settings, progress=report)
    if opts.plot:
        _plot({title: list(of_folds.values()) for title, of_folds in curves.items()}, texrex.ERROR, opts.plot)
    model.card |= card
    model.card["data"] = [{"file": Path(name).name} for name in opts.data]
    return model


def _samples(
    examples: Sequence[tuple[Source, Example]], features: Sequence[str], copies: CopyWeights = NO_COPIES
) -> list[Sample | None]:
    samples: list[Sample | None] = []
    with progress(len(examples), "pages") as advance:
        for sample in make_samples(examples, features, copies=copies):
            samples.append(sample)
            advance(len(samples))
    return samples


def _data(sources: Sequence[Source], examples: Sequence[tuple[Source, Example]]) -> list[dict[str, Any]]:
    """What a card says about the data."""
    return [
        {
            "folder": Path(source.folder).name,
            "weight": source.weight,
            "pages": sum(other == source for other, _ in examples),
        }
        for source in sources
    ]


def _plot(panels: Mapping[str, Sequence[plots.ErrorCurve]], error: str, path: str) -> None:
    begun = {title: [curve for curve in curves if curve.epochs] for title, curves in panels.items()}
    drawn = {title: curves for title, curves in begun.items() if curves}
    try:
        if drawn:
            plots.save(plots.error_figure(drawn, error), path)
    except OSError as failure:  # the weights must not be lost for a picture
        print(f"no plot: {failure}", file=sys.stderr)


def _settings(settings: Any, opts: Namespace) -> Any:
    chosen = {name: getattr(opts, name) for name in ("epochs", "seed") if getattr(opts, name) is not None}
    return replace(settings, **chosen)


def _command(output: Path) -> str:
    """How the user called it, whatever the folder that the weights went to."""
    given = sys.argv[sys.argv.index("train") + 1 :] if "train" in sys.argv else []
    if "--plot" in given:  # which has no part in the weights
        place = given.index("--plot")
        given = given[:place] + given[place + 2 :]
    return shlex.join(
        ["scrapy", "boilerplate", "train", *(output.name if word == str(output) else word for word in given)]
    )
