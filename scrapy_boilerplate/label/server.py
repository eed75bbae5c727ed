"""The server of the labelling page, for one browser on the same machine.

It listens on the loopback address. It answers only requests that have its address as their host, come from its own
pages, and carry its session cookie, which a browser gets in exchange for the one-time token of its URL. Requests choose
a page by its number: no name or path from a request is ever used.
"""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ..options import Options
from ..review.view import Editor, file_text, to_html, view_data
from .files import digest_of
from .store import Conflict, FolderPage, LabelFolder

logger = logging.getLogger(__name__)

ADDRESS = "127.0.0.1"
MOST_BYTES = 2_000_000  # of a request

_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "frame-ancestors 'none'",  # the page has a policy of its own for everything else
}


class Refused(Exception):
    """A refused request, with the status and the reason to send."""

    def __init__(self, status: HTTPStatus, reason: str, **more: Any) -> None:
        super().__init__(reason)
        self.status = status
        self.answer = {"message": reason, **more}


class LabelServer(ThreadingHTTPServer):
    """Serves the labelling page for some pages of a folder. `url` admits one browser, once."""

    daemon_threads = True
    allow_reuse_address = os.name != "nt"  # on Windows it would share a port that is in use

    def __init__(self, folder: LabelFolder, pages: Sequence[FolderPage], options: Options, port: int = 0) -> None:
        self.folder = folder
        self.pages = list(pages)
        self.options = options
        try:
            super().__init__((ADDRESS, port), _Handler)
        except (OSError, OverflowError):  # in use, or not permitted: take any free port
            super().__init__((ADDRESS, 0), _Handler)
        self.hosts = {f"{ADDRESS}:{self.server_port}", f"localhost:{self.server_port}"}
        self.token: str | None = secrets.token_urlsafe(32)
        self.session = secrets.token_urlsafe(32)
        self.cookie = f"boilerplate_{self.server_port}"  # named by port: ports of a host share their cookies
        self.page_data = lru_cache(maxsize=4)(self._page_data)

    @property
    def url(self) -> str:
        return f"http://{ADDRESS}:{self.server_port}/?token={self.token}"

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002
        """Log the error at debug level only: most are browsers that close a connection."""
        logger.debug("Request from %s failed", client_address, exc_info=True)

    def labelling_page(self, number: int) -> str:
        """Return the HTML of the labelling page for one of the pages."""
        page = self.pages[number]
        labelled = self.folder.labels(page)
        editor = {
            "content": labelled.content,
            "revision": labelled.revision,
            "lost": [block.text for block in labelled.lost],
            "page": number,
            "name": page.name,
            "digest": digest_of(page.body),
            "pages": [asdict(self.folder.progress(other)) for other in self.pages],
        }
        markup, script = (file_text(name, "scrapy_boilerplate.label") for name in ("label.html", "label.js"))
        return to_html(self.page_data(number) | {"editor": editor}, Editor(markup, script))

    def _page_data(self, number: int) -> dict[str, Any]:
        page = self.pages[number]
        sheets = self.folder.sheets(page)
        name = page.url or page.name
        return view_data(page, name, self.options, url=page.url, others=False, sheets=sheets, with_texts=False)


