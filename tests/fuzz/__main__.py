"""`python -m tests.fuzz TARGET [--runs N]`: guided by coverage if atheris is installed, otherwise random."""

from __future__ import annotations

import argparse
import faulthandler
import resource
import sys
import time
from importlib.util import find_spec
from pathlib import Path

SECONDS, MEGABYTES = 5, 1024  # limits for each input
NAMES = ("extract", "weights", "models", "labels", "gold", "warc", "cache", "state", "settings", "command")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", choices=NAMES)
    parser.add_argument("--runs", type=int, default=100_000, metavar="N", help="number of inputs (default: 100000)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the random inputs (default: 0)")
    parser.add_argument(
        "--corpus", type=Path, default=Path("corpus"), metavar="DIR", help="folder for inputs (default: corpus)"
    )
    parser.add_argument("--by-chance", action="store_true", help="use random inputs, even if atheris is installed")
    options = parser.parse_args()
    if find_spec("atheris") and not options.by_chance:
        guided(options)
    else:
        by_chance(options)


def guided(options: argparse.Namespace) -> None:
    """Run atheris until an input fails, hangs or needs too much memory; it is written to crash-*, timeout-* or oom-*.

    atheris itself grows by up to 7 kB with each input. Run more than 100,000 in several runs: each continues with the
    corpus of the earlier ones.
    """
    import atheris

    with atheris.instrument_imports(include=["scrapy_boilerplate"]):
        from .targets import TARGETS
    from .seeds import SEEDS, WORDS

    folder = options.corpus / options.target
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS[options.target]()):
        (folder / f"seed-{number}").write_bytes(seed)
    words = options.corpus / f"{options.target}.words"
    escaped = ("".join(f"\\x{byte:02x}" for byte in word) for word in WORDS[options.target])
    words.write_text("".join(f'"{word}"\n' for word in escaped))
    limits = [f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}", "-max_len=4096", f"-dict={words}"]
    how = [
        f"-runs={options.runs}",
        f"-seed={options.seed + 1}",
        "-print_final_stats=1",
        f"-artifact_prefix={options.corpus}/",
    ]
    atheris.Setup([sys.argv[0], *limits, *how, str(folder)], TARGETS[options.target])
    atheris.Fuzz()


def by_chance(options: argparse.Namespace) -> None:
    """Run random inputs. An input that fails, hangs or crashes the process stays in the folder of the corpus."""
    from .mutations import mutated
    from .seeds import SEEDS, WORDS
    from .targets import TARGETS

    target, slowest = TARGETS[options.target], 0.0
    options.corpus.mkdir(exist_ok=True)
    current = options.corpus / f"{options.target}-{options.seed}"
    start = time.monotonic()
    for data in mutated(SEEDS[options.target](), WORDS[options.target], options.runs, options.seed):
        current.write_bytes(data)
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        before = time.monotonic()
        target(data)
        slowest = max(slowest, time.monotonic() - before)
    faulthandler.cancel_dump_traceback_later()
    current.unlink()
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    seconds = time.monotonic() - start
    print(f"{options.target}: {options.runs} runs in {seconds:.0f} s, slowest {slowest:.2f} s, {megabytes} MB")
    if megabytes > MEGABYTES:
        raise SystemExit(f"more than {MEGABYTES} MB")


if __name__ == "__main__":
    main()
