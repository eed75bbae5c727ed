"""`python -m tests.fuzz.core [--runs N]`: random trees for the compiled core, built with AddressSanitizer and UBSan.

Pages are random markup, XML, and trees that were changed through lxml. Whatever comes, the core must neither touch
memory that is not its own nor raise anything but MemoryError, with every kernel that this processor has.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
NAME = "scrapy_boilerplate._core.shim"
_LIBRARIES = ("libasan.so",)
_COMPARED = 200  # one page in so many is also read in Python
_STARVED = 20  # and one in so many has no memory at some point


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.core", description=__doc__)
    parser.add_argument("--runs", type=int, default=100_000, metavar="N", help="number of pages (default: 100000)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of the random pages (default: 0)")
    parser.add_argument("--module", type=Path, metavar="FILE", help="a core that is built already")
    options = parser.parse_args()
    if options.module is None:
        with TemporaryDirectory() as folder:
            raise SystemExit(_start(build(Path(folder)), sys.argv[1:]))
    fuzz(options.module, options.runs, options.seed)


def build(folder: Path) -> Path:
    """Build the core with sanitizers, in a folder of its own."""
    sys.path.insert(0, str(ROOT))
    from hatch_build import SANITIZERS, compile_core

    return compile_core(ROOT, folder, SANITIZERS)


def _start(module: Path, arguments: list[str]) -> int:
    """Go on in a process that has the sanitizers' libraries from its start."""
    libraries = [
        subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True).stdout.strip()
        for name in _LIBRARIES
    ]
    environment = os.environ | {
        "LD_PRELOAD": " ".join(libraries),
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    }
    command = [sys.executable, "-m", "tests.fuzz.core", "--module", str(module), *arguments]
    return subprocess.run(command, env=environment, check=False).returncode


def fuzz(module: Path, runs: int, seed: int) -> None:
    specification = importlib.util.spec_from_file_location(NAME, module)
    assert specification is not None
    assert specification.loader is not None
    shim = importlib.util.module_from_spec(specification)
    sys.modules[NAME] = shim
    specification.loader.exec_module(shim)

    from .core_pages import read_everything, trees

    start = time.monotonic()
    chance = Random(seed)
    for number, root in enumerate(trees(runs, seed)):
        shim.use_kernel(chance.randrange(3))
        starved = chance.randrange(60) if number % _STARVED == 0 else -1
        read_everything(shim, root, chance, starved, compared=number % _COMPARED == 0)
        if number % 50_000 == 49_999:
            print(f"{number + 1} pages in {time.monotonic() - start:.0f} s", flush=True)
    print(f"{runs} pages in {time.monotonic() - start:.0f} s: no complaint")


if __name__ == "__main__":
    main()