class _Handler(BaseHTTPRequestHandler):
    server: LabelServer
    timeout = 30
    server_version = "scrapy-boilerplate-removal"
    sys_version = ""
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_PUT(self) -> None:
        self._answer(self._put)

    def log_message(self, *args: object) -> None:
        pass

    def _answer(self, respond: Any) -> None:
        try:
            self._check_host_and_origin()
            respond()
        except Refused as refused:
            self.close_connection = True  # the rest of the request is not read
            self._send(refused.status, json.dumps(refused.answer), "application/json")
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        except Exception as error:
            self.close_connection = True
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, json.dumps({"message": str(error)}), "application/json")

    def _check_host_and_origin(self) -> None:
        """Refuse requests that other sites send, also under a host name of theirs that resolves to this address."""
        if self.headers.get("Host") not in self.server.hosts:
            raise Refused(HTTPStatus.FORBIDDEN, "this server answers to its own address only")
        origin = self.headers.get("Origin")
        own = origin is not None and origin.removeprefix("http://") in self.server.hosts
        if (origin is not None or self.command != "GET") and not own:
            raise Refused(HTTPStatus.FORBIDDEN, "requests from other sites are refused")
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise Refused(HTTPStatus.FORBIDDEN, "requests from other sites are refused")

    def _get(self) -> None:
        address = urlsplit(self.path)
        if address.path == "/":
            self._let_in(parse_qs(address.query).get("token", [""])[0])
            return
        self._check_cookie()
        number = self._page_number(address.path, "page")
        self._send(HTTPStatus.OK, self.server.labelling_page(number), "text/html")

    def _let_in(self, token: str) -> None:
        expected = self.server.token
        if expected is not None and secrets.compare_digest(token.encode(), expected.encode()):
            self.server.token = None
            cookie = f"{self.server.cookie}={self.server.session}; Path=/; HttpOnly; SameSite=Strict"
            self._send(HTTPStatus.SEE_OTHER, "", "text/plain", {"Location": "/page/1", "Set-Cookie": cookie})
            return
        self._check_cookie()
        self._send(HTTPStatus.SEE_OTHER, "", "text/plain", {"Location": "/page/1"})

    def _check_cookie(self) -> None:
        pairs = (pair.strip().partition("=") for pair in self.headers.get("Cookie", "").split(";"))
        session = {name: value for name, _, value in pairs}.get(self.server.cookie, "")
        if not secrets.compare_digest(session.encode(), self.server.session.encode()):
            raise Refused(
                HTTPStatus.FORBIDDEN,
                "open the address that was printed when the server was started; it works once, for one browser",
            )

    def _page_number(self, path: str, kind: str) -> int:
        match = re.fullmatch(rf"/{kind}/([1-9][0-9]{{0,5}})", path)
        if match is None or int(match[1]) > len(self.server.pages):
            raise Refused(HTTPStatus.NOT_FOUND, "there is no such page")
        return int(match[1]) - 1

    def _put(self) -> None:
        self._check_cookie()
        page = self.server.pages[self._page_number(urlsplit(self.path).path, "labels")]
        shown, content, revision = self._labels()
        if shown != (page.name, digest_of(page.body)):  # a tab of an earlier server, which had other pages
            raise Refused(HTTPStatus.NOT_FOUND, "this page isn't labelled here any more")
        try:
            revision = self.server.folder.save(page, content, revision)
        except Conflict as conflict:
            present = self.server.folder.labels(page).revision
            raise Refused(HTTPStatus.CONFLICT, str(conflict), revision=present) from None
        except ValueError as error:
            raise Refused(HTTPStatus.BAD_REQUEST, str(error)) from None
        self._send(HTTPStatus.OK, json.dumps({"revision": revision}), "application/json")

    def _labels(self) -> tuple[tuple[str, str], list[bool | None], str]:
        """Return the labelled page's name and digest, the labels, and the revision that they replace."""
        if self.headers.get_content_type() != "application/json":
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "labels must be sent as JSON")
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit():
            raise Refused(HTTPStatus.LENGTH_REQUIRED, "Content-Length is missing or not a number")
        if int(length) > MOST_BYTES:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the request is too large for labels")
        try:
            labels = json.loads(self.rfile.read(int(length)))
            name, digest, revision, content = (labels[key] for key in ("page", "digest", "revision", "content"))
        except (ValueError, KeyError, TypeError, RecursionError):
            name, digest, revision, content = None, None, None, None
        known = isinstance(content, list) and all(value is None or isinstance(value, bool) for value in content)
        if not known or not all(isinstance(value, str) for value in (name, digest, revision)):
            raise Refused(HTTPStatus.BAD_REQUEST, "these are not valid labels")
        return (name, digest), content, revision

    def _send(self, status: HTTPStatus, text: str, kind: str, headers: dict[str, str] | None = None) -> None:
        body = text.encode("utf-8")
        self.send_response(status)
        for name, value in (_HEADERS | (headers or {})).items():
            self.send_header(name, value)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
