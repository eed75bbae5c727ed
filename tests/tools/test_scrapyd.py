"""The example project as an egg, with a model of its own, in a real Scrapyd."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from scrapy_boilerplate.models import WEIGHTS

from ..processes import wait_until

pytest.importorskip("scrapyd", reason="scrapyd is not installed")
pytestmark = pytest.mark.slow

EXAMPLE = Path(__file__).parents[2] / "example_project"
SETUP = """
from setuptools import find_packages, setup

setup(
    name="newsroom",
    version="1.0",
    packages=find_packages(),
    package_data={"newsroom": ["*.npz"]},
    entry_points={"scrapy": ["settings = newsroom.settings"]},
)
"""
CONFIGURATION = """
[scrapyd]
http_port = {port}
bind_address = 127.0.0.1
items_dir = items
poll_interval = 0.2
"""


@pytest.fixture
def egg(tmp_path) -> Path:
    project = shutil.copytree(EXAMPLE, tmp_path / "project", ignore=shutil.ignore_patterns("site"))
    shutil.copy(WEIGHTS / "news.npz", project / "newsroom" / "own.npz")
    (project / "setup.py").write_text(SETUP)
    command = [sys.executable, "setup.py", "-q", "bdist_egg", "-d", str(tmp_path)]
    subprocess.run(command, cwd=project, check=True, capture_output=True, timeout=120)
    [egg] = tmp_path.glob("*.egg")
    return egg


@pytest.fixture
def scrapyd(tmp_path) -> Iterator[str]:
    """The address of a running Scrapyd, whose files are in the folder of the test."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "scrapyd.conf").write_text(CONFIGURATION.format(port=port))
    server = subprocess.Popen([sys.executable, "-m", "scrapyd"], cwd=tmp_path, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: is_up(address))
        yield address
    finally:
        server.terminate()
        server.wait(30)


@pytest.fixture
def site() -> Iterator[str]:
    handler = partial(SimpleHTTPRequestHandler, directory=str(EXAMPLE / "newsroom" / "site"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def is_up(address: str) -> bool:
    try:
        return bool(urlopen(f"{address}/daemonstatus.json").read())
    except URLError:
        return False


def call(address: str, method: str, body: bytes | None = None, kind: str = "application/x-www-form-urlencoded") -> Any:
    answer = json.loads(urlopen(Request(f"{address}/{method}", body, {"Content-Type": kind})).read())
    assert answer["status"] == "ok", answer
    return answer


def deploy(address: str, egg: Path) -> None:
    fields = {"project": b"newsroom", "version": b"1", 'egg"; filename="project.egg': egg.read_bytes()}
    parts = [
        b'--x\r\nContent-Disposition: form-data; name="%b"\r\n\r\n%b\r\n' % (name.encode(), value)
        for name, value in fields.items()
    ]
    call(address, "addversion.json", b"".join(parts) + b"--x--\r\n", "multipart/form-data; boundary=x")


def crawl(address: str, folder: Path, *settings: str, url: str) -> tuple[list[dict[str, Any]], str]:
    """The items and the log of a job."""
    arguments = [("project", "newsroom"), ("spider", "news"), ("url", url), ("jobid", "job")]
    call(address, "schedule.json", urlencode(arguments + [("setting", setting) for setting in settings]).encode())
    wait_until(lambda: call(address, "listjobs.json?project=newsroom")["finished"])
    lines = (folder / "items" / "newsroom" / "news" / "job.jl").read_text("utf-8").splitlines()
    return list(map(json.loads, lines)), (folder / "logs" / "newsroom" / "news" / "job.log").read_text("utf-8")


@pytest.mark.parametrize("model", ["news", "newsroom:own.npz"])
def test_a_deployed_egg_fills_its_items_and_finds_its_model(egg, scrapyd, site, tmp_path, model):
    deploy(scrapyd, egg)

    items, log = crawl(
        scrapyd, tmp_path, f"BOILERPLATE_MODEL={model}", "BOILERPLATE_WORKERS=1", "BOILERPLATE_BLOCKS=kept", url=site
    )

    assert len(items) == 22
    assert all(item["main_text"] and item["blocks"] for item in items)
    assert f"model {model}," in log
    assert "ERROR" not in log
