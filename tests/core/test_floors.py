"""The floors of the house: core below crawl and the tools, the tools side by side, the commands on top.

Nobody imports upwards, whether at the top of a module, in a function or for types alone; and nothing loads a tool
that it doesn't need, which is tried in fresh processes.
"""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib.util import find_spec
from pathlib import Path

import pytest

import scrapy_boilerplate

PACKAGE = "scrapy_boilerplate"
ROOT = Path(scrapy_boilerplate.__file__).parent
PAGE = Path(__file__).parents[1] / "gold" / "other_sites" / "blog.html"

TOOLS = ("stored", "review", "label", "train")
OF_SCRAPY = {"scrapy", "twisted", "itemadapter", "parsel"}
# What the parts above the core may import beside the core and themselves.
MAY_IMPORT = {
    "core": set(),
    "crawl": {"review"},  # the report, when its setting asks for it
    "poet": {"crawl"},
    "stored": set(),
    "review": set(),
    "label": {"review"},
    "train": {"label"},
    "commands": {"crawl", *TOOLS},
}


def name_of(path: Path) -> str:
    """The name of the module in a file; that of a package if it is its `__init__`."""
    return ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name_of(path): path for path in sorted(ROOT.rglob("*.py"))}


def imports_of(module: str, *, at_run_time: bool = False) -> Iterator[str]:
    """The full names of what a module imports: everywhere in it, or only while it is itself imported."""
    path = MODULES[module]
    package = module.split(".") if path.stem == "__init__" else module.split(".")[:-1]
    tree = ast.parse(path.read_text("utf-8"))
    for node in tree.body if at_run_time else ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            yield from (".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names)


def part_of(name: str) -> str:
    """The part of the house that a name of the package belongs to."""
    part = f"{name}.".split(".")[1]
    return part if part in MAY_IMPORT else "core"


def is_ours(name: str) -> bool:
    return name.split(".")[0] == PACKAGE


def test_no_module_imports_from_above():
    upwards = {
        (module, part_of(name))
        for module in MODULES
        for name in imports_of(module)
        if is_ours(name) and part_of(name) not in {"core", part_of(module), *MAY_IMPORT[part_of(module)]}
    }

    front_door = {(PACKAGE, "crawl"), (PACKAGE, "stored")}  # which loads these when they are asked for
    assert upwards == {*front_door, (f"{PACKAGE}.__main__", "commands")}


def test_the_core_imports_nothing_of_scrapy():
    assert not [
        (module, name)
        for module in MODULES
        for name in imports_of(module)
        if part_of(module) == "core" and name.split(".")[0] in OF_SCRAPY
    ]


def test_no_modules_import_each_other_in_a_circle():
    def known(name: str) -> str:
        return name if name in MODULES else name.rpartition(".")[0]

    graph = {
        module: {known(name) for name in imports_of(module, at_run_time=True) if is_ours(name)} for module in MODULES
    }

    assert list(TopologicalSorter(graph).static_order())


def loaded_by(code: str) -> set[str]:
    """The modules that are loaded in a fresh process after this code."""
    code += "\nimport sys; print(*sys.modules, sep='\\n', file=sys.stderr)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, cwd=ROOT.parent)
    return set(done.stderr.splitlines())


def parts(loaded: set[str]) -> set[str]:
    return {part_of(name) for name in loaded if is_ours(name)}


def test_extract_works_without_scrapy_and_loads_the_core_alone():
    loaded = loaded_by("import scrapy_boilerplate\nassert scrapy_boilerplate.extract('<p>A page').blocks")

    assert parts(loaded) == {"core"}
    assert not loaded & OF_SCRAPY


def test_other_commands_of_scrapy_load_no_more_than_the_name_of_ours():
    loaded = loaded_by(
        "from contextlib import suppress\nfrom scrapy.cmdline import execute\n"
        "with suppress(SystemExit):\n    execute(['scrapy', 'version'])"
    )

    assert f"{PACKAGE}.commands.boilerplate" in loaded
    assert f"{PACKAGE}.document" not in loaded
    assert "numpy" not in loaded


def test_modules_of_the_package_are_there_without_being_imported():
    loaded = loaded_by(
        "import scrapy_boilerplate\nassert scrapy_boilerplate.models.load_model('mlp')\n"
        "assert not hasattr(scrapy_boilerplate, 'nonsense')"
    )

    assert f"{PACKAGE}.models" in loaded


def test_the_pipeline_of_a_crawl_loads_no_tool():
    loaded = loaded_by("import scrapy_boilerplate.crawl.pipeline")

    assert parts(loaded) == {"core", "crawl"}
    assert not loaded & {"matplotlib", "pyarrow", "sklearn", "torch"}


def test_all_components_of_a_crawl_load_no_tool():
    components = "Addon, BoilerplateDownloaderMiddleware, BoilerplatePipeline, BoilerplateSpiderMiddleware"
    assert parts(loaded_by(f"from scrapy_boilerplate import {components}")) == {"core", "crawl"}


@pytest.mark.skipif(find_spec("web_poet") is None, reason="needs web-poet")
def test_page_objects_load_no_component_of_a_crawl():
    loaded = loaded_by("import scrapy_boilerplate.poet")

    assert parts(loaded) == {"core", "crawl", "poet"}
    assert not {name for name in loaded if name.startswith(f"{PACKAGE}.crawl.")} - {f"{PACKAGE}.crawl.shapes"}


def command(*arguments: str) -> str:
    """Code that runs `scrapy boilerplate` with these arguments."""
    argv = ["scrapy", "boilerplate", *arguments]
    return (
        "from contextlib import suppress\nfrom scrapy.cmdline import execute\n"
        f"with suppress(SystemExit):\n    execute({argv!r})"
    )


def test_the_command_for_a_page_loads_no_tool():
    assert parts(loaded_by(command(str(PAGE)))) == {"core", "commands"}


def test_the_view_of_a_page_loads_no_other_tool(tmp_path):
    assert parts(loaded_by(command(str(PAGE), "--output", str(tmp_path / "view.html")))) == {
        "core",
        "commands",
        "review",
    }


@pytest.mark.parametrize(
    ("subcommand", "tools"),
    [
        ("compare", {"label", "train"}),
        ("evaluate", {"label", "train"}),
        ("label", {"label", "review"}),
        ("train", {"label", "train"}),
        ("warc", {"stored"}),
    ],
)
def test_a_subcommand_loads_its_own_tools_only(subcommand, tools):
    assert parts(loaded_by(command(subcommand, "-h"))) == {"core", "commands"} | tools


def test_teaching_a_network_more_loads_no_package_of_an_extra(tmp_path):
    for name in ("blog.html", "blog.txt"):
        shutil.copy(PAGE.with_name(name), tmp_path)
    output = tmp_path / "own.npz"
    options = ("--from", "mlp", "--check", str(tmp_path), "--epochs", "1", "-o", str(output))

    loaded = loaded_by(command("train", str(tmp_path), *options))

    assert output.exists()
    assert not loaded & {"matplotlib", "pycrfsuite", "readability", "sklearn", "torch", "trafilatura"}
