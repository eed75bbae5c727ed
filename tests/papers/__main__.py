"""`python -m tests.papers PAPER ...` prints the tables of a paper, computed with this package."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence

from . import ancestor, boilernet, boilernet_sizes, boilerpipe, texrex, victor

_PAPERS = {
    "texrex": texrex,
    "boilerpipe": boilerpipe,
    "boilernet": boilernet,
    "boilernet-sizes": boilernet_sizes,
    "victor": victor,
    "ancestor": ancestor,
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m tests.papers", description="Print the tables of a paper.")
    papers = parser.add_subparsers(dest="paper", required=True, metavar="PAPER")
    for name, module in _PAPERS.items():
        summary = (module.__doc__ or "").partition("\n")[0]
        module.add_options(papers.add_parser(name, help=summary, description=summary))
    options = parser.parse_args(arguments)
    try:
        for line in _PAPERS[options.paper].tables(options):
            print(line, flush=True)
    except (ImportError, OSError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
