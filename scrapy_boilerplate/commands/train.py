"""`scrapy boilerplate train`: train a model of your own, or the shipped ones again."""

from __future__ import annotations

import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scrapy.exceptions import UsageError

from .. import models
from ..train import plots
from ..train.cards import card_page
from ..train.kinds import KINDS, trainer_of
from ..train.page_types import KIND as PAGE_TYPES
from ..train.page_types import PageTypeTrainer
from ..train.recipe import Recipe, Source, checked, read_recipe
from ..train.rows import SUFFIX, RowsTrainer
from ..train.trainer import make_model
from .fine_tune import fine_tune
from .mistakes import reason_of, usage
from .plot_errors import plot_errors
from .progress import progress

SYNTAX = "train [LABELS ...] [--data DIR] [--recipe FILE | --from MODEL] -o FILE [options]"

_SHIPPED = Path(models.__file__).with_name("weights")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        metavar="DIR",
        action="append",
        help="pages with their main texts: html/ and ground-truth/, label files, or pairs NAME.html and NAME.txt; for "
        "texrex also FANN's .dat files",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="weights file to write; its card is written beside it")
    parser.add_argument("--kind", choices=KINDS, help="kind of model (default: mlp)")
    parser.add_argument(
        "--recipe",
        metavar="FILE",
        help="TOML file with the data and settings of a training, or that of a shipped model: mlp.toml, ...",
    )
    parser.add_argument(
        "--data-root", metavar="DIR", help="folder that holds the data of --recipe, the current one if not given"
    )
    parser.add_argument(
        "--from", dest="start", metavar="MODEL", help="fine-tune this model, by name or file, instead of a new one"
    )
    parser.add_argument(
        "--check", metavar="DIR", action="append", help="with --from: regression pages (default: 15 bundled ones)"
    )
    parser.add_argument("--folds", type=int, metavar="N", help="folds of the cross-validation (default: 5); 0 for none")
    parser.add_argument("--epochs", type=int, metavar="N", help="number of passes over the pages")
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="random seed; the same seed gives the same weights; --from uses no random numbers",
    )
    parser.add_argument("--plot", metavar="FILE", help="plot the errors by epoch: .png, .svg, .pdf")
    parser.add_argument("--credit", metavar="TEXT", action="append", default=[], help="licence or author, for the card")


def run(args: list[str], opts: Namespace) -> None:
    opts.data = [*args, *(opts.data or ())]
    if not opts.data and not opts.recipe:
        raise usage(SYNTAX, "no pages are named")
    if not opts.output:
        raise usage(SYNTAX, "-o is missing")
    try:
        _check(opts)
        model = fine_tune(opts) if opts.start else _train(opts)
    except OSError as error:
        raise UsageError(reason_of(error), print_help=False) from None
    except (ValueError, ImportError) as error:
        raise UsageError(str(error), print_help=False) from None
    model.card["command"] = _command(opts)
    output = Path(opts.output)
    model.save(output)
    page = card_page(output.stem, model)
    output.with_suffix(".md").write_text(page, "utf-8")
    print(page)


def _check(opts: Namespace) -> None:
    """Raise ValueError for mistakes that would only show after the training."""
    output = Path(opts.output)
    if output.is_dir():
        raise ValueError(f"-o {output}: it is a folder")
    if not output.parent.is_dir():
        raise ValueError(f"-o {output}: there is no such folder")
    for name in ("folds", "epochs", "seed"):
        if getattr(opts, name) is not None:
            checked(f"--{name}", getattr(opts, name), 1)
    if opts.plot:
        plots.check_output(opts.plot)
    if opts.start and (opts.recipe or opts.kind):
        raise ValueError("--from fine-tunes a model as it is: leave out --recipe and --kind")
    if opts.recipe and (opts.data or opts.kind):
        raise ValueError("--recipe has the kind and the data: leave out --kind, --data and LABELS")
    if opts.data_root and not opts.recipe:
        raise ValueError("--data-root is for --recipe")
    if opts.check and not opts.start:
        raise ValueError("--check is for --from")


def _train(opts: Namespace) -> Any:
    recipe = _recipe(opts)
    root = Path(opts.data_root) if opts.data_root else None
    draws = bool(opts.plot)
    trainer: Any
    if any(source.folder.endswith(SUFFIX) for source in recipe.data):
        trainer = RowsTrainer(recipe, progress, draws=draws)
        model: Any = trainer.make(root)
    elif recipe.kind == PAGE_TYPES:
        if draws:
            raise ValueError(f"--plot: the training of {PAGE_TYPES} has no error curves")
        model = PageTypeTrainer(recipe, progress).make(root)
    else:
        trainer = trainer_of(recipe, progress, draws=draws)
        model = make_model(trainer, root)
    if draws:
        plot_errors(trainer.curves, trainer.error, opts.plot)
    model.card["credit"] = list(recipe.credit)
    return model


def _recipe(opts: Namespace) -> Recipe:
    """The recipe file, or a recipe of the options alone."""
    if opts.recipe:
        recipe = read_recipe(_recipe_file(opts.recipe))
    else:
        recipe = Recipe(opts.kind or Recipe().kind, data=tuple(map(Source, opts.data)))
    settings = {name: getattr(opts, name) for name in ("epochs", "seed") if getattr(opts, name) is not None}
    return replace(
        recipe,
        folds=recipe.folds if opts.folds is None else opts.folds,
        credit=(*recipe.credit, *opts.credit),
        settings={**recipe.settings, **settings},
    )


def _recipe_file(name: str) -> Path:
    """The file of this name, or else the shipped recipe of this name."""
    shipped = _SHIPPED / Path(name).name
    return shipped if not Path(name).exists() and name == shipped.name and shipped.exists() else Path(name)


def _command(opts: Namespace) -> str:
    """The command line for the card, without the folders of this machine that have no part in the weights."""
    given: Sequence[str] = []
    if "train" in sys.argv:  # options may stand before it
        place = sys.argv.index("train")
        before = [word for word in sys.argv[1:place] if word != "boilerplate"]
        given = [*before, *sys.argv[place + 1 :]]
    if "--plot" in given:
        place = given.index("--plot")
        given = [*given[:place], *given[place + 2 :]]
    named = {opts.output: Path(opts.output).name, opts.recipe: Path(opts.recipe or "").name, opts.data_root: "DIR"}
    return shlex.join(["scrapy", "boilerplate", "train", *(named.get(word, word) for word in given)])
