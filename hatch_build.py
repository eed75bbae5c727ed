"""Compiles the walk over a page's tree where there is a C compiler; without one the package is plain Python."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path("scrapy_boilerplate/_walk.pyx")


class CompileWalk(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  hatchling's signature
        if os.environ.get("SCRAPY_BOILERPLATE_PURE_PYTHON"):
            return
        try:
            compiled = compile_walk(Path(self.root))
        except Exception as error:  # whatever is missing, there is walk.py
            self.app.display_warning(f"{SOURCE} is not compiled, walk.py does its work more slowly: {error!r}")
            return
        build_data["artifacts"].append(compiled.as_posix())
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def compile_walk(root: Path) -> Path:
    """Compile beside the source, where an editable install looks for it; return the result's place below `root`."""
    import lxml
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    with tempfile.TemporaryDirectory() as folder:
        extension = Extension(
            ".".join(SOURCE.with_suffix("").parts), [str(root / SOURCE)], include_dirs=lxml.get_include()
        )
        modules = cythonize([extension], build_dir=folder, quiet=True)
        command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = folder, folder
        command.ensure_finalized()
        command.run()
        [built] = Path(folder).rglob("_walk.*" + Path(command.get_ext_filename("_walk")).suffix)
        target = SOURCE.with_name(built.name)
        (root / target).write_bytes(built.read_bytes())
    return target
