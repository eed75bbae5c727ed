"""A real browser for tests, and what they watch it with."""

from __future__ import annotations

import shutil
import socket
from pathlib import Path
from threading import Thread

import pytest

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def browser():
    if sync_playwright is None or CHROMIUM is None:
        pytest.skip("needs Playwright (the extra `browser`) and Chromium")
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM)
        yield chromium
        chromium.close()


class Tab:
    """A tab of the browser that remembers what went wrong in it and what it asked for."""

    def __init__(self, browser, **options):
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(30_000)
        self.page = self.context.new_page()
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.page.on(
            "console", lambda message: message.type in ("error", "warning") and self.errors.append(message.text)
        )
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", lambda dialog: self.errors.append(dialog.message) or dialog.dismiss())
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.context.on("page", lambda page: page is not self.page and self.errors.append(f"new page {page.url}"))

    def open(self, path: Path, html: str):
        path.write_text(html, "utf-8")
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("body[data-ready]")
        return self.page

    @property
    def foreign_requests(self) -> list[str]:
        return [url for url in self.requests if not url.startswith(("file:", "data:", "about:"))]


@pytest.fixture
def tab(browser, request):
    tab = Tab(browser, **getattr(request, "param", {}))
    yield tab
    tab.context.close()
    assert tab.errors == []
    assert tab.foreign_requests == []


class Listener:
    """An address of this machine that notes every connection to it."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        self.connections: list[bytes] = []
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(0.2)
                try:
                    self.connections.append(connection.recv(1000))
                except OSError:
                    self.connections.append(b"")


@pytest.fixture
def evil():
    listener = Listener()
    yield listener
    listener.socket.close()


# The texts of a page whose contrast is below 4.5, as the Web Content Accessibility Guidelines count it.
LOW_CONTRAST = """() => {
  const luminance = (colour) => {
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = colour.map((part) => linear(part / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const parse = (text) => [...text.match(/[\\d.]+/g).map(Number), 1].slice(0, 4);
  const ground = (element) => {
    if (!element) return [255, 255, 255, 1];
    const own = parse(getComputedStyle(element).backgroundColor);
    if (own[3] === 1) return own;
    const under = ground(element.parentElement);
    return [0, 1, 2].map((part) => own[part] * own[3] + under[part] * (1 - own[3])).concat(1);
  };
  const bad = [];
  for (const element of document.body.querySelectorAll("*")) {
    const says = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!says || !element.offsetParent || element.disabled) continue;
    const pair = [luminance(parse(getComputedStyle(element).color)), luminance(ground(element))].sort((a, b) => b - a);
    const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (contrast < 4.5) bad.push([element.tagName, element.className, element.textContent.slice(0, 30), contrast]);
  }
  return bad;
}"""
