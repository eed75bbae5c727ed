"""Compile the modules that take most of the time; without a C compiler the package is plain Python."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "scrapy_boilerplate"


class Compile(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  hatchling's signature
        if os.environ.get("SCRAPY_BOILERPLATE_PURE_PYTHON"):
            return
        try:
            compiled = compile_in_place(Path(self.root))
        except Exception as error:  # best-effort: there is a Python version of everything
            self.app.display_warning(f"nothing was compiled, so the package is slower: {error!r}")
            return
        build_data["artifacts"] += [path.as_posix() for path in compiled]
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def compile_in_place(root: Path) -> list[Path]:
    """Compile each .pyx next to its source, as editable installs need it. Return the paths relative to `root`."""
    import lxml
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    sources = [source.relative_to(root) for source in sorted((root / PACKAGE).rglob("*.pyx"))]
    extensions = [
        Extension(".".join(source.with_suffix("").parts), [str(root / source)], include_dirs=lxml.get_include())
        for source in sources
    ]
    with tempfile.TemporaryDirectory() as folder:
        modules = cythonize(extensions, build_dir=folder, quiet=True)
        command: Any = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = f"{folder}/lib", f"{folder}/temp"
        command.ensure_finalized()
        command.run()
        compiled = [Path(command.get_ext_filename(extension.name)) for extension in extensions]
        for path in compiled:
            (root / path).write_bytes((Path(command.build_lib) / path).read_bytes())
    return compiled
