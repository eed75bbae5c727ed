"""Compile the core; without a C compiler the package is plain Python."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CORE = Path("scrapy_boilerplate", "_core")
NAME = "scrapy_boilerplate._core.shim"
# One file for this version of Python and all later ones; those without the interpreter's lock have no stable ABI yet.
LIMITED_API = None if sysconfig.get_config_var("Py_GIL_DISABLED") else "0x030A0000"


FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-fno-math-errno", "-fvisibility=hidden", "-g0"]
SANITIZERS = ["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]
STRIPPED = ["-Wl,-s"] if sys.platform == "linux" else []


class Compile(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  hatchling's signature
        if os.environ.get("SCRAPY_BOILERPLATE_PURE_PYTHON"):
            return
        try:
            compiled = compile_in_place(Path(self.root))
        except Exception as error:  # best-effort: there is a Python version of everything
            if os.environ.get("SCRAPY_BOILERPLATE_COMPILED"):  # for wheels, which must not be without the core
                raise
            self.app.display_warning(f"nothing was compiled, so the package is slower: {error!r}")
            return
        build_data["artifacts"] += [path.as_posix() for path in compiled]
        build_data["pure_python"] = False
        if LIMITED_API:
            build_data["tag"] = f"cp310-abi3-{platform_tag()}"
        else:
            build_data["infer_tag"] = True


def platform_tag() -> str:
    return re.sub(r"[-. ]", "_", sysconfig.get_platform())


def compile_in_place(root: Path) -> list[Path]:
    """Compile the core beside its sources, as editable installs need it. Return the paths relative to `root`."""
    with tempfile.TemporaryDirectory() as folder:
        compiled = compile_core(root, Path(folder))
        path = CORE / compiled.name
        beside = (root / path).with_suffix(".new")
        beside.write_bytes(compiled.read_bytes())
        beside.replace(root / path)  # a process that runs keeps the old file
    return [path]


def compile_core(root: Path, folder: Path, flags: Sequence[str] = FLAGS) -> Path:
    """Compile the core into a folder."""
    import lxml
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    extension = Extension(
        NAME,
        [str(root / CORE / "shim.pyx"), *map(str, sorted((root / CORE).glob("*.c")))],
        include_dirs=[str(root / CORE), *lxml.get_include()],
        define_macros=[("Py_LIMITED_API", LIMITED_API), ("CYTHON_LIMITED_API", "1")] if LIMITED_API else [],
        extra_compile_args=list(flags),
        extra_link_args=[flag for flag in flags if flag.startswith("-fsanitize")] or STRIPPED,
        py_limited_api=bool(LIMITED_API),
    )
    modules = cythonize([extension], build_dir=str(folder), quiet=True)
    command: Any = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
    command.build_lib, command.build_temp = f"{folder}/lib", f"{folder}/temp"
    command.ensure_finalized()
    command.run()
    return Path(command.build_lib, command.get_ext_filename(NAME))
